"""The page that asks for the server's password: in both schemes, by the keyboard, with words."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from scripts import live

pytestmark = pytest.mark.browser
PASSWORD = "open sésame"


@pytest.fixture(scope="module")
def closed() -> Iterator[str]:
    """The address of a server with a password."""
    with live.serving(password=PASSWORD) as address:
        yield address


@pytest.fixture
def page(chromium: Browser, closed: str) -> Iterator[Page]:
    context = chromium.new_context(base_url=closed, viewport={"width": 360, "height": 640})
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_before_and_after_a_mistake(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto("/")
    asked = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert asked == {"light": "rgb(241, 243, 247)", "dark": "rgb(12, 16, 23)"}[scheme]
    for _ in range(2):
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
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
    page.get_by_role("button", name="post ​/api​/trace").wait_for()
    assert errors == []
