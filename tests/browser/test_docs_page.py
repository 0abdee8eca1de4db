"""The API's own pages, offline and under the content policy."""

import pytest

from tests.browser.conftest import Inspector

pytestmark = pytest.mark.browser


def test_the_api_pages_render_without_help_from_outside(inspector: Inspector) -> None:
    inspector.open("/docs")
    inspector.page.get_by_role("button", name="post ​/api​/trace").click()
    inspector.page.get_by_text("Run a model once, and get any number").wait_for()
