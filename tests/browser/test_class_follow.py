"""A class in the browser: joining, following, looking around, a pause, and streams held back."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible
from tests.browser.classes import bar_of, joined, opened, projected, ready, text_of
from tests.browser.contexts import Pages

pytestmark = pytest.mark.browser


def test_a_class_follows_looks_around_and_comes_back(school: str, pages: Pages) -> None:
    room = opened(school)
    phone = joined(pages(390, 844, has_touch=True), room, "Ada")
    behind = pages()  # its proxy holds streams back
    behind.route("**/api/classes/**/events*", lambda route: None)
    joined(behind, room)
    bar_of(behind).to_contain_text("connected by polling")
    phone.locator("#sentences textarea").first.fill("This is my own.")
    teacher = projected(pages(1440, 900), room)
    room.ask("PATCH", "", {"mode": "follow"})
    teacher.locator("#sentences textarea").first.fill("The cat sat on the mat.")
    teacher.locator("#mute").click()
    for page in (phone, behind):
        text_of(page).to_have_value("The cat sat on the mat.")
        expect(page).to_have_url(re.compile("muted="))
        bar_of(page).to_contain_text("You see what your teacher shows.")

    phone.locator("#sentences textarea").first.press_sequentially(" Hm")
    bar_of(phone).to_contain_text("You are looking around.")
    teacher.locator("#sentences textarea").first.fill("The dog ran.")
    text_of(behind).to_have_value("The dog ran.")
    text_of(phone).to_have_value("The cat sat on the mat. Hm")
    phone.get_by_role("button", name="Back to your teacher").tap()
    text_of(phone).to_have_value("The dog ran.")

    room.ask("PATCH", "", {"mode": "pause"})
    expect(phone.get_by_text("Eyes up", exact=True)).to_be_visible()
    assert phone.evaluate("document.querySelector('#main').inert")
    room.ask("PATCH", "", {"mode": "explore", "timer": 5})
    expect(phone.get_by_text("Eyes up", exact=True)).to_be_hidden()
    bar_of(phone).to_contain_text(re.compile(r"[45]:\d\d left"))
    text_of(phone).to_have_value("The dog ran.")
    phone.get_by_role("button", name="Back to what I had").tap()
    text_of(phone).to_have_value("This is my own.")
    assert room.ask("GET", "/people")["people"][0]["nickname"] == "Ada"


def test_reloads_keep_who_one_is_and_links_leave_the_class_out(school: str, pages: Pages) -> None:
    room = opened(school)
    person = joined(pages(), room)
    person.reload()
    ready(person)
    person.goto(f"{room.address}/join")
    person.get_by_label("Code, as your teacher shows it").fill(room.code.lower())
    person.get_by_role("button", name="Join", exact=True).click()
    ready(person)
    assert len(room.ask("GET", "/people")["people"]) == 1
    teacher = projected(pages(), room)
    assert room.secret not in teacher.content()
    assert room.secret not in teacher.url
    expect(teacher.locator(".class-join")).to_contain_text(f"{room.code[:3]} {room.code[3:]}")
    # the picture may come after the words
    teacher.wait_for_function("() => document.querySelector('.class-qr').naturalWidth > 0")
    stranger = pages()
    stranger.goto(f"{room.address}/class/{room.code}")
    stranger.wait_for_url(f"**/join/{room.code}")


def test_what_the_teacher_opened_survives_a_reload_and_the_class_ends(
    school: str, pages: Pages
) -> None:
    room = opened(school)
    room.ask("PATCH", "", {"choice": "text=From+the+plan.&layer=1&head=2", "mode": "follow"})
    teacher = projected(pages(), room)
    text_of(teacher).to_have_value("From the plan.")
    person = joined(pages(), room, "<img src=x onerror=alert(1)>")
    text_of(person).to_have_value("From the plan.")
    room.ask("DELETE")
    bar_of(person).to_contain_text("This class has ended.")
    person.get_by_role("button", name="Go on without the class").click()
    person.wait_for_url(re.compile(r"/\?"))
    expect(person.locator(".class-bar")).to_have_count(0)
    text_of(person).to_have_value("From the plan.")


def test_the_join_page_says_what_is_wrong(school: str, pages: Pages) -> None:
    page = pages(320, 640)
    page.goto(f"{school}/join")
    code, go = page.get_by_label("Code, as"), page.get_by_role("button", name="Join", exact=True)
    code.fill("BCD")
    go.click()
    expect(page.locator("#said")).to_contain_text("seven letters and digits")
    accessible(page)
    page.route("**/participants", lambda route: route.abort())
    code.fill("BCDFGHJ")
    go.click()
    expect(page.locator("#said")).to_contain_text("The server does not answer")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
