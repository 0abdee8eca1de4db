"""The view Paths: the page draws the API's edges, says what they do, and chooses heads."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector
from tests.browser.test_instruments import ask

pytestmark = pytest.mark.browser
TEXT = "Every morning the king washed"
OPEN = "/?text=Every+morning+the+king+washed&view=paths&rival=none&weakest=0.2"


def test_edges_are_those_of_the_api(inspector: Inspector) -> None:
    inspector.open(OPEN)
    page = inspector.page
    edges = page.locator(".paths-edge")
    expect(edges.first).to_be_visible()
    wanted = {"paths": {"threshold": 0.05, "limit": 60}}
    request = {"texts": [TEXT], "select": {"layers": []}, "analyse": wanted}
    [found] = ask(inspector, "/api/trace", request)["paths"]
    largest = max(abs(edge["moved"]) for edge in found["edges"])
    strong = [
        edge
        for edge in found["edges"]
        if max(abs(edge["moved"]), abs(edge["promised"])) >= 0.2 * largest
    ]
    assert 0 < edges.count() <= len(strong)
    rows = page.locator(".paths-table tbody tr")
    assert rows.count() == edges.count()
    numbers = rows.locator("td:nth-child(5)").all_inner_texts()
    moved = [abs(float(text.replace("−", "-"))) for text in numbers]
    assert moved[0] == pytest.approx(largest, abs=0.006)
    assert moved == sorted(moved, reverse=True)
    title = page.locator(".paths-title").first.inner_text()
    assert f"{found['logit']:.2f}" in title
    rows.nth(1).locator("button").focus()
    expect(page.locator(".paths-said")).to_have_text(re.compile("Attribution promised"))
    expect(page.locator(".paths-edge.lit")).to_have_count(1)


def test_the_threshold_is_in_the_address_and_a_head_can_be_chosen(inspector: Inspector) -> None:
    inspector.open(OPEN.replace("0.2", "0.1"))
    page = inspector.page
    edges = page.locator(".paths-edge")
    expect(edges.first).to_be_visible()
    head = page.locator(".paths-head").last
    wanted = re.match(r"Layer (\d+) head (\d+)", head.get_attribute("aria-label") or "")
    assert wanted
    head.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"layer={wanted[1]}&head={wanted[2]}(&|$)"))
    expect(page.locator(".paths-head.selected").first).to_be_visible()
    before = edges.count()
    page.locator(".paths-weakest input").fill("50")
    expect(page.locator(".paths-weakest output")).to_have_text("50%")
    assert edges.count() < before
    expect(page).to_have_url(re.compile("weakest=0.5"))


def test_composition_is_a_matrix_of_heads(inspector: Inspector) -> None:
    inspector.open(OPEN)
    page = inspector.page
    cells = page.locator(".paths-matrix rect")
    expect(cells).to_have_count(3 * 8 * 8)  # each of three pairs of layers
    request = {"texts": [TEXT], "select": {"layers": []}, "analyse": {"weight_composition": True}}
    found = ask(inspector, "/api/trace", request)["weight_composition"]
    page.get_by_role("radio", name="from weights").check()
    largest = max(number for pair in found["pairs"] for row in pair["k"] for number in row)
    first = page.locator(".paths-strongest button").first
    expect(first).to_contain_text(f"{largest:.2f}, where chance gives {found['baseline']:.2f}")
    expect(page).to_have_url(re.compile("measured=weights"))


def test_everyone_can_read_it(inspector: Inspector) -> None:
    inspector.open(OPEN)
    expect(inspector.page.locator(".paths-edge").first).to_be_visible()
    for _ in appearances(inspector.page):
        accessible(inspector.page)
