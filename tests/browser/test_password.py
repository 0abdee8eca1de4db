"""The password page: in both colour schemes, with the keyboard, and with clear messages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from scripts import live
from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Contexts

pytestmark = pytest.mark.browser
PASSWORD = "open sésame"


@pytest.fixture(scope="module")
def closed() -> Iterator[str]:
    """The address of a server with a password."""
    with live.serving(password=PASSWORD) as address:
        yield address


@pytest.fixture
def page(contexts: Contexts, closed: str) -> Iterator[Page]:
    with contexts.page(360, 640, base_url=closed) as page:
        yield page


def test_axe_finds_nothing_before_and_after_a_mistake(page: Page) -> None:
    page.goto("/")
    for _ in range(2):
        for scheme, _ in appearances(page):
            asked = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert asked == {"light": "rgb(241, 243, 247)", "dark": "rgb(12, 16, 23)"}[scheme]
            accessible(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_label("Password").fill("close sésame")
        page.get_by_role("button", name="Continue").click()
        expect(page.get_by_role("alert")).to_contain_text("Wrong password.")


def test_the_keyboard_alone_leads_to_the_page_that_was_asked_for(page: Page) -> None:
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url))
    page.goto("/?text=The+cat+sat.&layer=1&head=2")
    expect(page.get_by_label("Password")).to_be_focused()
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    field = page.get_by_label("Password")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description(
        "Wrong password. Try again; passwords are case-sensitive."
    )
    assert len(outside) == 2 and all(url.endswith("&head=2") for url in outside)  # one file each
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("html[data-state=ready]").wait_for(state="attached")
    expect(page.locator("#head-title")).to_have_text("Layer 1 · head 2")
    page.reload()  # and sends no form again
    page.locator("html[data-state=ready]").wait_for(state="attached")
    page.goto("/docs")
    page.get_by_role("button", name="POST /api/trace Trace texts").wait_for()
    assert errors == []
