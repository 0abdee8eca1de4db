"""Tests share a browser context with its cache, but the state of one must not reach the next."""

import pytest

from tests.browser.contexts import Contexts

pytestmark = pytest.mark.browser
SITE_OF_NOBODY = "data:text/html,"
STATE = """async () => {
  const { state } = await navigator.permissions.query({ name: "clipboard-read" });
  return [localStorage.getItem("scheme"), document.cookie, state, innerWidth];
}"""


def test_nothing_that_a_test_leaves_reaches_the_next(contexts: Contexts, server: str) -> None:
    with contexts.page() as page:
        context = page.context
        page.goto(server)
        before = page.evaluate(STATE)
        context.grant_permissions(["clipboard-read"])
        page.set_viewport_size({"width": 400, "height": 300})
        page.evaluate("localStorage.setItem('scheme', 'dark'); document.cookie = 'a=b'")
        context.set_offline(True)
        assert page.evaluate(STATE) == ["dark", "a=b", "granted", 400]
        context.set_offline(False)
        page.goto(SITE_OF_NOBODY)  # what it stored is at another origin now
    with contexts.page() as page:
        assert page.context is context
        assert len(context.pages) == 2
        page.goto(server)
        assert page.evaluate(STATE) == before
        page.clock.install()
    with contexts.page() as page:
        assert page.context is not context
