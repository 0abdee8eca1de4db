"""The page of studies in the browser: from templates to a mean, sentence by sentence."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.appearances import accessible
from tests.browser.contexts import Pages

pytestmark = pytest.mark.browser

DONE = re.compile(r"^L\d · H\d brings back \d+% \(in 95% of samples .*, in 9 sentences\.$")


def lines_of(found: dict[str, Any], name: str) -> str:
    """A sentence of the first pair."""
    return str(found["pairs"][0]["pair"][name])


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator("html[data-state=ready]").wait_for(state="attached")
    return page


def test_a_question_of_templates_becomes_a_mean_and_each_sentence_is_shown(
    server: str, pages: Pages
) -> None:
    page = opened(pages(1440, 900), f"{server}/study")
    page.get_by_label("Begin with").select_option("Himself or herself?")
    page.get_by_role("button", name="Study", exact=True).click()
    said = page.locator(".study-said")
    expect(said).to_have_text(DONE, timeout=60_000)
    grid = page.get_by_role("grid", name="Mean over the sentences")
    expect(grid.locator("tbody tr")).to_have_count(3)
    most = grid.locator(".chosen")
    assert most.inner_text() == max(
        grid.locator("td").all_inner_texts(), key=lambda text: int(text.rstrip("%") or -1)
    )
    most.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".study-read")).to_have_text(re.compile(r"^L2 · H\d brings back"))
    rows = page.locator(".study-sentences tbody tr")
    expect(rows).to_have_count(9)
    page.get_by_role("button", name="Sentence 3 alone").click()
    expect(page.get_by_role("grid", name="Sentence 3 alone")).to_be_visible()
    expect(page.locator(".study-read")).not_to_contain_text("samples")  # of one sentence
    page.get_by_role("button", name="Next sentence").click()
    expect(page.get_by_role("button", name="Sentence 4 alone")).to_have_attribute(
        "aria-pressed", "true"
    )
    assert accessible(page)
    page.get_by_role("button", name="Mean of all").click()
    with page.expect_download() as table:
        page.get_by_role("button", name="Save the table (CSV)").click()
    with page.expect_download() as everything:
        page.get_by_role("button", name="Save everything (JSON)").click()
    lines = list(csv.DictReader(Path(table.value.path()).read_text().splitlines()))
    found = json.loads(Path(everything.value.path()).read_text())
    assert [float(line["mean"]) for line in lines] == [
        row["mean"] for row in found["table"]["rows"]
    ]
    assert len(found["pairs"]) == 9 and found["request"]["templates"]["answer"] == " herself"
    rows.nth(0).get_by_role("link", name="Inspect").click()
    page.locator("html[data-state=ready]").wait_for(state="attached")
    expect(page.locator(".patch-said")).to_contain_text("brings back", timeout=30_000)
    page.get_by_role("link", name="Ask the same of many sentences").click()
    page.locator("html[data-state=ready]").wait_for(state="attached")
    expect(page.get_by_label("A pair in each line")).to_have_value(
        json.dumps({"clean": lines_of(found, "clean"), "corrupted": lines_of(found, "corrupted")})
        .replace('": "', '":"')
        .replace('", "', '","')
        + "\n"
    )


def test_ones_own_pairs_the_address_and_what_does_not_follow(server: str, pages: Pages) -> None:
    page = opened(pages(390, 844), f"{server}/study")
    page.get_by_role("radio", name="My own pairs").check(force=True)
    lines = page.get_by_label("A pair in each line")
    go = page.get_by_role("button", name="Study", exact=True)
    lines.fill("The woman saw\n")
    go.click()
    expect(page.locator("#study-said")).to_contain_text("Line 1 is no pair")
    lines.fill(
        "The woman saw | The man saw | herself | himself\n"
        "The man saw | The woman saw | herself | himself\n"
    )
    go.click()
    expect(page.locator(".study-said")).to_contain_text(
        "in 1 sentence. 1 pair does not follow the rule and is left out.", timeout=30_000
    )
    expect(page.locator(".study-said")).to_be_in_viewport()
    expect(page.locator(".study-sentences tr.breaks")).to_have_count(1)
    page.get_by_role("button", name="Sentence 2 alone").click()
    expect(page.get_by_text("so it has no numbers")).to_be_visible()
    page.get_by_role("button", name="Mean of all").click()
    expect(page.get_by_text("so it has no numbers")).to_be_hidden()
    expect(page.get_by_role("grid", name="Mean over the sentences")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    page.reload()
    page.locator("html[data-state=ready]").wait_for(state="attached")
    expect(lines).to_have_value(re.compile(r"^The woman saw \| The man saw"))
    page.get_by_label("Ask").select_option("which paths carry the answer")
    go.click()
    expect(page.locator(".study-bars li")).to_have_count(12, timeout=30_000)
    expect(page.get_by_role("grid")).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Ask")).to_have_value("paths")


def test_it_stops_goes_on_and_says_what_is_wrong(server: str, pages: Pages) -> None:
    page = opened(pages(), f"{server}/study?preset=0")
    told: list[str] = []

    def slowly(route: Route) -> None:
        told.append(route.request.post_data or "")
        route.continue_() if len(told) > 1 else None  # the first is never answered

    page.route("**/api/study", slowly)
    page.get_by_role("button", name="Study", exact=True).click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#study-said")).to_contain_text("Stopped after 0")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".study-said")).to_contain_text("in 20 sentences", timeout=60_000)
    assert told[0] == told[1]
    page.get_by_label("{thing}").fill(" , ")
    page.get_by_role("button", name="Study", exact=True).click()
    expect(page.locator("#study-said")).to_have_text("Give words for {thing}, between commas.")
    page.get_by_label("{thing}").fill("book")
    page.get_by_label("{A}").fill("Mary")
    page.get_by_label("{B}").fill("Mary")
    page.get_by_role("button", name="Study", exact=True).click()
    expect(page.locator("#study-said")).to_contain_text("make 0 different pairs; expected 20")
    expect(page.locator(".study-said")).to_contain_text("in 20 sentences")  # nothing is lost
    words = page.get_by_label("{thing}")
    page.get_by_label("{A}").fill("Anna, Tom")
    page.get_by_label("{B}").fill("Lucy, Ben")
    page.get_by_label("Pairs", exact=True).fill("3")
    expect(words).to_have_value("book")
    expect(page.get_by_label("Begin with")).to_have_value("")
    page.get_by_role("button", name="Study", exact=True).click()
    expect(page.locator(".study-said")).to_contain_text("in 3 sentences", timeout=30_000)
    page.reload()  # the words that were typed are in the address
    page.locator("html[data-state=ready]").wait_for(state="attached")
    expect(words).to_have_value("book")
    expect(page.get_by_label("{A}")).to_have_value("Anna, Tom")
    expect(page.get_by_label("Pairs", exact=True)).to_have_value("3")
    page.get_by_label("Clean sentence").fill(
        "When {A} and {new} went to the store, {A} gave a book to"
    )
    expect(page.get_by_label("{new}")).to_be_visible()
    expect(page.get_by_label("Begin with")).to_have_value("")


def test_a_circuit_is_searched_and_drawn(server: str, pages: Pages) -> None:
    page = opened(pages(1024, 768), f"{server}/study?preset=1&of=circuit")
    page.get_by_role("button", name="Study", exact=True).click()
    expect(page.locator("#study-said")).to_contain_text("Searching: the first", timeout=30_000)
    expect(page.locator(".study-said")).to_contain_text(
        re.compile(r"^\d+ of 802 edges give 9\d% .* held out"), timeout=90_000
    )
    circuit = page.get_by_role("img", name=re.compile("^A circuit of"))
    n = int(page.locator(".study-said").inner_text().split()[0])
    assert circuit.locator("path").count() == n
    assert accessible(page)
    with page.expect_download() as everything:
        page.get_by_role("button", name="Save everything (JSON)").click()
    found = json.loads(Path(everything.value.path()).read_text())
    assert len(found["circuit"]["edges"]) == n and found["circuit"]["n_edges"] == 802


def test_another_answer_is_studied(server: str, pages: Pages) -> None:
    page = opened(pages(1440, 900), f"{server}/study?preset=1")
    answer = page.get_by_label("Its answer")
    expect(answer).to_be_visible()
    reads = page.locator("label", has_text=re.compile("^Answer")).locator("select")
    reads.select_option("similarity")
    expect(answer).to_be_hidden()
    go = page.get_by_role("button", name="Study", exact=True)
    go.click()
    expect(page.get_by_text("Write a sentence to compare with.")).to_be_visible()
    page.get_by_label("Sentences to compare with").fill("The woman saw herself.")
    go.click()
    expect(page.locator(".study-sentences tbody tr")).to_have_count(9, timeout=60_000)
    first = page.locator(".study-sentences tbody tr").first
    expect(first).to_contain_text("The woman saw herself.")
    assert "reads=similarity%7Etexts%3DThe+woman+saw+herself." in page.url
    link = first.get_by_role("link").get_attribute("href") or ""
    assert "answer=similarity" in link
    page.reload()
    expect(page.get_by_label("Sentences to compare with")).to_have_value("The woman saw herself.")
    opened(page, f"{server}{link}")
    study = page.get_by_role("link", name=re.compile("many", re.IGNORECASE)).first
    expect(study).to_have_attribute("href", re.compile("reads=similarity"))
