"""Patching: two sentences, the API's numbers in both maps, and a patch that stays in the run."""

import json
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
TEXT, CLEAN = "The dogs near the river are loud.", "The dog near the river is loud."
OPEN = "/?text=The+dogs+near+the+river+are+loud.&view=patch&query=5"
LINK = f"{OPEN}&clean=The+dog+near+the+river+is+loud."


@pytest.fixture(scope="module")
def server(families: str) -> str:
    return families


def analysed(inspector: Inspector, of: dict[str, Any] | None = None, **patching: Any) -> Any:
    """The API's answer to the same request."""
    asked = {"patching": {"clean": CLEAN, "position": 5, **patching}}
    request = {**(of or {"texts": [TEXT]}), "select": {"layers": []}, "analyse": asked}
    call = urllib.request.Request(
        f"{inspector.server}/api/trace",
        json.dumps(request).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(call) as response:
        return json.load(response)["patching"][0]


def test_both_maps_have_the_numbers_of_the_api(inspector: Inspector) -> None:
    """By token as the link says, then by head as the reader chooses."""
    page = inspector.open(LINK).page
    maps = page.locator(".patch-map")

    def compare(found: Any) -> None:
        expect(maps).to_have_count(2)
        expect(page.locator(".patch-map .unrun")).to_have_count(0)
        for map, side in zip(maps.all(), ("restored", "estimate"), strict=True):
            cells = [cell for layer in found["layers"] for cell in layer["cells"]]
            expect(map.locator("tbody td")).to_have_count(len(cells))
            shown = map.locator("tbody td").all_inner_texts()
            for text, cell in zip(shown, cells, strict=True):
                assert abs(float(text.rstrip("%").replace("−", "-")) - 100 * cell[side]) <= 0.51
            assert map.locator(".disagrees").count() == sum(cell["disagrees"] for cell in cells)

    compare(analysed(inspector))
    page.locator(".patch-settings select").select_option("attention heads")
    page.get_by_role("radio", name="head", exact=True).check()
    expect(maps.first.locator("thead th").last).to_have_text("Head 7")
    compare(analysed(inspector, at="head", by="head"))
    assert "patched_at=head" in page.url and "patched_by=head" in page.url
    best = page.locator(".patch-said").inner_text()
    assert "brings back most, 67%: head 2 of layer 2, at all tokens" in best


@pytest.mark.fresh
def test_a_reader_types_a_sentence_and_keeps_a_patch(inspector: Inspector) -> None:
    page = inspector.open(OPEN).page
    field = page.get_by_label("Clean sentence")
    expect(field).to_have_value(TEXT)
    expect(page.locator(".patch-map")).to_have_count(0)
    field.fill("The dog near the river")
    page.keyboard.press("Enter")
    expect(page.locator(".patch-said")).to_contain_text("9 tokens and the clean sentence has 6")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill(CLEAN)
    page.get_by_role("button", name="Compare", exact=True).click()
    chosen = page.locator(".patch-map .chosen").first
    expect(chosen).to_have_text("102%")  # of layer 1 at "dogs"
    chosen.focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".patch-cell")).to_contain_text("before layer 0 at “dogs”")
    page.get_by_role("button", name="Keep this patch in the run").click()
    expect(page.locator(".patch-said")).to_contain_text("same answer here")
    assert "intervention=patch%7Eresid_pre.0%7Epositions%3D2" in page.url
    page.get_by_role("button", name="Undo").click()
    expect(chosen).to_be_visible()


def test_both_stacks_of_an_encoder_decoder(inspector: Inspector) -> None:
    """A patch of its cross-attention stays in the run, and the answer moves as the map said."""
    page = inspector.open(
        "/?model=t5&text=the+old+cat+sat&target=a+girl+saw&view=patch&clean=a+dog+saw+him"
        "&patched_at=head"
    ).page
    found = analysed(
        inspector,
        {"model": "t5", "texts": ["the old cat sat"], "targets": ["a girl saw"]},
        clean="a dog saw him",
        at="head",
        position=None,
    )
    measured = page.locator(".patch-maps figure").first
    expect(measured.locator("table")).to_have_count(2)
    expect(measured.locator(".unrun")).to_have_count(0)
    names = [layer["kind"].capitalize() for layer in found["layers"]]
    assert [text.split()[0] for text in measured.locator("tbody th").all_inner_texts()] == names
    shown = measured.locator("tbody td").all_inner_texts()
    cells = [cell for layer in found["layers"] for cell in layer["cells"]]
    for text, cell in zip(shown, cells, strict=True):
        assert abs(float(text.rstrip("%").replace("−", "-")) - 100 * cell["restored"]) <= 0.51
    row = max(n for n, layer in enumerate(found["layers"]) if layer["kind"] == "cross")
    last = len(found["target_pairs"]) - 1
    measured.locator(f"[data-row='{row}'][data-column='{last}']").click()
    page.get_by_role("button", name="Keep this patch in the run").click()
    leads = f"by {found['layers'][row]['cells'][last]['metric']:.2f} in the corrupted one"
    expect(page.locator(".patch-said")).to_contain_text(leads.replace("-", "−"))


def test_it_is_accessible_and_fits(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    page.locator(".patch-map").first.wait_for()
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for _, width in appearances(page, 1440, 1024, 390):
        accessible(page, "#patch-view")
        assert page.evaluate(wide) == 0, width
