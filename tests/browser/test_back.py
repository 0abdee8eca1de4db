"""Back and Forward of the browser walk the states that the reader has seen."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.inspector import Inspector, rested

pytestmark = pytest.mark.browser
TEXT = "The dogs near the river are old."
LINK = "/?text=The+dogs+near+the+river+are+old.&layer=1&head=2"
PAUSE = 1000  # ms without typing


def seen(inspector: Inspector) -> dict[str, Any]:
    """Everything that a reader can see of a state."""
    page = inspector.page
    page.mouse.move(0, 0)
    inspector.ready().told()
    expect(page.locator("#predictions [aria-busy=true]")).to_have_count(0)  # the open tab's list
    return {
        "address": page.evaluate("() => location.search"),
        "title": page.title(),
        "boxes": [box.input_value() for box in page.locator("#sentences textarea").all()],
        "words": inspector.words(),
        "numbers": page.locator("#row").inner_text(),
        "predictions": page.locator("#predictions").inner_text(),
        "view": page.locator("#view input:checked").get_attribute("value"),
        "model": page.locator("#model").input_value(),
    }


def entries(page: Page) -> int:
    length: int = page.evaluate("() => history.length")
    return length


def go(inspector: Inspector, by: int) -> dict[str, Any]:
    """Go back or forward, as the browser's buttons do."""
    inspector.page.evaluate(
        """(by) => new Promise((done) => {
          addEventListener("popstate", () => setTimeout(done), { once: true });
          history.go(by);
        })""",
        by,
    )
    return seen(inspector)


def tab(page: Page) -> None:
    page.get_by_role("tab", name="Layer by layer").click()


def example(page: Page) -> None:
    page.locator("#gallery-open").click()
    page.locator("#gallery-cards button").nth(2).click()


ACTIONS: list[Callable[[Page], Any]] = [
    lambda page: page.locator("#sentences textarea").fill("The old dogs sleep."),
    lambda page: page.locator("#grid .cell").nth(5).click(),
    lambda page: page.locator("#chips .chip").nth(2).click(),
    lambda page: page.keyboard.press("c"),
    lambda page: page.keyboard.press("m"),
    lambda page: page.locator("#view").get_by_label("Lines").check(force=True),
    tab,
    lambda page: page.locator("#add-sentence").click(),
    example,
    lambda page: page.locator("#model").select_option("scratch"),
]


def test_back_restores_each_state_exactly_and_so_does_forward(inspector: Inspector) -> None:
    page = inspector.open(LINK).probed().page
    states = [seen(inspector)]
    first = entries(page)
    for act in ACTIONS:
        act(page)
        states.append(seen(inspector))
    addresses = [state["address"] for state in states]
    assert len(set(addresses)) == len(addresses)
    assert entries(page) == first + len(ACTIONS)
    for state in reversed(states[:-1]):
        assert go(inspector, -1) == state
    for state in states[1:]:
        assert go(inspector, +1) == state
    assert go(inspector, -7) == states[-8]
    assert entries(page) == first + len(ACTIONS)


def keys(box: Locator, text: str) -> None:
    """Type a text one letter at a time, as fast as people do however busy the machine is."""
    box.evaluate(
        """async (area, text) => {
          for (let n = 1; n <= text.length; n += 1) {
            area.value = text.slice(0, n);
            area.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((resolve) => setTimeout(resolve, 30));
          }
        }""",
        text,
    )


def test_typing_that_comes_by_the_same_text_again_is_an_entry(inspector: Inspector) -> None:
    page = inspector.open("/").page
    box = page.locator("#sentences textarea")
    keys(box, "The old")
    inspector.ready()
    rested(page, PAUSE)
    first = entries(page)
    box.evaluate(
        """(area) => {
          for (const text of ["The old d", "The old"]) {
            area.value = text;
            area.dispatchEvent(new Event("input", { bubbles: true }));
          }
        }"""
    )
    inspector.ready()  # at once: it has been answered before
    keys(box, "The old dogs")
    inspector.ready()
    assert entries(page) == first + 1
    go(inspector, -1)
    expect(box).to_have_value("The old")


def test_typing_is_an_entry_a_pause_and_a_fresh_page_or_a_zoom_is_none(
    inspector: Inspector,
) -> None:
    page = inspector.open("/").page
    first = entries(page)
    box = page.locator("#sentences textarea")
    opening = box.input_value()
    keys(box, "The old")
    inspector.ready()
    rested(page, PAUSE)
    keys(box, "The old dogs near the river")
    inspector.ready()
    page.keyboard.press("Escape")
    inspector.press("+")
    page.wait_for_function("() => location.search.includes('zoom=')")
    assert entries(page) == first + 2
    for text in ("The old", opening):
        go(inspector, -1)
        expect(box).to_have_value(text)


def test_back_is_right_even_if_an_older_answer_comes_later(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    before = seen(inspector)
    inspector.press("m")
    held: list[Any] = []
    holds = True
    page.route("**/api/trace", lambda route: held.append(route) if holds else route.continue_())
    page.keyboard.press("c")
    page.wait_for_function("() => document.documentElement.dataset.state === 'loading'")
    page.evaluate("() => history.back()")
    expect(page.locator("#muted")).to_be_hidden()
    holds = False
    for route in held:
        route.continue_()
    assert seen(inspector) == before


def test_after_a_reload_back_reads_the_address(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    before = seen(inspector)
    inspector.press("m")
    muted = seen(inspector)
    page.reload()
    assert seen(inspector) == muted
    assert go(inspector, -1) == before
    assert go(inspector, +1) == muted


def test_a_held_key_makes_a_few_entries_and_too_many_changes_do_no_harm(
    inspector: Inspector,
) -> None:
    page = inspector.open(LINK).page
    first = entries(page)
    page.evaluate(
        """async () => {
          const press = (key) =>
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          for (let i = 0; i < 300; i += 1) {
            press("v");
            await new Promise((resolve) => setTimeout(resolve, 4));
          }
        }"""
    )
    inspector.ready()
    assert entries(page) - first < 80
    inspector.press("v")
    views = page.locator("#view input").evaluate_all("all => all.map(({ value }) => value)")
    here = views[301 % len(views)]
    expect(page.locator("#view input:checked")).to_have_value(here)
    page.wait_for_url(f"**view={here}*")


def test_undo_takes_back_text_view_and_model_and_says_so_in_sight(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    box = page.locator("#sentences textarea")
    box.fill("The old dogs sleep.")
    inspector.ready()
    page.locator("#view").get_by_label("Lines").check(force=True)
    page.locator("#model").select_option("scratch")
    inspector.ready()
    said = page.locator("#said")
    undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    undo.click()
    expect(said).to_have_text("Undid: switched to the model From scratch")
    expect(said).to_be_in_viewport()
    inspector.ready()
    assert page.locator("#model").input_value() == "shipped"
    assert page.locator("#head-title").inner_text() == "Layer 1 · head 2"
    undo.click()
    expect(page.locator("#view input:checked")).to_have_value("heatmap")
    undo.click()
    expect(said).to_have_text("Undid: changed the sentence to “The old dogs sleep.”")
    expect(box).to_have_value(TEXT)
    expect(undo).to_have_attribute("aria-disabled", "true")
    redo.click()
    expect(said).to_have_text("Redid: changed the sentence to “The old dogs sleep.”")
    expect(box).to_have_value("The old dogs sleep.")
