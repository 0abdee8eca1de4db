"""Explanations: the API's numbers in a table, the switches, and the search of the reader."""

import json
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
TEXT = "The dogs near the river"
LINK = "/?text=The+dogs+near+the+river&view=explanations&layer=1&head=2&query=5"


def analysed(inspector: Inspector, **analyse: Any) -> Any:
    """The API's answer to the same request."""
    request = {"texts": [TEXT], "select": {"layers": []}, "analyse": analyse}
    call = urllib.request.Request(
        f"{inspector.server}/api/trace",
        json.dumps(request).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(call) as response:
        answer = json.load(response)
    return answer[next(iter(analyse))][0]


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def column(values: list[float]) -> list[str]:
    """How the page writes a column: the decimals that give its largest number three digits.

    Below 100, there are at least two.
    """
    largest = max(map(abs, values))
    decimals = 0 if largest >= 100 or largest == 0 else 2
    while 0 < largest * 10**decimals < 100:
        decimals += 1
    said = []
    for value in values:
        text = f"{abs(value):.{decimals}f}"
        if value and not float(text):
            least = f"{10**-decimals:.{decimals}f}"
            said.append(f">−{least}" if value < 0 else f"<{least}")
        else:
            said.append(("−" if value < 0 else "") + text)
    return said


def test_every_column_has_the_numbers_of_the_api(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    explanations = analysed(inspector, explanations={"position": 5, "layer": 1, "head": 2})
    table = page.locator(".explanations-table").first
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(len(explanations["sources"]))
    said = {one["name"]: one["values"] for one in explanations["methods"]}
    judges = ["ablation", "mean_ablation"]
    names = [*judges, *(name for name in said if name not in judges)]
    for place in (0, 3):
        shown = rows.nth(place).locator(".number").all_inner_texts()
        assert shown == [column(said[name])[place] for name in names]
    [value] = [a for a in explanations["agreement"] if a["specials"] and a["by"] == "value"]
    judged = table.locator("tfoot td").all_inner_texts()
    assert [number(text) for text in judged[1:3]] == pytest.approx(
        [value["tau"][at][-1] for at in (-2, 0)], abs=6e-3
    )
    page.get_by_role("radio", name="no special tokens").check()
    [fewer] = [a for a in explanations["agreement"] if not a["specials"] and a["by"] == "value"]
    expect(page.get_by_role("radio", name="no special tokens")).to_be_checked()
    assert number(table.locator("tfoot td").nth(2).inner_text()) == pytest.approx(
        fewer["tau"][0][-1], abs=6e-3
    )
    assert "counted=words" in page.url


def test_the_areas_of_all_curves_come_once_they_are_looked_at(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    explanations = analysed(inspector, explanations={"position": 5, "layer": 1, "head": 2})
    expect(page.locator(".explanations-curve")).to_have_count(2)
    rows = page.locator(".explanations-areas tbody tr")
    few = rows.count()
    assert few < len(explanations["methods"])
    page.get_by_text("The area under each curve").click()
    expect(rows).to_have_count(len(explanations["methods"]) + 1)
    said = {
        row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in rows.all()
    }
    for one in explanations["methods"]:
        area = one["curves"]["deletion"]["area"]
        assert number(said[one["label"]]) == pytest.approx(area, rel=6e-3, abs=6e-3)


def test_another_pattern_is_searched_when_the_reader_asks(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    expect(page.locator(".explanations-found table")).to_have_count(0)
    page.get_by_role("button", name="Search for another attention pattern").click()
    found = analysed(inspector, other_attention={"layer": 1, "head": 2, "position": 5})
    expect(page.locator(".explanations-found table")).to_have_count(2)
    assert found["found"] and found["other"] is not None
    shown = page.locator(".explanations-found table").first.locator("tbody tr").nth(1)
    shares = [found[name][0][1] for name in ("pattern", "other")]
    assert shown.locator(".number").all_inner_texts() == [
        "< 0.1%" if share < 0.0005 else f"{100 * share:.1f}%" for share in shares
    ]
    expect(page.locator(".explanations-outcome")).to_contain_text("Found")


@pytest.mark.fresh
def test_a_number_stands_above_its_bar(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    page.locator(".explanations-table tbody tr").first.wait_for()
    apart = page.evaluate(
        """() => [...document.querySelectorAll(".explanations-table tbody td")].map((cell) => {
            const [bar, number] = [".explanations-bar", ".number"].map((part) =>
              cell.querySelector(part).getBoundingClientRect());
            const inside = cell.getBoundingClientRect();
            const right = inside.right - number.right;
            return [bar.top - number.bottom, inside.bottom - bar.bottom, right];
        })"""
    )
    assert len(apart) == 6 * 10
    assert min(between for between, *_ in apart) >= 0
    assert min(below for _, below, _ in apart) >= 0
    assert max(right for *_, right in apart) < 12, "at the end of its cell"


def test_too_few_tokens_are_no_verdict(inspector: Inspector) -> None:
    page = inspector.open("/?text=The+cat&view=explanations").page
    verdict = page.locator(".explanations-verdict")
    expect(verdict).to_have_text(
        "Too few tokens to tell: with 3 tokens, even perfect agreement with ablation proves "
        "nothing."
    )


def test_it_is_accessible_and_fits(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    page.locator(".explanations-table tbody tr").first.wait_for()
    for summary in page.locator(".explanations-view summary").all():
        summary.click()
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for _, width in appearances(page, 1440, 390):
        accessible(page, "#explanations-view")
        assert page.evaluate(wide) == 0, width
