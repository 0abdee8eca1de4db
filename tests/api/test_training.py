"""Training by hand over HTTP: a run waits, trains, is followed and stopped, and becomes a model."""

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient
from safetensors.torch import save

from model.training.tasks.learner import Learner, network_of
from model.training.tasks.tasks import TASKS
from server.classes.stores import own_folder
from server.training.runs import ASKED, KEPT_S, MAX_WAITING, POINTS, STARTED, Run, Runs
from server.training.turns import MAX_TRIES
from tests.api.conftest import Serve

pytestmark = pytest.mark.long

ANN, BEN = {"X-Headlight-Participant": "ann"}, {"X-Headlight-Participant": "ben"}
QUICK: dict[str, Any] = {"n_layers": 1, "n_heads": 1, "d_model": 8, "d_head": 4, "d_mlp": 0}
LONG_RUN = {"task": "copy", "networks": [QUICK | {"steps": 5_000}]}


@pytest.fixture
def client(serve: Serve, tmp_path: Path) -> TestClient:
    return serve(training_store=tmp_path)


@pytest.fixture
def waiting(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """A server that never gives anybody a turn."""
    monkeypatch.setattr("server.training.turns.Turns.wake", lambda self: None)
    return serve(training_store=tmp_path)


def begun(client: TestClient, asked: dict[str, Any], who: dict[str, str] = ANN) -> dict[str, Any]:
    response = client.post("/api/training", json=asked, headers=who)
    assert response.status_code == 201, response.text
    return dict(response.json())


def until(client: TestClient, id: str, *states: str) -> dict[str, Any]:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        run = client.get(f"/api/training/{id}").json()
        if run["state"] in states:
            return dict(run)
        time.sleep(0.1)
    raise AssertionError(f"{run['state']}: {run['problem']}")


def events(client: TestClient, id: str) -> Iterator[tuple[str, Any]]:
    with client.stream("GET", f"/api/training/{id}/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        text = "".join(response.iter_text())
    for each in text.strip().split("\n\n"):
        name, data = each.split("\n")
        yield name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def test_a_network_is_trained_followed_and_opened_as_a_model(client: TestClient) -> None:
    networks = [QUICK | {"steps": 60}, QUICK | {"steps": 60, "positions": "none"}]
    run = begun(client, {"task": "previous", "networks": networks})
    assert (run["own"], run["points"]) == (True, [])
    assert [lane["network"]["positions"] for lane in run["lanes"]] == ["learned", "none"]
    told = list(events(client, run["id"]))
    last = told[-1][1]
    assert told[0][0] == told[-1][0] == "run" and last["state"] == "ended"
    assert {lane["model"] for lane in last["lanes"]} == {
        f"trained-{run['id']}-0-60",
        f"trained-{run['id']}-1-60",
    }
    steps = [point["step"] for point in last["points"] if point["lane"] == 0]
    assert steps == [0, 5, 10, 25, 50, 60]
    name = last["lanes"][0]["model"]
    listed = client.get("/api/models").json()["models"]
    also = client.get("/api/models", params={"model": f"{name}@25"}).json()["models"]
    assert [model["name"] for model in also[len(listed) :]] == [
        name,
        *(f"{name}@{step}" for step in steps[:-1]),
    ]
    older, newest = (last["points"][at] for at in (0, -1))
    assert (older["shown"], older["pattern"]) == ([], "")  # only the newest has them
    line = newest["shown"][0]["line"]
    for model in (name, f"{name}@25"):
        trace = client.post("/api/trace", json={"model": model, "texts": [line]}).json()
        assert "".join(token["text"] for token in trace["tokens"][0][1:]) == line
    film = client.get(f"/api/models/{name}/film").json()
    assert film["steps"] == steps and len(film["curves"]["accuracy"]) == len(steps)
    assert name in client.get("/", params={"model": name}).text  # the page knows it at once
    assert name not in client.get("/").text


def test_seeds_are_networks_of_their_own(waiting: TestClient) -> None:
    run = begun(waiting, {"task": "copy", "networks": [{"seed": 5}, {"d_mlp": 0}], "seeds": 3})
    told = [(lane["variant"], lane["seed"]) for lane in run["lanes"]]
    assert told == [(0, 5), (0, 6), (0, 7), (1, 1), (1, 2), (1, 3)]


def test_one_run_a_participant_and_who_waits_is_told_its_place(waiting: TestClient) -> None:
    one = begun(waiting, LONG_RUN)
    again = waiting.post("/api/training", json=LONG_RUN, headers=ANN)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "still_training")
    other = begun(waiting, LONG_RUN, BEN)
    assert (one["place"], other["place"]) == (0, 1)
    seen = waiting.get(f"/api/training/{other['id']}", headers=ANN).json()
    assert (seen["place"], seen["own"]) == (1, False)
    for what in ("stop", "resume"):
        refused = waiting.post(f"/api/training/{one['id']}/{what}", headers=BEN)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_your_training")
    stopped = waiting.post(f"/api/training/{one['id']}/stop", headers=ANN).json()
    assert stopped["state"] == "stopped"  # it had not begun
    assert waiting.get(f"/api/training/{other['id']}").json()["place"] == 0
    begun(waiting, LONG_RUN)  # and now Ann may have another
    refused = waiting.post(f"/api/training/{one['id']}/resume", headers=ANN)
    assert refused.json()["error"]["code"] == "still_training"  # but not both


def test_only_so_many_wait(waiting: TestClient) -> None:
    for number in range(MAX_WAITING):
        begun(waiting, LONG_RUN, {"X-Headlight-Participant": str(number)})
    refused = waiting.post("/api/training", json=LONG_RUN, headers=ANN)
    assert (refused.status_code, refused.json()["error"]["limit"]) == (503, MAX_WAITING)
    assert "Retry-After" in refused.headers


def test_a_run_is_stopped_goes_on_and_keeps_what_it_learnt(client: TestClient) -> None:
    id = begun(client, LONG_RUN)["id"]
    until(client, id, "training")
    while not client.get(f"/api/training/{id}").json()["points"]:
        time.sleep(0.1)
    client.post(f"/api/training/{id}/stop", headers=ANN)
    stopped = until(client, id, "stopped")
    before = stopped["points"][-1]["step"]
    [lane] = stopped["lanes"]
    assert stopped["points"][-1]["ended"] == "stopped"
    assert lane["model"] == f"trained-{id}-0-{before}"
    client.post(f"/api/training/{id}/resume", headers=ANN)
    until(client, id, "training")
    while client.get(f"/api/training/{id}").json()["points"][-1]["step"] <= before:
        time.sleep(0.1)
    client.post(f"/api/training/{id}/stop", headers=ANN)
    again = until(client, id, "stopped")
    assert again["lanes"][0]["model"] != lane["model"]
    gone = client.post("/api/trace", json={"model": lane["model"], "texts": ["ab"]})
    assert gone.json()["error"]["code"] == "unknown_model"


def test_a_process_that_is_killed_is_followed_by_another(client: TestClient) -> None:
    asked = {"task": "copy", "networks": [QUICK | {"steps": 400}]}
    run = begun(client, asked)
    folder = client.app.state.runs.folder / run["id"]  # type: ignore[attr-defined]
    while not (folder / "0" / "training.safetensors").exists():  # it has saved where it stands
        time.sleep(0.05)
    os.kill(_child(folder), signal.SIGKILL)
    ended = until(client, run["id"], "ended", "failed")
    assert ended["state"] == "ended"
    steps = [point["step"] for point in ended["points"]]
    assert steps.count(0) == 1 and steps[-1] == 400  # it did not begin again


def _child(folder: Path) -> int:
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # a process has ended meanwhile
            if str(folder).encode() in (process / "cmdline").read_bytes().split(b"\0"):
                return int(process.name)
    raise AssertionError("nobody trains it")


def test_numbers_that_grow_beyond_float32_end_a_network_and_break_nothing(
    client: TestClient,
) -> None:
    wild = QUICK | {"d_mlp": 64, "norm": "none", "learning_rate": 0.1, "scale": 100, "steps": 5_000}
    run = begun(client, {"task": "copy", "networks": [wild | {"n_layers": 4}]})
    while not client.get(f"/api/training/{run['id']}").json()["points"]:
        time.sleep(0.1)
    folder = client.app.state.runs.folder / run["id"]  # type: ignore[attr-defined]
    lost: dict[str, Any] = {
        "lane": 0,
        "step": 31,
        "loss": None,
        "score": None,
        "shown": [],
        "pattern": "",
    }
    with (folder / POINTS).open("a") as points:
        points.write(json.dumps(lost | {"ended": "diverged"}) + "\n")
    told = client.get(f"/api/training/{run['id']}")
    assert told.status_code == 200 and told.json()["lanes"][0]["model"] is None
    client.post(f"/api/training/{run['id']}/stop", headers=ANN)
    until(client, run["id"], "ended", "stopped")


def test_a_run_that_cannot_be_trained_says_so(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    run = begun(client, LONG_RUN)
    failed = until(client, run["id"], "failed")
    assert f"ended {MAX_TRIES} times" in failed["problem"]
    begun(client, LONG_RUN)  # it is no longer in the way


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"task": "sing"}, "There is no task 'sing'"),
        ({"task": "copy", "networks": [{"layers": 2}]}, "There is no setting 'layers'"),
        ({"task": "copy", "networks": [{"n_layers": 99}]}, "n_layers to be from 1 to 4"),
        ({"text": "one line"}, "different lines"),
        ({"task": "copy", "networks": []}, "networks"),
        ({"task": "copy", "seeds": 9}, "seeds"),
    ],
)
def test_what_cannot_be_trained_is_refused(
    waiting: TestClient, asked: dict[str, Any], says: str
) -> None:
    response = waiting.post("/api/training", json=asked)
    assert response.status_code == 422
    assert says in response.text
    assert not list(waiting.app.state.runs.all())  # type: ignore[attr-defined]


@pytest.mark.parametrize("id", ["abcdefgh", "..", "ABCDEFGH", "a" * 40])
def test_an_unknown_run_is_not_found(client: TestClient, id: str) -> None:
    for path in (f"/api/training/{id}", f"/api/training/{id}/events"):
        response = client.get(path)
        assert response.status_code == 404
    name = f"trained-{id}-0-10"
    traced = client.post("/api/trace", json={"model": name, "texts": ["a"]})
    assert traced.json()["error"]["code"] == "unknown_model"


def test_a_server_may_train_nothing(serve: Serve, tmp_path: Path) -> None:
    client = serve(training=False, training_store=tmp_path)
    tasks = client.get("/api/training").json()
    assert tasks["enabled"] is False and len(tasks["tasks"]) > 5
    response = client.post("/api/training", json=LONG_RUN)
    assert (response.status_code, response.json()["error"]["code"]) == (403, "training_off")


def test_a_folder_that_cannot_be_written_is_named(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    client = serve(training_store=tmp_path / "file" / "runs")
    response = client.post("/api/training", json=LONG_RUN)
    assert (response.status_code, response.json()["error"]["code"]) == (503, "training_store_fails")


def test_a_user_without_a_home_has_a_folder_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert own_folder("training").name == "training"


def test_a_server_that_starts_again_goes_on_with_what_waits(serve: Serve, tmp_path: Path) -> None:
    runs = Runs(tmp_path)
    network = QUICK | {"positions": "learned", "causal": True, "norm": "pre", "residual": True}
    network |= {"scale": "1/sqrt(d_head)", "seed": 1, "steps": 10, "learning_rate": 0.003}
    asked = {"task": "copy", "text": None, "networks": [network], "seeds": 1, "participant": ""}
    run = runs.create(asked)
    run.mark(STARTED)  # and the server stopped
    until(serve(training_store=tmp_path), run.id, "ended")


def test_runs_are_forgotten_after_a_day(tmp_path: Path) -> None:
    runs = Runs(tmp_path)
    old = runs.create({"participant": "a"})
    runs.stop(old)
    past = time.time() - KEPT_S - 1
    os.utime(old.folder / ASKED, (past, past))
    runs.create({"participant": "b"})
    assert not old.folder.exists()


def test_a_point_that_is_half_written_is_read_later(tmp_path: Path) -> None:
    run = Run("abcdefgh", tmp_path)
    assert run.points() == ([], 0)
    (tmp_path / POINTS).write_text('{"step": 0}\n{"st')
    points, end = run.points()
    assert points == [{"step": 0}]
    (tmp_path / POINTS).write_text('{"step": 0}\n{"step": 5}\n')
    assert run.points(end)[0] == [{"step": 5}]
    (tmp_path / POINTS).write_text('{"step": 0}\n{"st\n{"step": 5}\n')  # killed, and followed
    assert run.points()[0] == [{"step": 0}, {"step": 5}]


def test_two_places_train_two_runs_at_once(serve: Serve, tmp_path: Path) -> None:
    client = serve(training_store=tmp_path, training_at_once=2)
    ids = [begun(client, LONG_RUN, who)["id"] for who in (ANN, BEN)]
    for id in ids:
        until(client, id, "training")
    for id, who in zip(ids, (ANN, BEN), strict=True):
        client.post(f"/api/training/{id}/stop", headers=who)
    for id in ids:
        until(client, id, "stopped")


def test_a_network_is_saved_as_a_file_and_opened_again(client: TestClient) -> None:
    lines = "\n".join(f"{n} times {n} is {n * n}" for n in range(12))
    asked = {"text": lines, "networks": [QUICK | {"steps": 10}]}
    run = until(client, begun(client, asked)["id"], "ended")
    saved = client.get(f"/api/training/{run['id']}/0/file")
    assert saved.headers["content-disposition"].endswith('-0.safetensors"')
    response = client.post("/api/training/files", content=saved.content, headers=BEN)
    assert response.status_code == 201, response.text
    again = response.json()
    assert (again["state"], again["own"], again["task"]["id"]) == ("ended", True, "text")
    last = next(point for point in reversed(run["points"]))
    assert again["points"][0] == last | {"loss": None}
    model, other = (each["lanes"][0]["model"] for each in (run, again))
    assert model != other
    texts = ["3 times 3 is 9"]
    one, two = (
        client.post("/api/trace", json={"model": name, "texts": texts}).json()
        for name in (model, other)
    )
    assert one["sites"] == two["sites"]
    assert one["predictions"] == two["predictions"]
    assert client.get(f"/api/models/{other}/film").status_code == 404  # a file holds no film
    for missing in (f"{run['id']}/1", f"{run['id']}/-1", "abcdefgh/0"):
        assert client.get(f"/api/training/{missing}/file").status_code == 404


@pytest.mark.parametrize("change", ["not a file", "no metadata", "other task", "shape", "nan"])
def test_a_file_that_is_not_ours_is_refused_and_leaves_nothing(
    waiting: TestClient, change: str
) -> None:
    network = {**QUICK, "steps": 10}
    learner = Learner(TASKS["copy"], network_of(TASKS["copy"], network))
    weights = learner.model.state_dict()
    about: dict[str, Any] = {"task": "copy", "text": None, "network": network, "step": 10}
    if change == "other task":
        about["task"] = "sing"
    if change == "shape":
        weights["norm.weight"] = torch.zeros(3)
    if change == "nan":
        weights["norm.weight"] = torch.full_like(weights["norm.weight"], float("nan"))
    body = save(weights, {} if change == "no metadata" else {"headlight": json.dumps(about)})
    response = waiting.post(
        "/api/training/files", content=b"not a file" if change == "not a file" else body
    )
    assert response.status_code == 422, response.text
    runs = waiting.app.state.runs  # type: ignore[attr-defined]
    assert not list(runs.folder.iterdir())
