"""What heads do over many texts, in a real page: all heads between two axes, and a card."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from model.core.checkpoint import SHIPPED
from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector, unfold

pytestmark = pytest.mark.browser
LINK = "/?text=The+cat+sat.&layer=2&head=3&view=dossier"


@pytest.fixture(scope="module")
def dossier() -> Any:
    return json.loads((SHIPPED / "dossier.json").read_text())


def head_of(dossier: Any, layer: int, head: int) -> Any:
    return next(one for one in dossier["heads"] if (one["layer"], one["head"]) == (layer, head))


def test_a_click_selects_a_head_and_its_example_opens(inspector: Inspector, dossier: Any) -> None:
    inspector.open(LINK.replace("&view=dossier", ""))
    page = inspector.page
    expect(page.locator("#view label", has_text="Many texts")).to_be_hidden()
    unfold(page, "find")
    page.get_by_role("button", name="over many texts").click()
    expect(page.locator(".scatter .mark")).to_have_count(24)
    expect(page.get_by_role("radio", name="Many texts")).to_be_checked()
    page.get_by_role("button", name=re.compile("^Layer 1 · head 3")).last.click()
    expect(page.locator("#head-title")).to_have_text("Layer 1 · head 3")
    card = page.locator(".dossier-card")
    expect(card.locator("h3")).to_contain_text("Layer 1 · head 3")
    head = head_of(dossier, 1, 3)
    copying = card.locator("tr").filter(has_text="copying")
    expect(copying).to_contain_text(f"{head['values']['copying']['value']:.3g}")
    first = head["top_examples"][0]
    text = next(one["text"] for one in dossier["texts"] if one["number"] == first["text"])
    card.locator(".dossier-examples button").first.click()
    expect(page.locator("#sentences textarea")).to_have_value(text)
    page.locator("label", has_text="Heatmap").first.click()
    expect(page.locator("#row-panel")).to_contain_text(first["key_token"].strip())
    assert f"query={first['query']}" in page.url


def test_axes_stay_in_the_link_and_keys_walk(inspector: Inspector, dossier: Any) -> None:
    inspector.open(LINK)
    page = inspector.page
    page.locator(".dossier-axes select").last.select_option("entropy")
    expect(page.locator(".mark[aria-current]")).to_have_accessible_name(re.compile("entropy"))
    page.wait_for_url(re.compile("across=entropy"))
    order = sorted(dossier["heads"], key=lambda one: one["values"]["entropy"]["value"])
    place = order.index(head_of(dossier, 2, 3))
    page.locator(".mark[aria-current]").focus()
    page.keyboard.press("ArrowRight")
    following = order[place + 1]
    title = f"Layer {following['layer']} · head {following['head']}"
    expect(page.locator("#head-title")).to_have_text(title)
    expect(page.locator(".mark:focus")).to_have_accessible_name(re.compile(f"^{title}"))


def test_a_model_without_one_says_what_to_run(inspector: Inspector) -> None:
    inspector.open("/?model=scratch&view=dossier")
    expect(inspector.page.locator(".dossier-view > .summary")).to_contain_text("checkpoints only")
    expect(inspector.page.locator(".dossier-body")).to_be_hidden()
    inspector.errors.clear()  # Chromium itself logs the 404


def test_it_is_accessible(inspector: Inspector) -> None:
    inspector.open(LINK)
    inspector.page.locator(".dossier-numbers").wait_for()
    for _ in appearances(inspector.page, 1440, 390):
        accessible(inspector.page)
