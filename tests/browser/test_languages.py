"""Pages in the reader's language, and in the one that shows what no catalogue reaches."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from scripts import live
from server.languages.pseudo import END, START
from server.languages.table import LANGUAGES
from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Contexts, Pages

pytestmark = pytest.mark.browser

# What can be seen or heard, but for what is the same in all languages
SAID = """() => {
  const said = new Set([document.title.replace(" · Headlight", "")]);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const it = node.parentElement;
    if (node.textContent.trim() && it.checkVisibility() && !it.closest(".languages, .brand"))
      said.add(node.textContent.trim());
  }
  for (const it of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    if (it.checkVisibility())
      for (const name of ["aria-label", "title", "placeholder"])
        if (it.getAttribute(name)) said.add(it.getAttribute(name));
  return [...said];
}"""
ASIDE = "document.documentElement.scrollWidth - innerWidth"
CUT = """() => [...document.querySelectorAll("button, a, label, p, h1, h2, input")]
  .filter((it) => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1)
  .filter((it) => getComputedStyle(it).display !== "inline")
  .map((it) => it.textContent.trim())"""


@pytest.fixture(scope="module")
def closed() -> Iterator[str]:
    with live.serving(password="open sesame") as address:
        yield address


def raw(page: Page) -> list[str]:
    """What is not marked as translated."""
    return [
        text
        for text in page.evaluate(SAID)
        if text != "Headlight" and not (text.startswith(START) and text.endswith(END))
    ]


def test_every_word_of_the_form_that_joins_a_class_is_translated_and_has_room(
    pages: Pages, school: str
) -> None:
    page = pages()
    page.goto(f"{school}/join?lang=en-XA")
    for code in ("", "ABC", "BCDFGHJ"):  # none; one that is too short; one of no class
        page.locator("#code").fill(code)
        page.locator("#code").evaluate("(it) => it.removeAttribute('required')")
        page.locator("#go").click()
        expect(page.locator("#said")).to_contain_text(END)
        for width in (1440, 390, 320):
            page.set_viewport_size({"width": width, "height": 800})
            assert (raw(page), page.evaluate(ASIDE), page.evaluate(CUT)) == ([], 0, []), width


def test_every_word_of_the_password_s_page_is_translated_and_has_room(
    contexts: Contexts, closed: str
) -> None:
    with contexts.page(320, 640) as page:
        page.goto(f"{closed}/?lang=en-XA")
        for _ in range(2):
            assert (raw(page), page.evaluate(ASIDE), page.evaluate(CUT)) == ([], 0, [])
            page.locator("#password").fill("shut sesame")
            page.locator("button").click()
            expect(page.locator("#problem")).to_contain_text(END)


def test_a_reader_chooses_a_language_and_keeps_it(pages: Pages, school: str) -> None:
    page = pages()
    page.goto(f"{school}/join/BCDFGHJ")
    page.get_by_role("link", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Der Klasse beitreten")).to_be_visible()
    expect(page.locator("#code")).to_have_value("BCDFGHJ")
    page.get_by_role("button", name="Beitreten").click()
    expect(page.locator("#said")).to_contain_text("Zu diesem Code gibt es keine laufende Klasse")
    page.goto(f"{school}/join")
    expect(page.get_by_role("navigation", name="Sprache")).to_be_visible()


def test_arabic_runs_from_right_to_left_and_codes_do_not(pages: Pages, school: str) -> None:
    page = pages(390, 844)
    page.goto(f"{school}/join?lang=ar")
    heading = page.locator("main h1").bounding_box()
    code = page.locator("#code")
    assert heading is not None and heading["x"] + heading["width"] > 340
    assert page.locator("main h1").evaluate("(it) => getComputedStyle(it).direction") == "rtl"
    assert code.evaluate("(it) => getComputedStyle(it).direction") == "ltr"


@pytest.mark.parametrize("code", [each.code for each in LANGUAGES])
def test_it_is_accessible_in_each_language(pages: Pages, school: str, code: str) -> None:
    page = pages(390, 844)
    page.goto(f"{school}/join?lang={code}")
    for _ in appearances(page):
        accessible(page)
    assert page.evaluate(ASIDE) == 0
