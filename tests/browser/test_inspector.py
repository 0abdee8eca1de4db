"""The main workflow: type, look, change masks, walk through the heads, share."""

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from scripts.live import serving
from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector, is_extra, pick, rested, unfold

pytestmark = pytest.mark.browser
SENTENCE = "The dogs near the river are old."


def trace(inspector: Inspector, **request: Any) -> dict[str, Any]:
    """The API's answer to the same request."""
    body = json.dumps({"texts": [SENTENCE], **request}).encode()
    headers = {"Content-Type": "application/json"}
    call = urllib.request.Request(f"{inspector.server}/api/trace", body, headers)
    with urllib.request.urlopen(call) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def pattern(inspector: Inspector, layer: int, head: int, **request: Any) -> list[list[float]]:
    select = {"tensors": ["pattern"], "layers": [layer], "heads": [head]}
    rows: list[list[float]] = trace(inspector, select=select, **request)["sites"][0]["tensors"][
        "pattern"
    ][0][0]
    return rows


def test_the_example_is_already_traced(inspector: Inspector) -> None:
    inspector.open()
    assert inspector.page.locator("textarea").first.input_value() != ""
    assert inspector.page.locator(".chip").count() > 5
    assert inspector.page.locator(".cell canvas").count() == 24


def test_a_number_in_the_heatmap_is_the_number_of_the_api(inspector: Inspector) -> None:
    inspector.open("/?layer=2&head=3").type(SENTENCE)
    expected = pattern(inspector, 2, 3)
    for drawn, sent in zip(inspector.figure()["z"], expected, strict=True):
        assert drawn == pytest.approx(sent, abs=1e-7)
    reading = inspector.hover(5, 2)
    assert f"weight {expected[5][2]:.4f}" in reading


def test_the_picture_follows_the_typing(inspector: Inspector) -> None:
    inspector.open()
    box = inspector.page.locator("textarea").first
    box.fill("")
    box.press_sequentially("the old cat", delay=20)
    inspector.ready()
    chips = inspector.page.locator(".chip").all_inner_texts()
    assert chips == ["[BOS]", "the", "old", "cat"]


def test_a_late_answer_never_overwrites_a_newer_one(inspector: Inspector) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        """Delay the answers to the first text until the second is on the page."""
        if '"the old"' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    inspector.open()
    inspector.page.route("**/api/trace", hold)
    with inspector.page.expect_request("**/api/trace"):
        inspector.page.locator("textarea").first.fill("the old")
    inspector.type("the old cat")
    assert len(held) > 0
    for route in held:
        route.continue_()
    rested(inspector.page, 300)  # nothing may happen
    assert inspector.page.locator(".chip").last.inner_text() == "cat"


def test_a_busy_server_is_asked_again(inspector: Inspector) -> None:
    refused = 0

    def refuse_once(route: Route) -> None:
        nonlocal refused
        if is_extra(route.request):
            return route.continue_()
        refused += 1
        if refused > 2:
            return route.continue_()
        error = {"code": "busy", "message": "The server is busy.", "field": None, "limit": None}
        body = json.dumps({"error": error})
        return route.fulfill(
            status=503, headers={"Retry-After": "1"}, content_type="application/json", body=body
        )

    inspector.open()
    inspector.page.route("**/api/trace", refuse_once)
    inspector.type("the old cat")
    assert refused == 2 + 1  # one request, which is asked until it is answered
    assert inspector.page.locator("#problem").is_hidden()
    inspector.errors.clear()  # Chromium itself logs the 503


def test_causal_off_shows_the_upper_triangle(inspector: Inspector) -> None:
    inspector.open("/?layer=1&head=0").type(SENTENCE)
    before = inspector.figure()["z"]
    assert all(value == 0 for row, line in enumerate(before) for value in line[row + 1 :])
    assert "blocked by the causal mask" in inspector.hover(1, 4)
    pick(inspector.page.locator("#masks").get_by_label("off", exact=True).first)
    inspector.ready()
    after = inspector.figure()["z"]
    assert any(value > 0 for row, line in enumerate(after) for value in line[row + 1 :])
    assert after[1][1] != before[1][1]
    assert "blocked" not in inspector.hover(1, 4)


def test_a_second_sentence_brings_padding_and_its_mask(inspector: Inspector) -> None:
    inspector.open("/?layer=0&head=0").type(SENTENCE)
    inspector.page.locator("#add-sentence").click()
    inspector.type("The cat.", box=1)
    assert inspector.page.locator(".chip.padding").count() > 0
    masked = inspector.figure()["z"]
    assert all(line[-1] == 0 for line in masked)
    assert "padding" in inspector.hover(len(masked) - 1, len(masked) - 1)
    inspector.page.locator("#heads-title").click()
    inspector.press("p")
    assert inspector.figure()["z"][-1][-1] > 0


def test_arrows_walk_the_heads(inspector: Inspector) -> None:
    inspector.open("/?layer=0&head=0").press("ArrowRight", "ArrowRight", "ArrowDown")
    assert inspector.page.locator("#head-title").inner_text() == "Layer 1 · head 2"
    selected = inspector.page.locator(".cell[aria-selected=true]")
    assert re.match(r"layer 1, head 2(, |$)", selected.get_attribute("aria-label") or "")
    inspector.press(*["ArrowUp"] * 9, *["ArrowLeft"] * 9)
    assert inspector.page.locator("#head-title").inner_text() == "Layer 0 · head 0"


@pytest.mark.parametrize("painter", ["plotly", "canvas"])
@pytest.mark.fresh
def test_arrows_walk_the_cells_of_the_heatmap_that_tab_reached(
    inspector: Inspector, painter: str
) -> None:
    page = inspector.page
    inspector.open("/?text=The+cat+sat&layer=1&head=2&query=2")
    if painter == "plotly":
        inspector.plotly()
    plot, readout = page.locator("#plot"), page.locator("#readout")
    assert (plot.locator(".svg-container").count() == 0) == (painter == "canvas")
    page.locator("#paint-menu > summary").focus()
    for _ in range(5):
        page.keyboard.press("Tab")
        if plot.evaluate("(it) => it === document.activeElement"):
            break
    expect(plot).to_be_focused()
    page.keyboard.press("ArrowUp")  # the first key enters the row that is read
    expect(readout).to_contain_text("query 2 cat → key 0 [BOS]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(readout).to_contain_text("query 3 sat → key 3 sat")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#row-title")).to_contain_text("“sat”")
    assert "key=2" in page.url  # Inside opens at the very cell
    page.keyboard.press("Escape")
    expect(readout).to_contain_text("Point at a cell")
    expect(page.locator("#head-title")).to_have_text("Layer 1 · head 2")
    box = plot.bounding_box()
    assert box
    page.mouse.click(box["x"] + 100, box["y"] + 100)  # the first cell
    expect(page.locator("#row-title")).to_contain_text("“[BOS]”")
    assert "query=0&key=0" in page.url
    inspector.press("ArrowRight")  # after a click the arrows walk the heads
    expect(page.locator("#head-title")).to_have_text("Layer 1 · head 3")


def test_keys_work_right_after_a_mask_was_clicked(inspector: Inspector) -> None:
    inspector.open("/?text=The+cat+sat.&layer=0&head=0")
    unfold(inspector.page, "masks")
    inspector.page.locator("input[name=causal][value=off]").click()
    inspector.ready()
    inspector.press("ArrowRight", "m")
    assert inspector.page.locator("#head-title").inner_text() == "Layer 0 · head 1"
    assert "causal=false" in inspector.page.url
    assert "muted=0.1" in inspector.page.url


def test_a_link_restores_the_picture(inspector: Inspector, pages: Pages) -> None:
    inspector.open().type("Mary saw <b>herself</b> & co.")
    inspector.press("Escape", "c", "c", "ArrowDown", "ArrowRight", "s", "m")
    inspector.page.locator(".chip").nth(3).click()
    inspector.ready()
    seen = inspector.probed().figure(), inspector.words()
    address = inspector.page.url
    again = Inspector(pages(1440, 900), inspector.server)
    again.page.goto(address)
    again.ready().probed()
    assert again.words() == seen[1]
    assert again.figure() == seen[0]
    again.page.close()


def test_a_muted_head_changes_the_prediction_and_is_marked(inspector: Inspector) -> None:
    inspector.open("/?layer=1&head=1").type(SENTENCE)
    before = inspector.page.locator("#next").inner_text()
    inspector.page.locator("#mute").click()
    inspector.ready()
    assert inspector.page.locator(".cell.muted").count() == 1
    assert inspector.page.locator("#next").inner_text() != before


def test_a_token_stays_text(inspector: Inspector) -> None:
    inspector.open().type("<img src=x onerror=alert(1)> </script><b>bold</b>")
    assert inspector.page.locator("main img:not(.whole)").count() == 0
    chips = inspector.page.locator(".chip").all_inner_texts()
    assert "<" in chips
    assert "".join(chips).endswith("</b>")


def test_an_error_leaves_the_last_picture_and_says_what_to_do(inspector: Inspector) -> None:
    inspector.open().type(SENTENCE)
    seen = inspector.figure()
    inspector.page.locator("textarea").first.fill("word " * 1_100)
    inspector.state("error")
    assert "tokens" in inspector.page.locator("#problem p").inner_text()
    assert inspector.figure() == seen
    inspector.type(SENTENCE)
    assert inspector.page.locator("#problem").is_hidden()
    inspector.errors.clear()  # Chromium itself logs the 422


def test_a_lost_connection_is_said_and_is_tried_again(inspector: Inspector) -> None:
    inspector.open().type(SENTENCE)
    inspector.page.context.set_offline(True)
    inspector.page.locator("textarea").first.fill("The cats are old.")
    waiting = inspector.page.locator("#waiting")
    expect(waiting).to_contain_text("The server cannot be reached. Trying again in")
    inspector.page.context.set_offline(False)
    inspector.ready()  # the browser says that it is online again
    expect(waiting).to_be_hidden()
    assert inspector.page.locator(".chip").nth(2).inner_text() == "cats"
    inspector.errors.clear()  # Chromium itself logs the failed request


def test_a_model_that_cannot_be_loaded_is_said(pages: Pages, tmp_path: Path) -> None:
    with serving(shipped=str(tmp_path)) as address:
        page = pages(1280, 720)
        page.goto(address)
        page.locator("html[data-state=error]").wait_for(state="attached")
        assert "could not be loaded" in page.locator("#problem p").inner_text()
        assert "null" not in page.locator("main").inner_text()
        page.close()


def test_an_empty_sentence_is_explained(inspector: Inspector) -> None:
    inspector.open().type("")
    assert "no text yet" in inspector.page.locator("#notice").inner_text()
    assert inspector.figure()["z"] == [[1]]


def test_a_long_text_is_drawn_on_canvas(inspector: Inspector) -> None:
    inspector.open().type("The old cat is on the table. " * 80)
    assert inspector.page.locator("#plot .svg-container").count() == 0
    assert inspector.page.evaluate("document.querySelector('#plot').data") is None
    assert "trained on at most" in inspector.page.locator("#notice").inner_text()
    inspector.type(SENTENCE)
    assert inspector.page.locator("#plot .svg-container").count() == 1


def test_a_wrong_link_still_shows_a_picture(inspector: Inspector) -> None:
    inspector.open("/?text=The&layer=x&head=-1&query=88&window=-4&muted=7.7&shown=5")
    assert inspector.page.locator(".chip").all_inner_texts() == ["[BOS]", "The"]
    inspector.errors.clear()  # Chromium itself logs the 422 that the query of the link brought


def test_axe_finds_nothing(inspector: Inspector) -> None:
    inspector.open().page.locator("#add-sentence").click()
    inspector.type("Hi", box=1)
    for _ in appearances(inspector.page, 1440, 390):
        accessible(inspector.page)


def test_heads_can_be_saved(inspector: Inspector) -> None:
    inspector.open("/?layer=1&head=2").type(SENTENCE)
    with inspector.page.expect_download() as download:
        inspector.save("CSV")
    assert download.value.suggested_filename == "headlight-shipped-layer-1-head-2-pattern.csv"
    lines = download.value.path().read_text().splitlines()
    allowed, blocked = lines[3].split(",")[4:7], lines[3].split(",")[7:]
    expected = pattern(inspector, 1, 2)[2]
    assert [float(cell) for cell in allowed] == pytest.approx(expected[:3], abs=1e-6)
    assert blocked == [""] * len(expected[3:])  # the future: no number, which 0 would be
    with inspector.page.expect_download() as download:
        inspector.save("PNG")
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
