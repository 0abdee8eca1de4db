"""The window: how much of it the picture has, what stands where, and that nothing moves.

Boxes of elements, not screenshots. `[data-plot]` is the area of the cells, without labels.
"""

import random
from urllib.parse import quote

import pytest
from playwright.sync_api import FloatRect, Page, expect

from server.pages.learning.choices import ONE_OF
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser

WINDOWS = (
    (1280, 720),
    (1440, 900),
    (1920, 1080),
    (1024, 768),
    (900, 700),
    (820, 1180),
    (390, 844),
    (320, 640),
)
LONG = " ".join(["the old man saw a small dog near the river and"] * 4)  # 45 tokens with [BOS]
CONTROLS = """() => [...document.querySelectorAll(
    "button, input:not([type=hidden]), select, textarea, a[href], summary, [role=tab]")]
  .filter((it) => {
    const { width, height, top, bottom } = it.getBoundingClientRect();
    const seen = width > 1 && height > 1 && top < innerHeight && bottom > 0;
    return seen && getComputedStyle(it).visibility !== "hidden";
  })"""
SMALL = """() => {
  const small = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const { parentElement: it, textContent } = node;
    if (!textContent.trim() || !it.getBoundingClientRect().width) continue;
    if (parseFloat(getComputedStyle(it).fontSize) < 12) small.add(textContent.trim());
  }
  return [...small];
}"""


def sized(inspector: Inspector, path: str, width: int, height: int) -> Page:
    inspector.page.set_viewport_size({"width": width, "height": height})
    return inspector.open(path).page


def cells(page: Page) -> FloatRect:
    expect(page.locator("[data-plot]")).to_have_count(1)
    box = page.locator("[data-plot]").bounding_box()
    assert box is not None
    return box


def share(page: Page, width: int, height: int) -> float:
    box = cells(page)
    assert box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= height, "all of it is in sight"
    return box["width"] * box["height"] / (width * height)


@pytest.mark.parametrize("depth", ["start", "full"])
def test_the_picture_has_its_share_of_the_window(inspector: Inspector, depth: str) -> None:
    for width, height, least in ((1280, 720, 0.22), (1440, 900, 0.26), (1920, 1080, 0.3)):
        page = sized(inspector, f"/?depth={depth}", width, height)
        assert share(page, width, height) >= least, (width, height)


@pytest.mark.parametrize("texts", ["", "text=The+cat+sat&text=A+dog&"], ids=["one", "two"])
@pytest.mark.parametrize("depth", ["start", "full"])
def test_nothing_is_wider_than_the_window(inspector: Inspector, depth: str, texts: str) -> None:
    for width, height in WINDOWS:
        page = sized(inspector, f"/?{texts}depth={depth}", width, height)
        aside = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert aside == 0, (width, height)
        if width >= 900:  # one window: nothing scrolls but parts of it
            down = page.evaluate("document.documentElement.scrollHeight - innerHeight")
            assert down == 0, (width, height)


def test_a_phone_shows_the_picture_first_and_the_heads_within_reach(inspector: Inspector) -> None:
    for depth in ("start", "full"):
        for width, height in ((390, 844), (320, 640)):
            page = sized(inspector, f"/?depth={depth}", width, height)
            assert cells(page)["y"] <= 260, (depth, width)
            strip = page.locator("#grid").bounding_box()
            assert strip is not None
            assert (strip["y"] + strip["height"], strip["height"]) == (height, 80)
            head = page.locator("#grid [aria-selected=true]").bounding_box()
            assert head is not None
            assert 0 <= head["x"] and head["x"] + head["width"] <= width, "it is scrolled to"
            assert min(head["width"], head["height"]) >= 44


# What can be pressed, with its size, if that is less than 44 px. Check boxes have their labels;
# cells, parts of a drawing, and links inside sentences are excepted (WCAG 2.2, 2.5.5).
NARROW = """() => {
  const all = "button, nav a, input, select, textarea, summary, [role=tab]";
  return [...document.querySelectorAll(all)]
    .filter((it) => it.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((it) => !it.closest("[role=gridcell], svg"))
    .map((it) => (it.matches("[type=checkbox], [type=radio]") ? it.closest("label") : it))
    .map((it) => [it.getBoundingClientRect(), it.getAttribute("aria-label") ?? it.textContent])
    .filter(([{ width, height }]) => width > 1 && Math.min(width, height) < 43.9)
    .map(([{ width, height }, name]) => `${name.trim()}: ${width} × ${height}`);
}"""


def test_a_finger_has_44_pixels_for_what_it_presses(touched: Inspector) -> None:
    views = [f"/?depth=full&view={name}" for name in ONE_OF["view"]]
    for path in ("/?depth=start", "/?depth=start&model=scratch", "/?model=scratch", *views):
        page = touched.open(path).page
        assert page.evaluate("matchMedia('(pointer: coarse)').matches")
        assert page.evaluate(NARROW) == [], path
    page.set_viewport_size({"width": 820, "height": 1180})  # a tablet
    assert page.evaluate(NARROW) == []


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("depth", ["start", "full"])
def test_every_tool_of_a_narrow_bar_is_in_sight_or_one_press_away(
    touched: Inspector, depth: str, language: str
) -> None:
    page = touched.open(f"/?depth={depth}&lang={language}").page
    more = page.locator("#more-open")
    tools = ["#commands-open", "#help-open", "#language"]
    if depth == "full":
        tools += ["#colours-open", "#scheme"]
    if (depth, language) != ("start", "en"):
        expect(more).to_be_in_viewport(ratio=1)
        expect(page.locator("#help-open")).to_be_hidden()
        more.tap()
    for tool in tools:
        expect(page.locator(tool)).to_be_in_viewport(ratio=1)
    page.locator("#help-open").tap()
    expect(page.locator("#help")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    if more.is_visible():
        expect(page.locator("#scheme")).to_be_hidden()
        page.keyboard.press("Escape")
        expect(more).to_be_focused()
        page.set_viewport_size({"width": 1440, "height": 900})
        expect(more).to_be_hidden()
        expect(page.locator("#help-open")).to_be_in_viewport(ratio=1)


def test_on_a_tablet_an_example_is_told_whole_and_the_list_has_room(touched: Inspector) -> None:
    touched.page.set_viewport_size({"width": 1180, "height": 820})
    page = touched.open("/?depth=full").page
    [told, look, panel, tabs] = [
        page.locator(each).bounding_box()
        for each in (".told", "#look", "#predictions", "#right-tabs")
    ]
    assert told and look and panel and tabs
    assert look["y"] >= told["y"]
    assert look["y"] + look["height"] <= told["y"] + told["height"]
    assert tabs["height"] <= 50
    assert panel["height"] > 3 * tabs["height"]


# A phone on its side; 1280 × 720 at 200%; 1280 × 1024 at 400% (WCAG 2.2, 1.4.10).
@pytest.mark.parametrize("size", [(844, 390), (640, 360), (320, 256)])
@pytest.mark.parametrize("depth", ["start", "full"])
def test_in_a_low_window_nothing_stays_over_the_picture(
    inspector: Inspector, depth: str, size: tuple[int, int]
) -> None:
    page = inspector.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    inspector.open(f"/?depth={depth}")
    covered = page.evaluate(
        """() => {
          const view = document.querySelector("#heatmap-view");
          const box = view.querySelector("[data-plot]").getBoundingClientRect();
          scrollBy(0, box.top - (innerHeight - box.height) / 2);
          const x = box.left + box.width / 2;
          const ys = Array.from({ length: 9 }, (_, i) => ((i + 0.5) * innerHeight) / 9);
          const { top, bottom } = view.querySelector("[data-plot]").getBoundingClientRect();
          return ys.filter((y) => top < y && y < bottom)
            .filter((y) => !view.contains(document.elementFromPoint(x, y)))
            .concat(getComputedStyle(document.documentElement).getPropertyValue("--foot"));
        }"""
    )
    assert covered == ["0px"]
    page.set_viewport_size({"width": min(size[0], 640), "height": 844})  # upright again
    page.wait_for_function(
        "() => parseInt(document.documentElement.style.getPropertyValue('--foot')) >= 100"
    )


def test_the_whole_of_a_long_text_is_in_sight(inspector: Inspector) -> None:
    for depth in ("start", "full"):
        for width, height in ((1280, 720), (390, 844)):
            page = sized(inspector, f"/?depth={depth}&text={quote(LONG)}", width, height)
            box = cells(page)
            n = page.locator("#chips .chip").count()
            assert n == 45
            step = 6 if width > 400 else 4
            assert min(box["width"], box["height"]) / n >= step
            page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 1)
            expect(page.locator(".lit-query")).to_have_text("[BOS]")


def test_there_are_few_controls(inspector: Inspector) -> None:
    for depth, most in (("start", 60), ("full", 70)):
        page = sized(inspector, f"/?depth={depth}", 1280, 720)
        controls = f"({CONTROLS})()"
        apart = ".filter((it) => !it.closest('#grid, #chips'))" if depth == "full" else ""
        n = page.evaluate(f"{controls}{apart}.length")
        assert n <= most, depth


@pytest.mark.parametrize("text", ["", f"&text={quote(LONG)}"])
def test_few_tab_stops_lead_to_the_picture(inspector: Inspector, text: str) -> None:
    page = sized(inspector, f"/?depth=full{text}", 1280, 720)
    page.locator(".skip").focus()
    stops = 1
    while page.evaluate("document.activeElement.id") != "plot":
        page.keyboard.press("Tab")
        stops += 1
        assert stops <= 40
    assert stops > 10  # the focus went through the page


@pytest.mark.parametrize("depth", ["start", "full"])
def test_nothing_moves_when_one_selects(inspector: Inspector, depth: str) -> None:
    page = sized(inspector, f"/?depth={depth}", 1280, 720)
    before = cells(page)
    keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "[", "]"]
    pick = random.Random(5)
    for at in range(60):
        if at % 4 == 3:  # a cell
            x = before["x"] + pick.random() * before["width"]
            page.mouse.click(x, before["y"] + pick.random() * before["height"])
        else:
            page.keyboard.press(pick.choice(keys))
        inspector.ready()
        assert cells(page) == before


def test_no_text_is_smaller_than_12_pixels(inspector: Inspector) -> None:
    for depth, least in (("start", 12), ("full", 12)):
        page = sized(inspector, f"/?depth={depth}", 1280, 720)
        assert page.evaluate(SMALL) == [], (depth, least)


def test_each_number_is_beside_a_scale(inspector: Inspector) -> None:
    for width, height in WINDOWS:
        page = sized(inspector, "/?depth=start", width, height)
        bar = page.locator("#colour-bar").bounding_box()
        box = cells(page)
        assert bar is not None
        assert bar["x"] >= box["x"] + box["width"], "it covers no cell"
        assert bar["x"] + bar["width"] <= width


def test_a_menu_opens_in_place_and_closes_again(inspector: Inspector, pages: Pages) -> None:
    page = sized(inspector, "/?depth=full", 1280, 720)
    before = cells(page)
    for name in ("masks", "matrix", "paint", "find"):
        summary = page.locator(f"#{name}-menu > summary")
        choices = page.locator(f"#{name}-menu > .more-list")
        summary.click()
        box = choices.bounding_box()
        assert box is not None
        assert box["x"] >= 0 and box["x"] + box["width"] <= 1280, name
        assert box["y"] + box["height"] <= 720, name
        assert cells(page) == before
        page.keyboard.press("Escape")
        expect(choices).not_to_be_visible()
        expect(summary).to_be_focused()
    page.locator("#masks-menu > summary").click()
    page.locator("#masks [name=causal][value=off]").check()
    expect(page.locator("#masks-said")).to_have_text("none")
    page.mouse.click(5, 700)
    expect(page.locator("#masks")).not_to_be_visible()


def test_what_explains_a_head_is_one_press_away_in_a_menu(inspector: Inspector) -> None:
    page = sized(inspector, "/?depth=full", 1280, 720)
    summary = page.locator("#why-menu > summary")
    expect(summary).to_have_text("Why")
    summary.click()
    names = page.locator("#why-menu label").all_inner_texts()
    assert names == ["Why here", "Paths", "Explanations", "Patching"]
    page.locator("#why-menu input[value=paths]").check()
    expect(page.locator("#paths-view")).to_be_visible()
    expect(summary).to_have_text("Paths")
    expect(page.locator("#why-menu .more-list")).not_to_be_visible()
    page.locator("#view input[value=heatmap]").check()
    expect(summary).to_have_text("Why")


@pytest.mark.parametrize("panel", ["next", "lens", "attribution", "circuits"])
def test_a_panel_takes_the_place_of_the_picture_and_gives_it_back(
    inspector: Inspector, panel: str
) -> None:
    page = sized(inspector, f"/?depth=full&right={panel}", 1440, 900)
    picture, shown = page.locator("[data-plot]"), page.locator(f"#{panel}-panel")
    before = picture.bounding_box()
    page.get_by_role("button", name="Enlarge").click()
    expect(picture).to_be_hidden()
    box = page.locator("#predictions").bounding_box()
    assert before and box
    assert box["width"] * box["height"] > 0.45 * 1440 * 900
    expect(shown).not_to_have_attribute("aria-busy", "true")
    assert shown.evaluate("(one) => one.scrollHeight <= one.clientHeight"), "it is cut"
    inspector.press("Escape")
    assert picture.bounding_box() == before
    expect(page.get_by_role("button", name="Enlarge")).to_be_focused()
    page.get_by_role("button", name="Enlarge").click()
    inspector.press("v")  # who chooses a picture wants to see it
    expect(page.locator("#lines-view")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("button", name="Enlarge")).to_be_hidden()


MANY = "/?depth=full&model=scratch&scratch.n_layers=6&scratch.n_heads=8&scratch.d_model=64"


def test_all_heads_of_a_tall_model_are_in_sight_until_one_wants_them_larger(
    inspector: Inspector,
) -> None:
    page = sized(inspector, f"{MANY}&text=the+cat+sat+on+the+mat", 1280, 720)
    grid, size = page.locator("#grid"), page.locator("#heads-size")
    overflows = "(one) => one.scrollHeight > one.clientHeight + 1"
    cells_of = grid.locator(".cell")
    expect(cells_of).to_have_count(48)
    expect(size).to_have_text("larger")
    assert not grid.evaluate(overflows)
    place, last = grid.bounding_box(), cells_of.last.bounding_box()
    assert place and last
    assert last["y"] + last["height"] <= place["y"] + place["height"] + 1
    pair = page.locator("#predictions").bounding_box()
    assert pair and pair["y"] + pair["height"] <= 720, "nothing is below the window"
    inspector.press("ArrowDown", "ArrowDown", "ArrowRight")
    expect(page.locator("#head-title")).to_have_text("Layer 2 · head 1")
    size.click()
    expect(size).to_have_text("all in sight")
    assert grid.evaluate(overflows)
    expect(grid.locator(".cell[aria-selected=true]")).to_be_in_viewport(ratio=0.9)
    size.click()
    assert not grid.evaluate(overflows)
    inspector.open("/?depth=full")  # the shipped model has room
    expect(size).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})  # a strip, which one swipes
    inspector.open(MANY)
    expect(size).to_be_hidden()


def test_on_a_phone_the_strip_says_which_layer_its_heads_belong_to(inspector: Inspector) -> None:
    page = sized(inspector, "/?depth=start&layer=2&head=3", 390, 844)
    grid = page.locator("#grid")
    at_its_edge = """(grid) => {
        const { left, top, height } = grid.getBoundingClientRect();
        return document.elementFromPoint(left + 4, top + height / 2).textContent;
    }"""
    assert grid.evaluate(at_its_edge) == "L1"
    inspector.press("ArrowUp")  # of the page: to a head that has the focus, the browser scrolls
    assert grid.evaluate(at_its_edge) == "L1"
    left = page.locator("#grid .cell[aria-selected=true]").bounding_box()
    name = page.locator("#grid .layer", has_text="L1").bounding_box()
    assert left and name and left["x"] >= name["x"] + name["width"], "nothing covers the head"


def test_on_a_phone_menus_and_presentations_are_in_sight(inspector: Inspector) -> None:
    page = sized(inspector, "/?depth=full", 390, 844)
    page.locator("#ask-menu > summary").click()
    expect(page.locator("#ask-menu .more-list")).to_be_in_viewport(ratio=1)
    page = sized(inspector, "/?depth=present", 390, 844)
    assert share(page, 390, 844) > 0.2
    clipped = """() => [...document.querySelectorAll(".head, .pictures")].filter(
      (one) => one.scrollHeight > one.clientHeight + 1).length"""
    assert page.evaluate(clipped) == 0
