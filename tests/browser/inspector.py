"""The page as tests drive it: an address, its state, its words, what it logs and asks for."""

import json
import re
import time
from typing import Any

from playwright import sync_api
from playwright.sync_api import ConsoleMessage, Error, Locator, Page, expect

# For a page that fetches nothing in advance, so that its requests can be counted.
SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"

WINDOW: sync_api.ViewportSize = {"width": 1440, "height": 900}

# Go to an address as Back and Forward do: it is read as on a visit, but nothing is loaded again.
# What no address holds is put back first.
VISIT = """(link) => {
  for (const it of document.querySelectorAll("dialog[open]")) it.close();
  for (const it of document.querySelectorAll(":popover-open")) it.hidePopover();
  for (const it of document.querySelectorAll("details.more[open]")) it.open = false;
  document.querySelector("#brush input[value=off]:not(:checked)")?.click();
  document.activeElement?.blur();
  for (const it of document.querySelectorAll("main, main *")) if (it.scrollTop) it.scrollTop = 0;
  scrollTo(0, 0);
  localStorage.clear();
  const depth = new URLSearchParams(link.slice(2)).get("depth") ?? "full";
  document.documentElement.dataset.depth = depth;
  history.pushState(null, "", link === location.search ? `${link}&` : link);
  dispatchEvent(new PopStateEvent("popstate"));
}"""

TIMEOUT_S = 60  # for what is sure to come, however busy the machine is

# Plotly draws once the reader has rested for a moment: not so in most tests.
HASTE = """{
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (act, ms, ...of) => setTimeout(act, ms === 250 ? 0 : ms, ...of);
}"""

# Plotly takes a second of processor time to start, so it comes to those tests that ask for it. Nor
# is anything fetched ahead: the browser says nothing of its connection.
WITHOUT_PLOTLY = """{
  Object.defineProperty(navigator, "connection", { value: undefined, configurable: true });
  const { append } = HTMLHeadElement.prototype;
  const mayCome = new Promise((resolve) => { globalThis.letPlotlyCome = resolve; });
  HTMLHeadElement.prototype.append = function (element) {
    const enter = () => append.call(this, element);
    if (/plotly/.test(element.src ?? element.href)) mayCome.then(enter);
    else enter();
  };
}"""
WITH_PLOTLY = "letPlotlyCome()"


def connected(how: str | None) -> str:
    """A browser that says how fast its connection is; None: one that does not say."""
    value = "undefined" if how is None else f"{{ effectiveType: '{how}' }}"
    return f"Object.defineProperty(navigator, 'connection', {{ value: {value} }})"


# Somebody comes to the picture.
COME = """() => {
  globalThis.letPlotlyCome?.();
  document.querySelector("#heatmap-view").dispatchEvent(new Event("pointerover"));
}"""

DRAWN = "() => document.querySelector('#plot').data?.[0]?.z"

# Resolves once a condition holds and a frame shows it. It is asked again when an attribute changes;
# too late, it resolves with what the page shows then.
UNTIL = """(condition, of, ms) => new Promise((resolve) => {
  const end = (found) => {
    watch.disconnect();
    clearTimeout(timer);
    resolve(found);
  };
  const look = () => condition(of) && requestAnimationFrame(() => condition(of) && end(null));
  const watch = new MutationObserver(look);
  const told = () => JSON.stringify(document.documentElement?.dataset);
  const timer = setTimeout(() => end(`${condition} is still false for ${of}: ${told()}`), ms);
  watch.observe(document, { attributes: true, subtree: true, attributeFilter: ATTRIBUTES });
  look();
})""".replace("ATTRIBUTES", "['data-state', 'data-seeking', 'data-probe', 'aria-busy']")
IN_STATE = """(name) => document.documentElement?.dataset.state === name
  && !(name === "ready" && document.querySelector(
    "[data-seeking], #next[aria-busy=true], #lens-panel[aria-busy=true]"))"""

# Where a cell of plotly's heatmap is in the window.
CELL = """([query, key]) => {
  const plot = document.querySelector("#plot");
  const box = plot.getBoundingClientRect();
  const { xaxis, yaxis } = plot._fullLayout;
  const x = box.left + xaxis._offset + xaxis.l2p(key);
  return [x, box.top + yaxis._offset + yaxis.l2p(query)];
}"""

OWN_CLOCK = "() => /native code|ms === 250/.test(String(setTimeout))"
CLOCK = "a clock"

FULL = "/?depth=full"  # a fresh page with every control; a first visit shows fewer


def looks(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The selections of a request: `select`, or each of its parts."""
    return list(body["parts"].values()) if "parts" in body else [body["select"]]


def is_extra(request: sync_api.Request) -> bool:
    """Whether the page asks for it only once the reader rests: what muting the head would do."""
    body = json.loads(request.post_data or "{}")
    return body.get("select") == {"layers": []} and (body.get("predict") or {}).get("top_k") == 1


def rested(page: Page, ms: int) -> None:
    """Wait as the page counts time: what it does after a shorter rest is done, on any machine.

    For what should not happen, and for pauses that it measures itself; else wait for a condition.
    """
    page.evaluate("(ms) => new Promise((resolve) => setTimeout(resolve, ms))", ms)


def unfold(page: Page, name: str) -> None:
    """Open a menu of the page, unless it is open; another one would cover it."""
    menu = page.locator(f"#{name}-menu")
    if menu.get_attribute("open") is None:
        fold(page)
        menu.locator("> summary").click()


def fold(page: Page) -> None:
    """Close the menus of the page."""
    for summary in page.locator("details.more[open] > summary").all():
        summary.click()


def pick(control: Locator) -> None:
    """Check a control, in the menu that it may be in."""
    control.evaluate(
        """(it) => {
          const menu = it.closest("details.more");
          if (menu && !menu.open) menu.querySelector("summary").click();
        }"""
    )
    control.check()


def place_of(picture: Locator, query: int, key: int, size: tuple[int, int]) -> tuple[float, float]:
    """Where the middle of a cell is in the window, of a picture of this many queries and keys."""
    box = picture.locator("[data-plot]").bounding_box()
    assert box is not None
    x = box["x"] + box["width"] * (key + 0.5) / size[1]
    return x, box["y"] + box["height"] * (query + 0.5) / size[0]


class Inspector:
    """The page, with its console messages and requests.

    One that tests share goes to another address as Back and Forward do; else it is loaded.
    """

    def __init__(self, page: Page, server: str, *, is_shared: bool = False) -> None:
        self.page = page
        self.server = server
        self.is_shared = is_shared
        self.errors: list[str] = []
        self.outside: list[str] = []
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._asked)

    def open(self, path: str = FULL) -> "Inspector":
        is_open = self.page.url.startswith(f"{self.server}/?")
        if self.is_shared and is_open and path.startswith("/?"):
            self.page.evaluate(VISIT, path)
        else:
            self.page.goto(self.server + path)
        return self.ready()

    def clean(self) -> bool:
        """Whether the page can be of use to another test, once what this one did is undone."""
        try:
            self.errors.clear()
            self.outside.clear()
            if not self.page.evaluate(OWN_CLOCK):
                return False
            self.page.unroute_all()
            self.page.context.set_offline(False)
            self.page.context.clear_permissions()
            self.page.emulate_media(media="null", color_scheme="null", reduced_motion="null")
            if self.page.viewport_size != WINDOW:
                self.page.set_viewport_size(WINDOW)
            self.page.mouse.move(0, 0)
        except Error:  # it is closed, or nowhere
            return False
        return True

    def ready(self) -> "Inspector":
        """Wait until the current selection has been drawn, together with its numbers."""
        return self.state("ready")

    def state(self, name: str) -> "Inspector":
        """Wait for the root's `data-state`. An input has set it to `loading` before we look."""
        return self._until(IN_STATE, name)

    def probed(self) -> "Inspector":
        """Wait until the heads have been probed, so that they are labelled."""
        return self._until("() => document.documentElement?.dataset.probe === 'ready'")

    def told(self) -> "Inspector":
        """Wait until the labels of the heads are there, or the page says why they cannot be."""
        probe = "document.documentElement?.dataset.probe"
        return self._until(f"() => ['ready', 'failed'].includes({probe})")

    def _until(self, condition: str, of: object = None) -> "Inspector":
        """Wait for what changes attributes: Playwright would look only twice a second."""
        end = time.monotonic() + TIMEOUT_S
        while True:
            left_ms = 1000 * (end - time.monotonic())
            try:
                found = self.page.evaluate(
                    f"async ([of, ms]) => ({OWN_CLOCK})()"
                    f" ? ({UNTIL})({condition}, of, ms) : {CLOCK!r}",
                    [of, left_ms],
                )
                if found == CLOCK:  # of the test: it holds our timer, too
                    self.page.wait_for_function(condition, arg=of, timeout=left_ms)
                    return self
            except Error as error:  # a link or a form has led to another page
                if "context was destroyed" not in str(error) or left_ms < 0:
                    raise
                self.page.wait_for_load_state()
            else:
                assert found is None, found
                return self

    def type(self, text: str, box: int = 0) -> "Inspector":
        self.page.locator("textarea").nth(box).fill(text)
        return self.ready()

    def view(self, name: str) -> "Inspector":
        """Choose a view, also from the menu that it may be in."""
        choice = self.page.locator(f"#view input[value={name}]")
        fold(self.page)
        pick(choice)
        return self

    def press(self, *keys: str) -> "Inspector":
        for key in keys:
            self.page.keyboard.press(key)
        return self.ready()

    def save(self, name: str) -> None:
        """Choose an item of the menu that saves the head."""
        item = self.page.get_by_role("button", name=name, exact=True)
        if not item.is_visible():
            self.page.locator("[data-save=head]").click()
        item.click()

    def words(self) -> list[str]:
        """The part of the page's state that a link restores; undo is not included."""
        parts = (".masks", ".left", ".head-name", "#readout", "#legend")
        chips = self.page.locator("#chips .chip").all_inner_texts()
        return [*chips, *(self.page.locator(part).first.inner_text() for part in parts)]

    def plotly(self) -> "Inspector":
        """Have plotly draw, as when somebody comes to the picture: it tells what it has drawn."""
        if not self.page.evaluate(DRAWN):
            self.page.evaluate(COME)
            self.page.wait_for_function(DRAWN)
        return self

    def figure(self) -> dict[str, list[list[float]]]:
        """The data that plotly was given for the selected head."""
        self.plotly()
        return {"z": self.page.wait_for_function(DRAWN).json_value()}

    def hover(self, query: int, key: int) -> str:
        """Point at a cell of the heatmap, and read the line above it.

        Again if the picture has changed under the pointer, which reads a cell when it moves.
        """
        self.plotly()
        said, readout = re.compile(rf"^query {query} .* key {key} "), self.page.locator("#readout")
        end = time.monotonic() + TIMEOUT_S
        while True:
            x, y = self.page.evaluate(CELL, [query, key])
            self.page.mouse.move(x - 3, y - 3)
            self.page.mouse.move(x, y)
            rested(self.page, 20)
            if said.match(readout.inner_text()) or time.monotonic() > end:
                break
        expect(readout).to_have_text(said)
        return readout.inner_text()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _asked(self, request: sync_api.Request) -> None:
        if not request.url.startswith((self.server, "data:", "blob:")):
            self.outside.append(request.url)
