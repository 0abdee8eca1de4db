"""Plans, ready questions, the report, and a class that is saved and opened again."""

import base64
import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from fastapi.testclient import TestClient

from server.api.routes.teachers import TEACHERS
from server.classes.activities import KINDS
from server.classes.plan import read_plan
from server.pages.learning.workshop.plan import LONG, SHORT
from tests.api.classes.conftest import HEADER, VOTE, Caller, Joining

pytestmark = pytest.mark.long

PLAN: dict[str, Any] = {
    "title": "Pronouns",
    "steps": [
        {"title": "Look", "minutes": 5.0, "state": "?text=Maria+saw+herself.&layer=2&head=3"},
        {"title": "Read", "lesson": "masks"},
        {"title": "Vote", "activity": {"kind": "vote", "question": VOTE}},
    ],
}


@pytest.fixture
def shipped(classes: Callable[..., TestClient]) -> Caller:
    """A teacher on a server with the model that the workshop is about."""
    client = classes(shipped=None)
    opened = client.post("/api/classes", json={}).json()
    return Caller(client, opened["code"], opened["secret"])


def file(caller: Caller, name: str) -> str:
    address = f"/api/classes/{caller.code}/{name}"
    answer = caller.client.get(address, headers={HEADER: caller.token})
    assert answer.status_code == 200
    assert f'filename="class-{caller.code}.' in answer.headers["content-disposition"]
    return answer.content.decode("utf-8-sig")


def test_every_ready_question_can_be_asked(shipped: Caller) -> None:
    ready = shipped.ask("GET", "/ready")["ready"]
    assert {each["kind"] for each in ready} == {"vote", "detective", "hunt", "bets"}
    assert len({each["title"] for each in ready}) == len(ready) > 20
    for each in ready:
        question = KINDS[each["kind"]].Question.model_validate(each["question"])
        asked = question.model_dump()
        for private in (*KINDS[each["kind"]].private, "why"):
            assert asked[private] is not None, each["title"]
        if asked["choice"] is None:  # a lesson's question about no figure
            assert asked["reveals"] is None and each["kind"] == "vote"
            continue
        shows = parse_qs(asked["reveals"], strict_parsing=True)
        assert shows["depth"] == ["start"] and "quiz" not in shows
        if each["kind"] == "bets":  # the head is muted, so that its prediction is the truth
            assert shows["muted"] == [f"{asked['layer']}.{asked['head']}"]
    bet = next(each["question"] for each in ready if each["kind"] == "bets")
    muted = {
        "texts": ["Anna beside the old men saw herself in the water."],
        "muted": [[bet["layer"], bet["head"]]],
        "select": {"layers": []},
        "predict": {"position": 6, "top_k": 40},
    }
    found = shipped.client.post("/api/trace", json=muted).json()["predictions"][0]
    after = next(each["probability"] for each in found if each["text"] == bet["token"])
    assert after == pytest.approx(bet["truth"], abs=1e-5)


def test_the_workshops_are_plans(shipped: Caller) -> None:
    plans = shipped.ask("GET", "/plans")["plans"]
    assert plans.pop("study") and len(plans) == 2
    ready = shipped.ask("GET", "/ready")["ready"]
    for name, plan in plans.items():
        kinds = [step["activity"]["kind"] for step in plan["steps"] if "activity" in step]
        of = {kind: sum(each["kind"] == kind for each in ready) for kind in set(kinds)}
        short = name == "workshop-45"
        assert kinds.count("bets") == (3 if short else of["bets"]) and of["bets"] == 4
        if not short:  # all pictures and all habits, each with a question of its own
            assert [kinds.count(kind) for kind in ("detective", "hunt")] == [7, 5]
        asked = [str(step["activity"]) for step in plan["steps"] if "activity" in step]
        assert len(set(asked)) == len(asked)
        games = [step for step in plan["steps"] if "activity" in step]
        titles = " ".join(step["title"] for step in games)  # which everybody is sent
        assert "softmax" not in titles and "mask is" not in titles
        total = sum(step.get("minutes", 0.0) for step in plan["steps"])
        assert total == pytest.approx(float(name.removeprefix("workshop-")), abs=3)
        assert all("state" in step or "activity" in step for step in plan["steps"])
        for step in plan["steps"]:
            asked = step.get("activity", {"kind": "", "question": {}})
            opens = step.get("state") or asked["question"].get("choice")
            if opens and asked["kind"] != "vote":  # clicking around gives no answer away
                [seal] = parse_qs(opens)["quiz"]
                opens = base64.urlsafe_b64decode(seal + "=" * (-len(seal) % 4)).decode()
                assert "closed=1" in opens
            assert opens is None or "depth=start" in opens, step["title"]
        slides = [step["slide"] for step in plan["steps"] if "slide" in step]
        workshop = SHORT if short else LONG
        assert slides == [name for step in workshop.steps for name in step.slides]
        assert [step["part"] for step in plan["steps"] if "part" in step] == [
            step.title for step in workshop.steps
        ]
        shipped.ask("PUT", "/plan", plan)
    assert shipped.document(desk=1)["desk"]["plan"]["title"] == plan["title"]


def test_plans_and_ready_questions_are_in_the_language_of_the_desk(shipped: Caller) -> None:
    shipped.client.headers["Accept-Language"] = "de"
    plan = shipped.ask("GET", "/plans")["plans"]["workshop-90"]
    assert plan["title"] == "Der 90-Minuten-Workshop"
    assert [step["part"] for step in plan["steps"] if "part" in step][-1] == "Puffer und Fragen"
    study = shipped.ask("GET", "/plans")["plans"]["study"]
    assert study["steps"][0]["title"] == "Vor dem Unterricht: Frage 1 von 7"
    titles = " ".join(each["title"] for each in shipped.ask("GET", "/ready")["ready"])
    assert "Die Vergangenheit mitteln: " in titles and "Ein Kopf " in titles
    shipped.client.headers["Accept-Language"] = "en"
    assert shipped.ask("GET", "/plans")["plans"]["study"]["title"].startswith("A study")


def test_who_is_early_sees_what_the_plan_begins_with(shipped: Caller) -> None:
    assert shipped.document()["choice"] == "", "there is no plan yet"
    plan = shipped.ask("GET", "/plans")["plans"]["workshop-45"]
    shipped.ask("PUT", "/plan", plan)
    now = shipped.document()
    assert now["step"] is None and now["mode"] == "follow"
    assert now["choice"] == plan["steps"][0]["state"] and "quiz=" in now["choice"]


def vote_at(layer: int) -> dict[str, Any]:
    """A vote about a picture of this layer; its answer shows another head."""
    shows = {"choice": f"layer={layer}", "reveals": f"layer={layer}&head=1"}
    return {"kind": "vote", "question": {**VOTE, **shows}}


def test_going_back_in_a_plan_shows_what_was_asked_and_answered(
    teacher: Caller, join: Joining
) -> None:
    steps = [{"title": title, "activity": vote_at(n)} for n, title in enumerate(("One", "Other"))]
    teacher.ask("PUT", "/plan", {"title": "Votes", "steps": steps})

    def step(index: int) -> str:
        teacher.ask("PATCH", "", {"step": {"index": index, "title": steps[index]["title"]}})
        found: str = teacher.ask("POST", "/activities", steps[index]["activity"])["id"]
        return found

    first, person = step(0), join()
    person.ask("PUT", f"/answers/{first}/0", {"choice": 1})
    teacher.ask("PATCH", f"/activities/{first}", {"phase": "revealed"})
    assert teacher.document()["choice"] == "layer=0&head=1"
    second = step(1)
    assert second != first and teacher.document()["choice"] == "layer=1"
    assert step(0) == first
    shown = person.document()
    assert (shown["activity"]["phase"], shown["choice"]) == ("revealed", "layer=0&head=1")
    assert shown["activity"]["results"]["n"] == [1]
    assert step(1) == second and teacher.document()["activity"]["phase"] == "open"
    assert len(teacher.document(desk=1)["desk"]["activities"]) == 2
    again = teacher.ask("POST", "/activities", vote_at(0))["id"]  # not at its step: a new question
    assert again not in (first, second)


def test_results_that_are_hidden_again_hide_their_picture(teacher: Caller) -> None:
    name = teacher.ask("POST", "/activities", vote_at(0))["id"]
    for phase, choice in (("revealed", "layer=0&head=1"), ("closed", "layer=0")):
        teacher.ask("PATCH", f"/activities/{name}", {"phase": phase})
        assert teacher.document()["choice"] == choice


def test_a_slide_tells_how_bets_are_placed(shipped: Caller) -> None:
    for path, has, lacks in (
        (f"/class/{shipped.code}/slides", "slider on your device", "beads"),
        (f"{TEACHERS}/slides", "beads", "slider"),
    ):
        page = shipped.client.get(path).text
        rules = page[page.index('id="bets"') :].partition("</section>")[0]
        assert has in rules and lacks not in rules, path


def test_a_plan_of_ones_own(teacher: Caller, join: Joining) -> None:
    teacher.ask("PUT", "/plan", PLAN)
    desk = teacher.document(desk=1)["desk"]
    assert desk["plan"]["steps"][0]["state"] == "text=Maria+saw+herself.&layer=2&head=3"
    assert "plan" not in join().document()
    slide = {"index": 1, "title": "Look", "slide": "qkv"}
    teacher.ask("PATCH", "", {"step": slide, "shows": {"slide": False}})
    assert join().document()["shows"] == {"code": True, "slide": False}
    teacher.ask("PATCH", "", {"step": {"index": 1, "title": "Read", "lesson": "masks"}})
    assert join().document()["shows"]["slide"], "the next step's slide is shown"
    assert join().document()["step"] == {"index": 1, "title": "Read", "lesson": "masks"}


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        ({"title": "x"}, "plan.steps"),
        ({"title": "x", "steps": []}, "plan.steps"),
        ({"title": "x", "steps": [{"title": "y", "state": "?url=1"}]}, "plan.steps.0.state"),
        ({"title": "x", "steps": [{"title": "y", "more": 1}]}, "plan.steps.0.more"),
        (
            {"title": "x", "steps": [{"title": "y", "activity": {"kind": "quiz", "question": {}}}]},
            "plan.steps.0.activity.kind",
        ),
        ({"title": "x", "steps": [{"title": "y", "slide": "none"}]}, "plan.steps.0.slide"),
        ([{"title": "y"}], "plan.title"),
        (3, "plan.title"),
    ],
)
def test_a_wrong_plan_names_its_step(teacher: Caller, plan: Any, field: str) -> None:
    refused = teacher.ask("PUT", "/plan", plan, status=422)["error"]
    assert refused["field"] == field
    assert teacher.document(desk=1)["desk"]["plan"] is None


def test_a_plan_is_kept_as_it_was_read() -> None:
    assert read_plan(read_plan(PLAN)) == read_plan(PLAN)


def voted(teacher: Caller, join: Joining) -> list[Caller]:
    people = [join(name) for name in ("Ada", "Bob", "=cmd()")]
    asked = {**VOTE, "text": "=1+1, which?"}
    teacher.ask("POST", "/activities", {"kind": "vote", "question": asked})
    for person, choice in zip(people, (0, 1, 1), strict=True):
        person.ask("PUT", "/answers/a1/0", {"choice": choice})
    teacher.ask("PATCH", "/activities/a1", {"round": 2})
    people[0].ask("PUT", "/answers/a1/0", {"choice": 1})
    people[0].ask("PUT", "/answers/questions/m", {"place": "inspector:grid", "note": "<b>?"})
    return people


def test_the_report_has_all_numbers_and_no_names(teacher: Caller, join: Joining) -> None:
    voted(teacher, join)
    table = list(csv.DictReader(io.StringIO(file(teacher, "report.csv"))))
    votes = [(row["round"], row["what"], row["value"]) for row in table if row["kind"] == "vote"]
    assert votes == [
        ("1", "saw", "1"),
        ("1", "Maria (right)", "2"),
        ("2", "saw", "0"),
        ("2", "Maria (right)", "1"),
    ]
    assert [row["activity"] for row in table] == ["1"] * 4 + ["", ""]
    assert table[0]["question"] == "'=1+1, which?"  # a spreadsheet must not compute it
    page = file(teacher, "report.html")
    assert "67% were right: “Maria”. After the discussion 100% were right: “Maria”." in page
    assert "3 people" in page
    assert "inspector:" not in page + str(table) and "The small pictures of all heads" in page
    assert "&lt;b&gt;?" in page
    for name in ("Ada", "Bob", "cmd", "http:", "https:"):
        assert name not in page + str(table)


def test_a_report_is_in_the_language_of_whoever_reads_it(teacher: Caller, join: Joining) -> None:
    voted(teacher, join)
    address = f"/api/classes/{teacher.code}/report"
    headers = {HEADER: teacher.token, "Accept-Language": "de"}
    page = teacher.client.get(f"{address}.html", headers=headers).text
    assert '<html lang="de"' in page and "3 Personen haben teilgenommen." in page
    assert "67\u00a0% lagen richtig: „Maria“." in page and "✓ richtig" in page
    assert "Die kleinen Bilder aller Köpfe" in page, "a place, by its name"
    table = teacher.client.get(f"{address}.csv", headers=headers).text
    assert "Maria (right)" in table, "programs read it"


def test_a_report_with_names_has_both_rounds(teacher: Caller, join: Joining) -> None:
    voted(teacher, join)
    teacher.ask("PATCH", "", {"named": True})
    page = file(teacher, "report.html")
    ada = page[page.index("Who answered what") :].partition("Ada</th>")[2].partition("</tr>")[0]
    assert re.findall(r"<td>(.*?)</td>", ada) == ["saw, then Maria"]


def test_the_report_pictures_each_kind(teacher: Caller, join: Joining) -> None:
    people = [join("Ada"), join()]
    teacher.ask("PATCH", "", {"checks": False})
    for number, (kind, question) in enumerate(ASKED.items(), 1):
        teacher.ask("POST", "/activities", {"kind": kind, "question": question})
        for person in people:
            person.ask("PUT", f"/answers/a{number}/{'f1' if kind == 'wall' else '0'}", SAID[kind])
    page = file(teacher, "report.html")
    for told in (
        "100% were right: “b”.",
        "2 of 2 drew the first of the patterns below.",
        "2 finds are right, of 2. The first was layer 1, head 2,",
        "2 of the right ones came with a cell that shows it.",
        "The model: 43% before, 12% with the head muted. Half of the class bet 12% or less.",
        "2 finds on the wall.",
        "2 questions on the board.",
        "Because.",
    ):
        assert told in page, told
    assert page.count('<svg class="thumb"') == 3  # a typical drawing, and two finds
    assert "http" not in page.replace("http-equiv", "") and "<script" not in page
    assert "Ada" not in page and "Who answered what" not in page
    ids = [each["id"] for each in teacher.ask("GET", "/people")["people"]]
    assert not any(each in page for each in (*ids, ">a1<"))

    teacher.ask("PATCH", "", {"named": True})
    assert people[0].document()["named"], "people are told"
    page = file(teacher, "report.html")
    ada = page[page.index("Who answered what") :].partition("Ada</th>")[2].partition("</tr>")[0]
    assert re.findall(r"<td>(.*?)</td>", ada) == [
        *(
            "b",
            "100% as the head looks",
            "layer 1, head 2 (right)",
            "b",
            "12%",
            "A &lt;find&gt;.",
            "Why &lt;q&gt;?",
        )
    ]
    assert "no name (2)" in page


ASKED: dict[str, dict[str, Any]] = {
    "vote": {"text": "?", "choices": ["a", "b"], "correct": 1, "why": "Because."},
    "drawing": {"text": "?", "tokens": ["a", "b"], "causal": True, "truth": [[1, 0], [0, 1]]},
    "hunt": {"text": "?", "truth": [[1, 2]], "cells": [[3, 1]]},
    "detective": {"text": "?", "options": ["a", "b"], "correct": 1},
    "bets": {"text": "?", "layer": 0, "head": 1, "token": "c", "before": 0.43, "truth": 0.12},
    "wall": {"text": "?"},
    "board": {"text": "?"},
}
SAID: dict[str, dict[str, Any]] = {
    "vote": {"choice": 1},
    "drawing": {"cells": [[3, 0], [0, 3]]},
    "hunt": {"layer": 1, "head": 2, "cell": [3, 1], "effect": -2.0},
    "detective": {"choice": 1},
    "bets": {"after": 0.12},
    "wall": {"choice": "text=a", "sentence": "A <find>.", "thumb": [[255, 0], [90, 200]]},
    "board": {"text": "Why <q>?"},
}


def test_a_saved_class_goes_on(
    teacher: Caller, join: Joining, classes: Callable[..., TestClient], tmp_path: Path
) -> None:
    people = voted(teacher, join)
    saved = json.loads(file(teacher, "saved"))
    assert teacher.token not in str(saved)
    assert people[0].token not in str(saved)
    before = people[0].document()
    teacher.ask("DELETE")
    client = classes(class_store=str(tmp_path / "another"))
    opened = client.post("/api/classes", json={"saved": saved}).json()
    assert opened["code"] == teacher.code
    again = Caller(client, opened["code"], people[0].token)
    after = again.document()
    assert after["mine"] == before["mine"]
    assert after["activity"] == before["activity"]
    assert after["revision"] > before["revision"]
    Caller(client, opened["code"], opened["secret"]).ask(
        "PATCH", "/activities/a1", {"phase": "closed"}
    )
    twice = client.post("/api/classes", json={"saved": saved}).json()
    assert twice["code"] != opened["code"]


def within(saved: Any, **harm: Any) -> Any:
    return {**saved, "session": {**saved["session"], **harm}}


@pytest.mark.parametrize(
    "harm",
    [
        lambda saved: {},
        lambda saved: {**saved, "headlight_class": 2},
        lambda saved: {**saved, "session": {**saved["session"], "mode": "x"}},
        lambda saved: {**saved, "answers": [{**saved["answers"][0], "activity": "a9"}]},
        lambda saved: {**saved, "answers": [{**saved["answers"][0], "answer": {"choice": "x"}}]},
        lambda saved: {**saved, "answers": [{**saved["answers"][0], "answer": {"choice": 2}}]},
        lambda saved: {**saved, "answers": [{**saved["answers"][0], "person": "nobody"}]},
        lambda saved: {**saved, "answers": [{**saved["answers"][0], "item": "A B"}]},
        lambda saved: {**saved, "answers": [{**saved["answers"][0], "at": 2**70}]},
        lambda saved: {**saved, "answers": saved["answers"] + saved["answers"]},
        lambda saved: {**saved, "people": saved["people"] * 2},
        lambda saved: {**saved, "people": [{**saved["people"][0], "nickname": "a" * 25}]},
        lambda saved: {**saved, "people": [{**saved["people"][0], "seen": -(10**18)}]},
        lambda saved: within(saved, revision=2**70),
        lambda saved: within(saved, created=10**18),
        lambda saved: within(saved, current="a7"),
        lambda saved: within(saved, choice="url=1"),
        lambda saved: within(saved, choice="text=" + "a" * 4_000),
        lambda saved: within(saved, plan={"steps": 5}),
        lambda saved: within(saved, timer={"ends": 0, "minutes": 1e18}),
        lambda saved: within(saved, timer={"ends": 2**70, "minutes": 1}),
        lambda saved: within(saved, step={"index": -1, "title": ""}),
        lambda saved: within(saved, activities=saved["session"]["activities"] * 2),
        lambda saved: {
            **saved,
            "session": {
                **saved["session"],
                "activities": [{**saved["session"]["activities"][0], "kind": "nothing"}],
            },
        },
    ],
)
def test_files_that_are_no_class_are_refused(
    teacher: Caller, join: Joining, harm: Callable[[Any], Any]
) -> None:
    voted(teacher, join)
    saved = json.loads(file(teacher, "saved"))
    refused = teacher.client.post("/api/classes", json={"saved": harm(saved)})
    assert refused.status_code == 422
    assert refused.json()["error"]["field"].startswith("saved")


def test_a_saved_drawing_has_the_grid_of_its_question(teacher: Caller, join: Joining) -> None:
    question = {"text": "?", "tokens": ["a", "b"], "causal": True, "truth": [[1, 0], [0.5, 0.5]]}
    teacher.ask("POST", "/activities", {"kind": "drawing", "question": question})
    join().ask("PUT", "/answers/a1/0", {"cells": [[1, 0], [1, 1]]})
    saved = json.loads(file(teacher, "saved"))
    saved["answers"][0]["answer"] = {"cells": [[1]]}
    refused = teacher.client.post("/api/classes", json={"saved": saved})
    assert refused.status_code == 422
    assert "expected 2 rows of 2 cells" in refused.json()["error"]["message"]


def test_a_saved_class_with_more_people_than_fit_loses_none(
    teacher: Caller, join: Joining, classes: Callable[..., TestClient]
) -> None:
    voted(teacher, join)
    saved = json.loads(file(teacher, "saved"))
    refused = classes(class_people=2).post("/api/classes", json={"saved": saved})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "full")


def test_the_example_of_the_guide_is_a_plan() -> None:
    guide = (Path(__file__).parents[3] / "docs/class.md").read_text()
    [example] = re.findall(r"^    (\{\"title\".*?\]\})$", guide, re.MULTILINE | re.DOTALL)
    assert len(read_plan(json.loads(example))["steps"]) == 3
