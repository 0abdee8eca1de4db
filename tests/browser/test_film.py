"""The film of the shipped model's sister: from Start to its steps and back, and its lesson."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.appearances import accessible
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator("html[data-state=ready]").wait_for(state="attached")
    return page


@pytest.mark.painted
def test_start_plays_the_film_and_goes_back(inspector: Inspector, pages: Pages) -> None:
    page = opened(pages(1280, 720), f"{inspector.server}/?depth=start")
    bar, model = page.locator("#film-bar"), page.locator("#model")
    expect(bar).to_be_hidden()
    page.locator("#next-step").get_by_role("button", name="Mute this head").click()
    expect(page.get_by_role("button", name="Unmute")).to_be_visible()
    page.keyboard.press("Control+z")  # muted, and taken back: the film is what to do next
    page.get_by_role("button", name="Watch it learn").click()
    expect(bar).to_contain_text(re.compile(r"Step 0 of 3,600\s*loss 10\.\d\d"))
    expect(bar).to_contain_text("Step 100 of 3,600")  # it plays
    bar.get_by_role("button", name="Pause").click()
    before = page.locator("#grid").screenshot()
    bar.get_by_role("slider", name="Step of training").focus()
    page.keyboard.press("End")
    expect(bar).to_contain_text(re.compile(r"Step 3,600 of 3,600\s*loss 3\.\d\d"))
    page.locator("html[data-state=ready]").wait_for(state="attached")
    assert page.locator("#grid").screenshot() != before
    assert "model=sister" in page.url
    assert accessible(page)
    bar.get_by_role("button", name="Back to Headlight small").click()
    expect(model).to_have_value("shipped")
    expect(bar).to_be_hidden()


def test_every_depth_has_the_slider_and_all_controls_have_the_curves(
    inspector: Inspector, pages: Pages
) -> None:
    address = f"{inspector.server}/?model=sister@500&layer=1&head=3"
    page = opened(pages(1440, 900), f"{address}&depth=full&right=film")
    curves = page.locator("#film-panel figcaption")
    expect(curves).to_have_count(5)
    expect(curves.last).to_contain_text("Loss without L1 · H3")
    expect(page.locator("#film-panel")).to_contain_text("between steps 600 and 700")
    page.locator("#film-panel svg").first.click(position={"x": 1, "y": 10})
    expect(page.locator("#film-bar")).to_contain_text("Step 0 of 3,600")
    phone = opened(pages(390, 844), f"{address}&depth=start")
    box = phone.locator("#film-bar").bounding_box()
    picture = phone.locator("[data-plot]").first.bounding_box()
    assert box and picture and box["y"] + box["height"] <= picture["y"] < 400


def test_the_lesson_shows_the_steps(inspector: Inspector, pages: Pages) -> None:
    page = opened(pages(1024, 768), f"{inspector.server}/learn/birth")
    figure = page.locator("[data-figure=watch]")
    expect(figure).to_contain_text("Most likely: “apple”")
    figure.get_by_label("1,000", exact=True).check()
    expect(figure).to_contain_text(
        re.compile(r"Most likely: “apple” \(32%\) → “window” \(38\.\d%\)")
    )
    page.locator("#main a[href^='/train?']").click()
    page.locator("html[data-state=ready]").wait_for(state="attached")
    expect(page.get_by_label("Compare with a second network")).to_be_checked()
    expect(page.get_by_label("It differs in")).to_have_value("n_layers")
