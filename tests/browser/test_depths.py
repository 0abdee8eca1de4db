"""The three depths of the page: Start for a first visit, Full, and Present for a projector."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.appearances import accessible, resize
from tests.browser.inspector import FULL, Inspector, place_of, rested
from tests.sweeps import sweep

SIZES = ((1280, 720), (1440, 900), (1920, 1080), (390, 844))
WIDE = SIZES[:3]
VIEWS = ("heatmap", "lines", "inside", "text")

# All that can be focused or clicked, but for the heads and a link for the keyboard alone.
CONTROLS = """() => [...document.querySelectorAll("a, button, select, input, textarea, summary")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: false }))
  .filter((one) => !one.closest("#grid, .skip, dialog:not([open])"))
  .map((one) => one.textContent.trim() || one.name || one.className)"""

# The sizes of all text that can be seen, in pixels of the window.
TEXTS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement: parent } = node;
    if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest("#grid")) continue;  // labels of small pictures have 12 pixels
    if (parent.closest("script, style, .unseen, .skip, option, dialog:not([open])")) continue;
    const { width } = parent.getBoundingClientRect();
    if (width <= 1) continue;  // only for screen readers
    const zoom = parent.currentCSSZoom ?? 1;
    found.push([parseFloat(getComputedStyle(parent).fontSize) * zoom, node.data.trim()]);
  }
  return found;
}"""


def opened(inspector: Inspector, path: str, size: tuple[int, int]) -> Page:
    inspector.page.set_viewport_size({"width": size[0], "height": size[1]})
    return inspector.open(path).probed().page


def in_sight(page: Page, *selectors: str) -> None:
    """The elements lie wholly within the window, without scrolling."""
    height = page.evaluate("innerHeight")
    for selector in selectors:
        box = page.locator(selector).bounding_box()
        assert box is not None, selector
        assert box["y"] >= 0, selector
        assert box["y"] + box["height"] <= height + 0.5, (selector, box, height)


def too_small(page: Page, least: float) -> list[Any]:
    """The texts that are smaller, and the labels of a heatmap that is drawn on canvas."""
    return [text for text in page.evaluate(TEXTS) if text[0] < least - 0.01]


def test_a_first_visit_sees_what_the_page_is_for(inspector: Inspector) -> None:
    page = opened(inspector, "/", (1280, 720))
    assert page.evaluate("document.documentElement.dataset.depth") == "start"
    expect(page.locator(".purpose")).to_be_visible()
    for hidden in ("#masks-menu", "#find-menu", "#paint-menu", "#predictions", "#matrix-menu"):
        expect(page.locator(hidden)).to_be_hidden()
    assert len(page.evaluate(CONTROLS)) <= 40


@pytest.mark.parametrize("size", sweep(WIDE, WIDE[::2]))
def test_start_fits_one_window(inspector: Inspector, size: tuple[int, int]) -> None:
    page = opened(inspector, "/", size)
    in_sight(page, "#sentences textarea", "#toggles", "#grid", "#plot", "#forecast", "#next-step")
    page.get_by_role("button", name="Mute this head").click()
    inspector.ready()
    expect(page.locator("#forecast li").first).to_have_text(re.compile(r"^herself7\d\.\d% → 2\d"))
    in_sight(page, "#plot", "#forecast", "#next-step")
    for view in VIEWS[1:]:
        page.locator(f'#view input[value="{view}"]').check()
        inspector.ready()
        in_sight(page, "#grid", "#forecast")


def test_on_a_phone_the_prediction_stays_in_sight(inspector: Inspector) -> None:
    for path in ("/", FULL):
        page = opened(inspector, path, SIZES[3])
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        for _ in range(2):
            in_sight(page, "#forecast")
            page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")


@pytest.mark.parametrize("size", sweep(SIZES, (SIZES[0], SIZES[3])))
@pytest.mark.fresh
def test_no_text_of_start_is_small(inspector: Inspector, size: tuple[int, int]) -> None:
    page = opened(inspector, "/", size)
    for view in VIEWS:
        page.locator(f'#view input[value="{view}"]').check()
        inspector.ready()
        assert too_small(page, 14 if size[0] > 500 else 12) == []


def test_no_text_of_present_is_small(inspector: Inspector) -> None:
    for view in VIEWS:
        page = opened(inspector, f"/?depth=present&view={view}", (1920, 1080))
        assert too_small(page, 24) == []
        in_sight(page, "#present-sentence", "#forecast")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_presentation_shows_the_numbers_and_their_scale(inspector: Inspector) -> None:
    page = opened(inspector, "/?depth=present", (1280, 720))
    in_sight(page, "[data-plot]", "#colour-bar")
    drawn = """() => { const { width, height } = document.querySelector("canvas.numbers");
      const drawing = document.querySelector("canvas.numbers").getContext("2d");
      return drawing.getImageData(0, 0, width, height).data.some(Boolean); }"""
    assert page.evaluate(drawn)


def test_every_depth_is_accessible(inspector: Inspector) -> None:
    for depth in ("start", "present"):
        accessible(opened(inspector, f"/?depth={depth}", (1280, 720)))


def test_the_depth_is_remembered_and_a_link_overrules_it(inspector: Inspector) -> None:
    page = opened(inspector, "/", (1440, 900))
    page.get_by_role("button", name="All controls").click()
    expect(page.locator("#find-menu")).to_be_visible()
    assert "depth" not in page.url
    inspector.open("/").page.wait_for_function(
        "() => document.documentElement.dataset.depth === 'full'"
    )
    inspector.open("/?depth=start")
    expect(page.locator("#find-menu")).to_be_hidden()
    assert "depth=start" in page.url
    # a link without a depth, as lessons have it, opens with every control
    inspector.open("/?text=The+cat+sat.&layer=1&head=2")
    expect(page.locator("#find-menu")).to_be_visible()


def test_arrow_keys_go_through_the_examples_and_escape_leaves(inspector: Inspector) -> None:
    page = opened(inspector, "/", (1280, 720))
    inspector.open("/?depth=start")
    page.evaluate("document.documentElement.requestFullscreen = undefined")
    sentence = page.locator("#present-sentence")
    page.get_by_role("button", name="Present").click()
    inspector.ready()
    expect(sentence).to_contain_text("herself")
    inspector.press("ArrowRight")
    expect(sentence).to_contain_text("cabinet")
    inspector.press("PageDown")
    expect(sentence).to_contain_text("apple")
    inspector.press("ArrowLeft", "ArrowLeft")
    expect(sentence).to_contain_text("herself")
    inspector.press("Escape")
    expect(sentence).to_be_hidden()
    expect(page.locator("#toggles")).to_be_visible()
    assert "depth=start" in page.url


@pytest.mark.painted
def test_a_presentation_begins_with_what_was_on_the_page_and_gives_it_back(
    inspector: Inspector,
) -> None:
    page = inspector.open("/?depth=start&text=The+cat+sat&layer=1&head=2&query=2").page
    before = page.url
    page.get_by_role("button", name="Present").click()
    sentence = page.locator("#present-sentence")
    expect(sentence).to_contain_text("cat")
    inspector.press("ArrowRight")
    expect(sentence).not_to_contain_text("cat sat")
    inspector.press("ArrowLeft")
    expect(sentence).to_contain_text("cat sat")
    expect(page.locator("#head-title")).to_have_text("Layer 1 · head 2")
    inspector.press("ArrowRight", "ArrowRight", "Escape")
    expect(page.locator("#sentences textarea")).to_have_value("The cat sat")
    expect(page).to_have_url(before)


def test_a_head_that_does_not_matter_leads_to_the_one_that_does(inspector: Inspector) -> None:
    text = "When+Mary+and+John+went+to+the+store,+John+gave+a+drink+to"
    page = inspector.open(f"/?depth=start&text={text}&layer=2&head=3").page
    step = page.locator("#next-step")
    expect(step).to_contain_text("Without this head, “mary”")
    step.get_by_role("button", name="Find a head").click()
    expect(step).to_contain_text("“mary” would fall to 83.8%")
    step.get_by_role("button", name="Show it").click()
    expect(page.locator("#head-title")).to_have_text("Layer 2 · head 2")
    expect(page.locator("#explain")).to_contain_text("from 99.5% to 83.8%")
    expect(step.get_by_role("button", name="Mute this head")).to_be_visible()
    assert "muted" not in page.url


def test_present_goes_through_the_views_that_were_kept(inspector: Inspector) -> None:
    page = opened(inspector, "/?text=One+cat.&layer=0&head=1", (1440, 900))
    page.evaluate("document.documentElement.requestFullscreen = undefined")

    def keep() -> None:
        page.locator("[data-save=head]").click()
        page.get_by_role("button", name="add this view").click()
        page.keyboard.press("Escape")

    keep()
    inspector.type("Two dogs.")
    keep()
    page.get_by_role("button", name="Present").click()
    inspector.ready()
    sentence = page.locator("#present-sentence")
    expect(sentence).to_contain_text("Two dogs")
    inspector.press(" ")
    expect(sentence).to_contain_text("One cat")
    inspector.press("Escape")
    page.locator("[data-save=head]").click()
    page.get_by_role("button", name="remove 2 slides").click()
    expect(page.locator("#save-status")).to_contain_text("examples again")


def test_the_help_of_a_depth_speaks_of_what_it_has(inspector: Inspector) -> None:
    listed = {}
    for depth in ("start", "full", "present"):
        page = opened(inspector, f"/?depth={depth}", (1280, 720))
        inspector.press("?")
        dialog = page.locator("#help")
        listed[depth] = dialog.inner_text()
        rows = dialog.locator(".keys > div:visible").all()
        assert rows
        assert all(row.locator("dt kbd").first.is_visible() for row in rows)
        within = dialog.locator("dd kbd:visible").first  # in the middle of a sentence
        expect(within).to_be_visible()
        if depth == "start":
            assert too_small(page, 14) == []
    # whole lines, since words such as “compare” occur in sentences of both
    for only_full in ("Find a head", "paint a mask", "compare with the state before", "Fewer"):
        assert only_full in listed["full"], only_full
        assert only_full not in listed["start"], only_full
    assert "All controls, at the top, opens the rest" in listed["start"]
    assert "move between heads" in listed["start"]
    assert "move between heads" not in listed["present"]
    for words in listed.values():
        assert "in Present: the slide before" in words


def test_a_phone_opens_at_the_top(inspector: Inspector) -> None:
    page = opened(inspector, FULL, SIZES[3])
    assert page.evaluate("scrollY") == 0
    page.locator("#grid .cell").last.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    inspector.press("ArrowUp")  # a walk still follows the head
    assert page.locator('#grid [aria-selected="true"]').is_visible()
    assert before >= 0


def test_a_model_without_predictions_says_so(inspector: Inspector) -> None:
    inspector.page.set_viewport_size({"width": 1280, "height": 720})
    page = inspector.open("/?depth=start&model=scratch").page
    expect(page.locator(".unpredicted")).to_contain_text("predicts no words")
    in_sight(page, ".unpredicted", "#next-step")
    inspector.open("/?depth=start")
    expect(page.locator(".unpredicted")).to_be_hidden()


@pytest.mark.parametrize("size", sweep(WIDE, WIDE[::2]))
def test_no_explanation_moves_the_picture(inspector: Inspector, size: tuple[int, int]) -> None:
    page = opened(inspector, "/", size)
    plot, said = page.locator("#plot"), page.locator("#explain p")
    box = plot.bounding_box()
    assert box is not None
    seen = set()
    for query, key in ((0, 0), (1, 0), (3, 2), (4, 1), (6, 7), (10, 10)):
        before = said.inner_text()
        page.mouse.move(*place_of(plot, query, key, (11, 11)))
        expect(said).not_to_have_text(before)
        seen.add(len(said.inner_text()) // 40)
        assert plot.bounding_box() == box
    assert len(seen) > 2  # of several lengths


@pytest.mark.fresh
def test_the_buttons_of_why_stay_while_its_numbers_come(inspector: Inspector) -> None:
    page = opened(inspector, "/?depth=full", (1440, 900))
    held: list[Route] = []
    page.route("**/api/trace", lambda route: held.append(route))  # not answered yet
    page.get_by_role("button", name="Why?").click()
    header = page.locator("#why-drawer header")
    expect(header).to_be_visible()
    page.wait_for_function("() => document.querySelector('#why-drawer').ariaBusy === 'true'")
    assert held and page.locator("#why-drawer li").count() == 0
    before = header.bounding_box()
    for one in held:
        one.continue_()
    page.unroute("**/api/trace")
    expect(page.locator("#why-drawer li")).to_have_count(4)
    after = header.bounding_box()
    assert before and after and abs(before["y"] - after["y"]) < 4


def test_why_opens_below_the_picture_which_stays(inspector: Inspector) -> None:
    for depth, size in (("start", (1280, 720)), ("full", (1440, 900))):
        page = opened(inspector, f"/?depth={depth}", size)
        page.get_by_role("button", name="Why?").click()
        inspector.ready()
        drawer = page.locator("#why-drawer")
        expect(drawer.locator("h3")).to_have_text("How “saw” comes to look at “Mary”")
        expect(page.locator("[data-plot]")).to_be_in_viewport(ratio=1)
        head, box = page.locator(".head").bounding_box(), drawer.bounding_box()
        assert head and box and box["height"] <= 0.45 * head["height"]
        numbers = drawer.locator("tbody tr").all_inner_texts()
        shown = {name: values for name, *values in (line.split("\t") for line in numbers)}
        assert drawer.locator("thead th").all_inner_texts() == ["Mary", "[BOS]"]
        steps = drawer.locator("li").all_inner_texts()
        for part, step in zip(("q·k", "score", "weight"), steps, strict=False):
            assert step.endswith(f" {shown[part][0]}."), (part, step)
        assert float(shown["weight"][1]) < float(shown["weight"][0])
        inspector.press("Escape")
        expect(drawer).to_be_hidden()
        expect(page.get_by_role("button", name="Why?")).to_be_focused()
        page.get_by_role("button", name="Why?").click()
        inspector.ready()
        page.locator("#grid .cell[aria-label^='layer 1, head 7']").click()  # it follows
        expect(drawer.locator("li").first).not_to_have_text(steps[0])
        accessible(page, "#why-drawer")
        drawer.get_by_role("button", name="All keys").click()
        expect(page.locator(".inside-keys")).to_be_visible()
        expect(drawer).to_be_hidden()


def test_the_inside_begins_with_the_cell_in_words(inspector: Inspector) -> None:
    page = opened(inspector, "/?depth=start", (1280, 720))
    page.get_by_role("button", name="Why?").click()
    page.get_by_role("button", name="All keys").click()
    inspector.ready()
    lead = page.locator(".inside-lead")
    expect(lead.locator("h3")).to_have_text("How “saw” comes to look at “Mary”")
    chosen = page.locator(".inside-keys tr.chosen")
    steps = lead.locator("li").all_inner_texts()
    numbers = [chosen.locator(f"[data-part={part}]").inner_text() for part in ("dot", "score")]
    for number, step in zip(numbers, steps, strict=False):
        assert step.endswith(f"{number}."), (number, step)
    weight = chosen.locator("[data-part=weight]").inner_text()
    assert steps[2].endswith(f"gets {weight}.")
    share = re.search(r"gives (\S+%) of its attention", page.locator("#explain p").inner_text())
    assert share
    assert f" {share[1]} " in steps[3]
    in_sight(page, ".inside-lead")
    inspector.press("Tab")
    page.locator(".inside-keys tr").nth(3).click()
    expect(lead.locator("h3")).to_have_text("How “saw” comes to look at “near”")
    page.get_by_role("button", name="One step back").click()
    inspector.press(*"," * 8)  # before there is a weight
    expect(lead).to_be_hidden()
    inspector.open("/?view=inside")
    expect(page.locator(".inside-keys")).to_be_visible()
    expect(lead).to_be_hidden()


CAT = "/?depth=start&text=The+cat+sat"


@pytest.mark.fresh
def test_start_opens_on_the_head_whose_mute_moves_most(inspector: Inspector) -> None:
    body = {"texts": ["The cat sat"], "select": {"layers": []}, "analyse": {"mute_effects": {}}}
    answer = inspector.page.request.post(f"{inspector.server}/api/trace", data=body).json()
    effects = [one for one in answer["mute_effects"][0]["effects"] if one["change"] is not None]
    most = max(effects, key=lambda one: abs(one["change"]))
    assert (most["layer"], most["head"]) != (0, 0)
    page = opened(inspector, CAT, (1280, 720))
    title = page.locator("#head-title")
    expect(title).to_have_text(f"Layer {most['layer']} · head {most['head']}")
    page.locator("#model").select_option("scratch")
    expect(title).to_have_text(re.compile(r"Layer 0 · head [1-9]"))
    inspector.open(f"{CAT}&layer=0&head=0")  # a link says which
    expect(title).to_have_text("Layer 0 · head 0")


@pytest.mark.fresh
def test_a_head_that_is_known_late_takes_the_place_of_none(inspector: Inspector) -> None:
    """It stays the one that looks away most; so does what the reader has chosen meanwhile."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if '"mute_effects"' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    inspector.page.route("**/api/trace", hold)
    page = inspector.open(CAT).page
    title = page.locator("#head-title")
    expect(title).not_to_have_text("Layer 0 · head 0")
    first = title.inner_text()
    rested(page, 2200)
    assert len(held) == 1
    held[0].continue_()
    rested(page, 300)
    assert title.inner_text() == first
    page.goto(inspector.server + CAT)
    inspector.ready()
    page.locator("#grid .cell").nth(1).click()
    expect(title).to_have_text("Layer 0 · head 1")
    held[1].continue_()
    rested(page, 300)
    assert title.inner_text() == "Layer 0 · head 1"


@pytest.mark.fresh
def test_all_of_a_long_text_is_in_sight_in_start(inspector: Inspector) -> None:
    page = opened(inspector, "/", (1280, 720))
    words = "The cats near the old mirror saw the dog that Maria found in the garden".split()
    inspector.type(" ".join(words[place % len(words)] for place in range(100)) + ".")
    in_sight(page, "#plot", "#explain p", "#forecast", "#next-step")
    n = page.locator("#chips .chip").count()
    plot, small_map = page.locator("#plot"), page.locator("#plot .minimap")
    for query in (0, n - 1):
        page.mouse.move(*place_of(plot, query, 0, (n, n)))
        name = page.locator("#chips .chip").nth(query).inner_text()
        expect(page.locator(".lit-query")).to_have_text(name)
    expect(small_map).to_be_hidden()  # nothing is out of sight
    page.locator(".chip").first.click()
    expect(page.locator(".band-row")).to_be_visible()
    inspector.ready().press("+", "+")
    small_map.click(position={"x": 10, "y": 40})
    page.wait_for_url("**zoom=**")
    shown, cells = small_map.bounding_box(), plot.locator("[data-plot]").bounding_box()
    assert shown is not None
    assert cells is not None
    assert shown["x"] >= cells["x"] + cells["width"]  # it covers no cell


def test_a_first_look_lists_the_selected_row_where_there_is_room(inspector: Inspector) -> None:
    page = inspector.page
    page.set_viewport_size({"width": 1280, "height": 720})
    inspector.open("/?text=Mary+near+the+boys+saw+herself&depth=start&layer=2&head=3&query=5")
    shares = page.locator("#row-shares")
    expect(shares).to_be_hidden()
    for height, n in ((900, 4), (1080, 6)):
        resize(page, 1440, height)
        expect(shares).to_contain_text("“saw” looks at")
        expect(shares.locator("tbody tr:visible")).to_have_count(n)
        foot = page.locator(".foot")
        assert foot.evaluate("(one) => one.scrollHeight <= one.clientHeight")
    said = shares.locator("td:last-child").all_inner_texts()
    drawn = [float(one.rstrip("%").lstrip("< ")) for one in said]
    assert drawn[0] > 90
    inspector.open(page.url.removeprefix(inspector.server).replace("depth=start", "depth=full"))
    weights = inspector.figure()["z"][5][:6]
    assert drawn == pytest.approx(sorted((100 * one for one in weights), reverse=True), abs=0.1)


@pytest.mark.parametrize("window", [(1280, 720), (820, 1180)], ids=["panel", "strip"])
def test_a_head_under_the_mouse_is_seen_large(
    inspector: Inspector, window: tuple[int, int]
) -> None:
    page = inspector.page
    page.set_viewport_size({"width": window[0], "height": window[1]})
    inspector.open(FULL).probed()
    box = page.locator(".head-preview")
    cell = page.locator("#grid .cell[aria-selected=true]")
    expect(box).to_be_hidden()
    cell.hover()
    expect(box).to_be_visible()
    expect(box).to_have_text(cell.get_attribute("data-about") or "")
    copied = """() => ["#grid .cell[aria-selected=true] canvas", ".head-preview canvas"]
      .map((one) => document.querySelector(one).toDataURL())"""
    thumbnail, drawn = page.evaluate(copied)
    assert drawn == thumbnail
    place, grid = box.bounding_box(), page.locator("#grid").bounding_box()
    assert place and grid
    assert place["x"] >= grid["x"] + grid["width"] or place["y"] + place["height"] <= grid["y"]
    assert 0 <= place["x"] <= window[0] - place["width"]
    assert 0 <= place["y"] <= window[1] - place["height"]
    page.mouse.move(0, 0)
    expect(box).to_be_hidden()


def test_a_mouse_at_rest_opens_no_head_while_one_types(inspector: Inspector) -> None:
    page = inspector.open(FULL).probed().page
    page.locator("#grid .cell").nth(9).hover()
    expect(page.locator(".head-preview")).to_be_visible()
    page.locator("textarea").first.focus()
    page.keyboard.type(" It")
    inspector.ready()
    page.evaluate("document.querySelector('#sentences').style.paddingTop = '60px'")  # below it
    page.wait_for_timeout(400)  # more than a mouse has to rest
    expect(page.locator(".head-preview")).to_be_hidden()


def test_a_habit_that_does_not_show_in_the_sentence_is_in_italics(inspector: Inspector) -> None:
    page = inspector.open("/?text=Mary+near+the+boys+saw+herself").probed().page
    absent = page.locator("#grid .tag.absent")
    expect(absent.filter(has_text="induc")).not_to_have_count(0)  # no token comes twice
    head = page.locator("#grid .cell[aria-label^='layer 1, head 1']")
    expect(head).to_have_attribute("data-about", re.compile("but not in this sentence"))
    before = page.locator("#grid .cell", has=page.locator(".tag", has_text="previous token"))
    assert "not in this" not in (before.first.get_attribute("data-about") or "")
    style = "(one) => getComputedStyle(one).fontStyle"
    assert absent.first.evaluate(style) == "italic"
    # of a text where it does, it is not
    inspector.type("the cat saw the dog , the cat saw the dog , the cat saw the dog")
    expect(head.locator(".tag")).not_to_have_class(re.compile("absent"))
    said = re.compile("but not in this sentence")
    expect(head).not_to_have_attribute("aria-label", said)
    inspector.type("Mary near the boys saw her")
    expect(head).to_have_attribute("aria-label", said)  # as is read out


def test_on_a_phone_one_gets_out_of_a_presentation_and_of_the_help(inspector: Inspector) -> None:
    page = opened(inspector, "/?depth=start", (390, 844))
    inspector.press("Control+k")
    page.locator("#commands input").fill("Present")
    page.keyboard.press("Enter")
    page.evaluate("scrollTo(0, 400)")
    page.get_by_role("button", name="Leave the presentation").click()
    expect(page.locator("html")).to_have_attribute("data-depth", "start")
    page.get_by_role("button", name="Help").click()
    in_sight(page, "#help form[method=dialog] button")  # however long the help is
    page.locator("#help").get_by_role("button", name="Close").click()
    expect(page.locator("#help")).to_be_hidden()


def test_on_a_phone_one_sees_what_a_mask_changes(inspector: Inspector) -> None:
    """In one column its switch stands below the picture; beside the sentence it was below all."""
    page = opened(inspector, "/?depth=start", (390, 844))
    switch = page.get_by_role("switch", name="causal mask")
    for checked in (True, False):  # the strip covers the end of the window
        switch.set_checked(checked)
        inspector.ready()
        foot, box = page.locator("#forecast").bounding_box(), switch.bounding_box()
        assert foot is not None
        assert box is not None
        assert box["y"] + box["height"] <= foot["y"]
        in_sight(page, "#plot")
    expect(page.locator("#legend")).not_to_contain_text("causal")
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(page.locator(".purpose").get_by_role("switch", name="causal mask")).not_to_be_checked()
    switch.check()
    inspector.ready()
    expect(page.locator("#legend")).to_contain_text("causal")


def test_enter_in_a_first_look_adds_no_line(inspector: Inspector) -> None:
    page = opened(inspector, "/?depth=start", (1280, 720))
    box = page.locator("#sentences textarea")
    box.fill("The cat")
    box.press("Enter")
    assert box.input_value() == "The cat"
    box.press("Shift+Enter")
    assert box.input_value() == "The cat\n"
    page = opened(inspector, "/?depth=full", (1280, 720))
    page.locator("#sentences textarea").fill("The cat")
    page.locator("#sentences textarea").press("Enter")
    assert page.locator("#sentences textarea").input_value() == "The cat\n"


def test_a_presentation_of_a_comparison_shows_whole_pictures(inspector: Inspector) -> None:
    page = opened(inspector, "/?depth=present&view=compare", (1280, 720))
    canvas = page.locator(".compare-stage canvas").first
    expect(canvas).to_have_attribute("data-plots", re.compile(";"))
    places = canvas.get_attribute("data-plots") or ""
    boxes = [[float(number) for number in one.split()] for one in places.split(";")]
    assert len(boxes) == 3 and len({box[1] for box in boxes}) == 1  # side by side
    assert all(box[2] > 180 and box[3] > 180 for box in boxes)


def test_on_a_tablet_the_words_below_the_heads_are_whole(inspector: Inspector) -> None:
    """A narrow cell has no room for a number in a first look, so its words may take two lines."""
    inspector.page.set_viewport_size({"width": 1024, "height": 768})
    page = inspector.open("/?depth=start").probed().page
    expect(page.locator(".tag-brief:visible")).to_have_count(0)
    cut = """tags => tags.filter((tag) => tag.scrollWidth > tag.clientWidth)
      .map((tag) => tag.textContent)"""
    assert page.locator("#grid .tag").evaluate_all(cut) == []
    assert page.locator(".tag-words:visible").count() == 24
