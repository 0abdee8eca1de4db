"""plotly is megabytes that take most of a second to start: it loads where they are no burden."""

import pytest
from playwright.sync_api import Page

from tests.browser.classes import joined, opened
from tests.browser.contexts import Pages
from tests.browser.inspector import (
    FULL,
    SAVES_DATA,
    WITH_PLOTLY,
    Inspector,
    connected,
    rested,
)

pytestmark = pytest.mark.browser

NEVER_IDLE = "window.requestIdleCallback = () => 0;"
STARTED = "() => globalThis.Plotly !== undefined"


def first_picture(inspector: Inspector, says: str = connected("4g")) -> Page:
    """Open a page and stop as soon as its heads are drawn on canvas."""
    page = inspector.page
    page.add_init_script(f"{says}; {WITH_PLOTLY}")
    page.goto(inspector.server + FULL)
    page.wait_for_function("() => performance.getEntriesByName('heads').length > 0")
    return page


@pytest.mark.fresh
def test_plotly_comes_by_itself_once_the_reader_has_done_something(inspector: Inspector) -> None:
    page = first_picture(inspector)
    rested(page, 500)
    assert not page.evaluate(STARTED)
    page.keyboard.press("Shift")
    page.wait_for_function(STARTED)


def test_plotly_comes_by_itself_in_a_class(pages: Pages, school: str) -> None:
    page = pages()
    page.add_init_script(WITH_PLOTLY)
    joined(page, opened(school)).wait_for_function(STARTED)


@pytest.mark.parametrize("how", ["pointer", "keyboard"])
@pytest.mark.fresh
def test_plotly_comes_when_somebody_comes_to_the_picture(inspector: Inspector, how: str) -> None:
    page = first_picture(inspector, f"{connected(None)}; {NEVER_IDLE}")
    rested(page, 500)
    assert not page.evaluate(STARTED)
    if how == "pointer":
        page.locator("#plot").hover()
    else:
        page.locator("#plot").focus()
    page.wait_for_function(STARTED)


@pytest.mark.fresh
def test_a_slow_connection_never_fetches_plotly(inspector: Inspector) -> None:
    page = first_picture(inspector, SAVES_DATA)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#plot").hover()
    page.keyboard.press("Shift")
    rested(page, 3_000)
    assert not any("plotly" in url for url in asked)
    assert page.locator("#plot canvas").first.is_visible()


@pytest.mark.fresh
def test_plotly_does_not_start_between_two_keys(inspector: Inspector) -> None:
    """A slow typist: after each key the page is idle for a second of its own clock."""
    page = inspector.page
    page.add_init_script(f"{connected('4g')}; {WITH_PLOTLY}")
    fetched: list[str] = []
    page.on("requestfinished", lambda request: fetched.append(request.url))
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    page.goto(inspector.server + FULL, wait_until="commit")
    page.locator("textarea").first.focus()
    n_typed = n_typed_since = 0
    while n_typed_since < 5:
        page.keyboard.press("x")
        n_typed += 1
        assert n_typed < 200, "plotly is fetched meanwhile"
        n_typed_since += any("plotly.min" in url for url in fetched)
        page.clock.run_for(1_000)
        page.wait_for_timeout(100)  # for what should not happen, and for the network
        assert not page.evaluate(STARTED)
    page.clock.run_for(900)
    page.wait_for_timeout(100)
    assert not page.evaluate(STARTED)
    page.clock.resume()
    page.wait_for_function(STARTED)


@pytest.mark.fresh
def test_a_page_without_plotly_stays_on_canvas(inspector: Inspector) -> None:
    page = inspector.page
    page.route("**/vendor/**", lambda route: route.abort())
    page.add_init_script(WITH_PLOTLY)
    inspector.open()
    with page.expect_event("requestfailed"):
        page.locator("#plot").hover()
    assert page.locator("#plot canvas").first.is_visible()
    inspector.errors.clear()  # the browser says that it could not be loaded
