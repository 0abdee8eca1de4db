"""A view's front end in a page that stands for a notebook, with a real `View` at the other end."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from headlight import connect
from headlight.inline.selection import Selection
from headlight.inline.view import View
from scripts.pack import pack

pytestmark = pytest.mark.browser

# What a notebook gives to a widget's front end: it keeps the state, and what is said to Python.
NOTEBOOK = """
class Model extends EventTarget {
  state = {}; changes = {}; outbox = [];
  get(name) { return this.state[name]; }
  set(name, value) {
    if (JSON.stringify(this.state[name]) === JSON.stringify(value)) return;
    this.state[name] = this.changes[name] = value;
    this.dispatchEvent(new Event(`change:${name}`));
  }
  save_changes() { this.outbox.push({ state: this.changes }); this.changes = {}; }
  send(content) { this.outbox.push({ content }); }
  on(names, act) {
    for (const name of names.split(" ")) this.addEventListener(name, ({ detail }) => act(detail));
  }
  off() {}
  take(state) {
    const changed = Object.keys(state)
      .filter((name) => JSON.stringify(this.state[name]) !== JSON.stringify(state[name]));
    Object.assign(this.state, state);
    for (const name of changed) this.dispatchEvent(new Event(`change:${name}`));
  }
  hear(content) { this.dispatchEvent(new CustomEvent("msg:custom", { detail: content })); }
}
window.model = new Model();
window.open = async (code, state) => {
  model.take(state);
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  widget.render({ model, el: document.querySelector("#cell") });
};
"""


class Answers:
    """In place of the connection to the notebook: what the view says."""

    comm_id = "view"

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []

    def send(self, data: dict[str, Any], buffers: Any = None) -> None:
        self.said.append(data)

    def on_msg(self, act: Any) -> None:
        """Hear what the notebook says: here, `exchange` calls the view."""

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def view(server: str) -> Iterator[View]:
    pack()
    with connect(server) as hl:
        found = hl.trace("Maria saw herself in the mirror.").view(layer=2, head=3)
        yield found
        found.close()


@pytest.fixture
def page(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    (tmp_path / "page.html").write_text(
        f"<!doctype html><style>{View._css}</style><body>"
        f'<div id="cell"></div><script>{NOTEBOOK}</script>'
    )
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto((tmp_path / "page.html").as_uri())
        yield page


def exchange(page: Page, view: View, answers: Answers) -> None:
    """Give Python what the page has said, and the page what Python says then."""
    for said in page.evaluate("model.outbox.splice(0)"):
        if "content" in said:
            view._handle_custom_msg(said["content"], [])
        else:
            view.set_state(said["state"])
    for data in answers.said:
        what = "take" if data["method"] == "update" else "hear"
        page.evaluate(f"said => model.{what}(said)", data.get("state", data.get("content")))
    answers.said.clear()


def test_python_and_the_reader_change_the_same_view(page: Page, view: View) -> None:
    answers = Answers()
    view.comm = answers

    def until(holds: Callable[[], bool]) -> None:
        for _ in range(200):
            exchange(page, view, answers)
            if holds():
                return
            page.wait_for_timeout(50)
        raise AssertionError(f"{view.selected} {view.masks} {view.muted} {view._query}")

    page.evaluate("([code, state]) => open(code, state)", [view._esm, view.get_state()])
    frame = page.frame_locator("iframe")
    expect(frame.locator("html")).to_have_attribute("data-state", "ready")

    hatched = frame.get_by_text("blocked by the causal mask")
    expect(hatched).to_be_visible()

    # a click selects in Python
    frame.locator("#plot").click(position={"x": 300, "y": 180})
    until(lambda: view.selected.key is not None)
    query, key = view.selected.query, view.selected.key
    assert view.selected == Selection(layer=2, head=3, query=query, key=key)

    # the buttons run the model, and the page comes back with the edits
    block = page.get_by_role("button", name=re.compile(r"^Block \S+ → \S+$"))
    block.click()
    until(lambda: len(view.masks.blocked) == 1)
    cell = view.masks.blocked[0]
    assert (cell.layer, cell.head, cell.query, cell.key) == (2, 3, query, key)
    expect(block).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Mute layer 2, head 3").click()
    until(lambda: view.muted == ((2, 3),))
    expect(frame.locator("#head-muted")).to_be_visible(timeout=30_000)

    # Python moves the page, and what the reader has chosen stays
    view.selected = {"head": 5}
    exchange(page, view, answers)
    expect(frame.locator("#head-title")).to_have_text("Layer 2 · head 5")
    until(lambda: "head=5" in view._query and "muted=2.3" in view._query)
    assert (view.selected.query, view.selected.key) == (query, key)

    # Python's masks are shown
    view.masks = {"causal": False}
    exchange(page, view, answers)
    causal = page.get_by_role("button", name="Causal mask")
    expect(causal).to_have_attribute("aria-pressed", "false")
    expect(hatched).to_be_hidden(timeout=30_000)

    # and a reader takes all of it back
    page.get_by_role("button", name="Undo all edits").click()
    until(lambda: view.masks.changed() == {} and view.muted == ())
    expect(causal).to_have_attribute("aria-pressed", "true")
    expect(hatched).to_be_visible(timeout=30_000)
