"""Both workshops, played from their first step to their last by a desk, a projector, three people.

At each step everybody sees what the step says, and no question covers what it asks about.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classes import Class, joined, opened, projected
from tests.browser.contexts import Pages
from tests.browser.test_class_activities import IN_SIGHT, revealed
from tests.browser.test_class_desk import desk_of

pytestmark = pytest.mark.browser

# The slide that a projector shows, alone and whole; none: "".
SLIDE = """() => {
  const frame = document.querySelector(".class-slide");
  if (!frame || frame.hidden) return "";
  const slides = [...frame.contentDocument.querySelectorAll(".slide")];
  const shown = slides.filter((one) => one.offsetHeight > 0);
  if (shown.length !== 1) return `${shown.length} slides`;
  const { scrollHeight, clientHeight } = frame.contentDocument.documentElement;
  return scrollHeight <= clientHeight ? shown[0].id : "too high";
}"""


@pytest.mark.parametrize(
    "name", ["workshop-45", pytest.param("workshop-90", marks=pytest.mark.sweep)]
)
def test_a_workshop_is_played_from_its_first_step_to_its_last(
    school: str, pages: Pages, name: str
) -> None:
    room = opened(school)
    plan = room.ask("GET", "/plans")["plans"][name]
    room.ask("PUT", "/plan", plan)
    desk = desk_of(pages(1440, 900), room)
    screen = projected(pages(1920, 1080), room, "?depth=start")
    small = projected(pages(1280, 720), room, "?depth=start")  # another projector of the teacher's
    laptop, tablet = joined(pages(1280, 720), room), joined(pages(1024, 768), room)
    phone = joined(pages(390, 844, has_touch=True), room)
    for index, step in enumerate(plan["steps"]):
        desk.keyboard.press("ArrowRight")
        now = expect(desk.locator("[aria-current=step]"))
        now.to_contain_text(step["title"])
        for wall in (screen, small):
            wall.wait_for_function(f"(name) => ({SLIDE})() === name", arg=step.get("slide", ""))
        if asked := step.get("activity"):
            _played(room, asked, desk, screen, laptop, tablet, phone)
        else:
            for page in (screen, laptop, tablet, phone):
                expect(page.locator(".class-activity")).to_be_hidden()
                expect(page.locator("html[data-quiz]")).to_have_count(1)  # nothing leaks
        assert room.ask("GET")["step"]["index"] == index
    desk.keyboard.press("ArrowRight")  # there is nothing after the last one
    assert room.ask("GET")["step"]["index"] == len(plan["steps"]) - 1


def _played(room: Class, asked: dict[str, Any], desk: Page, *pages: Page) -> None:
    """A round: asked, answered by one who is looking around, revealed."""
    question, kind = asked["question"], asked["kind"]
    screen, laptop, tablet, phone = pages
    for page in pages:
        expect(page.locator(".class-activity .asked")).to_have_text(question["text"])
    if question.get("choice"):  # what it asks about is there, on every screen
        assert room.ask("GET")["choice"] == question["choice"]
        _in_sight(pages)
    if kind in ("vote", "detective"):
        for page in (laptop, tablet, phone):
            page.locator(".answering .option").first.click()
    elif kind == "bets":
        for page in (laptop, tablet, phone):
            page.get_by_role("slider", name="My bet").press("ArrowLeft")
            page.get_by_role("button", name="Place my bet").click()
    if kind != "hunt":
        expect(desk.locator(".desk-answered")).to_contain_text("3 of 3 have answered")
        expect(screen.locator(".class-answered")).to_have_text("3 of 3 have answered")
    revealed(room, room.ask("GET")["activity"]["id"], *pages)
    for page in pages:
        expect(page.locator(".class-why")).to_have_text(question["why"])
    if question.get("reveals"):
        assert room.ask("GET")["choice"] == question["reveals"]
        _in_sight(pages)


def _in_sight(pages: tuple[Page, ...]) -> None:
    *wide, phone = pages
    for page in wide:
        page.locator("html[data-state=ready]").wait_for(state="attached")
        page.wait_for_function(
            f"() => ({IN_SIGHT})()[0] && ({IN_SIGHT})()[1] > ({IN_SIGHT})()[2] - 1"
        )
    phone.wait_for_function(f"() => ({IN_SIGHT})()[1] > 150")
