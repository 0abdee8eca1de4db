"""Special tokens left out: on the page, in its address, and in a picture of a run from Python."""

from pathlib import Path
from urllib.request import urlretrieve

import pytest
from playwright.sync_api import expect

from headlight import connect
from scripts.pack import pack
from tests.browser.contexts import Pages
from tests.browser.inspector import FULL, Inspector

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
