"""Every computed activity, played by three pages: a projector, a phone, and a keyboard."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.appearances import accessible
from tests.browser.classes import Class, joined, opened, projected, text_of
from tests.browser.contexts import Pages

pytestmark = pytest.mark.browser

# What the desk's form makes of what the projector shows.
COMPOSE = """async ([kind, choice]) => {
  const base = document.querySelector('link[rel=stylesheet]').href.replace(/(css|packed)\\/.*/, '');
  const { ACTIVITIES } = await import(`${base}js/live/activities/activities.js`);
  const root = document.createElement('div');
  document.body.append(root);
  const doc = { role: 'teacher', choice, frozen: false, activity: null };
  const question = await ACTIVITIES[kind].compose(root, doc, {}).question();
  root.remove();
  return question;
}"""
CHOICE = "text=The+dogs+that+chased+the+cat&layer=1&head=2"


def started(room: Class, screen: Page, kind: str) -> tuple[str, Any]:
    question = screen.evaluate(COMPOSE, [kind, CHOICE])
    name = room.ask("POST", "/activities", {"kind": kind, "question": question})["id"]
    return name, question


def revealed(room: Class, name: str, *pages: Page) -> None:
    room.ask("PATCH", f"/activities/{name}", {"phase": "revealed"})
    for page in pages:
        expect(page.locator(".class-activity .results")).to_be_visible()


def test_each_activity_goes_from_the_projector_to_two_people_and_back(
    school: str, pages: Pages
) -> None:
    room = opened(school)
    room.ask("PATCH", "", {"choice": CHOICE, "mode": "follow"})
    screen = projected(pages(1440, 900), room)
    phone = joined(pages(390, 844, has_touch=True), room)
    laptop = joined(pages(1280, 800), room)
    everyone = (screen, phone, laptop)
    for page in everyone:
        text_of(page).to_have_value("The dogs that chased the cat")

    name, question = started(room, screen, "drawing")
    assert "truth" not in room.ask("GET", "")["activity"]["question"]
    for page in (phone, laptop):
        expect(page.locator(".class-activity[data-covers] .paint-grid")).to_be_visible()
    phone.locator(".paint-cell[tabindex]").nth(1).tap()
    phone.get_by_role("button", name="Send my drawing").tap()
    laptop.locator(".paint-cell[tabindex]").first.focus()
    for key in ("ArrowDown", "End", "3"):
        laptop.keyboard.press(key)
    laptop.get_by_role("button", name="Send my drawing").press("Enter")
    for page in (phone, laptop):
        expect(page.locator(".class-activity .class-said")).to_contain_text("Your answer is in.")
    accessible(phone, ".class-activity")
    revealed(room, name, *everyone)
    second = screen.locator(".weights").first.locator("tbody tr").nth(1).locator("td")
    expect(second.nth(0)).to_have_text("50")  # one drew the first cell of the row, one the second
    truth = screen.locator(".weights").nth(1).locator("tbody tr").nth(1).locator("td").nth(1)
    expect(truth).to_have_text(str(round(100 * question["truth"][1][1])))
    accessible(screen, ".class-activity")

    name, question = started(room, screen, "bets")
    slider = laptop.get_by_role("slider", name="My bet")
    slider.press("Home")
    laptop.get_by_role("button", name="Place my bet").press("Enter")
    phone.get_by_role("slider", name="My bet").press("ArrowRight")
    phone.get_by_role("button", name="Place my bet").tap()
    for page in (phone, laptop):
        expect(page.locator(".class-activity .class-said")).to_contain_text("Your answer is in.")
    revealed(room, name, *everyone)
    expect(screen.locator(".results")).to_contain_text("2 answers")
    expect(laptop.locator(".yours")).to_have_text("You answered: 0%")

    name, question = started(room, screen, "hunt")
    layer, head = question["truth"][0]
    expect(laptop.locator("html[data-quiz]")).to_have_count(1)
    submit = laptop.get_by_role("button", name="Submit this head")
    expect(submit).to_have_attribute("aria-disabled", "true")
    laptop.locator("#grid .cell").nth(8 * layer + head).click()
    laptop.locator("html[data-state=ready]").wait_for(state="attached")
    laptop.get_by_role("button", name="Fold away").click()
    box = laptop.locator("#plot").bounding_box()
    assert box
    laptop.mouse.click(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2)
    laptop.get_by_role("button", name="Show the question").click()
    submit.click()
    expect(laptop.locator(".class-activity .class-said")).to_contain_text("Muting it changes")
    revealed(room, name, *everyone)
    expect(screen.locator(".finds .right")).to_have_count(1)

    name, question = started(room, screen, "detective")
    phone.get_by_role("button", name="Softmax over queries").tap()
    expect(phone.locator(".class-activity .class-said")).to_contain_text("Your answer is in.")
    revealed(room, name, *everyone)
    expect(phone.locator(".tally .right")).to_contain_text("correct")

    name, _ = started(room, screen, "wall")
    laptop.get_by_label("What did you find?").click()
    laptop.keyboard.type("Look <b>here</b>")  # l, o, k and b are keys of the inspector
    laptop.get_by_role("button", name="Put what I see on the wall").press("Enter")
    expect(laptop.locator(".class-said").last).to_contain_text("Your teacher sees it first")
    person = room.ask("GET", "?desk=1")["desk"]["results"]["finds"][0]["person"]
    room.ask("PATCH", f"/answers/{name}/{person}/f1", {"hidden": False})
    for page in everyone:
        expect(page.locator(".wall li")).to_contain_text("Look <b>here</b>")
    screen.get_by_role("button", name="Open for all").click()
    expect(screen.locator(".wall .thumb")).to_have_count(1)

    room.ask("PATCH", "", {"checks": False})
    started(room, screen, "board")
    phone.get_by_label("Your question", exact=True).fill(150 * "x")  # a long word wraps
    phone.get_by_role("button", name="Ask it").tap()
    expect(phone.locator(".wall-yours li")).to_have_count(1)
    assert phone.locator(".class-activity").evaluate("(each) => each.scrollWidth") <= 390
    phone.get_by_role("button", name="Take back").tap()
    laptop.get_by_label("Your question", exact=True).click()
    laptop.keyboard.type("Why √d?")
    laptop.get_by_role("button", name="Ask it").press("Enter")
    phone.get_by_role("button", name="Vote for: Why √d?").tap()
    for page in everyone:
        expect(page.locator(".board li")).to_contain_text("▲ 1")
    expect(phone.get_by_role("button", name="Vote for: Why √d?")).to_have_attribute(
        "aria-pressed", "true"
    )
    accessible(phone, ".class-activity")


# How much of the cells' height, in pixels, is in sight above, or beside, the question.
IN_SIGHT = """() => {
  const [cells, asked, bar] = ["#plot [data-plot]", ".class-activity", ".class-bar"].map(
    (one) => document.querySelector(one).getBoundingClientRect());
  const beside = asked.left >= cells.right;
  const end = beside ? innerHeight : Math.min(innerHeight, asked.top);
  return [beside, Math.min(cells.bottom, end) - Math.max(cells.top, bar.bottom), cells.height];
}"""


def test_no_question_and_no_answer_covers_the_picture_that_it_is_about(
    school: str, pages: Pages
) -> None:
    room = opened(school)
    screen = projected(pages(1920, 1080), room, "?depth=start")
    laptop = joined(pages(1280, 720), room)
    phone = joined(pages(390, 844, has_touch=True), room)
    ready = {each["kind"]: each["question"] for each in room.ask("GET", "/ready")["ready"]}
    for kind in ("detective", "hunt", "bets"):
        question = {"kind": kind, "question": ready[kind]}
        name = room.ask("POST", "/activities", question)["id"]
        for answered in (False, True):
            if answered:
                revealed(room, name, screen, laptop, phone)
                for page in (screen, laptop, phone):
                    expect(page.locator(".class-why")).to_have_text(ready[kind]["why"])
            for page in (screen, laptop):
                page.wait_for_function(
                    f"() => ({IN_SIGHT})()[0] && ({IN_SIGHT})()[1] > ({IN_SIGHT})()[2] - 1"
                )
            phone.wait_for_function(f"() => ({IN_SIGHT})()[1] > 150")
