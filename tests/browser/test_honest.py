"""A link to what this server does not have says so, and shows nothing in its place."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.appearances import accessible
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
TEXT = "text=The+dogs+near+the+river+are+old."


def search(page: Page) -> str:
    found: str = page.evaluate("() => location.search")
    return found


@pytest.mark.fresh
def test_an_unknown_model_is_named_and_nothing_runs_until_the_reader_chooses(
    inspector: Inspector,
) -> None:
    page = inspector.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    link = f"?model=foo&{TEXT}&layer=1&head=2&muted=1.7"
    page.goto(f"{inspector.server}/{link}")
    inspector.state("error")
    box = page.get_by_role("alert").filter(has_text="foo")
    expect(box).to_contain_text(
        "This link asks for the model “foo”, which this server does not have."
        " It has: Headlight small and From scratch."
    )
    expect(page.locator("#main > :visible")).to_have_count(1)
    page.keyboard.press("m")
    page.keyboard.press("ArrowRight")
    assert accessible(page)
    assert search(page) == link
    assert not any("/api/trace" in url for url in asked)
    entries = page.evaluate("() => history.length")
    box.get_by_role("button", name="Open the sentence with Headlight small").click()
    inspector.ready()
    assert search(page) == f"?{TEXT}&muted=1.7&layer=1&head=2"
    assert page.evaluate("() => history.length") == entries
    expect(page.locator("#head-title")).to_have_text("Layer 1 · head 2")
    assert len(inspector.figure()["z"]) == 9
    expect(page.get_by_role("button", name="Undo", exact=True)).to_have_attribute(
        "aria-disabled", "true"
    )


def test_a_head_that_is_not_there_is_named_and_the_nearest_one_offered(
    inspector: Inspector,
) -> None:
    page = inspector.page
    page.goto(f"{inspector.server}/?{TEXT}&layer=9&head=2&muted=8.8")
    inspector.state("error")
    box = page.get_by_role("alert").filter(has_text="layer 9")
    expect(box).to_contain_text(
        "This link asks for layer 9 head 2, but Headlight small has 3 layers of 8 heads,"
        " both counted from 0."
    )
    assert "layer=9" in page.url
    box.get_by_role("button", name="Show layer 2 head 2").click()
    inspector.ready()
    assert search(page) == f"?{TEXT}&layer=2&head=2"


@pytest.mark.fresh
def test_a_link_and_a_model_say_what_they_drop(inspector: Inspector) -> None:
    page = inspector.open(f"/?{TEXT}&layer=1&head=2&muted=9.9&muted=1.7").page
    said = page.locator("#said")
    expect(said).to_have_text(
        "1 muted head does not exist in the model that comes with Headlight and was dropped."
    )
    assert search(page) == f"?{TEXT}&muted=1.7&layer=1&head=2"
    page.locator("#model").select_option("scratch")
    inspector.ready()
    expect(said).to_contain_text(
        "From scratch has no layer 1 head 2, so layer 0 head 2 is shown instead."
    )
    expect(said).to_contain_text(
        "1 muted head does not exist in the model From scratch and was dropped."
    )
    page.get_by_role("button", name="Undo", exact=True).click()
    inspector.ready()
    assert search(page) == f"?{TEXT}&muted=1.7&layer=1&head=2"
