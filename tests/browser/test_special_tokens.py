"""Special tokens left out: on the page, in its address, and in a picture of a run from Python."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlparse
from urllib.request import urlretrieve

import pytest
from playwright.sync_api import expect

from headlight import connect
from scripts.pack import pack
from tests.browser.contexts import Pages
from tests.browser.inspector import FULL, Inspector
from tests.browser.test_pointer import Heatmap

pytestmark = pytest.mark.browser
TEXT = "Maria saw herself."


def test_a_reader_leaves_them_out_and_takes_that_back(inspector: Inspector) -> None:
    page = inspector.page
    inspector.open(f"{FULL}&text={TEXT.replace(' ', '+')}")
    chips, switch = page.locator("#chips"), page.get_by_role("checkbox", name="Special tokens")
    expect(chips).to_contain_text("[BOS]")
    expect(switch).to_be_checked()
    switch.uncheck()
    expect(chips).not_to_contain_text("[BOS]")
    page.wait_for_url(lambda url: "special_tokens=false" in url)
    page.reload()
    expect(switch).not_to_be_checked()
    expect(chips).to_contain_text("Maria")
    expect(chips).not_to_contain_text("[BOS]")
    switch.check()
    expect(chips).to_contain_text("[BOS]")
    page.get_by_role("button", name="Undo").click()
    expect(chips).not_to_contain_text("[BOS]")


def test_a_heatmap_leaves_them_out_and_a_click_reads_the_token(inspector: Inspector) -> None:
    page = inspector.open(f"{FULL}&text={TEXT.replace(' ', '+')}&layer=1&head=2").page
    with connect(inspector.server) as hl:
        run = hl.trace(TEXT)
        rows, [pattern] = run.tokens, run.tensor("pattern", layers=[1], heads=[2])[0]
    plot, n = page.locator("#plot"), len(rows)
    expect(plot).to_have_attribute("aria-label", re.compile(f"^{n} .* {n} keys"))
    page.get_by_role("checkbox", name="Hide special").check()
    expect(plot).to_have_attribute("aria-label", re.compile(f"^{n - 1} .* {n - 1} keys"))
    page.wait_for_url(lambda url: "specials=hidden" in url)
    box = Heatmap(inspector).cell(2, 0)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    inspector.ready()
    asked = parse_qs(urlparse(page.url).query)
    assert (asked["query"], asked["key"]) == (["3"], ["1"])  # of tokens, [BOS] among them
    told = re.compile(r"Special tokens, which get ([\d.]+)% of this row, are hidden\.")
    expect(page.locator("#explain")).to_contain_text(told)
    found = told.search(page.locator("#explain").inner_text())
    assert found and float(found[1]) == pytest.approx(100 * pattern[3, 0], abs=0.5)


def test_a_recorded_run_without_them_stays_so(pages: Pages, server: str, tmp_path: Path) -> None:
    pack()
    with connect(server) as hl:
        address = hl.trace(TEXT, special_tokens=False).link(depth="full")
    query = address.partition("?")[2]
    for kind in ("recorded", "float32"):
        urlretrieve(f"{server}/export?{query}&export={kind}", tmp_path / f"{kind}.html")
    page = pages()
    for place in (address, *(file.as_uri() for file in tmp_path.iterdir())):
        page.goto(place)
        page.locator("html[data-state=ready]").wait_for(state="attached")
        expect(page.locator("#chips")).to_contain_text("Maria")
        expect(page.locator("#chips")).not_to_contain_text("[BOS]")
        switch = page.get_by_role("checkbox", name="Special tokens")
        expect(switch).not_to_be_checked()
        expect(switch).to_be_enabled(enabled=not place.endswith("recorded.html"))
