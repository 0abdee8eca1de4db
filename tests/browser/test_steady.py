"""While the reader continues, nothing moves, goes stale or gets stuck."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Inspector

pytestmark = pytest.mark.browser
MARY = "/?text=Mary+near+the+boys+saw+herself+in+the+mirror.&layer=2&head=3&query=5"


def test_a_longer_text_typed_in_another_view_is_seen_whole(inspector: Inspector) -> None:
    inspector.open("/?text=The+cat+sat.&layer=2&head=1&view=heatmap").press("v")
    inspector.type("red apple window seven quickly under story red apple")
    inspector.page.locator(".chip").nth(4).click()
    n_views = inspector.page.locator("#view input").count()
    inspector.ready().press(*["v"] * (n_views - 1))
    n = inspector.page.locator("#chips .chip").count()
    edges = inspector.page.evaluate("() => document.querySelector('#plot').layout.yaxis.range")
    assert edges == [n - 0.5, -0.5]
    assert "zoom" not in inspector.page.url


@pytest.mark.parametrize("width", [1440, 390])
def test_the_mute_button_stays_under_the_pointer(inspector: Inspector, width: int) -> None:
    inspector.page.set_viewport_size({"width": width, "height": 900})
    inspector.open(MARY).probed()
    mute = inspector.page.locator("#mute")
    mute.scroll_into_view_if_needed()
    before = mute.bounding_box()
    mute.click()
    inspector.ready()
    expect(inspector.page.locator("#compare-before")).to_be_visible()
    assert mute.bounding_box() == before


def test_a_link_to_a_token_that_is_not_there_lists_the_others(inspector: Inspector) -> None:
    inspector.open(f"{MARY}&token=999999")
    expect(inspector.page.locator("#next tbody tr").first).to_contain_text("herself")
    assert "token" not in inspector.page.url
    inspector.errors.clear()  # Chromium itself logs the 422


def test_the_vectors_follow_the_window(inspector: Inspector) -> None:
    inspector.open(MARY)
    vectors = inspector.page.locator("#vectors")
    for width in (800, 390, 1440):
        inspector.page.set_viewport_size({"width": width, "height": 900})
        vectors.scroll_into_view_if_needed()  # elsewhere they are not drawn
        drawn = vectors.locator("canvas")
        room = vectors.evaluate("(it) => it.clientHeight")
        expect(drawn).to_have_attribute("height", str(room))


def test_help_opens_at_its_beginning(inspector: Inspector) -> None:
    inspector.open(MARY).page.keyboard.press("?")
    assert inspector.page.locator("#help").evaluate("(it) => it.scrollTop") == 0
    assert inspector.page.locator("#help-title").is_visible()


def test_another_token_of_an_example_keeps_what_it_says(inspector: Inspector) -> None:
    inspector.open(MARY)
    words = inspector.page.locator("#look-words")
    before = words.inner_text()
    assert before.startswith("Herself: ")
    inspector.page.locator(".chip").nth(3).click()
    inspector.ready()
    assert words.inner_text() == before
    assert inspector.page.locator("#look-back").is_visible()
