"""The panel Attribution: the API's numbers, the address, the keyboard, and reasons."""

import csv
import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
TEXT = "Maria looked in the old mirror and saw"
LINK = f"/?text={TEXT.replace(' ', '+')}&layer=2&head=3&right=attribution"


def attributed(inspector: Inspector, **attribution: Any) -> Any:
    """The API's answer for the text above."""
    request = {"texts": [TEXT], "select": {"layers": []}, "analyse": {"attribution": attribution}}
    call = urllib.request.Request(
        f"{inspector.server}/api/trace",
        json.dumps(request).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(call) as response:
        answer = json.load(response)
    return answer["attribution"][0] | {"tokens": answer["tokens"][0]}


def opened(inspector: Inspector, link: str) -> Inspector:
    """Wait for the panel's numbers."""
    inspector.open(link)
    inspector.page.locator("#attribution-panel[aria-busy=false] .waterfall li").first.wait_for()
    return inspector


def number(text: str) -> float:
    return 0.0 if text == "≈0" else float(text.replace("−", "-"))


def name_of(part: dict[str, Any]) -> str:
    if part["kind"] == "head":
        return f"L{part['layer']} · H{part['head']}"
    if part["kind"] == "mlp":
        return f"L{part['layer']} · feed-forward"
    return "norm bias" if part["kind"] == "norm" else str(part["kind"])


def test_the_numbers_are_those_of_the_api_and_sum_to_the_difference(inspector: Inspector) -> None:
    page = inspector.page
    token, against = (attributed(inspector, token=None)["token"]["id"], 2961)
    found = attributed(inspector, token=token, against=against)
    opened(inspector, f"{LINK}&token={token}&versus={against}")
    page.locator(".waterfall [aria-expanded=false]").click()
    rows = page.locator(".waterfall li").all()
    read = [row.locator("span:not(.track, .drawn)").all_inner_texts() for row in rows]
    parts = [*found["contributions"], {"part": {"kind": "remainder"}, "value": found["remainder"]}]
    assert [name for name, _ in read] == [*(name_of(one["part"]) for one in parts), "difference"]
    for (_, shown), one in zip(read[:-1], parts, strict=True):
        if shown == "≈0":  # such as a remainder of rounding alone
            assert abs(one["value"]) < 0.0005
            continue
        assert number(shown) == pytest.approx(one["value"], rel=0.06, abs=0.005)
    assert number(read[-1][1]) == pytest.approx(found["logit"], abs=0.005)
    sums = sum(one["value"] for one in parts)
    assert sums == pytest.approx(found["logit"], abs=1e-4)

    names = {f"{one['part']['layer']}.{one['part']['head']}": one["value"] for one in parts[:-1]}
    cells = page.locator("#grid .cell")
    assert cells.count() == 24
    for index, cell in enumerate(cells.all()):
        value = names[f"{index // 8}.{index % 8}"]
        shown = cell.locator(".effect b").inner_text()
        assert number(shown.replace("≈", "")) == pytest.approx(value, abs=0.051)
        tint = cell.locator(".tint").get_attribute("class")
        assert tint == f"tint {'falls' if value < 0 else 'rises'}"
    summary = page.locator("#attribution-panel .summary").inner_text()
    above = "above" if found["logit"] > 0 else "below"
    assert f"is {abs(found['logit']):.2f} {above} that of “her”" in summary

    with page.expect_download() as download:
        page.locator("[data-save=right]").click()
        page.get_by_role("button", name="CSV", exact=True).click()
    with Path(download.value.path()).open(newline="", encoding="utf-8-sig") as file:
        saved = list(csv.DictReader(file))
    assert [float(row["adds"]) for row in saved] == [one["value"] for one in parts]


def test_source_tokens_have_the_sums_of_the_api(inspector: Inspector) -> None:
    page = inspector.page
    found = attributed(inspector)
    opened(inspector, LINK)
    sources = found["sources"]
    over_all = [sum(values) for values in zip(*(one["values"] for one in sources), strict=True)]
    [one] = [each["values"] for each in sources if (each["layer"], each["head"]) == (2, 3)]
    page.locator(".as-table summary").click()
    for through, expected in (("all", over_all), ("head", one)):
        page.locator(f"[name=through][value={through}]").check(force=True)
        cells = page.locator(".as-table tbody tr").all()
        assert len(cells) == len(found["tokens"])
        for row, token, value in zip(cells, found["tokens"], expected, strict=True):
            _, name, shown = row.locator("td").all_inner_texts()
            assert name == token["text"].strip()
            assert number(shown) == pytest.approx(value, rel=0.06, abs=0.005)
    assert "through=head" in page.url
    page.locator(".source-chip").first.focus()
    inspector.press("End")
    assert page.evaluate("() => document.activeElement.textContent") == "saw"
    hint = page.locator(".sources-box .hint").inner_text()
    assert hint.startswith("saw, position 8: ")
    assert number(hint.removeprefix("saw, position 8: ")) == pytest.approx(one[8], abs=0.005)
    assert page.locator("#head-title").inner_text() == "Layer 2 · head 3", "the heads stay"


def test_any_token_is_compared_with_and_the_address_restores_it(inspector: Inspector) -> None:
    page = inspector.page
    opened(inspector, f"{LINK}&depth=full")
    against = page.get_by_label("against", exact=True)
    against.select_option("other")
    box = page.get_by_label("Any token to compare with")
    expect(box).to_be_focused()
    box.fill("herself")
    box.press("Enter")
    summary = page.locator("#attribution-panel .summary")
    expect(summary).to_contain_text("that of “herself”")
    expect(against).to_be_focused()
    page.get_by_label("Swap the two tokens").click()
    expect(summary).to_contain_text("the logit of “herself” is")
    said = summary.inner_text()
    assert "token=" in page.url and "versus=" in page.url
    page.get_by_role("radio", name="by size").check(force=True)
    first = page.locator(".waterfall li").first.inner_text()
    page.reload()
    inspector.ready()
    expect(summary).to_have_text(said)
    assert page.locator(".waterfall li").first.inner_text() == first
    page.locator(".waterfall button[data-place]").first.click()
    inspector.ready()
    expect(page.locator(".waterfall [aria-current]")).to_be_focused()
    page.get_by_label("Compare with no other token").click()
    expect(summary).to_contain_text("“herself” has a logit of")
    for _, width in appearances(page, 1440, 1024, 390):
        accessible(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_without_a_server_it_says_what_it_needs_and_disturbs_nothing(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&engine=page")
    page = inspector.page
    summary = page.locator("#attribution-panel .summary")
    expect(summary).to_contain_text("Open this page from a Headlight server.")
    assert page.locator(".waterfall").is_hidden()
    assert page.locator("#problem").is_hidden()
    assert page.locator("#grid .effect").count() == 0
    assert page.locator("html").get_attribute("data-state") == "ready"
