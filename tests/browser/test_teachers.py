"""The materials on paper, the slides on a screen, and the way from a sheet into a quiz."""

import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from scripts import live
from server.learning.workshop.reach import local_addresses
from server.routes.teachers import GAMES, MATERIALS, TEACHERS, Material
from tests.browser.conftest import Inspector

pytestmark = pytest.mark.browser

SLIDES = f"{TEACHERS}/slides"
PAGES = {"join": 1, "cards": 2, "hunt": 1, "detective": 2, "bets": 1, "pairs": 1}  # most on paper
FORMATS: tuple[Literal["A4"], Literal["Letter"]] = ("A4", "Letter")
# What is cut off at the right edge of the paper, as it is laid out for print.
CUT = """() => [...document.querySelectorAll("main *")]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.outerHTML.slice(0, 80))"""


def printed(inspector: Inspector, format: str) -> tuple[int, bool]:
    """How many pages a page has on paper, and whether they lie on their side."""
    # the browser writes each page of a PDF as an object of its own, uncompressed
    paper: bytes = inspector.page.pdf(format=format, prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper)
    return len(re.findall(rb"/Type /Page\b", paper)), float(boxes[0][0]) > float(boxes[0][1])


@pytest.fixture(scope="module")
def in_the_network() -> Iterator[str]:
    """A server under an address that a class would open, so that the slides have QR codes."""
    own = [*local_addresses(), "127.0.0.1"][0]
    with live.serving(host="0.0.0.0") as address:
        yield address.replace("127.0.0.1", own)


@pytest.mark.parametrize("format", FORMATS)
def test_each_slide_is_a_page_on_its_side(
    inspector: Inspector, in_the_network: str, format: str
) -> None:
    inspector.server = in_the_network
    inspector.open(SLIDES)
    assert inspector.page.locator(".qr").count() in (0, 5)
    n = inspector.page.locator(".slide").count()
    assert n >= 12
    assert printed(inspector, format) == (n, True)
    inspector.page.emulate_media(media="print")
    inspector.page.set_viewport_size({"width": 965, "height": 720})  # Letter, less its margins
    assert inspector.page.evaluate(CUT) == []
    # over http, Chromium warns that it ignores this header
    inspector.errors = [one for one in inspector.errors if "Cross-Origin-Opener" not in one]


@pytest.mark.parametrize(
    "material", [one for one in MATERIALS if one.name in PAGES], ids=lambda one: one.name
)
def test_each_sheet_fits_its_paper(inspector: Inspector, material: Material) -> None:
    page = inspector.open(material.path).page
    for format in FORMATS:
        assert printed(inspector, format) == (PAGES[material.name], material.name == "join")
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 690, "height": 980})  # Letter, less its margins
    assert page.evaluate(CUT) == []
    assert page.locator(".bar").is_hidden() and page.get_by_role("button").count() == 0
    ink = page.evaluate("getComputedStyle(document.querySelector('article')).color")
    assert max(map(int, re.findall(r"\d+", ink)[:3])) < 100, "dark ink, whatever the scheme"


def test_arrow_keys_go_from_slide_to_slide(inspector: Inspector) -> None:
    page = inspector.open(SLIDES).page
    slides = page.locator(".slide")
    for place in (0, 1, 2):
        page.keyboard.press("ArrowRight")
        expect(slides.nth(place)).to_be_focused()
        top = slides.nth(place).evaluate("(slide) => slide.getBoundingClientRect().top")
        assert abs(top) < 2
    page.keyboard.press("ArrowLeft")
    expect(slides.nth(1)).to_be_focused()


def test_slides_can_be_read_from_the_back(inspector: Inspector) -> None:
    inspector.page.set_viewport_size({"width": 1920, "height": 1080})
    page = inspector.open(SLIDES).page
    sizes: list[Any] = page.evaluate(
        """() => [...document.querySelectorAll(".slide :is(p, li, td, th, h2, b)")]
          .map((each) => parseFloat(getComputedStyle(each).fontSize))"""
    )
    assert min(sizes) >= 24
    high = page.evaluate(
        "() => Math.max(...[...document.querySelectorAll('.slide')].map((one) => one.offsetHeight))"
    )
    assert high <= 1080, "a slide fits the screen"


def test_a_link_on_a_sheet_opens_a_quiz(inspector: Inspector) -> None:
    page = inspector.open(f"{GAMES}/hunt").page
    page.get_by_role("link", name="Anna beside the old men").click()
    inspector.ready()
    expect(page.locator("#quiz")).to_be_visible()
    assert page.locator("textarea").first.input_value().startswith("Anna beside the old men")
    expect(page.locator("#row-title")).to_contain_text("saw")
    expect(page.locator("#head-label")).to_have_text("")
