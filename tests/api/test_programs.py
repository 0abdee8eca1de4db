"""Programs of lessons over HTTP; ours stop, fail and pass as their lessons say."""

import asyncio
import json
import os
import re
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.errors import BusyError
from server.pages.learning.lessons import OURS
from server.programs.running import Programs
from tests.api.conftest import Serve

pytestmark = pytest.mark.long

JSON = {"Content-Type": "application/json"}
LONE = b'{"code": "\\ud800"}'
PROGRAMS = [
    (file.stem[3:], name)
    for file in sorted(OURS.glob("*.json"))
    for name in json.loads(file.read_text()).get("programs", {})
]
# What runs to its end, although it has a bug: the others stop, as they do in Python.
STOPS = {
    "vmm": "AttributeError: module 'torch' has no attribute 'vmm'",
    "name": "NameError: name 'k' is not defined",
    "widths": "RuntimeError: mat1 and mat2 shapes cannot be multiplied (10x16 and 32x8)",
}


@pytest.fixture(scope="module")
def running(client: TestClient) -> Iterator[TestClient]:
    yield client
    client.app.state.programs.close()  # type: ignore[attr-defined]


def told(client: TestClient, slug: str) -> Any:
    return client.app.state.lessons.get(slug).content.programs  # type: ignore[attr-defined]


def run(client: TestClient, slug: str, name: str, code: str) -> dict[str, Any]:
    response = client.post(f"/api/lessons/{slug}/programs/{name}", json={"code": code})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


@pytest.mark.parametrize(("slug", "name"), PROGRAMS)
def test_a_program_does_what_its_lesson_says(running: TestClient, slug: str, name: str) -> None:
    program = told(running, slug)[name]
    answer = run(running, slug, name, program.text)
    if name in STOPS:
        assert answer["error"]["message"] == STOPS[name]
    else:
        assert answer["error"] is None
    if program.solution_text is None:
        assert answer["checks"] == []
        return
    assert all(check["wrong"] for check in answer["checks"][-1:])  # it is not solved yet
    solved = run(running, slug, name, program.solution_text)
    assert solved["error"] is None
    assert [check["wrong"] for check in solved["checks"]] == [None] * len(program.checks)


def test_the_experiment_of_lesson_4(running: TestClient) -> None:
    """The notebook's two numbers are within the spread of the draws."""
    answer = run(running, "scale", "experiment", told(running, "scale")["experiment"].text)
    plain, scaled = answer["histograms"]
    assert sum(plain["counts"]) == sum(scaled["counts"]) == 400
    assert plain["mean"] == pytest.approx(15.94, abs=0.4) and abs(17.4690 - 15.94) < plain["std"]
    assert scaled["mean"] == pytest.approx(0.996, abs=0.03)
    assert 1.4 < plain["std"] < 2.8  # 1.91 over many more
    again = run(running, "scale", "experiment", told(running, "scale")["experiment"].text)
    assert again["printed"] != answer["printed"]  # one's own draw


def test_what_lessons_say_of_their_programs(running: TestClient) -> None:
    folded = run(running, "heads", "folded", told(running, "heads")["folded"].text)
    assert folded["printed"].count(": True\n") == 3
    shapes = {one["line"]: one["shape"] for one in folded["values"] if one["name"] == "scores"}
    assert list(shapes.values()) == [[8, 5, 5], [2, 4, 5, 5]]
    masks = told(running, "masks")
    polarity = run(running, "masks", "polarity", masks["polarity"].text)["printed"]
    assert "the same: True" in polarity
    broadcast = run(running, "masks", "broadcast", masks["broadcast"].text)["printed"]
    assert "nan, nan" in broadcast and "the first is the same: True" in broadcast
    lines = run(running, "block", "gradients", told(running, "block")["gradients"].text)["printed"]
    norms = [
        float(line.split("gradient ")[1].split()[0])
        for line in lines.split("\n")
        if "g" in line and "gradient" in line
    ]
    without, with_it = norms[:4], norms[4:]
    assert without[0] / without[-1] < 1e-5
    assert 0.5 < with_it[0] / with_it[-1] < 2


def test_one_step_makes_the_loss_smaller(running: TestClient) -> None:
    said = run(running, "loss", "loss", told(running, "loss")["loss"].text)["printed"]
    ours, torchs, nothing, after = [float(n) for n in re.findall(r"[0-9]+[.][0-9]+", said)]
    assert ours == torchs > nothing and after < ours


def test_the_scale_is_about_the_start(running: TestClient) -> None:
    said = run(running, "scale", "start", told(running, "scale")["start"].text)["printed"]
    rows = [line.split() for line in said.splitlines()]
    starts = {row[1]: (float(row[5]), float(row[7])) for row in rows if row[3] == "0"}
    ends = {row[1]: float(row[5]) for row in rows if row[3] == "60"}
    (loss, slope), (right_loss, right_slope), _ = starts.values()
    assert loss > 3 * right_loss and slope < right_slope / 3
    assert all(end < 0.2 for end in ends.values())  # and all arrive


def test_what_is_not_there_is_refused(running: TestClient) -> None:
    for path in ("nowhere/programs/x", "scale/programs/x"):
        assert running.post(f"/api/lessons/{path}", json={"code": ""}).status_code == 404
    path = "/api/lessons/scale/programs/experiment"
    assert running.post(path, json={}).status_code == 422
    assert running.post(path, json={"code": "x" * 10_001}).status_code == 422
    assert running.post(path, content=LONE, headers=JSON).status_code == 422
    assert running.post(path, content=b"{", headers=JSON).status_code == 400


def test_a_server_can_run_none(serve: Serve) -> None:
    client = serve(programs=False)
    answer = client.post("/api/lessons/scale/programs/experiment", json={"code": "1"})
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "programs_off"
    assert '"runs": false' in client.get("/learn/scale").text


def test_one_run_knows_nothing_of_another(running: TestClient) -> None:
    assert run(running, "scale", "experiment", "x = 1")["error"] is None
    error = run(running, "scale", "experiment", "print(x)")["error"]
    assert error["message"] == "NameError: name 'x' is not defined"


def test_a_runner_that_was_killed_starts_again(running: TestClient) -> None:
    assert run(running, "scale", "experiment", "print(1)")["printed"] == "1\n"
    running.app.state.programs.close()  # type: ignore[attr-defined]
    assert run(running, "scale", "experiment", "print(2)")["printed"] == "2\n"


def test_a_key_that_stops_the_server_is_not_sent_to_the_runner(running: TestClient) -> None:
    run(running, "scale", "experiment", "1")
    runner = running.app.state.programs._runner  # type: ignore[attr-defined]
    assert os.getpgid(runner.pid) == runner.pid != os.getpgid(0)


def test_one_person_does_not_keep_all_others_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of one person wait at most, and forty of all."""
    held, hold = Programs(), Event()
    monkeypatch.setattr(held, "run_now", lambda *_: hold.wait())

    async def everyone() -> list[object]:
        people = ["a", "a", "a", *map(str, range(40))]
        asked = [asyncio.ensure_future(held.run("", None, [], each)) for each in people]
        await asyncio.sleep(0)
        hold.set()
        found: list[object] = await asyncio.gather(*asked, return_exceptions=True)
        return found

    refused = [isinstance(each, BusyError) for each in asyncio.run(everyone())]
    assert refused == [False, False, True, *[False] * 38, True, True]
    assert not held._waiting


def test_what_is_wrong_is_said_in_the_reader_s_language(running: TestClient) -> None:
    def said(code: str) -> tuple[str | None, str | None]:
        address = "/api/lessons/write-it/programs/average"
        headers = {"Accept-Language": "de"}
        answer = running.post(address, json={"code": code}, headers=headers).json()
        wrong = answer["checks"][-1]["wrong"] if answer["checks"] else None
        return wrong, answer["error"] and answer["error"]["message"]

    assert said("def average(x):\n    return None")[0] == (
        "Erwartet: ein Tensor der Form [3, 1]; erhalten: nichts. Gibt die Funktion etwas zurück?"
    )
    told = said("import os")[1]
    assert told is not None and told.startswith("Ein Modul 'os' gibt es in Lektionen nicht.")
    assert said("k")[1] == "NameError: name 'k' is not defined", "as Python says it"
