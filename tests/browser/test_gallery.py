"""The examples: a fresh page opens the first, a card any, and what to look at stays readable."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from model.checkpoint import SHIPPED
from model.gallery import GALLERY, Entry, load_gallery
from scripts.live import serving
from tests.browser.conftest import Inspector

pytestmark = pytest.mark.browser
# as the page shows them; the labels are tested with the heads' (test_instruments.py)
ENTRIES = [replace(entry, label=None, value=None) for entry in load_gallery(SHIPPED)]


def shown(inspector: Inspector) -> Entry:
    """The state that the page is in, as an entry; its title and words as the page gives them."""
    title, _, look = inspector.page.locator("#look-words").inner_text().partition(": ")
    boxes = inspector.page.locator("textarea")
    query = parse_qs(urlsplit(inspector.page.url).query)
    return Entry(
        title=title,
        texts=tuple(boxes.nth(place).input_value() for place in range(boxes.count())),
        layer=int(query["layer"][0]),
        head=int(query["head"][0]),
        query=int(query["query"][0]),
        look=look,
    )


def test_a_fresh_page_opens_the_first_example(inspector: Inspector) -> None:
    inspector.open()
    first = ENTRIES[0]
    assert shown(inspector) == first
    title = inspector.page.locator("#head-title").inner_text()
    assert title.startswith(f"Layer {first.layer} · head {first.head}")
    pressed = inspector.page.locator(".chip[aria-pressed=true]")
    assert pressed.get_attribute("data-place") == str(first.query)
    assert inspector.page.locator("#look-count").inner_text() == f"1 of {len(ENTRIES)}"


def test_a_card_says_what_it_shows_and_opens_it(inspector: Inspector) -> None:
    inspector.open().press("c", "m")  # masks and mutes that the example undoes
    inspector.page.get_by_role("button", name="Examples").click()
    cards = inspector.page.get_by_role("dialog").get_by_role("listitem")
    assert cards.count() == len(ENTRIES)
    for card, entry in zip(cards.all(), ENTRIES, strict=True):
        words = card.inner_text()
        assert all(part in words for part in (entry.title, *entry.texts, entry.look))
    last = ENTRIES[-1]
    inspector.page.get_by_role("button", name=last.title, exact=True).click()
    inspector.ready()
    assert inspector.page.locator("#gallery").is_hidden()
    assert shown(inspector) == last
    address = inspector.page.url
    assert "causal" not in address
    assert "muted" not in address


def test_the_keyboard_opens_walks_and_chooses(inspector: Inspector) -> None:
    inspector.open().page.keyboard.press("e")
    current = inspector.page.locator(".card[aria-current=true]")
    expect(current).to_be_focused()
    inspector.page.keyboard.press("ArrowRight")  # walks no heads behind the dialog
    expect(inspector.page.locator("#look-back")).to_be_hidden()
    inspector.page.keyboard.press("Tab")
    inspector.page.keyboard.press("Enter")
    inspector.ready()
    assert shown(inspector) == ENTRIES[1]
    inspector.page.keyboard.press("e")
    inspector.page.keyboard.press("Escape")
    expect(inspector.page.locator("#gallery")).to_be_hidden()


def test_arrows_beside_the_line_go_round_the_examples(inspector: Inspector) -> None:
    inspector.open().page.get_by_role("button", name="The example before").click()
    inspector.ready()
    assert shown(inspector) == ENTRIES[-1]
    inspector.page.get_by_role("button", name="The next example").click()
    inspector.ready()
    assert shown(inspector) == ENTRIES[0]


def test_who_moves_on_is_told_and_may_come_back(inspector: Inspector) -> None:
    inspector.open().press("m")
    assert "you moved on" in inspector.page.locator("#look-words").inner_text()
    inspector.page.get_by_role("button", name="Back to it").click()
    inspector.ready()
    assert shown(inspector) == ENTRIES[0]
    assert inspector.page.locator("#look-back").is_hidden()
    inspector.type("Something of my own.")
    assert inspector.page.locator("#look").is_hidden()


def test_without_a_gallery_the_page_opens_with_a_plain_sentence(
    chromium: Browser, tmp_path: Path
) -> None:
    folder = Path(copytree(SHIPPED, tmp_path / "shipped"))
    (folder / GALLERY).unlink()
    with serving(shipped=str(folder)) as address:
        page = Inspector(chromium.new_page(), address).open().page
        assert page.locator("textarea").first.input_value().endswith(".")
        assert page.locator("#head-title").inner_text().startswith("Layer 0 · head 0")
        assert page.locator("#gallery-open").is_hidden()
        assert page.locator("#look").is_hidden()
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing_in_the_dialog(inspector: Inspector, scheme: Any, width: int) -> None:
    inspector.page.emulate_media(color_scheme=scheme)
    inspector.page.set_viewport_size({"width": width, "height": 900})
    inspector.open().page.keyboard.press("e")
    found = Axe().run(inspector.page)
    assert found.violations_count == 0, found.generate_report()
