"""While the reader continues, nothing moves, goes stale or gets stuck."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.inspector import Inspector, rested

pytestmark = pytest.mark.browser
MARY = "/?text=Mary+near+the+boys+saw+herself+in+the+mirror.&layer=2&head=3&query=5"


def test_a_longer_text_typed_in_another_view_is_seen_whole(inspector: Inspector) -> None:
    inspector.open("/?text=The+cat+sat.&layer=2&head=1&view=heatmap").plotly().press("v")
    inspector.type("red apple window seven quickly under story red apple")
    inspector.page.locator(".chip").nth(4).click()
    n_views = inspector.page.locator("#view input").count()
    inspector.ready().press(*["v"] * (n_views - 1))
    n = inspector.page.locator("#chips .chip").count()
    edges = inspector.page.evaluate("() => document.querySelector('#plot').layout.yaxis.range")
    assert edges == [n - 0.5, -0.5]
    assert "zoom" not in inspector.page.url


@pytest.mark.parametrize("width", [1440, 390])
def test_the_mute_button_stays_under_the_pointer(inspector: Inspector, width: int) -> None:
    inspector.page.set_viewport_size({"width": width, "height": 900})
    inspector.open(MARY).probed()
    mute = inspector.page.locator("#mute")
    mute.scroll_into_view_if_needed()
    before = mute.bounding_box()
    mute.click()
    inspector.ready()
    expect(inspector.page.locator("#compare-before")).to_be_visible()
    assert mute.bounding_box() == before


def test_a_link_to_a_token_that_is_not_there_lists_the_others(inspector: Inspector) -> None:
    inspector.open(f"{MARY}&token=999999")
    expect(inspector.page.locator("#next tbody tr").first).to_contain_text("herself")
    assert "token" not in inspector.page.url
    inspector.errors.clear()  # Chromium itself logs the 422


def test_the_vectors_follow_the_window(inspector: Inspector) -> None:
    inspector.open(f"{MARY}&qkv=on")
    vectors = inspector.page.locator("#vectors")
    for width in (800, 390, 1440):
        inspector.page.set_viewport_size({"width": width, "height": 900})
        vectors.scroll_into_view_if_needed()  # elsewhere they are not drawn
        drawn = vectors.locator("canvas")
        room = vectors.evaluate("(it) => it.clientHeight")
        expect(drawn).to_have_attribute("height", str(room))


def test_help_opens_at_its_beginning(inspector: Inspector) -> None:
    inspector.open(MARY).page.keyboard.press("?")
    assert inspector.page.locator("#help").evaluate("(it) => it.scrollTop") == 0
    assert inspector.page.locator("#help-title").is_visible()


def test_another_token_of_an_example_keeps_what_it_says(inspector: Inspector) -> None:
    inspector.open(MARY)
    words = inspector.page.locator("#look-words")
    before = words.inner_text()
    assert before.startswith("Herself: ")
    inspector.page.locator(".chip").nth(3).click()
    inspector.ready()
    assert words.inner_text() == before
    assert inspector.page.locator("#look-back").is_visible()


# What may come while the reader presses on the picture, and moves or shrinks it.
MOVES = {
    "a line above it": (".told", "height: 120px"),
    "a longer explanation": ("#explain", "height: 300px"),
    "a higher input": (".input", "height: 300px"),
    "a wider list of heads": ("main", "grid-template-columns: 1fr 1fr"),
}


def styled(selector: str, style: str) -> str:
    """A program that gives an element a style."""
    return f"document.querySelector({selector!r}).style.cssText = {style!r}"


RIVER = "/?depth=full&text=The+dogs+near+the+river+are+old.&layer=1&head=2&query=5"


def middle(inspector: Inspector, query: int, key: int) -> tuple[float, float]:
    """The middle of a cell in the window, whether plotly or the canvas has painted it."""
    x, y = inspector.page.evaluate(
        """([query, key]) => {
          const cells = document.querySelector("#plot [data-plot]").getBoundingClientRect();
          const n = document.querySelectorAll("#chips .chip").length;
          const [across, down] = [(key + 0.5) / n, (query + 0.5) / n];
          return [cells.left + across * cells.width, cells.top + down * cells.height];
        }""",
        [query, key],
    )
    return x, y


def pressed(inspector: Inspector, cells: list[tuple[int, int]], act: str) -> None:
    """Drag from the first cell to the last, with something that happens in the middle of it."""
    first, *rest = [middle(inspector, *cell) for cell in cells]
    mouse = inspector.page.mouse
    mouse.move(*first)
    mouse.down()
    before = inspector.page.locator("#plot").bounding_box()
    inspector.page.evaluate(act)
    inspector.page.evaluate(TWO_FRAMES)
    assert inspector.page.locator("#plot").bounding_box() == pytest.approx(before, abs=0.1)
    for to in rest:
        mouse.move(*to)
    mouse.up()


TWO_FRAMES = "() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"


def test_a_stroke_paints_the_cells_that_it_began_among(inspector: Inspector) -> None:
    page = inspector.open(RIVER).page
    page.keyboard.press("w")
    along = [(5, key) for key in range(4)]
    for what, (part, style) in MOVES.items():
        pressed(inspector, along, styled(part, style))
        expect(page, what).to_have_url(re.compile(r"block=0\.1\.2_5\.0-3&"))
        page.evaluate(styled(part, ""))
        inspector.ready().press("Control+z")
        expect(page).not_to_have_url(re.compile("block="))
    other = (
        "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))"
    )
    pressed(inspector, along, other)  # another head is selected
    expect(page).to_have_url(re.compile(r"block=0\.1\.2_5\.0-3&.*head=3"))
    inspector.ready().press("Control+z")
    pressed(inspector, along, TYPED)
    expect(page.locator("#paint-said")).to_have_text(re.compile("^the text changed during the str"))
    assert "block=" not in page.url


ANOTHER_HEAD = """() => document.dispatchEvent(
  new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }),
)"""
TYPED = """() => {
  const box = document.querySelector("textarea");
  box.value = "The cat sat on the mat.";
  box.dispatchEvent(new Event("input", { bubbles: true }));
}"""


# Let plotly start when `letIn` is called, and not before.
HOLD_PLOTLY = """const { append } = HTMLHeadElement.prototype;
HTMLHeadElement.prototype.append = function (element) {
  const enter = () => append.call(this, element);
  if (element.localName === "script" && element.src.includes("plotly")) globalThis.letIn = enter;
  else enter();
};
letPlotlyCome();"""


@pytest.mark.fresh
def test_what_is_pressed_keeps_its_painter(inspector: Inspector) -> None:
    page = inspector.page
    page.add_init_script(HOLD_PLOTLY)
    page.goto(inspector.server + RIVER)
    page.wait_for_function("() => document.querySelector('#plot [data-plot]')")
    inspector.probed()
    zoomed = [middle(inspector, *cell) for cell in ((2, 1), (6, 4))]
    page.mouse.move(*zoomed[0])
    page.wait_for_function("() => globalThis.letIn")
    page.mouse.down()
    page.evaluate("letIn()")
    page.wait_for_function("() => globalThis.Plotly")
    rested(page, 600)  # plotly would draw after a rest
    assert page.locator("#plot .main-svg").count() == 0
    page.mouse.move(*zoomed[1])
    page.mouse.up()
    page.locator("#plot .main-svg").first.wait_for(state="attached")
    expect(page).to_have_url(re.compile("zoom=2%2C7%2C1%2C5"))


def test_a_click_chooses_what_was_pressed(inspector: Inspector) -> None:
    page = inspector.open(f"{RIVER}&view=lines").page
    plot = page.locator(".lines-plot")
    box = plot.bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.evaluate(styled(".lines-tools", "height: 120px"))
    page.evaluate(TYPED)
    page.wait_for_function("() => document.querySelectorAll('#chips .chip').length === 8")
    assert plot.bounding_box() == pytest.approx(box, abs=0.1)
    page.mouse.up()
    inspector.ready()
    assert "pinned=4" in page.url


def test_a_press_that_opens_a_menu_holds_nothing(inspector: Inspector) -> None:
    page = inspector.open(RIVER).page
    page.mouse.move(*middle(inspector, 5, 2))
    page.mouse.down(button="right")  # a system's own menu may keep the release to itself
    page.evaluate(TYPED)
    inspector.ready()
    assert page.locator("#chips .chip").count() == len(inspector.figure()["z"]) == 8
    page.mouse.up(button="right")
