"""The pages for teachers and the sheets for students, which give nothing away."""

import base64
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from model.facts import facts
from server.api.routes.teachers import GAMES, JOIN, MATERIALS, TEACHERS
from server.app import create_app
from server.pages.assets.folders import STATIC
from server.pages.learning.workshop.deck import SLIDES, slides
from server.pages.learning.workshop.games import ARRIVAL, SUSPECTS, query_of, quiz
from server.pages.learning.workshop.plan import LONG, MINUTES, PEOPLE, SHORT, SUPPLIES, Plan
from server.pages.learning.workshop.reach import qr
from server.settings import Settings
from tests.api.conftest import Serve
from tests.api.test_learn import HTML, SLUGS, Outline

pytestmark = pytest.mark.long

GIVE_AWAY = f"{TEACHERS}/answers"


@pytest.fixture(scope="module")
def real() -> Iterator[TestClient]:
    """The shipped model, without the time that it takes to serve it."""
    yield TestClient(create_app(Settings(allowed_hosts=("*",), host="0.0.0.0")))


def page(client: TestClient, path: str, host: str = "192.168.1.20:8000") -> str:
    response = client.get(path, headers={**HTML, "Host": host})
    assert response.status_code == 200, path
    return response.text


def test_every_material_is_linked_from_the_page_for_teachers(real: TestClient) -> None:
    links = Outline(page(real, TEACHERS)).links
    for material in MATERIALS:
        assert material.path in links
        assert f"<h1>{material.title}" in page(real, material.path) or material.name == "join"


def test_nothing_that_students_open_leads_to_the_answers(real: TestClient) -> None:
    seen: set[str] = set()
    # what they open, and a page that there is not
    left = {"/", JOIN, "/docs", "/learn", "/learn/nothing"}
    left |= {one.path for one in MATERIALS if one.folder == GAMES}
    while left:
        path = left.pop()
        seen.add(path)
        response = real.get(path, headers={**HTML, "Host": "192.168.1.20:8000"})
        for link in Outline(response.text).links:
            to = urlsplit(link).path
            assert not to.startswith(TEACHERS), f"{path} leads to {link}"
            if to.startswith("/") and to not in seen:
                left.add(to)
    assert {f"/learn/{slug}" for slug in SLUGS} <= seen and len(seen) > len(SLUGS) + 8
    assert GIVE_AWAY in Outline(page(real, TEACHERS)).links, "the teacher finds them"
    scripts = [file for file in STATIC.rglob("*.js") if TEACHERS in file.read_text()]
    assert scripts == [], "nor does a link that a script makes"


def test_sheets_of_games_lead_to_no_page_with_labels(real: TestClient) -> None:
    for material in MATERIALS:
        text = page(real, material.path)
        is_closed = material.folder == GAMES
        assert ('aria-label="Pages"' in text) == (not is_closed), material.name
        links = {link for link in Outline(text).links if not link.startswith(("/?", "#"))}
        assert (links & {"/", "/learn", "/docs"} == set()) == is_closed, material.name
        assert 'class="brand"' in text and 'id="scheme"' in text, material.name


def test_students_begin_with_a_quiz_on_a_sentence_of_no_game(real: TestClient) -> None:
    response = real.get(JOIN, follow_redirects=False)
    to = urlsplit(response.headers["location"])
    assert (response.status_code, to.path) == (307, "/")
    [seal] = parse_qs(to.query)["quiz"]
    assert base64.urlsafe_b64decode(seal + "=" * (-len(seal) % 4)).decode() == ARRIVAL
    text = page(real, TEACHERS)
    plans = text[text.index('id="plan"') : text.index('id="print"')]
    assert plans.count(f'href="{JOIN}"') == sum(
        bool(step.shows) for step in (*LONG.steps, *SHORT.steps)
    )
    assert 'href="/"' not in plans, "the plain page shows every label"


def test_links_of_a_students_sheet_name_no_head_and_no_setting(real: TestClient) -> None:
    for name, n_links in (("hunt", 5), ("detective", 7), ("bets", 4)):
        links = [
            link for link in Outline(page(real, f"{GAMES}/{name}")).links if link.startswith("/?")
        ]
        assert len(links) == n_links
        assert all(re.fullmatch(r"/\?quiz=[\w-]+", link) for link in links), name
        sealed = [
            base64.urlsafe_b64decode(f"{link.partition('=')[2]}==").decode() for link in links
        ]
        assert all("closed=1" in each.split("&") for each in sealed), name


def test_sheets_do_not_say_the_answers(real: TestClient) -> None:
    answers = page(real, GIVE_AWAY)
    for name in ("hunt", "detective", "bets", "cards"):
        sheet = page(real, f"{GAMES}/{name}")
        assert not re.findall(r"[Ll]ayer \d, head \d", sheet), name
        assert "What to say" not in sheet and "put it right" not in sheet
    assert len(re.findall(r"[Ll]ayer \d, head \d", answers)) > 20


def test_the_teacher_alone_can_reveal_a_picture(real: TestClient) -> None:
    links = Outline(page(real, GIVE_AWAY)).links
    assert {quiz(query_of(one, depth="start")) for one in SUSPECTS} <= set(links)
    assert not any("Reveal" in page(real, f"{GAMES}/{name}") for name in ("detective", "hunt"))


def test_all_rules_of_the_bets_count_only_heads_that_help(real: TestClient) -> None:
    for path, start, stop in (
        (GIVE_AWAY, ' id="bets"', "<table"),
        (TEACHERS, '<h3 id="bets"', "<h3"),
        (f"{TEACHERS}/slides", ' id="bets"', "</section>"),
        (f"{GAMES}/bets", "<article", "<table"),
    ):
        text = page(real, path)
        rules = text[text.index(start) + len(start) :].partition(stop)[0]
        assert re.search("count only|only heads that help|Only heads that help", rules, re.I), path


def test_the_guide_to_a_live_class_can_be_opened(real: TestClient) -> None:
    text = page(real, TEACHERS)
    live = text[text.index('<h2 id="live"') :].partition("<h2")[2].partition("<h2")[0]
    assert 'href="/help/class"' in live and 'href="#live"' in text
    assert real.get("/help/class").status_code == 200


def test_each_slide_of_a_part_can_be_opened(real: TestClient) -> None:
    links = Outline(page(real, TEACHERS)).links
    assert {f"{TEACHERS}/slides#{name}" for name in ("mask", "heads", "cause")} <= set(links)


def test_no_slide_links_to_the_answers(real: TestClient) -> None:
    slides = page(real, f"{TEACHERS}/slides")
    assert not [link for link in Outline(slides).links if link.startswith(TEACHERS)]
    text = page(real, TEACHERS)
    before = text[text.index('id="before"') :].partition("</ol>")[0]
    assert "<kbd>F</kbd>" in before and "extend the desktop" in before


@pytest.mark.parametrize(("plan", "name", "minutes"), [(LONG, "plan", 90), (SHORT, "short", 45)])
def test_a_plan_adds_up(real: TestClient, plan: Plan, name: str, minutes: int) -> None:
    assert sum(step.minutes for step in plan.steps) == plan.minutes == minutes
    text = page(real, TEACHERS)
    assert re.search(rf'<h2 id="{name}">A workshop of {minutes} minutes</h2>', text)
    table = text[text.index(f'<h2 id="{name}"') :].partition("</table>")[0]
    parts = [tuple(map(int, pair)) for pair in re.findall(r"<td>(\d+)–(\d+)</td>", table)]
    assert len(parts) == len(plan.steps)
    assert parts[0][0] == 0 and parts[-1][1] == minutes
    assert all(a[1] == b[0] for a, b in pairwise(parts))
    assert plan.steps[0].title == "Arrival" and plan.steps[-1].title.startswith("Slack")
    assert (
        plan.slack
        == sum(step.minutes for step in plan.steps if step.title.startswith("Slack"))
        >= minutes / 15
    )
    assert f"{plan.slack} of the {minutes} minutes are slack" in text
    for step in plan.steps:
        assert 0 <= step.saves < step.minutes or step.title == "Vote and reveal", step.title
        assert bool(step.late) != step.title.startswith("Slack"), step.title
        assert not step.about or f'id="{step.about}"' in text, step.title
    assert plan.saves >= minutes / 5, "enough to leave out"


def test_the_parts_of_a_game_fill_its_minutes(real: TestClient) -> None:
    text = page(real, TEACHERS)
    for game, minutes in MINUTES.items():
        part = re.split(r"<h[23]", text[text.index(f' id="{game}"') :])[0]
        assert re.search(rf"(<b>|<p>){minutes} minutes", part), game
        parts = [int(each) for each in re.findall(r"<b>(\d+) minutes?:</b>", part)]
        assert sum(parts) == minutes or (not parts and game in ("start", "masks", "heads")), game
    short = {step.about: step.minutes for step in SHORT.steps}
    assert short["cards"] == 3 + 9, "without the round with a mask"
    assert short["bets"] >= 1 + 3 * 2.5, "the rules and three rounds"
    assert MINUTES["detective"] - next(s.saves for s in LONG.steps if s.about == "detective") >= 8


def test_there_is_enough_for_everyone(real: TestClient) -> None:
    text = page(real, TEACHERS)
    assert (PEOPLE[0], PEOPLE[-1]) == (8, 40) and "works for 8 to 40 people" in text
    for supply in SUPPLIES:
        numbers = [supply.number(people) for people in PEOPLE]
        row = text[text.index(supply.name) :].partition("</tr>")[0]
        assert [int(each) for each in re.findall(r"<td>(\d+)</td>", row)] == numbers
        for people, number in zip(PEOPLE, numbers, strict=True):
            assert number * supply.shared_by >= people * supply.each, supply.name
    assert "thirty" not in page(real, "/learn"), "one list of numbers"


def test_slides_of_the_plan_exist(real: TestClient) -> None:
    shown = page(real, f"{TEACHERS}/slides")
    ids = re.findall(r'<section class="slide" id="([\w-]+)"', shown)
    assert tuple(ids) == tuple(SLIDES) and len(set(ids)) == len(ids)
    text = page(real, TEACHERS)
    named = re.findall(rf'href="{TEACHERS}/slides#([\w-]+)">(?:slides? )?(\d+)', text)
    assert len(named) > 15
    for name, number in named:
        assert ids.index(name) + 1 == int(number), name
    assert not re.search(r"[Ss]lides? \d+(?!\d|</a>|–\d+</a>| and \d+ in one| only)", text)


def test_a_head_that_looks_is_shown_after_the_hunt() -> None:
    for plan in (LONG, SHORT):
        [bets] = [step for step in plan.steps if step.about == "bets"]
        assert bets.slides == slides("found", "bets")
        hunt = [step for step in plan.steps if step.about == "hunt"]
        assert all(step.slides == slides("hunt") for step in hunt)


def test_only_the_first_question_comes_before_the_games(real: TestClient) -> None:
    text = page(real, TEACHERS)
    vote = text[text.index('id="vote"') : text.index('id="cards"')]
    before, after = vote.split("only after muting bets")
    assert "/learn/heads" not in after and "/learn/muting" not in after
    assert before.index("/learn/averaging") < before.index("Other good ones")


def test_groups_are_the_teams(real: TestClient) -> None:
    sets = next(supply for supply in SUPPLIES if supply.name.startswith("Sets of cards"))
    for name in ("Hunt sheets", "Bet sheets"):
        sheets = next(supply for supply in SUPPLIES if supply.name == name)
        for people in PEOPLE:
            assert sheets.number(people) == sets.number(people), name


def test_sheets_say_how_to_choose_a_row(real: TestClient) -> None:
    for name in ("hunt", "bets"):
        assert "click its word above the pictures" in page(real, f"{GAMES}/{name}")
    assert "[BOS] is a token that the model puts before every text." in page(real, f"{GAMES}/hunt")
    pairs = page(real, f"{GAMES}/pairs")
    for option in facts("masks")["rows"]["padding"]["choose"]["options"]:
        assert f"“{option['label']}”" in pairs
    assert "Padding pairs is not a quiz" in page(real, TEACHERS)


def test_the_address_that_was_opened_is_on_the_sheets(real: TestClient) -> None:
    for path in (TEACHERS, f"{TEACHERS}/join"):
        text = page(real, path)
        assert f"http://192.168.1.20:8000{JOIN}" in text
        assert str(qr(f"http://192.168.1.20:8000{JOIN}")) in text
    assert str(qr(f"http://192.168.1.20:8000{GAMES}/hunt")) in page(real, f"{GAMES}/hunt")
    slides = page(real, f"{TEACHERS}/slides")
    for path in (JOIN, "/learn", *(f"{GAMES}/{name}" for name in ("hunt", "detective", "bets"))):
        assert str(qr(f"http://192.168.1.20:8000{path}")) in slides, path
    other = page(real, f"{TEACHERS}/join", "headlight.school.example")
    assert "http://headlight.school.example" in other and "192.168.1.20" not in other


@pytest.mark.parametrize(
    "host", ["a:x", "<script>alert(1)</script>", "evil b", 'evil"><b>', "evil" * 80]
)
def test_a_host_that_is_none_is_never_shown(real: TestClient, host: str) -> None:
    for path in (TEACHERS, *(material.path for material in MATERIALS)):
        text = page(real, path, host)
        assert host not in text and "evil" not in text


def test_a_server_that_only_its_own_machine_reaches_says_what_to_do(serve: Serve) -> None:
    client = serve(host="127.0.0.1", allowed_hosts="localhost")
    for path in (TEACHERS, f"{TEACHERS}/join"):
        text = page(client, path, "localhost:8000")
        assert "headlight serve --host 0.0.0.0" in text and 'class="qr"' not in text
        assert "listens to this computer alone" in text
    assert "HEADLIGHT_ALLOWED_HOSTS" in page(client, TEACHERS, "localhost:8000")


def test_a_model_that_cannot_be_used_is_named_as_the_reason(tmp_path: Path) -> None:
    app = create_app(Settings(shipped=tmp_path, allowed_hosts=("*",)))
    client = TestClient(app)
    for material in MATERIALS:
        text = page(client, material.path)
        assert ("this server cannot use it" in text) == material.measured, material.name


def test_unknown_material_is_not_found(real: TestClient) -> None:
    for path in (f"{TEACHERS}/nothing", f"{GAMES}/answers", f"{GAMES}/slides", f"{TEACHERS}/hunt"):
        response = real.get(path, headers=HTML)
        assert response.status_code == 404
        assert "There is no such lesson" in response.text
        assert real.get(path).json()["error"]["code"] == "not_found"
