"""The pages for teachers and the sheets for students, which give nothing away."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from server.app import create_app
from server.learning.workshop.reach import qr
from server.routes.teachers import GAMES, MATERIALS, TEACHERS
from server.settings import Settings
from tests.api.conftest import Serve
from tests.api.test_learn import HTML, Outline

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
    left = {"/", "/learn", *(one.path for one in MATERIALS if one.folder == GAMES)}
    while left:
        path = left.pop()
        seen.add(path)
        for link in Outline(page(real, path)).links:
            to = urlsplit(link).path
            assert to != GIVE_AWAY, path
            # the one door that says on it that it is for teachers
            if to.startswith("/learn") and to not in (TEACHERS, *seen):
                left.add(to)
    assert len(seen) > 12
    assert GIVE_AWAY in Outline(page(real, TEACHERS)).links


def test_links_of_a_students_sheet_name_no_head_and_no_setting(real: TestClient) -> None:
    for name, n_links in (("hunt", 5), ("detective", 7), ("bets", 4)):
        links = [
            link for link in Outline(page(real, f"{GAMES}/{name}")).links if link.startswith("/?")
        ]
        assert len(links) == n_links
        assert all(re.fullmatch(r"/\?quiz=[\w-]+", link) for link in links), name


def test_sheets_do_not_say_the_answers(real: TestClient) -> None:
    answers = page(real, GIVE_AWAY)
    for name in ("hunt", "detective", "bets", "cards"):
        sheet = page(real, f"{GAMES}/{name}")
        assert not re.findall(r"[Ll]ayer \d, head \d", sheet), name
        assert "What to say" not in sheet and "mends" not in sheet
    assert len(re.findall(r"[Ll]ayer \d, head \d", answers)) > 20


def test_plans_add_up(real: TestClient) -> None:
    text = page(real, TEACHERS)
    for heading, minutes in (("A workshop of 90 minutes", 90), ("A workshop of 45 minutes", 45)):
        table = text[text.index(heading) :].partition("</table>")[0]
        parts = [tuple(map(int, pair)) for pair in re.findall(r"<td>(\d+)–(\d+)</td>", table)]
        assert parts[0][0] == 0 and parts[-1][1] == minutes
        assert all(a[1] == b[0] for a, b in pairwise(parts))
        assert "Slack" in table and "Arrival" in table
        slack = re.findall(r"<td>(\d+)–(\d+)</td><td>Slack", table)
        assert sum(int(b) - int(a) for a, b in slack) == (8 if minutes == 90 else 3)
    assert "Eight of the 90 minutes are slack" in text


def test_slides_of_the_plan_exist(real: TestClient) -> None:
    slides = page(real, f"{TEACHERS}/slides")
    ids = re.findall(r'<section class="slide" id="([\w-]+)"', slides)
    assert len(ids) == len(set(ids)) >= 12
    for place, name in enumerate(ids, start=1):
        named = re.findall(rf'href="{TEACHERS}/slides#{name}">(\d+)', page(real, TEACHERS))
        assert all(int(number) == place for number in named), name


def test_the_address_that_was_opened_is_on_the_sheets(real: TestClient) -> None:
    for path in (TEACHERS, f"{TEACHERS}/join"):
        text = page(real, path)
        assert "http://192.168.1.20:8000" in text
        assert str(qr("http://192.168.1.20:8000")) in text
    assert str(qr(f"http://192.168.1.20:8000{GAMES}/hunt")) in page(real, f"{GAMES}/hunt")
    slides = page(real, f"{TEACHERS}/slides")
    for path in ("", "/learn", *(f"{GAMES}/{name}" for name in ("hunt", "detective", "bets"))):
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
