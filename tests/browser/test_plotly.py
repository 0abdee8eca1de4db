"""plotly, which takes most of a second to start, comes when that disturbs nobody."""

import time

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Inspector

pytestmark = pytest.mark.browser

NEVER_IDLE = "window.requestIdleCallback = () => 0;"
NOTE_KEYS = "addEventListener('keydown', ({ timeStamp }) => { window.lastKey = timeStamp; }, true);"
CAME = """() => performance.getEntriesByType("resource")
  .some(({ name }) => name.includes("plotly"))"""
FETCHED = """() => performance.getEntriesByType("resource")
  .find(({ name }) => name.includes("plotly")).responseEnd"""
STARTED = "() => globalThis.Plotly !== undefined"


def first_picture(inspector: Inspector) -> Page:
    """A page as soon as its heads stand on canvas."""
    page = inspector.page
    page.goto(inspector.server)
    page.wait_for_function("() => performance.getEntriesByName('heads').length > 0")
    return page


def test_plotly_comes_by_itself_when_the_page_is_idle(inspector: Inspector) -> None:
    page = first_picture(inspector)
    page.wait_for_function(STARTED)


@pytest.mark.parametrize("how", ["pointer", "keyboard"])
def test_plotly_comes_when_somebody_comes_to_the_picture(inspector: Inspector, how: str) -> None:
    inspector.page.add_init_script(NEVER_IDLE)
    page = first_picture(inspector)
    page.wait_for_timeout(500)
    assert not page.evaluate(STARTED)
    if how == "pointer":
        page.locator("#plot").hover()
    else:
        page.locator("#brush input").first.focus()
    page.wait_for_function(STARTED)


def test_plotly_does_not_start_between_two_keys(inspector: Inspector) -> None:
    """A slow typist: the page is idle after each key, for a second."""
    inspector.page.add_init_script(NOTE_KEYS)
    page = inspector.page
    page.goto(inspector.server, wait_until="commit")
    page.locator("textarea").first.focus()
    began = time.monotonic()
    while (typed_s := time.monotonic() - began) < 30 and (typed_s < 5 or not page.evaluate(CAME)):
        page.keyboard.press("x")
        page.wait_for_timeout(1_000)
        assert not page.evaluate(STARTED)
    page.wait_for_function(STARTED)
    assert page.evaluate(FETCHED) < page.evaluate("window.lastKey")  # that was done meanwhile


def test_a_page_without_plotly_stays_on_canvas(inspector: Inspector) -> None:
    inspector.page.route("**/vendor/**", lambda route: route.abort())
    inspector.open("/")
    assert inspector.page.locator("#plot canvas").first.is_visible()
    inspector.errors.clear()  # the browser says that it could not be loaded
