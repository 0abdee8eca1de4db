"""The tab Space: queries and keys of the selected head, of the text and of other sentences."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
TEXT = "Mary near the boys saw herself in the mirror."
OPEN = f"/?text={TEXT.replace(' ', '+')}&depth=full&right=space&layer=2&head=3&query=5"


def test_points_lead_to_their_tokens_and_sentences(inspector: Inspector) -> None:
    page = inspector.open(OPEN).page
    panel = page.locator("#space-panel")
    plane = panel.locator(".space-plane")
    expect(panel.locator(".summary")).to_have_text("Query of “saw”, token 5 of text 1")
    expect(panel.locator(".source")).to_contain_text("55 pairs")  # 10 tokens that look back
    plane.focus()
    plane.press("End")  # the last key
    expect(panel.locator(".summary")).to_have_text("Key of “.”, token 10 of text 1")
    plane.press("ArrowLeft")
    plane.press("Enter")
    inspector.ready()
    assert "key=9" in page.url

    panel.get_by_role("combobox", name="Of", exact=True).select_option("everyday")
    expect(panel.locator(".summary")).to_contain_text("A query lies near the keys")
    scale = panel.locator(".space-legend .scale")
    expect(scale).to_be_hidden()
    panel.get_by_role("combobox", name="Colours", exact=True).select_option("position")
    expect(scale).to_be_visible()
    plane.focus()
    plane.press("Home")
    said = panel.locator(".summary").inner_text()
    assert said.startswith("Query of “")
    sentence = said.split("in “", 1)[1].removesuffix("”")
    plane.press("Enter")
    expect(page.locator("textarea").first).to_have_value(sentence)
    inspector.ready()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("textarea").first).to_have_value(TEXT)

    page.locator("[data-save=right]").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    lines = Path(download.value.path()).read_text("utf-8-sig").splitlines()
    assert lines[0].split(",")[0].strip('"') == "side"
    assert len(lines) > 1_000


def test_neighbours_are_another_plane_and_kinds_of_tokens_have_colours(
    inspector: Inspector,
) -> None:
    page = inspector.open(OPEN).page
    panel = page.locator("#space-panel")
    roles = panel.locator(".roles")
    expect(panel.locator(".source")).to_contain_text("of the variance")
    expect(roles).to_be_hidden()
    panel.get_by_role("combobox", name="Colours", exact=True).select_option("role")
    expect(roles).to_contain_text("within a word")
    panel.get_by_role("combobox", name="Plane", exact=True).select_option("tsne")
    expect(panel.locator(".source")).to_contain_text("t-SNE keeps neighbours together")
    page.wait_for_url("**space_plane=tsne**")
    box, around = (page.locator(one).bounding_box() for one in (".space-plane", "#predictions"))
    assert box and around
    assert box["y"] + box["height"] <= around["y"] + around["height"]  # all of it is in sight


def test_everyone_can_read_the_plane_and_a_quiz_hides_it(inspector: Inspector) -> None:
    page = inspector.open(OPEN).page
    expect(page.locator(".space-box")).to_be_visible()
    for _, width in appearances(page, 1440, 1024, 390):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        accessible(page, "#predictions")
    inspector.open(f"{OPEN}&quiz=1")
    expect(page.locator("#space-tab")).to_be_hidden()
    expect(page.locator("#space-panel")).to_be_hidden()
