"""A class as its teacher holds it: the desk on one screen, the projector on another, a phone."""

import json
import re
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.appearances import accessible
from tests.browser.classes import Class, joined, opened, projected, text_of
from tests.browser.contexts import Pages

pytestmark = pytest.mark.browser
PLAN = {
    "title": "Pronouns",
    "steps": [
        {"title": "Look at this", "minutes": 5, "state": "?text=Maria+saw+herself.&layer=2&head=3"},
        {"title": "Think", "notes": "Let them talk."},
        {
            "title": "Vote",
            "activity": {
                "kind": "vote",
                "question": {
                    "text": "Where does “herself” look?",
                    "choices": ["at “saw”", "at “Maria”"],
                    "correct": 1,
                },
            },
        },
    ],
}


def desk_of(page: Page, room: Class) -> Page:
    page.goto(f"{room.address}/class/{room.code}/desk#{room.secret}")
    page.locator("html[data-state=ready]").wait_for(state="attached")
    return page


def test_a_plan_is_walked_and_a_vote_goes_through_two_rounds(
    school: str, pages: Pages, tmp_path: Path
) -> None:
    room = opened(school)
    desk = desk_of(pages(1440, 900), room)
    assert room.secret not in desk.url
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(PLAN).replace('"minutes": 5', '"minutes": 5.0'))
    desk.locator("#plan-file").set_input_files(file)
    expect(desk.get_by_role("button", name="Look at this")).to_be_visible()
    screen = projected(pages(1440, 900), room)
    phone = joined(pages(390, 844, has_touch=True), room, "Ada")
    with desk.expect_event("load"):  # a tab that is open takes another link of the teacher's
        desk.evaluate("(secret) => { location.hash = secret; }", room.secret)
    desk.locator("html[data-state=ready]").wait_for(state="attached")
    assert room.secret not in desk.url
    desk.locator("#class-title").click()
    desk.keyboard.press("ArrowRight")
    for page in (screen, phone):
        text_of(page).to_have_value("Maria saw herself.")
    expect(desk.locator("[aria-current=step]")).to_contain_text("Look at this")
    desk.keyboard.press("ArrowRight")
    expect(desk.locator("[aria-current=step]")).to_contain_text("Let them talk.")
    screen.locator("#sentences textarea").first.fill("The cat sat.")
    text_of(phone).to_have_value("The cat sat.")
    desk.get_by_role("radio", name="follow me").focus()  # which arrows would move, too
    desk.keyboard.press("ArrowLeft")  # back to what the projector has shown before
    for page in (screen, phone):
        text_of(page).to_have_value("Maria saw herself.")
    expect(desk.get_by_role("radio", name="follow me")).to_be_checked()
    screen.keyboard.press("PageDown")  # a clicker works in the projector's window, too
    expect(desk.locator("[aria-current=step]")).to_contain_text("Let them talk.")
    desk.locator("#plan-choice").focus()
    desk.keyboard.press("ArrowRight")
    question = phone.locator(".class-activity")
    expect(question).to_contain_text("Where does “herself” look?")
    expect(screen.locator(".class-activity")).to_contain_text("at “Maria”")

    question.get_by_text("at “saw”", exact=True).tap()
    expect(desk.locator(".desk-answered")).to_contain_text("1 of 1 have answered")
    now = desk.locator(".desk-now")
    expect(now).to_contain_text("Only you see this")
    expect(screen.locator(".class-activity .results")).to_be_hidden()
    desk.get_by_role("button", name="Let them talk").click()
    expect(question).to_contain_text("Talk about it with your neighbours.")
    desk.get_by_role("button", name="Let them answer again").click()
    expect(question).to_contain_text("Vote again")
    question.get_by_text("at “Maria”", exact=True).tap()
    expect(desk.locator(".desk-answered")).to_contain_text("second round, open: 1 of 1")
    desk.get_by_role("button", name="Reveal to all").click()
    for page in (screen, phone):
        shown = page.locator(".class-activity .results")
        expect(shown).to_contain_text("Before the discussion")
        expect(shown).to_contain_text("After the discussion")
    accessible(desk)
    desk.get_by_role("button", name="Put away").click()
    expect(question).to_be_hidden()
    expect(now.get_by_role("button", name="Show again")).to_be_visible()


def test_the_teacher_steers_the_class_and_ends_it(school: str, pages: Pages) -> None:
    room = opened(school)
    desk = desk_of(pages(1280, 800), room)
    phone = joined(pages(390, 844), room, "Ada <b>")
    expect(desk.locator("#people")).to_have_text("1")
    assert "Ada" not in desk.content()
    desk.get_by_role("button", name="Show names").click()
    expect(desk.locator("#people-list")).to_contain_text("Ada <b>")
    desk.get_by_role("button", name="Hide the name").click()
    expect(desk.locator("#people-list")).not_to_contain_text("Ada")
    desk.get_by_role("button", name="Remove").click()
    expect(phone.locator(".class-bar")).to_contain_text("The teacher has taken you out")
    desk.get_by_role("button", name="Let back in").click()
    expect(desk.locator("#people-list")).not_to_contain_text("removed")
    phone.get_by_role("link", name="Join again").click()
    phone.get_by_role("button", name="Join", exact=True).click()
    phone.wait_for_url(f"**/class/{room.code}*")
    desk.get_by_role("radio", name="pause").check()
    expect(phone.get_by_text("Eyes up", exact=True)).to_be_visible()
    desk.get_by_role("radio", name="explore").check()
    desk.get_by_role("button", name="Start", exact=True).click()
    expect(phone.locator(".class-time")).to_contain_text(re.compile(r"2:5\d left|3:00 left"))
    screen = projected(pages(), room)
    expect(screen.locator(".class-bar")).to_contain_text("Join at 127.0.0.1")
    expect(desk.locator("#address-said")).to_contain_text("Only this computer can reach")
    for typed, said in (
        ("no address", "This is no address."),
        ("192.168.1.20:8000/join", "No device has opened this address yet."),
    ):
        desk.locator("#address-typed").fill(typed)
        desk.get_by_role("button", name="Use it").click()
        expect(desk.locator("#address-said")).to_contain_text(said)
    expect(desk.locator("#address")).to_have_text("192.168.1.20:8000/join")
    opened_by = {"Host": "192.168.1.20:8000"}
    asked = urllib.request.Request(f"{room.address}/join/{room.code}", headers=opened_by)
    urllib.request.urlopen(asked).close()
    expect(desk.locator("#address-said")).to_have_text(
        "A device has opened this address: it works."
    )
    expect(screen.locator(".class-bar")).to_contain_text("Join at 192.168.1.20:8000/join")
    expect(screen.locator(".class-join")).to_contain_text("192.168.1.20:8000/join")
    desk.get_by_label("Present mode").check()
    expect(screen.locator("html")).to_have_attribute("data-depth", "present")
    desk.get_by_label("Present mode").uncheck()
    expect(screen.locator("html")).to_have_attribute("data-depth", "full")
    expect(screen.locator(".class-join")).to_be_visible()
    desk.get_by_label("Show on the projector").uncheck()
    expect(screen.locator(".class-join")).to_be_hidden()
    desk.get_by_label("Lock: nobody new may join").check()
    phone.goto(f"{room.address}/join")  # who comes here again is known
    expect(phone.get_by_label("Your name, if you like")).to_have_value("Ada <b>")
    phone.get_by_role("link", name=f"Back to the class {room.code[:3]} {room.code[3:]}").click()
    phone.wait_for_url(f"**/class/{room.code}*")
    late = pages()
    late.goto(f"{room.address}/join/{room.code}")
    late.get_by_role("button", name="Join", exact=True).click()
    expect(late.locator("#said")).to_contain_text("locked")
    desk.get_by_role("button", name="Free unused seats").click()
    expect(desk.locator("#people-said")).to_have_text("Nobody is away.")
    phone.get_by_role("button", name="Show my work").click()
    desk.locator("#work summary").click()
    expect(desk.locator("#work-list li")).to_have_count(1)
    expect(desk.locator("#work-list .thumb")).to_be_visible()
    accessible(desk)
    phone.reload()  # it stays on, or the teacher would see what the student believes is hidden
    phone.get_by_role("button", name="Your work is shown").click()
    expect(desk.locator("#work-list")).to_contain_text("Nobody shows their work.")
    phone.get_by_role("button", name="I do not understand this").click()
    phone.get_by_role("button", name="Mark", exact=False).first.click()
    expect(desk.locator("#marks")).to_contain_text("1")
    with desk.expect_download() as report:
        desk.get_by_role("button", name="Report").first.click()
    assert "Ada" not in Path(report.value.path()).read_text()
    desk.get_by_role("button", name="End the class …").click()
    desk.locator("#end-now").click()
    expect(phone.locator(".class-bar")).to_contain_text("This class has ended.")
    phone.goto(f"{room.address}/join")
    phone.wait_for_function("() => localStorage.getItem('headlight.class') === null")  # it is over
    expect(phone.locator("#back")).to_be_hidden()
    stranger = pages()
    stranger.goto(f"{room.address}/class/{room.code}/desk")
    expect(stranger.get_by_role("alert")).to_contain_text("This is the desk of a teacher.")


def test_a_class_is_started_on_the_page_and_reads_a_lesson(school: str, pages: Pages) -> None:
    desk = pages(1280, 800)
    desk.goto(f"{school}/join")
    desk.get_by_role("button", name="Start a class").click()
    desk.wait_for_url("**/desk")
    desk.locator("html[data-state=ready]").wait_for(state="attached")
    code = desk.locator("#code").inner_text().replace(" ", "")
    secret = desk.evaluate(f"localStorage.getItem('headlight.class.{code}')")
    room = Class(school, code, secret)
    person = joined(pages(390, 844), room)
    room.ask("PATCH", "", {"step": {"index": 0, "title": "Read", "lesson": "masks"}})
    person.get_by_role("link", name="Open the lesson").click()
    person.wait_for_url("**/learn/masks?class=*")
    bar = expect(person.locator(".class-bar"))
    bar.to_contain_text("Read on your own.")
    person.locator(".prose header").get_by_role("link", name="Learn").click()
    bar.to_contain_text("Read on your own.")  # the list of lessons is in the class, too
    person.locator("a[href*='/learn/masks']").first.click()
    bar.to_contain_text("Read on your own.")
    person.get_by_role("button", name="I do not understand this").click()
    person.locator(".mark-form .main").click()
    expect(desk.locator("#marks")).to_contain_text("Lesson “masks”")
    person.get_by_role("link", name="Back to the class").click()
    person.wait_for_url(f"**/class/{code}*")
    bar.to_contain_text("Explore on your own.")


def test_the_teacher_sees_over_the_page_what_was_not_understood(school: str, pages: Pages) -> None:
    room = opened(school)
    heading = "learn/masks#"
    lesson = pages()
    lesson.goto(f"{room.address}/learn/masks")
    heading += lesson.locator("main h2[id]").first.get_attribute("id") or ""
    for places in (["inspector:plot", "inspector:masks"], ["inspector:plot", heading]):
        token = enter(room)
        for i, place in enumerate(places):
            mark(room, token, f"m-{i}", place)

    teacher = projected(pages(), room)
    expect(teacher.locator(".heat-box")).to_have_count(0)
    teacher.get_by_role("button", name="Not understood").click()
    expect(teacher.locator(".class-marks")).to_contain_text("3 marks here.")
    expect(teacher.locator(".heat-box[data-place='inspector:masks']")).to_have_text("1 person")
    warmest = teacher.locator(".heat-box[data-place='inspector:plot']")
    expect(warmest).to_have_text("2 people")
    teacher.wait_for_function(COVERS, arg=["[data-place='inspector:plot']", "#plot", False])
    teacher.get_by_role("button", name="Not understood").click()
    expect(teacher.locator(".heat-box").first).to_be_hidden()

    teacher.goto(f"{room.address}/class/{room.code}/desk")
    to_lesson = teacher.get_by_role("link", name="See it over the lesson “masks”")
    teacher.goto(f"{room.address}{to_lesson.get_attribute('href')}")
    box = teacher.locator(f".heat-box[data-place='{heading}']")
    expect(box).to_have_text("1 person")
    title = f"#{heading.split('#')[1]}"
    teacher.wait_for_function(COVERS, arg=[f"[data-place='{heading}']", title, True])


# Whether one element lies over another: exactly, or from its top down to what follows.
COVERS = """([above, below, further]) => {
  const [a, b] = [above, below].map((one) => document.querySelector(one).getBoundingClientRect());
  const near = (p, q) => Math.abs(p - q) < 2;
  const begins = near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width);
  return begins && (further ? a.height > 2 * b.height : near(a.height, b.height));
}"""


def enter(room: Class) -> str:
    """Somebody new in the class: their token."""
    return str(room.ask("POST", "/participants", {"nickname": None})["token"])


def mark(room: Class, token: str, item: str, place: str) -> None:
    replace(room, secret=token).ask(
        "PUT", f"/answers/questions/{item}", {"place": place, "note": ""}
    )
