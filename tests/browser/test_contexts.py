"""Tests share a browser context with its cache, but the state of one must not reach the next."""

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import cleared, windowed

pytestmark = pytest.mark.browser
STATE = """async () => {
  const { state } = await navigator.permissions.query({ name: "clipboard-read" });
  return [localStorage.getItem("scheme"), document.cookie, state, innerWidth];
}"""


def test_nothing_that_a_test_leaves_reaches_the_next(chromium: Browser, server: str) -> None:
    context = windowed(chromium, server)
    page = context.new_page()
    page.goto(server)
    before = page.evaluate(STATE)
    context.grant_permissions(["clipboard-read"])
    page.set_viewport_size({"width": 400, "height": 300})
    page.evaluate("localStorage.setItem('scheme', 'dark'); document.cookie = 'a=b'")
    context.set_offline(True)
    assert page.evaluate(STATE) == ["dark", "a=b", "granted", 400]
    assert cleared(context, page)
    assert len(context.pages) == 1
    page = context.new_page()
    page.goto(server)
    assert page.evaluate(STATE) == before
    page.clock.install()
    assert not cleared(context, page)
    context.close()
