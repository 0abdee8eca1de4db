"""Painting a mask: the page draws the API's numbers for the same painted cells."""

import json
import re
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector, pick, rested, unfold

pytestmark = pytest.mark.browser
TEXT = "The dogs near the river are old."
LINK = "/?text=The+dogs+near+the+river+are+old.&layer=1&head=2&query=5"
ALL: dict[str, Any] = dict.fromkeys(("layer", "head", "query", "key", "kind"))


def cell(query: int | None, key: int | None, **scope: Any) -> dict[str, Any]:
    return ALL | {"text": 0, "layer": 1, "head": 2, "query": query, "key": key} | scope


def told(server: str, request: dict[str, Any]) -> Any:
    """The API's answer to the same request."""
    call = urllib.request.Request(
        f"{server}/api/trace", json.dumps(request).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(call) as response:
        return json.load(response)


def asked(
    inspector: Inspector, layer: int = 1, head: int = 2, **masks: list[dict[str, Any]]
) -> Any:
    """The rows of a head, and the predictions at token 5, from the API."""
    request = {
        "texts": [TEXT],
        "masks": masks,
        "select": {"tensors": ["pattern"], "layers": [layer], "heads": [head]},
        "predict": {"position": 5, "top_k": 10},
    }
    answer = told(inspector.server, request)
    return answer["sites"][0]["tensors"]["pattern"][0][0], answer["predictions"][0]


def place(inspector: Inspector, query: int, key: int) -> tuple[float, float]:
    """The middle of a cell, in pixels of the window."""
    x, y = inspector.plotly().page.evaluate(
        """([query, key]) => {
          const plot = document.querySelector("#plot");
          const box = plot.getBoundingClientRect();
          const { xaxis, yaxis } = plot._fullLayout;
          const left = box.left + xaxis._offset + xaxis.l2p(key);
          return [left, box.top + yaxis._offset + yaxis.l2p(query)];
        }""",
        [query, key],
    )
    return x, y


def brush(inspector: Inspector, name: str) -> Inspector:
    pick(inspector.page.locator("#brush").get_by_label(name, exact=True))
    return inspector


def drag(inspector: Inspector, *cells: tuple[int, int]) -> Inspector:
    """Draw a stroke from cell to cell; with one cell, click."""
    mouse = inspector.page.mouse
    mouse.move(*place(inspector, *cells[0]))
    mouse.down()
    for to in cells[1:]:
        mouse.move(*place(inspector, *to))
    mouse.up()
    return inspector.ready()


def write(inspector: Inspector, text: str) -> Inspector:
    inspector.page.get_by_label("Sentence 1", exact=True).fill(text)
    return inspector.ready()


def same(inspector: Inspector, expected: list[list[float]]) -> None:
    rows = inspector.figure()["z"]
    assert len(rows) == len(expected)
    for row, other in zip(rows, expected, strict=True):
        assert row == pytest.approx(other, abs=1e-6)


def painted(inspector: Inspector) -> int:
    """What the button of the masks counts."""
    said = re.search(r"(\d+) painted", inspector.page.locator("#masks-said").inner_text())
    return int(said[1]) if said else 0


def test_a_click_blocks_a_cell_and_another_frees_it(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    before = inspector.figure()["z"]
    assert before[5][2] > 0
    drag(inspector, (5, 2))
    expected, _ = asked(inspector, blocked=[cell(5, 2)])
    assert expected[5][2] == 0
    same(inspector, expected)
    assert painted(inspector) == 1
    assert inspector.page.locator("#paint-said").inner_text() == "blocked 1 cell in layer 1 head 2"
    assert "your painted mask" in inspector.page.locator("#legend").inner_text()
    assert "query=5" in inspector.page.url  # a stroke reads no other row
    drag(inspector, (5, 2))
    same(inspector, before)
    assert painted(inspector) == 0


@pytest.mark.fresh
def test_a_drag_paints_all_that_it_passes_in_one_step(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    before = inspector.figure()["z"]
    sent: list[str] = []
    inspector.page.on(
        "request",
        lambda request: sent.append(request.post_data or "") if "trace" in request.url else None,
    )
    drag(inspector, (6, 0), (6, 4), (4, 2))  # leaps: the gaps are filled
    cells = [*((6, key) for key in range(5)), (5, 3), (4, 2)]
    expected, _ = asked(inspector, blocked=[cell(*one) for one in cells])
    same(inspector, expected)
    assert painted(inspector) == 7
    assert inspector.page.locator("#paint-said").inner_text() == "blocked 7 cells in layer 1 head 2"
    assert sum('"rows"' not in body and '"resolution"' in body for body in sent) == 1
    inspector.page.get_by_role("button", name="Undo").click()
    inspector.ready()
    same(inspector, before)


def test_a_stroke_does_to_all_cells_what_it_does_to_the_first(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    drag(inspector, (5, 2))
    drag(inspector, (5, 2), (5, 0))  # begins on a blocked cell: it frees, and open cells stay open
    assert painted(inspector) == 0
    drag(inspector, (5, 1), (5, 3))
    drag(inspector, (5, 0), (5, 3))
    assert painted(inspector) == 4


def test_a_cell_of_the_future_can_be_freed(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    assert inspector.figure()["z"][2][6] == 0
    drag(inspector, (2, 6))
    expected, _ = asked(inspector, allowed=[cell(2, 6)])
    assert expected[2][6] > 0
    same(inspector, expected)
    assert inspector.page.locator("#paint-said").inner_text() == "freed 1 cell in layer 1 head 2"
    drag(inspector, (2, 6))
    assert inspector.figure()["z"][2][6] == 0
    assert painted(inspector) == 0


@pytest.mark.parametrize(
    ("name", "scope", "other", "where"),
    [
        ("this layer", {"head": None}, (1, 5), "layer 1, all heads"),
        ("all heads", {"head": None, "layer": None}, (2, 4), "all layers and heads"),
    ],
)
def test_a_wider_brush_paints_other_heads_too(
    inspector: Inspector, name: str, scope: dict[str, None], other: tuple[int, int], where: str
) -> None:
    brush(inspector.open(LINK), name)
    drag(inspector, (5, 1), (5, 2))
    masks: dict[str, Any] = {"blocked": [cell(5, key, **scope) for key in (1, 2)]}
    same(inspector, asked(inspector, **masks)[0])
    announced = inspector.page.locator("#paint-said").inner_text()
    assert announced == f"blocked 2 cells in {where}"
    layer, head = other
    inspector.page.get_by_role("gridcell").nth(8 * layer + head).click()
    inspector.ready()
    expected, _ = asked(inspector, layer, head, **masks)
    assert expected[5][1] == expected[5][2] == 0
    same(inspector, expected)


def test_everything_downstream_follows(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "all heads")
    _, before = asked(inspector)
    drag(inspector, (5, 0), (5, 4))
    scope = {"layer": None, "head": None}
    _, expected = asked(inspector, blocked=[cell(5, key, **scope) for key in range(5)])
    assert expected[0]["probability"] != pytest.approx(before[0]["probability"], abs=1e-3)
    panel = inspector.page.locator("#next-panel").inner_text()
    for one in expected[:3]:
        assert f"{100 * one['probability']:.1f}" in panel


def test_undo_redo_and_clear(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    patterns = [inspector.figure()["z"]]
    for one in ((5, 2), (6, 1)):
        drag(inspector, one)
        patterns.append(inspector.figure()["z"])
    inspector.press("m")
    inspector.press("Control+z")
    same(inspector, patterns[2])
    expect(inspector.page.locator("#mute")).to_contain_text("Mute")
    inspector.press("Control+z")
    same(inspector, patterns[1])
    inspector.press("Control+z")
    same(inspector, patterns[0])
    inspector.press("Control+z")  # nothing is left to undo
    inspector.press("Control+Shift+Z")
    same(inspector, patterns[1])
    inspector.press("Control+y")
    same(inspector, patterns[2])
    unfold(inspector.page, "masks")
    inspector.page.locator("#painted").click()
    inspector.ready()
    same(inspector, patterns[0])
    assert painted(inspector) == 0
    inspector.page.get_by_role("button", name="Undo").click()
    inspector.ready()
    same(inspector, patterns[2])


def test_undo_in_the_sentence_box_is_of_the_sentence(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    drag(inspector, (5, 2))
    inspector.page.locator("#sentences textarea").first.press("End")
    inspector.page.keyboard.type("!")
    inspector.ready()
    inspector.page.keyboard.press("Control+z")
    inspector.ready()
    assert inspector.page.locator("#sentences textarea").first.input_value() == TEXT
    assert painted(inspector) == 1


def test_escape_drops_the_stroke(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    before = inspector.figure()["z"]
    mouse = inspector.page.mouse
    mouse.move(*place(inspector, 5, 2))
    mouse.down()
    mouse.move(*place(inspector, 5, 4))
    inspector.page.keyboard.press("Escape")
    mouse.move(*place(inspector, 5, 0))
    mouse.up()
    inspector.ready()
    same(inspector, before)
    assert painted(inspector) == 0


def test_a_drag_does_not_zoom_while_it_paints_and_does_without(inspector: Inspector) -> None:
    ranges = "() => document.querySelector('#plot')._fullLayout.xaxis.range.join()"
    brush(inspector.open(LINK).plotly(), "this head")
    whole = inspector.page.evaluate(ranges)
    drag(inspector, (3, 0), (5, 3))
    assert inspector.page.evaluate(ranges) == whole
    brush(inspector, "off")
    drag(inspector, (2, 2), (5, 5))
    assert inspector.page.evaluate(ranges) != whole


def test_a_link_restores_the_mask_exactly(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    drag(inspector, (5, 0), (5, 3))
    drag(inspector, (1, 4))
    brush(inspector, "all heads")
    drag(inspector, (6, 5))
    pattern, url = inspector.figure()["z"], inspector.page.url
    assert "block=0.*.*_6.5&block=0.1.2_5.0-3&free=0.1.2_1.4" in url
    inspector.page.goto("about:blank")
    inspector.page.goto(url)
    inspector.ready()
    same(inspector, pattern)
    assert painted(inspector) == 6
    assert inspector.page.url == url


def test_a_link_with_cells_that_are_not_there_still_opens(inspector: Inspector) -> None:
    inspector.open(
        f"{LINK}&block=0.1.2_5.2_99.1&block=0.9.2_1.1&block=7.1.2_1.1&free=<b>&free=0_1.1"
    )
    same(inspector, asked(inspector, blocked=[cell(5, 2)])[0])
    assert painted(inspector) == 1
    assert inspector.page.locator("#problem").is_hidden()
    assert "1 painted cell was on tokens" in inspector.page.locator("#paint-notice").inner_text()


def test_paint_stays_on_its_tokens_or_goes_with_them(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    drag(inspector, (5, 3))  # river → near
    write(inspector, "The old dogs near the river are old.")
    assert "block=0.1.2_6.4" in inspector.page.url
    rested(inspector.page, 1_000)  # a pause in typing: another step of undo
    write(inspector, "The old dogs at the river are old.")  # near is gone
    assert painted(inspector) == 0
    notice = inspector.page.locator("#paint-notice")
    assert "removed" in notice.inner_text()
    inspector.page.get_by_role("button", name="Undo").click()
    inspector.ready()
    box = inspector.page.locator("#sentences textarea").first
    assert box.input_value() == "The old dogs near the river are old."
    assert painted(inspector) == 1
    assert notice.inner_text() == ""
    inspector.page.get_by_role("button", name="Redo").click()
    inspector.ready()
    assert box.input_value() == "The old dogs at the river are old."
    write(inspector, "Hi")
    assert inspector.page.locator("#problem").is_hidden()


def test_paint_of_a_sentence_moves_up_and_goes_with_it(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&text=A+cat+sat+on+the+mat.&block=0.1.2_5.2&block=1.1.2_4.1")
    inspector.page.get_by_role("button", name="Remove sentence 1").click()
    inspector.ready()
    assert "block=0.1.2_4.1" in inspector.page.url
    assert painted(inspector) == 1
    inspector.page.get_by_role("button", name="Undo").click()
    inspector.ready()
    assert inspector.page.locator("#sentences textarea").count() == 2
    assert "block=0.1.2_5.2&block=1.1.2_4.1" in inspector.page.url


def test_the_menu_of_a_token_blocks_it_everywhere(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    chip = page.locator("#chips .chip").nth(2)
    chip.click(button="right")
    page.get_by_role("menuitem", name="Block as a key everywhere").click()
    inspector.ready()
    everywhere = cell(None, 2, layer=None, head=None)
    expected, _ = asked(inspector, blocked=[everywhere])
    assert all(row[2] == 0 for row in expected)
    same(inspector, expected)
    expect(chip).to_have_class("chip blocked")
    expect(chip).to_have_attribute("aria-label", "dogs, blocked as a key")
    expect(chip).to_be_focused()
    chip.press("Shift+F10")
    page.get_by_role("menuitem", name="Unblock as a key everywhere").click()
    inspector.ready()
    same(inspector, asked(inspector)[0])
    expect(chip).not_to_have_class("chip blocked")


def test_the_menu_reads_pins_and_blocks_queries(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    page.locator("#chips .chip").nth(3).click(button="right")
    page.get_by_role("menuitem", name="Pin in Lines").click()
    assert "pinned=3" in page.url
    page.locator("#chips .chip").nth(4).click(button="right")
    page.get_by_role("menuitem", name="Read its row").click()
    inspector.ready()
    assert "query=4" in page.url
    page.locator("#chips .chip").nth(4).click(button="right")
    page.get_by_role("menuitem", name="Block as a query").click()
    inspector.ready()
    assert inspector.figure()["z"][4] == [0] * 9


def test_painting_by_keyboard_alone(inspector: Inspector) -> None:
    inspector.open(LINK).press("w", "]", "}", "[", "{", "{", "{")
    assert inspector.page.locator("#brush input:checked").get_attribute("value") == "head"
    assert "key=4" in inspector.page.url  # it begins on the diagonal, at 5
    inspector.press("x")
    same(inspector, asked(inspector, blocked=[cell(5, 4)])[0])
    inspector.press("x", "w", "w", "x")
    scope = {"layer": None, "head": None}
    same(inspector, asked(inspector, blocked=[cell(5, 4, **scope)])[0])
    inspector.press("Control+z", "w")
    assert inspector.page.locator("#brush input:checked").get_attribute("value") == "off"
    inspector.press("x")
    same(inspector, asked(inspector)[0])
    chip = inspector.page.locator("#chips .chip").nth(2)
    chip.focus()
    inspector.press("Shift+F10", "ArrowDown", "ArrowDown", "ArrowUp", "Enter")
    same(inspector, asked(inspector, blocked=[cell(None, 2, head=None)])[0])
    expect(chip).to_be_focused()
    inspector.press("Shift+F10", "Escape")
    assert inspector.page.locator("#token-menu").is_hidden()
    expect(chip).to_be_focused()


def test_a_finger_paints_and_a_long_press_opens_the_menu(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    touch = inspector.page.context.new_cdp_session(inspector.page)

    def send(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", place(inspector, 6, 1))
    send("touchMove", place(inspector, 6, 3))
    send("touchEnd")
    inspector.ready()
    expect(inspector.page.locator("#painted")).to_have_text("painted: 3 ✕")
    same(inspector, asked(inspector, blocked=[cell(6, key) for key in (1, 2, 3)])[0])
    box = inspector.page.locator("#chips .chip").nth(2).bounding_box()
    assert box is not None
    send("touchStart", (box["x"] + 5, box["y"] + 5))
    inspector.page.get_by_role("menu").wait_for()
    send("touchEnd")
    assert inspector.page.get_by_role("menu").is_visible()


@pytest.mark.parametrize("matrix", ["scores", "norms"])
def test_other_matrices_are_painted_too(inspector: Inspector, matrix: str) -> None:
    brush(inspector.open(f"{LINK}&matrix={matrix}"), "this head")
    drag(inspector, (5, 2))
    assert "block=0.1.2_5.2" in inspector.page.url


def test_rollout_is_not_painted_and_says_why(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head").press(*["s"] * 4)
    expect(inspector.page.locator("#brush")).to_have_js_property("disabled", True)
    assert "all layers and heads" in inspector.page.locator("#paint-why").inner_text()
    inspector.press("x")
    assert painted(inspector) == 0


def test_an_example_takes_the_paint_away_and_undo_brings_both_back(inspector: Inspector) -> None:
    brush(inspector.open(LINK), "this head")
    drag(inspector, (5, 2))
    pattern = inspector.figure()["z"]
    inspector.press("e")
    inspector.page.locator("#gallery-cards button").nth(1).click()
    inspector.ready()
    assert painted(inspector) == 0
    inspector.page.get_by_role("button", name="Undo").click()
    inspector.ready()
    assert inspector.page.locator("#sentences textarea").first.input_value() == TEXT
    assert painted(inspector) == 1
    inspector.page.get_by_role("gridcell").nth(8 + 2).click()
    inspector.ready()
    same(inspector, pattern)


def test_axe_finds_nothing(inspector: Inspector) -> None:
    brush(inspector.open(LINK + "&block=0.*.*_*.2&muted=0.1"), "this head")
    inspector.page.locator("#chips .chip").nth(3).click(button="right")
    for _ in appearances(inspector.page):
        accessible(inspector.page)


@pytest.fixture
def other(pages: Pages, families: str) -> Inspector:
    return Inspector(pages(1440, 900), families)


def test_each_side_of_an_encoder_decoder_is_painted_for_itself(other: Inspector) -> None:
    brush(
        other.open("/?model=t5&text=the+old+cat+sat&target=a+girl+saw&kind=cross&layer=0&head=0"),
        "this layer",
    )
    drag(other, (1, 2))
    assert "block=0.0.*.cross_1.2" in other.page.url
    assert "cross layer 0, all heads" in other.page.locator("#paint-said").inner_text()
    rows = other.figure()["z"]
    assert rows[1][2] == 0
    assert rows[0][2] > 0
    other.page.locator("#chips .chip").nth(1).click(button="right", force=True)
    other.page.get_by_role("menuitem", name="Block as a key everywhere").click()
    other.ready()
    assert "block=0.*.*.encoder_*.1&block=0.*.*.cross_*.1" in other.page.url
    assert all(row[1] == 0 for row in other.figure()["z"])
    other.page.get_by_label("Encoder", exact=True).check()
    other.ready()
    assert all(row[1] == 0 for row in other.figure()["z"])
    other.page.get_by_label("Target of sentence 1").fill("saw")
    other.ready()
    assert other.page.locator("#problem").is_hidden()


def test_a_model_without_masks_says_why_it_is_not_painted(other: Inspector) -> None:
    other.open("/?model=bloom&text=the+cat+sat&block=0.0.0_1.0")
    assert painted(other) == 0
    expect(other.page.locator("#brush")).to_have_js_property("disabled", True)
    assert "Masks cannot be painted on this model" in (
        other.page.locator("#brush").get_attribute("title") or ""
    )
    other.page.locator("#chips .chip").nth(1).click(button="right")
    item = other.page.get_by_role("menuitem", name="Block as a key everywhere")
    expect(item).to_have_attribute("aria-disabled", "true")
