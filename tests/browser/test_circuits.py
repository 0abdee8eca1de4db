"""The tab Circuits: the selected head over the vocabulary, as the API gives it."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector
from tests.browser.test_instruments import ask

pytestmark = pytest.mark.browser
OPEN = "/?text=Every+morning+the+king+washed&depth=full&right=circuits&layer=1&head=3"


def asked(inspector: Inspector, query: str) -> Any:
    return ask(inspector, f"/api/models/shipped/circuits?{query}")


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_a_head_is_read_over_the_vocabulary(inspector: Inspector) -> None:
    found = asked(inspector, "layer=1&head=3")
    page = inspector.open(OPEN).page
    panel = page.locator("#circuits-panel")
    expect(panel.locator(".summary")).to_contain_text(f"Copying score {found['copying']:.2f}")
    expect(panel.locator(".summary")).to_contain_text(f"{100 * found['copied']:.1f}%")
    for name in ("qk", "ov"):
        numbers = panel.locator(f".circuits-list.{name} .number").all_inner_texts()
        assert [number(text) for text in numbers] == pytest.approx(
            [pair["value"] for pair in found[name]], abs=0.006
        )

    box = panel.get_by_label("Any other token")
    box.fill("queen")
    box.press("Enter")
    expect(panel.locator(".circuits-told")).to_contain_text("“queen” looks for")
    token = int(re.findall(r"vocab=(\d+)", inspector.ready().page.url)[0])
    partners = asked(inspector, f"layer=1&head=3&token={token}&pairs=false")["partners"]
    assert partners["token"]["text"].strip() == "queen"
    for name in ("as_query", "as_key", "raises", "lowers"):
        numbers = panel.locator(f".circuits-list.{name} .number").all_inner_texts()
        assert [number(text) for text in numbers] == pytest.approx(
            [pair["value"] for pair in partners[name]], abs=0.006
        )
    page.locator("[data-save=right]").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert len(lines) == 1 + 6 * 10
    assert lines[1].startswith(f'"qk","{found["qk"][0]["query"]["text"]}"')


def test_everyone_can_read_it_and_a_quiz_hides_it(inspector: Inspector) -> None:
    page = inspector.open(f"{OPEN}&vocab=350").page
    expect(page.locator(".circuits-list")).to_have_count(6)
    for _, width in appearances(page, 1440, 1024, 390):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        accessible(page, "#predictions")
    inspector.open(f"{OPEN}&quiz=1")
    expect(page.locator("#circuits-tab")).to_be_hidden()
    expect(page.locator("#circuits-panel")).to_be_hidden()
