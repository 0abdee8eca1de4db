"""The strip, the suggestion beside it, and what the page says in passing."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.appearances import accessible
from tests.browser.inspector import FULL, Inspector

pytestmark = pytest.mark.browser
START = "/?depth=start"

# Which of the elements that can be seen a selected one covers, by their words.
COVERED = """([it, others]) => {
  const box = document.querySelector(it).getBoundingClientRect();
  return [...document.querySelectorAll(others)].filter((other) => {
    const { left, top, right, bottom } = other.getBoundingClientRect();
    const apart = right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom;
    return other.checkVisibility() && !apart;
  }).map((other) => other.textContent.trim());
}"""
WHO = "Without layer 2 head 2 (“pronoun”), “mary” would fall to"
WORDS = ".brand, .bar nav a, .bar-tools button, #forecast, #sentences textarea"


def opened(inspector: Inspector, path: str, size: tuple[int, int]) -> Page:
    inspector.page.set_viewport_size({"width": size[0], "height": size[1]})
    return inspector.open(path).probed().page


def within(inner: Locator, outer: Locator) -> bool:
    """Whether all of an element lies in another one."""
    a, b = inner.bounding_box(), outer.bounding_box()
    assert a is not None
    assert b is not None
    return (
        a["x"] >= b["x"]
        and a["y"] >= b["y"]
        and a["x"] + a["width"] <= b["x"] + b["width"] + 0.5
        and a["y"] + a["height"] <= b["y"] + b["height"] + 0.5
    )


def test_after_a_mute_the_suggestions_lead_on_and_back(inspector: Inspector) -> None:
    page = opened(inspector, START, (1280, 720))
    step, said = page.locator("#next-step"), page.locator("#said")

    def act(name: str) -> None:
        assert within(step, page.locator(".foot"))
        step.get_by_role("button", name=name).click()
        inspector.ready()

    act("Mute this head")
    expect(page.get_by_role("button", name="Unmute")).to_be_visible()
    moved = r"^“herself” fell from 7\d\.\d% to 2\d\.\d%\. Next: find another head that helps it\."
    expect(step).to_have_text(re.compile(moved))
    act("Find a head")
    found = r"^Without layer 2 head 2 \(“pronoun”\), too, “herself” would fall to (\d\.\d%)\."
    expect(step).to_have_text(re.compile(found))
    [promised] = re.findall(found, step.inner_text())
    accessible(page)  # with the effects in the colours of the heads
    act("Show it")
    expect(page.locator("#head-title")).to_have_text("Layer 2 · head 2")
    act("Mute this head")
    expect(page.locator("#forecast li", has_text="herself")).to_contain_text(f"→ {promised}")
    act("Undo")
    expect(said).to_have_text("Undid: muted layer 2 head 2")
    act("Undo")
    expect(said).to_have_text("Undid: muted layer 2 head 3")
    expect(step).to_contain_text("Next: see how such heads come about")
    assert "muted" not in page.url


def test_without_a_sentence_the_suggestion_stays_in_its_panel(inspector: Inspector) -> None:
    page = opened(inspector, START, (1280, 720))
    inspector.type("")
    expect(page.locator("#next-step")).to_contain_text("Next: type a sentence")
    assert within(page.locator("#next-step"), page.locator(".foot"))
    assert page.evaluate(COVERED, [".foot", ".heads, .head"]) == []


def test_on_a_phone_a_tap_on_a_prediction_finds_the_head_behind_it_in_sight(
    inspector: Inspector,
) -> None:
    page = opened(inspector, "/", (390, 844))
    page.locator("#forecast .token", has_text="her").nth(1).click()
    step = page.locator("#next-step")
    expect(step).to_contain_text("“her” needs this head most")  # the opening one, layer 2 head 3
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(COVERED, ["#next-step", "#forecast, #grid"]) == []
    box = step.bounding_box()
    assert box and box["y"] + box["height"] <= 844
    accessible(page)


@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (320, 640)])
def test_one_asks_why_the_model_says_a_word(inspector: Inspector, size: tuple[int, int]) -> None:
    text = "When+Mary+and+John+went+to+the+store,+John+gave+a+drink+to"
    page = opened(inspector, f"{START}&text={text}&layer=0&head=1", size)
    why = page.get_by_role("button", name="Why “mary”?")
    expect(why).to_be_in_viewport(ratio=1)
    why.click()
    expect(page.locator("#next-step")).to_contain_text(WHO)
    expect(why).to_be_hidden()
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#head-title")).to_have_text("Layer 2 · head 2")
    expect(page.locator("#next-step")).to_contain_text("“mary” needs this head most")
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


def test_a_watched_token_stays_apart_until_it_is_let_go(inspector: Inspector) -> None:
    page = opened(inspector, f"{START}&text=The+cat", (1280, 720))
    token = page.locator("#forecast .token").nth(1)
    name = token.inner_text()
    token.click()
    expect(page.locator("#forecast li").nth(1)).to_contain_text("×")
    inspector.type("Mary near the boys saw")
    apart = page.locator("#forecast .apart")
    expect(apart).to_contain_text(f"Watched:{name}")
    assert page.locator("#forecast li").count() == 4
    assert within(page.locator("#next-step"), page.locator(".foot"))
    accessible(page)
    page.get_by_role("button", name=f"Stop watching “{name}”").press("Enter")
    expect(apart).to_have_count(0)
    expect(page.locator("#forecast .token").first).to_be_focused()
    assert "token" not in page.url


@pytest.mark.parametrize(
    ("path", "size"),
    [
        (START, (1280, 720)),
        (FULL, (1280, 720)),
        (FULL, (1024, 768)),
        (START, (390, 844)),
        (FULL, (390, 844)),
    ],
)
def test_what_the_page_says_in_passing_covers_no_words(
    inspector: Inspector, path: str, size: tuple[int, int]
) -> None:
    page = opened(inspector, path, size)
    inspector.press("m", "Control+z")
    expect(page.locator("#said")).to_have_text("Undid: muted layer 2 head 3")
    expect(page.locator("#said")).to_be_in_viewport(ratio=1)
    assert page.evaluate(COVERED, ["#said", WORDS]) == []

    def busy(route: Route) -> None:
        error = {"code": "busy", "message": "Too many wait.", "field": None, "limit": None}
        route.fulfill(status=503, headers={"Retry-After": "9"}, json={"error": error})

    page.route("**/api/trace", busy)
    page.locator("#sentences textarea").press("s")
    line = page.locator("#waiting")
    expect(line).to_contain_text("Busy.")
    expect(line).to_be_in_viewport(ratio=1)
    assert page.evaluate(COVERED, ["#waiting", WORDS]) == []
    page.unroute("**/api/trace")
    line.get_by_role("button", name="Try now").click()
    inspector.ready()
    inspector.errors.clear()  # Chromium itself logs the 503


def test_a_message_is_seen_only_where_the_picture_is_not(touched: Inspector) -> None:
    page = touched.open(START).page
    line = page.locator("#announce")
    seen = "(it) => getComputedStyle(it).clipPath === 'none'"
    page.get_by_role("button", name="near").tap()
    touched.ready()
    expect(line).to_contain_text("“near” looks at")  # to screen readers
    assert not line.evaluate(seen)
    page.set_viewport_size({"width": 390, "height": 600})
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.get_by_role("button", name="Mute this head").tap()
    touched.ready()
    expect(line).to_contain_text("muted")
    assert line.evaluate(seen)


def test_a_finger_on_a_token_leaves_its_neighbour_in_sight(touched: Inspector) -> None:
    page = touched.open(START).page
    page.locator("#chips .chip", has_text="boys").tap()
    touched.ready()
    page.keyboard.press("ArrowRight")  # somebody with a keyboard walks through the tokens
    expect(page.locator("#chips .chip", has_text="saw")).to_be_focused()
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menu")).to_be_visible()


@pytest.mark.parametrize(("language", "tokens"), [("en", 5), ("de", 4), ("ar", 4)])
def test_in_a_low_window_the_list_of_next_tokens_comes_first(
    inspector: Inspector, language: str, tokens: int
) -> None:
    """With every control it has little room below the heads and its tabs."""
    inspector.page.set_viewport_size({"width": 1280, "height": 720})
    page = inspector.open(f"/?depth=full&lang={language}").page
    expect(page.locator("#next-step")).to_be_hidden()
    expect(page.locator(".foot")).to_be_hidden()
    assert within(page.locator("#next tbody tr").nth(tokens - 1), page.locator("#predictions"))
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("#next-step")).to_be_visible()
