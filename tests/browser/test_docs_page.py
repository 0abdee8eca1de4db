"""The API's own pages, offline, under the content policy, and in both colour schemes."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.appearances import appearances
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser

CONTRAST = {
    "runOnly": ["color-contrast"]
}  # the structure is Swagger UI's own, and so are its flaws
GROUNDS = """() => [...document.querySelectorAll("body, .opblock, pre, textarea")]
  .map((each) => getComputedStyle(each).backgroundColor)
  .filter((colour) => colour !== "rgba(0, 0, 0, 0)")
  .map((colour) => Math.max(...colour.match(/[0-9.]+/g).slice(0, 3)))
"""


def steps(page: Page) -> Iterator[None]:
    """The page as it opens, with a call opened, and with its answer."""
    yield
    page.get_by_role("button", name="POST /api/trace Trace texts").click()
    page.get_by_text("Run a model once, and get any number").wait_for()
    yield
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    page.get_by_text("Response headers").wait_for()
    yield


def test_the_api_pages_render_alone_and_are_legible_in_both_schemes(inspector: Inspector) -> None:
    page = inspector.open("/docs").page
    assert len(list(steps(page))) == 3  # the last one shows all that the others do
    for scheme, _ in appearances(page):
        grounds = page.evaluate(GROUNDS)
        assert len(grounds) > 6
        assert all((ground < 100) == (scheme == "dark") for ground in grounds), scheme
        found = Axe().run(page, options=CONTRAST)
        assert found.violations_count == 0, found.generate_report()
