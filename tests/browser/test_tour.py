"""The tour: six actions, each done with the mouse, with the keyboard and by touch."""

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.appearances import accessible, appearances
from tests.browser.conftest import Inspector

Way = Literal["mouse", "keyboard", "touch"]
HEAD = "#grid .cell[aria-label^='layer 2, head 3']"


@pytest.fixture
def touched(chromium: Browser, server: str) -> Iterator[Inspector]:
    """The page on a phone."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    context.set_default_timeout(20_000)
    inspector = Inspector(context.new_page(), server)
    yield inspector
    context.close()
    assert inspector.errors == []


def actions(page: Page, way: Way) -> list[Callable[[], None]]:
    """What the reader does in each step."""

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    def on(target: Locator) -> Callable[[], None]:
        return target.tap if way == "touch" else target.click

    def type_word() -> None:
        if way == "keyboard":
            press("/")
        else:
            on(page.locator("#sentences textarea"))()
        press("End")
        page.keyboard.type(" saw")

    if way == "keyboard":
        token = page.locator("#forecast button", has_text="himself")
        return [
            type_word,
            lambda: press("Escape", "]"),
            lambda: press("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"),
            lambda: press("m"),
            lambda: token.press("Enter"),
            lambda: press("Control+z"),
        ]
    return [
        type_word,
        on(page.locator("#chips .chip", has_text="saw")),
        on(page.locator(HEAD)),
        on(page.locator("#mute")),
        on(page.locator("#forecast button", has_text="himself")),
        on(page.locator("#mute")),
    ]


@pytest.mark.parametrize("way", ["mouse", "keyboard", "touch"])
def test_each_step_waits_for_its_action(way: Way, request: pytest.FixtureRequest) -> None:
    inspector: Inspector = request.getfixturevalue("touched" if way == "touch" else "inspector")
    page = inspector.open("/").page
    card = page.get_by_role("region", name="Tour")
    expect(card).to_be_hidden()  # it never opens by itself
    page.get_by_role("button", name="Take the tour").click()
    inspector.ready()
    assert "tour=1" in page.url
    for n, act in enumerate(actions(page, way), start=1):
        expect(card).to_contain_text(f"Step {n} of 6")
        box = card.bounding_box()
        size = page.viewport_size
        assert box
        assert size
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= size["height"]
        act()
        inspector.ready()
    expect(card).to_contain_text("That is all you need")
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()
    assert "tour" not in page.url


def test_escape_skips_the_tour_and_another_action_does_not_end_a_step(inspector: Inspector) -> None:
    page = inspector.open("/?tour=1").page
    card = page.get_by_role("region", name="Tour")
    expect(card).to_contain_text("Step 1 of 6")
    inspector.press("ArrowDown", "m", "m")
    expect(card).to_contain_text("Step 1 of 6")
    for _ in appearances(page, 1280, 390):
        accessible(page)
    inspector.press("Escape")
    expect(card).to_be_hidden()
    assert "tour" not in page.url
    page.reload()
    inspector.ready()
    expect(card).to_be_hidden()
