"""Find heads like a picture: painted on the heatmap with pointer and keys, in the link, undone."""

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible
from tests.browser.inspector import Inspector, pick, unfold
from tests.browser.test_paint import drag, told

pytestmark = pytest.mark.browser
TEXT = "The dogs near the river are old."
LINK = "/?text=The+dogs+near+the+river+are+old.&layer=1&head=2&query=5"


def test_a_painted_picture_ranks_the_heads(inspector: Inspector) -> None:
    """By the API's numbers, with pointer and keys, and from the link alone."""
    page = inspector.open(LINK).page
    about, ranking = page.locator("#find-about"), page.locator("#ranking tbody tr")
    pick(page.get_by_label("like my picture", exact=True))
    expect(about).to_contain_text("Paint at least one cell")
    expect(page.locator("#brush input:checked")).to_have_value("picture")
    drag(inspector, (5, 2), (3, 2))
    expect(page.locator("#paint-said")).to_have_text("painted 3 cells of your picture")
    expect(about).to_contain_text("3 cells are painted")
    page.locator("body").press("{")  # the cursor is at the current row, and goes to another key
    page.locator("body").press("x")
    expect(about).to_contain_text("4 cells are painted")
    cells = [[3, 2], [4, 2], [5, 2], [5, 4]]
    asked = {"texts": [TEXT], "select": {"layers": []}, "analyse": {"match": {"cells": cells}}}
    heads = sorted(told(inspector.server, asked)["match"], key=lambda one: -one["share"])
    expect(ranking).to_have_count(24)
    expect(ranking.first).to_contain_text(f"L{heads[0]['layer']}·H{heads[0]['head']}")
    expect(ranking.first).to_contain_text(f"{heads[0]['share']:.2f}")
    assert "find=picture" in page.url and "picture=3-5.2_5.4" in page.url
    accessible(page)

    page.get_by_role("button", name="Undo").click()
    expect(about).to_contain_text("3 cells are painted")
    unfold(page, "paint")
    page.get_by_role("button", name="Clear painted: 3").click()
    expect(about).to_contain_text("Paint at least one cell")
    assert inspector.page.locator("#painted").is_hidden()  # no mask was painted

    unfold(page, "find")
    page.get_by_role("button", name="previous token", exact=True).click()
    expect(ranking.first).to_contain_text("L0·H2")
    inspector.open(page.url.removeprefix(inspector.server))
    expect(ranking.first).to_contain_text("L0·H2")
    expect(page.locator(".paint-layer")).to_have_css("pointer-events", "none")  # only looked at
