"""A reader whose language has a model of its own: the first visit, and the tour."""

import pytest
from playwright.sync_api import expect

from model.core.checkpoint import LANGUAGES, OTHERS
from model.core.tokenizer import Tokenizer
from model.gallery import load_gallery
from tests.browser.inspector import Inspector

pytestmark = [pytest.mark.browser, pytest.mark.fresh]

CODES = [("de", OTHERS["de"]), ("zh-Hans", OTHERS["zh"])]


@pytest.mark.parametrize(("code", "name"), CODES)
def test_a_first_visit_shows_a_sentence_of_the_language(
    inspector: Inspector, code: str, name: str
) -> None:
    page = inspector.open(f"/?lang={code}").ready().page
    first = load_gallery(LANGUAGES / name)[0]
    expect(page.locator("#sentences textarea")).to_have_value(first.texts[0])
    expect(page.locator("#model")).to_have_value(name)
    cell = page.locator(f"#grid [data-at='{first.layer}.{first.head}']")
    expect(cell).to_have_attribute("aria-selected", "true")
    assert f"model={name}" in page.url
    inspector.open(f"/?lang={code}&text=Mary saw herself.").ready()
    expect(page.locator("#model")).to_have_value("shipped")  # what a link says stays so


@pytest.mark.parametrize(("code", "name"), CODES)
def test_the_tour_is_about_a_sentence_of_the_language(
    inspector: Inspector, code: str, name: str
) -> None:
    page = inspector.open(f"/?lang={code}&tour=1").probed().page
    entry = next(one for one in load_gallery(LANGUAGES / name) if one.tries == "mute")
    tokens = Tokenizer.load(LANGUAGES / name / "tokenizer.json").encode(entry.texts[0])
    word = tokens[entry.query]
    text = page.locator("#sentences textarea")
    expect(text).to_have_value(entry.texts[0][: word.end].removesuffix(word.text.strip()))
    page.keyboard.type(word.text.strip())
    inspector.ready()
    page.locator("#chips .chip").nth(entry.query).click()
    inspector.ready()
    page.locator(f"#grid [data-at='{entry.layer}.{entry.head}']").click()
    inspector.ready()
    page.locator("#mute").click()
    inspector.ready()
    expect(page.locator(".tour .faint").first).to_contain_text("5")
    expect(page.locator(".tour .saw")).to_contain_text("%")


def test_a_sentence_is_read_by_words_and_by_characters(inspector: Inspector) -> None:
    """Also where the page's language has no model of its own."""
    page = inspector.open("/?lang=en&depth=full&model=characters").page
    page.locator("#gallery-open").click()
    page.locator("#gallery").get_by_role("button", name="By words and by characters").click()
    inspector.ready()
    said = "A: Headlight in Chinese, layer 2 head 4; B: Headlight in Chinese (by characters), layer"
    expect(page.locator(".compare-what")).to_contain_text(said)
    assert "against=model%3Dchinese" in page.url
