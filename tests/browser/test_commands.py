"""The command palette: everything by its name, with keyboard and touch."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from model.core.checkpoint import SHIPPED
from model.gallery import load_gallery
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser

FACTS = Path("static/js/facts")


def facts(name: str) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = json.loads((FACTS / f"{name}.json").read_text())
    return rows


def answers(page: Page, typed: str) -> list[str]:
    """The names of what answers, the best first."""
    page.fill("#commands input", typed)
    expect(page.locator("#commands-list")).not_to_have_attribute("aria-busy", "true")
    return page.locator("#commands li b").all_inner_texts()


def test_everything_that_has_a_name_answers_to_it(inspector: Inspector) -> None:
    page = inspector.open().probed().page
    page.keyboard.press("Control+k")
    expect(page.locator("#commands input")).to_be_focused()
    named = {
        row["label"]
        for name in ("views", "panels", "matrices")
        for row in facts(name)
        if not {"silent", "filmed", "writes", "some"} & {*row}  # only for some models
    }
    masks = json.loads((FACTS / "masks.json").read_text())["rows"].values()
    named |= {
        f"{mask['choose']['legend']}: {option['label']}"
        for mask in masks
        if "choose" in mask
        for option in mask["choose"]["options"]
    }
    named |= {f"{mask['slide']['label']} …" for mask in masks if "slide" in mask}
    named |= {entry.title for entry in load_gallery(SHIPPED)}
    named |= {"Headlight small", "From scratch", "Installing"}
    named |= {"Undo", "Share", "Present", "Mute", "Save"}
    missing = {name for name in named if name not in answers(page, name.lower())[:4]}
    assert missing == set()
    assert answers(page, "l2h3") == ["L2H3 reflexive"]
    assert answers(page, "induction")[0] == "L1H0 induction"


def test_the_keys_walk_and_open(inspector: Inspector) -> None:
    page = inspector.open().page
    page.locator("#sentences textarea").first.focus()
    page.keyboard.press("Control+k")  # also from a text box
    page.keyboard.type("causal off")
    selected = page.locator("#commands [aria-selected=true] b")
    expect(selected).to_have_text("Causal: off")
    page.keyboard.press("Enter")
    expect(page.locator("#commands")).not_to_be_visible()
    expect(page.locator("#sentences textarea").first).to_be_focused()
    expect(page.locator("#masks-said")).to_have_text("none")
    page.keyboard.press("Control+k")
    page.keyboard.type("compare")
    names = page.locator("#commands li b").all_inner_texts()
    page.keyboard.press("ArrowUp")  # from the first to the last
    expect(selected).to_have_text(names[-1])
    page.keyboard.press("ArrowDown")
    expect(selected).to_have_text("Compare")
    box = page.locator("#commands input")
    current = box.get_attribute("aria-activedescendant")
    assert current == page.locator("#commands [aria-selected=true]").get_attribute("id")
    page.keyboard.press("Escape")
    expect(page.locator("#commands")).not_to_be_visible()
    expect(page.locator("#view input[value=heatmap]")).to_be_checked()


@pytest.mark.fresh
def test_enter_waits_for_answers_that_are_on_their_way(inspector: Inspector) -> None:
    page = inspector.open().page
    held: list[Route] = []
    page.route("**/static/**/*.js", lambda route, _: held.append(route))
    page.keyboard.press("Control+k")
    page.keyboard.type("compare")
    page.keyboard.press("Enter")
    expect(page.locator("#commands-list")).to_have_attribute("aria-busy", "true")
    for route in held:
        route.continue_()
    page.unroute("**/static/**/*.js")
    expect(page.locator("#commands")).not_to_be_visible()
    expect(page.locator("#view input[value=compare]")).to_be_checked()


def test_what_is_in_a_menu_is_opened_with_it(inspector: Inspector) -> None:
    page = inspector.open().page
    page.keyboard.press("Control+k")
    page.keyboard.type("window")
    page.locator("#commands li", has_text="Window …").first.click()
    expect(page.locator("#window")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#window")).not_to_be_visible()
    expect(page.locator("#masks-menu > summary")).to_be_focused()


def test_an_empty_answer_says_what_there_is(inspector: Inspector) -> None:
    page = inspector.open().page
    page.keyboard.press("Control+k")
    assert answers(page, "zzzz") == []
    expect(page.locator("#commands [role=status]")).to_have_text(
        re.compile("Nothing is called “zzzz”. Try a view, a mask")
    )
    page.keyboard.press("Enter")  # which does nothing
    expect(page.locator("#commands")).to_be_visible()


def test_a_quiz_keeps_its_secrets(inspector: Inspector) -> None:
    page = inspector.open("/?quiz=1&text=we+saw&causal=false").page
    page.keyboard.press("Control+k")
    for typed in ("causal", "inside", "herself", "reflexive", "find:"):
        assert answers(page, typed) == [], typed
    assert not {"Mute", "Mute effects"} & set(answers(page, "mute"))
    assert answers(page, "text")[0] == "Text"


def test_a_finger_opens_it_too(touched: Inspector) -> None:
    page = touched.open("/?depth=start").page
    page.locator("#commands-open").tap()
    page.fill("#commands input", "lines")
    option = page.locator("#commands li", has_text="Lines").first
    box = option.bounding_box()
    assert box is not None and box["height"] >= 44
    option.tap()
    expect(page.locator("#view input[value=lines]")).to_be_checked()
