"""Training by hand in the browser: from the form to the inspector."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scripts import live
from tests.browser.appearances import accessible
from tests.browser.contexts import Pages

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def gym(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that trains."""
    with live.serving(training_store=str(tmp_path_factory.mktemp("training"))) as address:
        yield address


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator("html[data-state=ready]").wait_for(state="attached")
    return page


def test_a_network_learns_while_one_watches_and_opens_in_the_inspector(
    gym: str, pages: Pages
) -> None:
    page = opened(pages(1440, 900), f"{gym}/learn")
    page.get_by_role("link", name="Choose a task and a small network").click()
    page.get_by_role("link", name="Which votes does a head count").click()
    page.locator("html[data-state=ready]").wait_for(state="attached")
    page.get_by_label("Compare with a second network").check()
    page.get_by_label("It differs in").select_option(label="Heads in each")
    page.get_by_role("button", name="Train", exact=True).click()
    variants = page.locator(".train-variant")
    expect(variants).to_have_count(2)
    expect(page.locator(".train-state")).to_have_text("Done.", timeout=60_000)
    expect(variants.first).to_contain_text(re.compile(r"(98|99|100)% right: the goal of 98%"))
    canvas = variants.first.locator("canvas")
    drawn = canvas.evaluate(
        "(one) => new Set(one.getContext('2d').getImageData(0, 0, one.width, one.height).data).size"
    )
    assert drawn > 3
    canvas.hover()
    expect(variants.first).to_contain_text(re.compile(r"L0 · H0: “.+” looks at “.+” with 0\.\d\d"))
    assert accessible(page)
    page.reload()  # the address is the choice, and the run
    expect(page.locator(".train-state")).to_have_text("Done.")
    expect(page.get_by_label("Compare with a second network")).to_be_checked()
    with page.expect_download() as saved:
        variants.first.get_by_role("link", name="Save as a file").click()
    other = opened(pages(1024, 768), f"{gym}/train")
    other.get_by_label("Open a saved network …").set_input_files(saved.value.path())
    expect(other.locator(".train-variant")).to_contain_text("right: the goal of 98%")
    expect(other.locator(".train-lines li")).to_have_count(6)
    variants.first.get_by_role("link", name="Look inside").click()
    page.locator("html[data-state=ready]").wait_for(state="attached")
    assert page.locator("#model").input_value().startswith("trained-")
    expect(page.locator("#film-panel")).to_contain_text("Answers right")
    page.get_by_role("slider", name="Step of training").press("Home")
    expect(page).to_have_url(re.compile("model=trained-.*(%40|@)0"))
    expect(page.locator("html[data-state=ready]")).to_be_attached()


def test_a_training_is_stopped_and_goes_on_and_another_must_wait(gym: str, pages: Pages) -> None:
    page = opened(pages(390, 844), f"{gym}/train?task=copy&steps=5000&n_heads=1&d_mlp=0")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator(".train-variant")).to_be_in_viewport(timeout=30_000)
    expect(page.locator(".train-lines li").first).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator("#train-said")).to_contain_text("You are training already.")
    other = opened(pages(), f"{gym}/train?task=majority")
    other.get_by_role("button", name="Train", exact=True).click()
    expect(other.locator(".train-state")).to_have_text("Waiting: one training is before yours.")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".train-state")).to_have_text("Stopped.", timeout=30_000)
    expect(other.locator(".train-state")).to_have_text("Done.", timeout=60_000)
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".train-state")).to_have_text("Training …", timeout=30_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".train-state")).to_have_text("Stopped.", timeout=30_000)


def test_numbers_beyond_their_limits_are_not_sent(gym: str, pages: Pages) -> None:
    page = opened(pages(), f"{gym}/train?task=copy&d_model=999")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_label("Width (d_model)", exact=True)).to_be_focused()
    assert "run=" not in page.url


def test_a_server_that_trains_nothing_says_so(tmp_path: Path, pages: Pages) -> None:
    with live.serving(training="false", training_store=str(tmp_path)) as address:
        page = opened(pages(), f"{address}/train")
        expect(page.get_by_role("button", name="Train", exact=True)).to_be_disabled()
        expect(page.locator("#train-said")).to_contain_text("HEADLIGHT_TRAINING=true")
