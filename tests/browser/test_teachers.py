"""The materials on paper, the slides on a screen, and the way from a sheet into a quiz."""

import re
import zlib
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from scripts import live
from server.api.routes.teachers import GAMES, MATERIALS, TEACHERS, Material
from server.languages.table import LANGUAGES
from server.pages.learning.workshop.reach import local_addresses
from tests.browser.appearances import resize
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser

SLIDES = f"{TEACHERS}/slides"
PAGES = {
    "join": 1,
    "cards": 2,
    "hunt": 2,
    "detective": 2,
    "bets": 1,
    "pairs": 1,
    "answers": 3,
}  # on paper
FORMATS: tuple[Literal["A4"], Literal["Letter"]] = ("A4", "Letter")
PAPER = {"A4": (1123, 794), "Letter": (1056, 816)}  # CSS pixels, on its side
SCREENS = ((390, 844), (1280, 720), (1440, 900))
# What is cut off at the right edge of the window or the paper, or by a box around it, unless that
# is a table of numbers, which scrolls.
CUT = """() => [...document.querySelectorAll("main, main *")]
  .filter((each) => each.checkVisibility() && !each.closest("table:has(caption)"))
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1 ||
    (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== "visible"))
  .map((each) => each.outerHTML.slice(0, 80))"""
# The least contrast of a number with its cell. A mixed colour is computed as color(srgb r g b).
CONTRAST = """() => {
  const light = (element) => {
    const fill = getComputedStyle(element).fill;
    const scale = fill.startsWith("color") ? 1 : 255;
    const [r, g, b] = fill.match(/[\\d.]+(?:e-\\d+)?/g).map((part) => part / scale)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  return [...document.querySelectorAll(".weight")].map((number) => {
    const [a, b] = [light(number), light(number.previousElementSibling)];
    return Math.max(a, b) / Math.min(a, b);
  });
}"""


def printed(inspector: Inspector, format: str) -> tuple[list[int], bool]:
    """How much each page of the paper says, and whether the pages lie on their side."""
    paper: bytes = inspector.page.pdf(format=format, prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper)
    # the browser writes each page as an object of its own, and what is on it as a packed stream
    contents = re.findall(rb"/Type /Page\b.*?/Contents (\d+) 0 R", paper, re.DOTALL)
    said = []
    for number in contents:
        stream = re.search(rb"\n%b 0 obj\n.*?stream\n(.*?)endstream" % number, paper, re.DOTALL)
        assert stream
        said.append(len(re.findall(rb"\bT[jJ]\b", zlib.decompress(stream[1]))))
    return said, float(boxes[0][0]) > float(boxes[0][1])


@pytest.fixture(scope="module")
def in_the_network() -> Iterator[str]:
    """A server under an address that a class would open, so that the slides have QR codes."""
    own = [*local_addresses(), "127.0.0.1"][0]
    with live.serving(host="0.0.0.0") as address:
        yield address.replace("127.0.0.1", own)


@pytest.fixture(params=[each.code for each in LANGUAGES if each.has_course])
def language(inspector: Inspector, request: pytest.FixtureRequest) -> Iterator[str]:
    """A language that an address asks for, which the browser then forgets."""
    yield request.param
    inspector.page.context.clear_cookies()


@pytest.mark.parametrize("format", FORMATS)
def test_each_slide_is_a_page_on_its_side(
    inspector: Inspector, in_the_network: str, format: str, language: str
) -> None:
    inspector.server = in_the_network
    inspector.open(f"{SLIDES}?lang={language}")
    assert inspector.page.locator(".qr").count() in (0, 5)
    n = inspector.page.locator(".slide").count()
    assert n >= 12
    said, wide = printed(inspector, format)
    assert len(said) == n and wide
    page = inspector.page
    page.emulate_media(media="print")
    width, height = PAPER[format]
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate(CUT) == []
    for slide in page.locator(".slide").all():
        box = slide.bounding_box()
        assert box and round(box["height"]) == height, "a slide fills its page"
        assert slide.evaluate("(one) => one.scrollHeight <= one.clientHeight"), "nothing is cut"
        size = slide.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
        assert size > height / 32
    # over http, Chromium warns that it ignores this header
    inspector.errors = [one for one in inspector.errors if "Cross-Origin-Opener" not in one]


@pytest.mark.parametrize(
    "material", [one for one in MATERIALS if one.name in PAGES], ids=lambda one: one.name
)
def test_each_sheet_fits_its_paper(inspector: Inspector, material: Material, language: str) -> None:
    page = inspector.open(f"{material.path}?lang={language}").page
    for format in FORMATS:
        said, wide = printed(inspector, format)
        # without a Chinese font of the system, the boxes in place of its characters take less room
        fewer = language == "zh-Hans" and len(said) < PAGES[material.name]
        assert (fewer or len(said) == PAGES[material.name]) and wide == material.wide
        # the last page of the cards has one large letter for each card
        alone = said[-1] < max(said) / 8 and material.name != "cards"
        assert not alone, "nothing stands alone on the last page"
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 690, "height": 980})  # Letter, less its margins
    assert page.evaluate(CUT) == []
    assert page.locator(".bar").is_hidden() and page.get_by_role("button").count() == 0
    ink = page.evaluate("getComputedStyle(document.querySelector('article')).color")
    assert max(map(int, re.findall(r"\d+", ink)[:3])) < 100, "dark ink, whatever the scheme"


@pytest.mark.parametrize("material", MATERIALS, ids=lambda one: one.name)
def test_each_sheet_fits_its_screen(
    inspector: Inspector, material: Material, language: str
) -> None:
    page = inspector.open(f"{material.path}?lang={language}").page
    for width, height in SCREENS:
        resize(page, width, height)
        assert page.evaluate(CUT) == [], width


@pytest.mark.parametrize("path", [f"{GAMES}/detective", SLIDES])
def test_numbers_of_a_pattern_stand_out_from_their_cells(inspector: Inspector, path: str) -> None:
    page = inspector.open(path).page
    for media in ("screen", "print"):
        for scheme in ("light", "dark"):
            page.emulate_media(media=media, color_scheme=scheme)
            found: list[float] = page.evaluate(CONTRAST)
            assert len(found) >= 10 and min(found) >= 4.5, (media, scheme)


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


@pytest.mark.painted
def test_f_fills_the_screen_with_slides(inspector: Inspector) -> None:
    page = inspector.open(SLIDES).page
    button = page.get_by_role("button", name="Full screen")
    expect(button).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement !== null")
    expect(page.locator(".slides-head")).to_be_hidden()
    expect(page.locator(".slide").nth(1)).to_be_focused()
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement === null")
    expect(button).to_be_visible()


def test_a_swipe_turns_to_the_next_slide(pages: Pages, server: str) -> None:
    page = pages(390, 844, has_touch=True)
    page.goto(server + SLIDES)
    page.locator("html[data-state=ready]").wait_for(state="attached")
    session = page.context.new_cdp_session(page)

    def swipe(*path: int) -> None:
        for kind, x in (("touchStart", path[0]), ("touchMove", path[1]), ("touchEnd", None)):
            points = [] if x is None else [{"x": x, "y": 500}]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    swipe(320, 60)
    expect(page.locator(".slide").nth(0)).to_be_focused()
    swipe(320, 60)
    expect(page.locator(".slide").nth(1)).to_be_focused()
    swipe(60, 320)
    expect(page.locator(".slide").nth(0)).to_be_focused()


def test_slides_can_be_read_from_the_back(inspector: Inspector, in_the_network: str) -> None:
    inspector.page.set_viewport_size({"width": 1920, "height": 1080})
    inspector.server = in_the_network
    page = inspector.open(SLIDES).page
    sizes: list[Any] = page.evaluate(
        """() => [...document.querySelectorAll(".slide :is(p, li, td, th, h2, b)")]
          .map((each) => parseFloat(getComputedStyle(each).fontSize))"""
    )
    assert min(sizes) >= 24
    for width, height in ((1280, 720), (1440, 900), (1920, 1080)):
        resize(page, width, height)
        high: list[int] = page.evaluate(
            "() => [...document.querySelectorAll('.slide')].map((one) => one.offsetHeight)"
        )
        assert set(high) == {height}, "a slide fills the screen, and no more"
    inspector.errors = [one for one in inspector.errors if "Cross-Origin-Opener" not in one]


def test_a_link_on_a_sheet_opens_a_quiz(inspector: Inspector) -> None:
    page = inspector.open(f"{GAMES}/hunt").page
    page.get_by_role("link", name="Anna beside the old men").click()
    inspector.ready()
    expect(page.locator("#quiz")).to_be_visible()
    assert page.locator("textarea").first.input_value().startswith("Anna beside the old men")
    expect(page.locator("#row-title")).to_contain_text("saw")
    expect(page.locator("#head-label")).to_have_text("")
