"""Why here: numbers are the API's, and parts are switched off live, by mouse and by key."""

import json
import re
import urllib.request
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector, unfold

pytestmark = pytest.mark.browser
TEXT = "Maria saw herself in the mirror"
CELL = {"layer": 2, "head": 3, "query": 3, "key": 1}
LINK = f"/?view=why&text={TEXT.replace(' ', '+')}&layer=2&head=3&query=3&key=1"


def taken_apart(inspector: Inspector, without: list[dict[str, Any]] | None = None) -> Any:
    """The API's answer for the same cell."""
    asked = {"cell": {**CELL, "without": without or []}}
    body = json.dumps({"texts": [TEXT], "select": {"layers": []}, "analyse": asked}).encode()
    headers = {"Content-Type": "application/json"}
    call = urllib.request.Request(f"{inspector.server}/api/trace", body, headers)
    with urllib.request.urlopen(call) as response:
        return json.load(response)["cell"][0]


def two(value: float) -> str:
    """As the page writes it."""
    text = f"{abs(value):.2f}"
    return f"−{text}" if value < 0 and text != "0.00" else text


def part(inspector: Inspector, side: str, kind: str, layer: int | None = None) -> int:
    """Where a part stands in the API's list."""
    parts = taken_apart(inspector)[f"{side}_parts"]
    return next(
        index for index, one in enumerate(parts) if (one["kind"], one["layer"]) == (kind, layer)
    )


def head(inspector: Inspector, side: str, place: int) -> Any:
    return inspector.page.locator(f".why-matrix button[data-side={side}][data-part='{place}']")


def weights(inspector: Inspector, when: str) -> list[str]:
    return inspector.page.locator(f".why-row .why-bar.{when}").all_inner_texts()


def percents(pattern: list[float]) -> list[str]:
    return ["< 0.1%" if share < 0.0005 else f"{100 * share:.1f}%" for share in pattern]


def test_every_number_is_the_apis(inspector: Inspector) -> None:
    inspector.open(LINK)
    answer = taken_apart(inspector)
    inspector.page.get_by_role("button", name="Show smaller parts").click()
    rows = inspector.page.locator(".why-matrix tbody tr")
    expect(rows).to_have_count(len(answer["query_parts"]))
    for index, values in enumerate(answer["values"]):
        shown = rows.nth(index).locator("td").all_inner_texts()
        expected = [two(value) if abs(value) >= 0.005 else "" for value in values]
        assert shown == [*expected, two(sum(values))]
    totals = inspector.page.locator(".why-totals td").all_inner_texts()
    assert totals[-1] == f"{answer['score']:.4f}"
    assert weights(inspector, "before") == percents(answer["pattern"][:4])
    expect(inspector.page.locator(".why-said")).to_contain_text(
        f"“herself” gives “Maria” the score {two(answer['score'])}"
    )


def test_a_part_is_switched_off_and_the_address_keeps_it(inspector: Inspector) -> None:
    inspector.open(LINK)
    mlp = part(inspector, "key", "mlp", 0)
    head(inspector, "key", mlp).click()
    inspector.ready()
    off = {"part": {"kind": "mlp", "layer": 0}, "side": "key"}
    after = taken_apart(inspector, [off])["switched"]["pattern"][:4]
    expect(head(inspector, "key", mlp)).to_have_attribute("aria-pressed", "true")
    assert weights(inspector, "after") == percents(after)
    assert parse_qs(urlsplit(inspector.page.url).query)["off"] == ["k_mlp_0"]

    inspector.page.reload()
    inspector.ready()
    assert weights(inspector, "after") == percents(after)
    inspector.page.get_by_role("button", name="Switch all parts on").click()
    inspector.ready()
    assert weights(inspector, "after") == []
    assert "off" not in parse_qs(urlsplit(inspector.page.url).query)
    inspector.page.get_by_role("button", name="Undo").click()
    inspector.ready()
    assert weights(inspector, "after") == percents(after)


def test_by_key_alone(inspector: Inspector) -> None:
    """Into the table, to a part, and off on both sides; then on to the next key."""
    inspector.open(LINK)
    page = inspector.page
    page.locator(".why-matrix [tabindex='0']").focus()
    page.keyboard.press("ArrowLeft")
    name = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Shift+Enter")
    inspector.ready()
    # the table is drawn anew, and the focus is where it was
    assert page.evaluate("document.activeElement.textContent") == name
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert len(parse_qs(urlsplit(page.url).query)["off"]) == 2
    page.keyboard.press("ArrowRight")
    expect(page.locator(".why-entry")).to_have_text(re.compile(r"^[+−]?\d+\.\d{4}: .*meeting"))
    page.keyboard.press(".")
    inspector.ready()
    expect(page.locator(".why-controls select").nth(1)).to_have_value("2")


def test_the_explanation_leads_here(inspector: Inspector) -> None:
    inspector.open(LINK.replace("view=why", "view=heatmap"))
    unfold(inspector.page, "ask")
    inspector.page.get_by_role("button", name="Take this score apart").click()
    inspector.ready()
    assert parse_qs(urlsplit(inspector.page.url).query)["view"] == ["why"]
    expect(inspector.page.locator(".why-said")).to_contain_text("“herself” gives “Maria”")


@pytest.mark.fresh
def test_the_engine_in_the_page_says_what_it_needs(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&engine=page")
    expect(inspector.page.locator(".why-problem")).to_contain_text(
        "Open this page from a Headlight server."
    )


def test_axe_finds_nothing_at_any_width(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&off=k_mlp_0")
    beyond = "() => document.documentElement.scrollWidth - innerWidth"
    for _ in appearances(inspector.page, 1440, 1024, 390):
        accessible(inspector.page, "#why-view")
        assert inspector.page.evaluate(beyond) == 0
