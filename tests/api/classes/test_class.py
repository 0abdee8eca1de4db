"""A class over HTTP: who may do what, and what each of them sees."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from server.classes.codes import read_code
from server.classes.documents import AWAY_MS
from server.classes.session import now_ms
from server.classes.stores.sqlite import FILE
from server.pages.learning.workshop.reach import qr
from tests.api.classes.conftest import HEADER, VOTE, Caller, Joining

pytestmark = pytest.mark.long


def test_people_see_what_the_teacher_shows(teacher: Caller, join: Joining) -> None:
    ada = join("Ada")
    before = ada.document()
    assert before["role"] == "participant"
    assert "desk" not in before
    change = {"mode": "follow", "choice": "text=The+cat&layer=1", "timer": 5}
    revision = teacher.ask("PATCH", "", change)["revision"]
    seen = ada.document()
    assert seen["revision"] == revision == before["revision"] + 1
    assert (seen["mode"], seen["choice"]) == ("follow", "text=The+cat&layer=1")
    assert 0 < seen["timer"]["ends"] - seen["now"] <= 5 * 60_000
    assert teacher.ask("PATCH", "", {"mode": "follow"})["revision"] == revision  # nothing new
    assert ada.ask("GET", f"?after={revision}") is None


def test_a_person_can_change_nothing_for_others(teacher: Caller, join: Joining) -> None:
    teacher.ask("POST", "/activities", {"kind": "vote", "question": VOTE})
    ada = join()
    before = teacher.document()
    for method, path, body in (
        ("PATCH", "", {"mode": "pause"}),
        ("DELETE", "", None),
        ("POST", "/activities", {"kind": "vote", "question": VOTE}),
        ("PATCH", "/activities/a1", {"phase": "revealed"}),
        ("DELETE", "/activities/a1", None),
        ("GET", "/people", None),
        ("GET", "/work", None),
        ("PATCH", "/people/x", {"removed": True}),
        ("PATCH", "/answers/a1/x/0", {"hidden": True}),
    ):
        assert ada.ask(method, path, body, status=403)["error"]["code"] == "not_teacher"
    after = teacher.document()
    assert after | {"now": 0} == before | {"now": 0}


@pytest.mark.parametrize("token", ["", "t_" + "a" * 32, "p_" + "a" * 32, "p_ä", "x" * 5_000])
def test_without_a_token_of_the_class_there_is_nothing_to_see(teacher: Caller, token: str) -> None:
    sent = {HEADER.encode(): token.encode()}
    answer = teacher.client.get(f"/api/classes/{teacher.code}", headers=sent)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "not_in_class")


def test_a_join_that_is_repeated_is_one_person(teacher: Caller) -> None:
    address = f"/api/classes/{teacher.code}/participants"
    own = {"nickname": "Ada", "again": "p_" + "a" * 32}
    first, second = (teacher.client.post(address, json=own).json() for _ in range(2))
    assert first == second
    assert len(teacher.ask("GET", "/people")["people"]) == 1


def test_a_question_brings_its_picture_to_everybody(teacher: Caller, join: Joining) -> None:
    ada = join()
    assert ada.document()["mode"] == "explore"
    teacher.ask("POST", "/activities", {"kind": "vote", "question": VOTE})  # which is of no picture
    assert (ada.document()["mode"], ada.document()["choice"]) == ("explore", "")
    question = {**VOTE, "choice": "text=The+mat&depth=start"}
    teacher.ask("POST", "/activities", {"kind": "vote", "question": question})
    seen = ada.document()
    assert (seen["mode"], seen["choice"]) == ("follow", "text=The+mat&depth=start")
    assert seen["activity"]["question"]["choice"] == seen["choice"]


def test_an_answer_is_revealed_with_its_reason_and_its_picture(
    teacher: Caller, join: Joining
) -> None:
    ada = join()
    more = {"choice": "text=The+cat", "why": "It is she.", "reveals": "text=The+cat&muted=2.3"}
    question = {**VOTE, **more}
    name = teacher.ask("POST", "/activities", {"kind": "vote", "question": question})["id"]
    assert not {"why", "reveals", "correct"} & ada.document()["activity"]["question"].keys()
    teacher.ask("PATCH", "", {"mode": "explore"})
    teacher.ask("PATCH", f"/activities/{name}", {"phase": "revealed"})
    seen = ada.document()
    assert (seen["mode"], seen["choice"]) == ("follow", more["reveals"])
    assert seen["activity"]["question"]["why"] == more["why"]
    teacher.ask("PATCH", "", {"choice": "text=On"})
    teacher.ask("PATCH", f"/activities/{name}", {"phase": "revealed"})  # a repeated request
    assert ada.document()["choice"] == "text=On"
    teacher.ask("PATCH", f"/activities/{name}", {"phase": "closed"})
    assert "why" not in ada.document()["activity"]["question"]


def test_the_teacher_says_where_people_join(teacher: Caller, join: Joining) -> None:
    ada = join()
    assert ada.document()["address"] is None
    picture = f"/class/{teacher.code}/qr.svg"
    before = teacher.client.get(picture).text
    teacher.ask("PATCH", "", {"address": "http://192.168.1.20:8000"})
    assert ada.document()["address"] == "http://192.168.1.20:8000"
    assert teacher.client.get(picture).text == str(
        qr(f"http://192.168.1.20:8000/join/{teacher.code}")
    ).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    assert before != teacher.client.get(picture).text
    for wrong in ("192.168.1.20", "http://a/b", "ftp://a", "http://a b", "http://"):
        refused = teacher.ask("PATCH", "", {"address": wrong}, status=422)
        assert refused["error"]["field"] == "address"


def test_answers_are_hidden_until_they_are_revealed(teacher: Caller, join: Joining) -> None:
    people = [join() for _ in range(3)]
    name = teacher.ask("POST", "/activities", {"kind": "vote", "question": VOTE})["id"]
    for person, choice in zip(people, (0, 0, 1), strict=True):
        person.ask("PUT", f"/answers/{name}/0", {"choice": choice})
        person.ask("PUT", f"/answers/{name}/0", {"choice": choice})  # a repeated request
    seen = people[0].document()
    assert seen["activity"]["results"] is None
    assert "correct" not in seen["activity"]["question"]
    assert seen["mine"] == {name: {"1": {"0": {"choice": 0}}}}
    desk = teacher.document(desk=1)["desk"]
    assert (desk["answered"], desk["results"]["rounds"]) == (3, [[2, 1]])

    teacher.ask("PATCH", f"/activities/{name}", {"phase": "talk"})
    people[0].ask("PUT", f"/answers/{name}/0", {"choice": 1}, status=409)
    assert people[0].document()["activity"]["phase"] == "talk"
    teacher.ask("PATCH", f"/activities/{name}", {"round": 2})
    for person in people:
        person.ask("PUT", f"/answers/{name}/0", {"choice": 1})
    teacher.ask("PATCH", f"/activities/{name}", {"phase": "revealed"})
    shown = people[0].document()["activity"]
    assert shown["results"] == {"rounds": [[2, 1], [0, 3]], "n": [3, 3], "correct": 1}
    assert shown["question"]["correct"] == 1
    late = people[0].ask("PUT", f"/answers/{name}/0", {"choice": 0}, status=409)
    assert late["error"]["code"] == "closed"


def test_a_choice_replaces_only_what_its_sender_has_seen(teacher: Caller) -> None:
    teacher.ask("PATCH", "", {"choice": "depth=present", "over": ""})
    late = teacher.ask("PATCH", "", {"choice": "text=a", "over": "", "frozen": True}, status=409)
    assert late["error"]["code"] == "overtaken"
    shown = teacher.document()
    assert (shown["choice"], shown["frozen"]) == ("depth=present", False)
    for _ in range(2):  # a repeated request
        teacher.ask("PATCH", "", {"choice": "text=a", "over": "depth=present"})
    teacher.ask("PATCH", "", {"choice": "text=b"})
    assert teacher.document()["choice"] == "text=b"


def test_a_freeze_stops_answers(teacher: Caller, join: Joining) -> None:
    ada = join()
    teacher.ask("POST", "/activities", {"kind": "vote", "question": VOTE})
    teacher.ask("PATCH", "", {"frozen": True})
    assert ada.ask("PUT", "/answers/a1/0", {"choice": 1}, status=409)["error"]["code"] == "frozen"
    teacher.ask("PATCH", "", {"frozen": False})
    ada.ask("PUT", "/answers/a1/0", {"choice": 1})


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/answers/a1/0", {"choice": 2}, 422),
        ("/answers/a1/0", {"choice": "1"}, 422),
        ("/answers/a1/0", {"choice": 1, "more": 1}, 422),
        ("/answers/a1/0", [1], 422),
        ("/answers/a1/1", {"choice": 1}, 409),
        ("/answers/a1/UPPER", {"choice": 1}, 422),
        ("/answers/a1/" + "x" * 25, {"choice": 1}, 422),
        ("/answers/a2/0", {"choice": 1}, 404),
    ],
)
def test_wrong_answers_are_refused(
    teacher: Caller, join: Joining, path: str, body: object, status: int
) -> None:
    teacher.ask("POST", "/activities", {"kind": "vote", "question": VOTE})
    ada = join()
    ada.ask("PUT", "/answers/a1/0", {"choice": 0})
    ada.ask("PUT", path, body, status=status)
    assert ada.document()["mine"] == {"a1": {"1": {"0": {"choice": 0}}}}


def test_a_class_cannot_make_anything_open_another_address(teacher: Caller) -> None:
    for choice in ("url=http://example.org", "http://example.org/?text=a", "text=a#b", "text"):
        refused = teacher.ask("PATCH", "", {"choice": choice}, status=422)
        assert refused["error"]["field"] == "choice"


def test_people_can_be_hidden_and_taken_out(teacher: Caller, join: Joining) -> None:
    ada, bob = join("Ada"), join("Bob\u202e\n <i>")
    there = teacher.ask("GET", "/people")["people"]
    assert [each["nickname"] for each in there] == ["Ada", "Bob <i>"]
    teacher.ask("PATCH", f"/people/{there[0]['id']}", {"hidden": True})
    teacher.ask("PATCH", f"/people/{there[1]['id']}", {"removed": True})
    left = teacher.ask("GET", "/people")["people"]
    assert [(each["hidden"], each["removed"], each["here"]) for each in left] == [
        (True, False, True),
        (False, True, False),
    ]
    assert ada.document()["people"] == 1
    assert bob.ask("GET", status=403)["error"]["code"] == "removed"
    again = {"again": bob.token}
    assert bob.ask("POST", "/participants", again, status=403)["error"]["code"] == "removed"
    teacher.ask("PATCH", f"/people/{there[1]['id']}", {"removed": False})
    assert bob.ask("POST", "/participants", again)["id"] == there[1]["id"]
    assert ada.document()["people"] == 2


def test_when_the_class_ends_nothing_is_left(
    teacher: Caller, join: Joining, tmp_path: Path
) -> None:
    ada = join("Ada")
    teacher.ask("POST", "/activities", {"kind": "vote", "question": VOTE})
    ada.ask("PUT", "/answers/a1/0", {"choice": 0})
    teacher.ask("DELETE")
    assert ada.ask("GET", status=404)["error"]["code"] == "no_class"
    with closing(sqlite3.connect(tmp_path / "store" / FILE)) as db:
        for table in ("classes", "people", "answers"):
            assert db.execute(f"SELECT * FROM {table}").fetchall() == []


def test_classes_survive_the_server(
    teacher: Caller, join: Joining, classes: Callable[..., TestClient]
) -> None:
    ada = join("Ada")
    teacher.ask("POST", "/activities", {"kind": "vote", "question": VOTE})
    ada.ask("PUT", "/answers/a1/0", {"choice": 1})
    before = ada.document()
    later = Caller(classes(), ada.code, ada.token)
    assert later.document() | {"now": 0} == before | {"now": 0}


def test_a_class_has_room_for_so_many(classes: Callable[..., TestClient]) -> None:
    client = classes(class_people=1, classes_max=1)
    code = client.post("/api/classes", json={}).json()["code"]
    address = f"/api/classes/{code}/participants"
    assert client.post(address, json={}).status_code == 201
    refused = client.post(address, json={})
    assert (refused.status_code, refused.json()["error"]["limit"]) == (409, 1)
    assert client.post("/api/classes", json={}).json()["error"]["code"] == "too_many_classes"


def test_words_that_the_teacher_does_not_want(
    classes: Callable[..., TestClient], tmp_path_factory: pytest.TempPathFactory
) -> None:
    words = tmp_path_factory.mktemp("words") / "words.txt"
    words.write_text("Darn\n\nnaïve\ntwo words\n笨蛋\nโง่\nबुरा\n", encoding="utf-8")
    client = classes(class_words=words)
    code = client.post("/api/classes", json={}).json()["code"]
    for name, status in (
        *(("DARN it", 422), ("Naive", 422), ("Darnell", 201), ("Two, words", 422)),
        # of the lists that come with Headlight; a name that only looks like one is none
        *(("Scheisse", 422), ("la PUTA madre", 422), ("傻逼", 422), ("Essex", 201)),
        # what insults in one language is harmless in another: end, hour, turkey, delay, and got
        *((each, 201) for each in ("slut", "hora", "Pute", "retard", "fick", "göt", "Troia")),
        *(("你是笨蛋吗", 422), ("笨", 201), ("คนโง่จริง", 422), ("बुरा है", 422), ("बुराई", 201)),
    ):
        joined = client.post(f"/api/classes/{code}/participants", json={"nickname": name})
        assert joined.status_code == status, name


def test_who_asks_too_fast_waits_and_others_do_not(teacher: Caller, join: Joining) -> None:
    eager, calm = join(), join()
    for _ in range(60):
        answer = teacher.client.get(f"/api/classes/{eager.code}", headers={HEADER: eager.token})
        if answer.status_code == 429:
            break
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
    calm.document()


def test_without_classes_the_server_says_so(client: TestClient) -> None:
    for answer in (client.post("/api/classes", json={}), client.get("/api/classes/BCDFGHJ")):
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_classes")


def test_given_classes_are_opened_from_the_command_line(classes: Callable[..., TestClient]) -> None:
    refused = classes(classes="given").post("/api/classes", json={})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "classes_given")


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("bcd fghj", "BCDFGHJ"),
        ("ＢＣＤ　ｆｇｈｊ", "BCDFGHJ"),
        (" BCD-FGHJ\n", "BCDFGHJ"),
        ("BCDFGH", None),
        ("BCDFGH0", None),
    ],
)
def test_codes_are_read_as_people_type_them(typed: str, code: str | None) -> None:
    assert read_code(typed) == code


def test_the_wall_is_live_and_moderated(teacher: Caller, join: Joining) -> None:
    teacher.ask("PATCH", "", {"checks": False})
    teacher.ask("POST", "/activities", {"kind": "wall", "question": {"text": "What did you find?"}})
    ada, bob = join("Ada"), join()
    find = {"choice": "text=a", "sentence": "Here."}
    revision = bob.document()["revision"]
    for item in range(5):
        ada.ask("PUT", f"/answers/a1/f{item}", find)
    assert ada.ask("PUT", "/answers/a1/f5", find, status=409)["error"]["limit"] == 5
    ada.ask("DELETE", "/answers/a1/f0")
    ada.ask("PUT", "/answers/a1/f5", find)
    seen = bob.document()
    assert seen["revision"] > revision
    found = seen["activity"]["results"]["finds"]
    assert len(found) == 5
    assert "Ada" not in str(seen)
    teacher.ask("PATCH", f"/answers/a1/{found[0]['person']}/f5", {"hidden": True})
    assert len(bob.document()["activity"]["results"]["finds"]) == 4
    kept = teacher.document(desk=1)["desk"]["results"]["finds"]  # hiding can be undone
    assert [each["hidden"] for each in kept] == [True, False, False, False, False]
    bob.ask("PUT", "/answers/a1/0", {**find, "choice": "http://example.org"}, status=422)


def test_nothing_is_on_the_wall_before_the_teacher_shows_it(teacher: Caller, join: Joining) -> None:
    teacher.ask("POST", "/activities", {"kind": "wall", "question": {"text": "What did you find?"}})
    ada, bob = join(), join()

    def wall() -> list[str]:
        return [each["sentence"] for each in bob.document()["activity"]["results"]["finds"]]

    def put(sentence: str) -> None:
        ada.ask("PUT", "/answers/a1/f1", {"choice": "text=a", "sentence": sentence})

    assert bob.document()["checks"]
    put("Here.")
    assert wall() == [] and ada.document()["mine"]["a1"]["1"]["f1"]["sentence"] == "Here."
    table = f"/api/classes/{teacher.code}/report.csv"
    report = teacher.client.get(table, headers={HEADER: teacher.token})
    assert report.status_code == 200 and "Here." not in report.text
    [find] = teacher.document(desk=1)["desk"]["results"]["finds"]
    place = f"/answers/a1/{find['person']}/f1"
    teacher.ask("PATCH", place, {"hidden": False})
    assert wall() == ["Here."]
    put("Here.")  # a repeated request
    assert wall() == ["Here."]
    put("Something else.")  # which nobody has seen yet
    assert wall() == []
    teacher.ask("PATCH", place, {"hidden": True})
    teacher.ask("PATCH", "", {"checks": False})
    put("Once more.")  # what was hidden stays so
    assert wall() == []


def test_votes_for_questions_of_the_board_need_nobodys_leave(
    teacher: Caller, join: Joining
) -> None:
    ada, bob = join("Ada"), join("Bob")
    teacher.ask("POST", "/activities", {"kind": "board", "question": {"text": "What do you ask?"}})
    ada.ask("PUT", "/answers/a1/q1", {"text": "Why √d?"})
    assert bob.document()["activity"]["results"] == {"asked": []}, "it waits for the teacher"
    [asked] = teacher.document(desk=1)["desk"]["results"]["asked"]
    teacher.ask("PATCH", f"/answers/a1/{asked['person']}/q1", {"hidden": False})
    bob.ask("PUT", f"/answers/a1/up-{asked['id']}", {"up": asked["id"]})
    for person in (ada, bob):
        assert person.document()["activity"]["results"]["asked"][0]["ups"] == 1
    bob.ask("DELETE", f"/answers/a1/up-{asked['id']}")
    assert ada.document()["activity"]["results"]["asked"][0]["ups"] == 0


def test_the_teacher_sees_the_work_that_people_show(teacher: Caller, join: Joining) -> None:
    ada, bob = join("Ada"), join("Bob")
    shown = {"choice": "text=The+cat&layer=1", "thumb": [[0, 255], [9, 9]]}
    ada.ask("PUT", "/answers/work/0", shown)
    bob.ask("PUT", "/answers/work/0", {"choice": "url=1"}, status=422)
    [work] = teacher.ask("GET", "/work")["work"]
    assert work == {**shown, "person": work["person"], "nickname": "Ada"}
    assert "cat" not in str(bob.document()) and "cat" not in str(teacher.document(desk=1))
    ada.ask("DELETE", "/answers/work/0")
    assert teacher.ask("GET", "/work") == {"work": []}
    refused = {"kind": "work", "question": {}}
    assert teacher.ask("POST", "/activities", refused, status=422)["error"]["field"] == "kind"


def test_marks_reach_the_desk_alone(teacher: Caller, join: Joining) -> None:
    ada = join()
    before = ada.document()["revision"]
    ada.ask("PUT", "/answers/questions/m1", {"place": "inspector:grid", "note": "Why?"})
    assert ada.document()["revision"] == before
    marks = teacher.document(desk=1)["desk"]["questions"]
    assert marks["places"] == {"inspector:grid": 1}
    refused = teacher.ask("POST", "/activities", {"kind": "questions", "question": {}}, status=422)
    assert refused["error"]["field"] == "kind"


def test_one_browser_opens_no_flood_of_classes(classes: Callable[..., TestClient]) -> None:
    client = classes()
    for _ in range(10):
        assert client.post("/api/classes", json={}).status_code == 201
    refused = client.post("/api/classes", json={})
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_fast")
    another = {"X-Headlight-Participant": "another"}
    assert client.post("/api/classes", json={}, headers=another).status_code == 201


def test_the_desk_locks_the_class_and_sends_away_who_is_away(
    teacher: Caller, join: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = join("Ada")
    teacher.ask("POST", "/activities", {"kind": "vote", "question": VOTE})
    ada.ask("PUT", "/answers/a1/0", {"choice": 1})
    teacher.ask("PATCH", "", {"locked": True})
    assert ada.document()["locked"]
    address = f"/api/classes/{teacher.code}/participants"
    refused = teacher.client.post(address, json={})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "locked")
    assert teacher.client.post(address, json={"again": ada.token}).status_code == 201
    ada.ask("DELETE", "/people", status=403)
    assert teacher.ask("DELETE", "/people") == {"left": 0}

    later = now_ms() + AWAY_MS + 1_000
    monkeypatch.setattr("server.classes.room.now_ms", lambda: later)
    assert teacher.ask("DELETE", "/people") == {"left": 1}
    ada.ask("GET", status=401)
    assert teacher.client.post(address, json={"again": ada.token}).status_code == 409
    teacher.ask("PATCH", "", {"locked": False})
    assert teacher.client.post(address, json={"again": ada.token}).status_code == 201
    assert ada.document()["mine"] == {"a1": {"1": {"0": {"choice": 1}}}}
