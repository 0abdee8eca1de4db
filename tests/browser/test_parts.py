"""Parts of the page that come when they are first looked at, in the reader's language."""

import re

import pytest
from playwright.sync_api import Request, Route, expect

from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector

PART = re.compile(r"/packed/main-[\w-]+\.js")
MAP = re.compile(r"/main-map-|/views/map/map\.js")
PALETTE = re.compile(r"/main-commands-|/commands/commands\.js")
SCRIPT = re.compile(r"/packed/main\.js|/js/main\.js")
NOT_LOADED = "This part of the page could not be loaded."

pytestmark = pytest.mark.fresh


def test_a_first_picture_brings_no_other_view_and_each_comes_once(
    inspector: Inspector, packed: bool
) -> None:
    if not packed:
        pytest.skip("the page is not packed: its modules come one by one")
    came: list[str] = []

    def note(request: Request) -> None:
        if PART.search(request.url):
            came.append(request.url)

    inspector.page.on("request", note)
    inspector.open("/?depth=full")
    assert came == []
    inspector.view("map").ready()
    assert len([address for address in came if MAP.search(address)]) == 1
    so_far = len(came)
    inspector.view("heatmap").ready()
    inspector.view("map").ready()
    assert len(came) == so_far
    expect(inspector.page.locator("#map-view svg.map").first).to_be_visible()


def test_a_link_to_a_view_and_a_panel_brings_both(inspector: Inspector) -> None:
    inspector.open("/?depth=full&view=map&right=lens")
    expect(inspector.page.locator("#map-view svg.map").first).to_be_visible()
    expect(inspector.page.locator("#lens-panel")).to_contain_text("herself")


def test_a_view_that_cannot_be_loaded_says_so_and_loads_again(inspector: Inspector) -> None:
    page = inspector.open("/?depth=full").page
    page.route(MAP, lambda route: route.abort())
    inspector.view("map")
    view = page.locator("#map-view")
    expect(view).to_contain_text(NOT_LOADED)
    assert all("ERR_FAILED" in each or NOT_LOADED in each for each in inspector.errors)
    inspector.errors.clear()
    inspector.view("heatmap").ready()
    expect(page.locator("#heatmap-view")).to_be_visible()
    inspector.view("map")
    page.unroute_all()
    view.get_by_role("button", name="Load again").click()
    expect(view.locator("svg.map").first).to_be_visible()
    inspector.ready()


def test_the_first_press_opens_a_dialog(inspector: Inspector) -> None:
    page = inspector.open("/?depth=full").page
    for opener, dialog in (("#intervene-open", "#intervene"), ("#own-open", "#own")):
        page.locator(opener).click()
        expect(page.locator(dialog)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(dialog)).to_be_hidden()
        expect(page.locator(opener)).to_be_focused()
        page.locator(opener).click()
        expect(page.locator(dialog)).to_be_visible()
        page.keyboard.press("Escape")


def test_one_types_into_the_palette_before_its_answers_have_come(inspector: Inspector) -> None:
    page = inspector.open("/?depth=full").page
    waiting: list[Route] = []
    page.route(PALETTE, lambda route: waiting.append(route))
    page.keyboard.press("Control+k")
    page.keyboard.type("map")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("lines")
    expect(page.locator("#commands input")).to_have_value("lines")
    [only] = waiting
    only.continue_()
    expect(page.locator("#commands li b").first).to_have_text("Lines")
    page.keyboard.press("Enter")
    inspector.ready()
    expect(page.locator("#view input[value=lines]")).to_be_checked()


def test_a_page_whose_script_is_on_its_way_or_lost_says_so(inspector: Inspector) -> None:
    page = inspector.page
    waiting: list[Route] = []
    page.route(SCRIPT, lambda route: waiting.append(route))
    page.goto(f"{inspector.server}/", wait_until="commit")
    says = page.get_by_text("One moment …", exact=True).first
    lost = page.get_by_text("The page could not be loaded.")
    expect(says).to_be_in_viewport(ratio=1)
    expect(lost).to_be_hidden()
    waiting[0].continue_()
    inspector.ready()
    expect(says).to_be_hidden()
    page.unroute_all()
    page.route(SCRIPT, lambda route: route.abort())
    page.goto(f"{inspector.server}/", wait_until="commit")
    expect(lost).to_be_in_viewport(ratio=1)
    expect(says).to_be_hidden()
    inspector.errors.clear()


def test_a_palette_that_cannot_be_loaded_says_so(inspector: Inspector) -> None:
    page = inspector.open("/?depth=full").page
    page.route(PALETTE, lambda route: route.abort())
    page.locator("#commands-open").click()
    expect(page.locator("#commands [role=status]")).to_contain_text(NOT_LOADED)
    expect(page.locator("#commands [role=status]")).to_be_in_viewport()
    inspector.errors.clear()


def test_a_part_speaks_the_language_of_its_page(pages: Pages, server: str) -> None:
    page = pages(locale="de-DE")
    page.goto(f"{server}/?depth=full&view=patch&lang=de")
    expect(page.locator("#patch-view")).to_contain_text("Satz")
    assert not page.get_by_text("Type a clean sentence").is_visible()
