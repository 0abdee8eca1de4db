"""Pages in the reader's language, and in the one that shows what no catalogue reaches."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from scripts import live
from server.languages.pseudo import END
from server.languages.table import LANGUAGES
from tests.browser.appearances import accessible, appearances, resize
from tests.browser.classes import opened, ready
from tests.browser.contexts import Contexts, Pages
from tests.browser.inspector import Inspector
from tests.browser.translated import ASIDE, CUT, raw

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def closed() -> Iterator[str]:
    with live.serving(password="open sesame") as address:
        yield address


def test_every_word_of_the_form_that_joins_a_class_is_translated_and_has_room(
    pages: Pages, school: str
) -> None:
    page = pages()
    page.goto(f"{school}/join?lang=en-XA")
    for code in ("", "ABC", "BCDFGHJ"):  # none; one that is too short; one of no class
        page.locator("#code").fill(code)
        page.locator("#code").evaluate("(it) => it.removeAttribute('required')")
        page.locator("#go").click()
        expect(page.locator("#said")).to_contain_text(END)
        for width in (1440, 390, 320):
            resize(page, width, 800)
            assert (raw(page), page.evaluate(ASIDE), page.evaluate(CUT)) == ([], 0, []), width


def test_every_word_of_the_password_s_page_is_translated_and_has_room(
    contexts: Contexts, closed: str
) -> None:
    with contexts.page(320, 640) as page:
        page.goto(f"{closed}/?lang=en-XA")
        for _ in range(2):
            assert (raw(page), page.evaluate(ASIDE), page.evaluate(CUT)) == ([], 0, [])
            page.locator("#password").fill("shut sesame")
            page.locator("button").click()
            expect(page.locator("#problem")).to_contain_text(END)


TEXT = "The keys near the old cabinet are"


@pytest.mark.parametrize("query", ["depth=start", "depth=full", "depth=full&model=scratch"])
def test_every_word_of_the_inspector_is_translated_and_has_room(
    pages: Pages, server: str, query: str
) -> None:
    page = pages()
    page.goto(f"{server}/?lang=en-XA&text={TEXT}&{query}")
    expect(page.locator("html")).to_have_attribute("data-state", "ready")
    for width in (1440, 1024, 390):
        resize(page, width, 900)
        assert (raw(page, "EN"), page.evaluate(ASIDE)) == ([], 0), width


def test_every_word_of_the_views_and_panels_is_translated(pages: Pages, server: str) -> None:
    page = pages()
    page.goto(f"{server}/?lang=en-XA&depth=full&text={TEXT}")
    inspector = Inspector(page, server).probed().ready()
    for choice in page.locator("#view input").all():
        choice.evaluate("(it) => it.click()")
        inspector.ready()
        page.wait_for_load_state("networkidle")
        assert raw(page, "EN", "FF") == [], choice.get_attribute("value")
    for tab in page.locator("#right-tabs [role=tab]").all():
        tab.evaluate("(it) => it.click()")
        inspector.ready()
        page.wait_for_load_state("networkidle")
        assert raw(page, "EN", "FF") == [], tab.get_attribute("id")


@pytest.mark.parametrize("path", ["/train", "/study"])
def test_every_word_of_a_page_is_translated(pages: Pages, server: str, path: str) -> None:
    page = pages()
    page.goto(f"{server}{path}?lang=en-XA")
    page.wait_for_load_state("networkidle")
    assert (raw(page, "EN", "{place}", "{thing}"), page.evaluate(ASIDE)) == ([], 0)


def test_the_inspector_keeps_what_it_shows_in_another_language(pages: Pages, server: str) -> None:
    page = pages()
    page.goto(f"{server}/?text={TEXT}&layer=1&head=2")
    page.get_by_role("button", name="Language: English").click()
    page.get_by_role("link", name="Deutsch").click()
    expect(page.locator("#head-title")).to_have_text("Schicht 1 · Kopf 2")
    expect(page.locator("#sentences textarea")).to_have_value(TEXT)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Teilen").click()
    expect(page.get_by_role("button", name="Link kopiert")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").endswith("&lang=de")
    page.goto(f"{server}/train")
    expect(page.get_by_role("button", name="Sprache: Deutsch")).to_be_visible()


@pytest.mark.parametrize("code", ["de", "ar"])
def test_an_inspector_in_another_language_is_accessible(
    pages: Pages, server: str, code: str
) -> None:
    page = pages(1440, 900)
    page.goto(f"{server}/?lang={code}&depth=full&text={TEXT}")
    page.locator("html[data-state=ready]").wait_for(state="attached")
    for _ in appearances(page):
        accessible(page)


def test_matrices_run_from_left_to_right_in_arabic_too(pages: Pages, server: str) -> None:
    page = pages()
    page.goto(f"{server}/?lang=ar&depth=full&text={TEXT}")
    page.locator("html[data-state=ready]").wait_for(state="attached")
    heads, picture = page.locator(".heads").bounding_box(), page.locator(".head").bounding_box()
    assert heads is not None and picture is not None and heads["x"] > picture["x"]
    chips = [chip.bounding_box() for chip in page.locator("#chips .chip").all()]
    places = [chip["x"] for chip in chips if chip is not None]
    assert places == sorted(places) and len(places) > 5


def test_a_reader_chooses_a_language_and_keeps_it(pages: Pages, school: str) -> None:
    page = pages()
    page.goto(f"{school}/join/BCDFGHJ")
    page.get_by_role("link", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Der Klasse beitreten")).to_be_visible()
    expect(page.locator("#code")).to_have_value("BCDFGHJ")
    page.get_by_role("button", name="Beitreten").click()
    expect(page.locator("#said")).to_contain_text("Zu diesem Code gibt es keine laufende Klasse")
    page.goto(f"{school}/join")
    expect(page.get_by_role("navigation", name="Sprache")).to_be_visible()


def test_arabic_runs_from_right_to_left_and_codes_do_not(pages: Pages, school: str) -> None:
    page = pages(390, 844)
    page.goto(f"{school}/join?lang=ar")
    heading = page.locator("main h1").bounding_box()
    code = page.locator("#code")
    assert heading is not None and heading["x"] + heading["width"] > 340
    assert page.locator("main h1").evaluate("(it) => getComputedStyle(it).direction") == "rtl"
    assert code.evaluate("(it) => getComputedStyle(it).direction") == "ltr"


@pytest.mark.parametrize("code", [each.code for each in LANGUAGES])
def test_it_is_accessible_in_each_language(pages: Pages, school: str, code: str) -> None:
    page = pages(390, 844)
    page.goto(f"{school}/join?lang={code}")
    for _ in appearances(page):
        accessible(page)
    assert page.evaluate(ASIDE) == 0


def test_a_german_teacher_and_a_chinese_phone_are_in_one_class(
    contexts: Contexts, school: str
) -> None:
    room = opened(school)
    room.ask("PATCH", "", {"choice": f"text={TEXT}&layer=2&head=3", "mode": "follow"})
    with (
        contexts.page(1280, 900, locale="de-DE") as desk,
        contexts.page(390, 844, locale="zh-CN") as phone,
    ):
        desk.goto(f"{school}/class/{room.code}/desk#{room.secret}")
        expect(desk.get_by_role("heading", name="Die Klasse sieht")).to_be_visible()
        phone.goto(f"{school}/join/{room.code}")
        phone.get_by_role("button", name="加入", exact=True).click()
        ready(phone)
        expect(phone.locator("#head-title")).to_have_text("第 2 层 · 头 3")
        expect(phone.locator(".class-bar")).to_contain_text("你看到的是老师展示的内容")
        question = {"text": "Was kommt danach?", "choices": ["is", "are"], "correct": 1}
        asked = {"kind": "vote", "question": question}
        name = room.ask("POST", "/activities", asked)["id"]
        phone.locator(".class-activity").get_by_role("button", name="are").click()
        expect(phone.locator(".class-activity .class-said")).to_contain_text("。")
        room.ask("PATCH", f"/activities/{name}", {"phase": "revealed"})
        expect(phone.locator(".class-activity")).to_contain_text("✓ 正确")
        expect(desk.locator("#now")).to_contain_text("richtig")


@pytest.mark.parametrize("engine", ["page", "server"])
def test_a_text_that_is_too_long_is_refused_in_the_reader_s_language(
    pages: Pages, server: str, engine: str
) -> None:
    page = pages()
    inspector = Inspector(page, server)
    inspector.open(f"/?lang=de&engine={engine}&text={TEXT}")
    page.locator("textarea").first.fill("The keys " * 600)
    words = re.compile("Text.1.? hat 1.201 Tokens; .?shipped.? verarbeitet höchstens")
    told = page.get_by_text(words)
    expect(told.filter(visible=True).first).to_be_visible()
    inspector.errors = [one for one in inspector.errors if "422" not in one]


def test_a_link_that_names_a_language_alone_is_a_first_visit(pages: Pages, server: str) -> None:
    inspector = Inspector(pages(), server)
    inspector.open("/?lang=zh-Hans")
    expect(inspector.page.locator("html")).to_have_attribute("data-depth", "start")
    inspector.open(f"/?lang=zh-Hans&text={TEXT}")
    expect(inspector.page.locator("html")).to_have_attribute("data-depth", "full")


def test_sums_are_right_where_decimals_have_a_comma(pages: Pages, server: str) -> None:
    inspector = Inspector(pages(), server)
    inspector.open(f"/?lang=de&view=inside&depth=full&text={TEXT}&layer=2&head=3")
    line = inspector.page.locator(".inside-line").first
    expect(line).to_contain_text("× 0,25")
    assert "NaN" not in inspector.page.locator("main").inner_text()
