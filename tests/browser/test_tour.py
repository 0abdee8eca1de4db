"""The tour: six actions, each done with the mouse, with the keyboard and by touch."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.fresh  # each begins as a first visit

Way = Literal["mouse", "keyboard", "touch"]
HEAD = "#grid .cell[aria-label^='layer 2, head 3']"
STRIP = "#forecast li"
FALLEN = r"“herself” fell from 7\d\.\d% to 2\d\.\d%\."

# What each step is about; the card may not stand over it.
ABOUT = ("#sentences", "#chips", "#grid", "#mute", "#forecast", "#mute")


def actions(page: Page, way: Way) -> list[Callable[[], None]]:
    """What the reader does in each step."""

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    def on(target: Locator) -> Callable[[], None]:
        return target.tap if way == "touch" else target.click

    def type_word() -> None:  # as the card says: the caret is at the end of the sentence
        if way == "touch":  # a finger opens the keyboard of a phone
            page.locator("#sentences textarea").tap()
        page.keyboard.type("saw")

    if way == "keyboard":  # the keys that the card names, and nothing else
        return [
            type_word,
            lambda: press("Enter", "]"),
            lambda: press("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"),
            lambda: press("m"),
            lambda: press("Tab", "Enter"),
            lambda: press("Control+z"),
        ]
    return [
        type_word,
        on(page.locator("#chips .chip", has_text="saw")),
        on(page.locator(HEAD)),
        on(page.locator("#mute")),
        on(page.locator("#forecast .token", has_text="himself")),
        on(page.locator("#mute")),
    ]


def begun(inspector: Inspector, path: str = "/?tour=1") -> tuple[Page, Locator]:
    page = inspector.open(path).probed().page
    card = page.get_by_role("region", name="Tour")
    expect(card).to_contain_text("Step 1 of 6")
    return page, card


def keeps_off(page: Page, card: Locator, selector: str) -> None:
    """The card lies in the window, and covers nothing of what the step is about."""
    [size, about, own] = page.evaluate(
        """([it, of]) => [[document.documentElement.clientWidth, innerHeight],
          ...[it, of].map((one) => {
            const it = document.querySelector(one).getBoundingClientRect();
            return [it.left, it.top, it.right, it.bottom];
          })]""",
        [selector, ".tour"],
    )
    assert own[0] >= 0 and own[1] >= 0 and own[2] <= size[0] and own[3] <= size[1], own
    apart = own[2] <= about[0] or own[0] >= about[2] or own[3] <= about[1] or own[1] >= about[3]
    assert apart, (selector, own, about)
    assert about[1] >= 0 and about[3] <= size[1], (selector, about)  # it is in sight, too


@pytest.mark.parametrize("way", ["mouse", "keyboard", "touch"])
def test_each_step_waits_for_its_action(way: Way, request: pytest.FixtureRequest) -> None:
    inspector: Inspector = request.getfixturevalue("touched" if way == "touch" else "inspector")
    page = inspector.open("/").probed().page
    card = page.get_by_role("region", name="Tour")
    expect(card).to_be_hidden()  # it never opens by itself
    page.get_by_role("button", name="Take the tour").click()
    inspector.ready()
    assert "tour=1" in page.url
    for n, act in enumerate(actions(page, way), start=1):
        expect(card).to_contain_text(f"Step {n} of 6")
        keeps_off(page, card, ABOUT[n - 1])
        if ABOUT[n - 1] == "#grid":  # on a phone, a strip that is wider than the window
            expect(page.locator(HEAD)).to_be_in_viewport(ratio=0.9)
        act()
        inspector.ready()
    expect(card).to_contain_text("That is all you need")
    keeps_off(page, card, "#forecast")
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()
    assert "tour" not in page.url


def test_each_step_tells_what_the_strip_and_the_picture_show(inspector: Inspector) -> None:
    page, card = begun(inspector)
    seen = card.locator(".saw")
    acts = actions(page, "mouse")

    def does(n: int, words: str) -> None:
        acts[n - 1]()
        inspector.ready()
        expect(seen).to_have_text(re.compile(words))

    does(1, r"^After “saw” the model expects “herself”, with 7\d\.\d%\.$")
    shown = page.locator(STRIP).first.inner_text().split()
    assert shown[1] in seen.inner_text()
    does(2, r"^In this head, “saw” .*%")
    does(3, r"^In this head, “saw” gives 9\d[.\d]*% of its attention to “Mary”\.$")
    assert page.locator("#explain").inner_text().startswith(seen.inner_text())
    does(4, f"^Without this head, {FALLEN}$")
    before, after = re.findall(r"\d+\.\d%", seen.inner_text())
    expect(page.locator(STRIP, has_text="herself")).to_contain_text(f"{before} → {after}")
    does(5, r"^Right: “himself” rose from \d\.\d% to 2\d\.\d%\.$")
    does(6, r"^“herself” is back at 7\d\.\d%\.$")


def test_who_is_faster_than_the_answers_is_not_asked_for_what_is_done(
    inspector: Inspector,
) -> None:
    page, card = begun(inspector)
    acts = actions(page, "mouse")
    for n in (0, 1):
        acts[n]()
        expect(card).to_contain_text(f"Step {n + 2} of 6")
    held: list[Route] = []
    page.route("**/api/trace", lambda route, _: held.append(route))
    acts[2]()
    acts[3]()
    expect(card).to_contain_text("Step 3 of 6")
    page.route("**/api/trace", lambda route: route.continue_())
    for route in held:
        route.continue_()
    expect(card).to_contain_text("Step 5 of 6")
    expect(card.locator(".saw")).to_have_text(re.compile(FALLEN))


def test_another_action_gets_a_word_and_another_try(inspector: Inspector) -> None:
    page, card = begun(inspector)
    off = card.locator(".off")
    acts = actions(page, "mouse")
    expect(off).to_be_hidden()
    inspector.type("Mary near the boys sew")
    expect(off).to_have_text("The sentence should read “Mary near the boys saw”.")
    inspector.type("Mary near the boys saw")
    expect(card).to_contain_text("Step 2 of 6")
    page.locator("#chips .chip", has_text="boys").click()
    expect(off).to_have_text("This is what “boys” looks at. Choose “saw”.")
    acts[1]()
    expect(card).to_contain_text("Choose “reflexive” in layer 2.")
    page.locator("#grid .cell[aria-label^='layer 2, head 1']").click()
    expect(off).to_have_text("Not quite: this is “subject”. Look for “reflexive” in layer 2.")
    acts[2]()
    acts[3]()
    expect(card).to_contain_text("Step 5 of 6")
    page.locator("#forecast .token", has_text="herself").click()
    expect(off).to_contain_text("“herself” fell")
    expect(card).to_contain_text("Step 5 of 6")
    acts[4]()
    expect(card).to_contain_text("Step 6 of 6")


def test_a_tour_that_is_skipped_gives_back_what_was_there(inspector: Inspector) -> None:
    page = inspector.open("/?text=My+own+dogs+see+it&layer=1&head=2&causal=off&depth=full").page
    mine = page.url
    for leave in ("click", "Escape"):
        inspector.probed()
        page.evaluate("document.querySelector('#tour-open').click()")
        card = page.get_by_role("region", name="Tour")
        expect(card).to_contain_text("Step 1 of 6")
        page.keyboard.type("saw")
        expect(card).to_contain_text("Step 2 of 6")
        if leave == "click":
            card.get_by_role("button", name="Skip the tour").click()
        else:
            inspector.press("Escape")
        expect(card).to_be_hidden()
        expect(page.locator("#sentences textarea").first).to_have_value("My own dogs see it")
        inspector.ready()
        assert page.url == mine


def test_a_mute_that_is_undone_is_noticed(inspector: Inspector) -> None:
    page, card = begun(inspector)
    for act in actions(page, "mouse")[:4]:
        act()
        inspector.ready()
    expect(card).to_contain_text("Step 5 of 6")
    page.get_by_role("button", name="Unmute").click()
    expect(card).to_contain_text("Step 4 of 6")
    expect(card).to_contain_text("You unmuted the head. Mute it again.")
    inspector.press("m")
    expect(card).to_contain_text("Step 5 of 6")


def test_the_tour_lets_go_of_the_token_that_it_asked_to_watch(inspector: Inspector) -> None:
    page, card = begun(inspector)
    for act in actions(page, "mouse")[:5]:
        act()
        inspector.ready()
    stop = page.get_by_role("button", name="Stop watching “himself”")
    expect(stop).to_be_visible()
    page.locator("#mute").click()
    expect(card).to_contain_text("That is all you need")
    expect(stop).to_have_count(0)
    assert "token" not in page.url
    # so does a tour that is skipped
    page.locator("#mute").click()
    inspector.ready()
    inspector.press("Escape")
    page, card = begun(inspector)
    for act in actions(page, "mouse")[:5]:
        act()
        inspector.ready()
    inspector.press("Escape")
    expect(stop).to_have_count(0)


def test_escape_skips_the_tour_and_another_action_does_not_end_a_step(inspector: Inspector) -> None:
    page, card = begun(inspector)
    inspector.press("ArrowDown", "m", "m")
    expect(card).to_contain_text("Step 1 of 6")
    for _ in appearances(page, 1280, 390):
        accessible(page)
    page.locator("#sentences textarea").click()
    inspector.press("Escape")  # also where Esc means something else without a tour
    expect(card).to_be_hidden()
    assert "tour" not in page.url
    page.reload()
    inspector.ready()
    expect(card).to_be_hidden()
