"""The film of a model over HTTP: its steps are models of their own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.core.checkpoint import FILES
from model.errors import InputError
from model.film import Film, save_frame, write_film
from model.sources.native import NativeSource
from server.api.schemas.settings import SETTINGS
from server.app import create_app
from server.classes.ready import ready_questions
from server.run.finding import named
from server.settings import Settings
from tests.api.test_error_shape import assert_shape

CURVES = {"loss": [3.0, 2.0, 1.0]}
HEADS: dict[str, list[list[list[float | None]]]] = {"induction": [[[0.0]], [[None]], [[0.5]]]}


@pytest.fixture(scope="module")
def folder(tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filmed")
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).write_bytes((tiny_folder / name).read_bytes())
    weights = NativeSource("tiny", folder).model.state_dict()
    for step, factor in ((0, 0.5), (20, 0.75)):
        save_frame(folder, step, {name: factor * tensor for name, tensor in weights.items()})
    write_film(folder, Film((0, 20, 50), CURVES, HEADS, 0.01))
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    settings = Settings(shipped=folder, models=(f"other={folder}",))
    with TestClient(create_app(settings)) as client:
        yield client


def trace(client: TestClient, model: str) -> Any:
    body = {"model": model, "texts": ["the cat sat"], "select": {"tensors": ["pattern"]}}
    return client.post("/api/trace", json=body)


def with_weights(client: TestClient) -> list[Any]:
    """The models that do not come with each request."""
    listed = client.get("/api/models").json()["models"]
    return [model for model in listed if model["name"] not in SETTINGS]


def test_each_step_is_a_model_after_its_own(client: TestClient) -> None:
    listed = with_weights(client)
    assert [(model["name"], model["step"], model["film"]) for model in listed] == [
        ("shipped", None, [0, 20, 50]),
        ("shipped@0", 0, None),
        ("shipped@20", 20, None),
        ("other", None, [0, 20, 50]),
        ("other@0", 0, None),
        ("other@20", 20, None),
    ]
    first, frame = listed[0], listed[1]
    assert frame["state"] == "ready" and frame["sites"] == first["sites"]
    assert listed[4]["state"] == "not_loaded", "nor is the model that it is of"
    assert trace(client, "other@0").status_code == 200
    states = {model["name"]: model["state"] for model in with_weights(client)}
    assert (states["other"], states["other@0"]) == ("not_loaded", "ready")


def test_a_trace_of_a_step_is_of_its_weights(client: TestClient, folder: Path) -> None:
    answers = {name: trace(client, name).json() for name in ("shipped@0", "shipped@20", "shipped")}
    patterns = [each["sites"][0]["tensors"]["pattern"] for each in answers.values()]
    assert patterns[0] != patterns[1] != patterns[2]
    assert [each["model"] for each in answers.values()] == list(answers)
    of_step = client.get("/api/models").json()["models"][2]
    assert of_step["weights"] == NativeSource("tiny", folder, 20).info.weights
    heads = client.get("/api/models/shipped@20/heads").json()
    assert heads["model"] == "shipped@20"


def test_what_was_measured(client: TestClient) -> None:
    expected = {"steps": [0, 20, 50], "curves": CURVES, "heads": HEADS, "rounding": 0.01}
    expected |= {"mutes": []}
    for name in ("shipped", "shipped@20", "other"):
        assert client.get(f"/api/models/{name}/film").json() == expected
    assert_shape(client.get("/api/models/scratch/film"), 404, "no_film")
    assert_shape(client.get("/api/models/nobody/film"), 404, "unknown_model")


def test_a_step_that_is_not_there(client: TestClient) -> None:
    error = assert_shape(trace(client, "shipped@7"), 404, "unknown_model")
    assert "It has 0, 20" in str(error)
    assert_shape(trace(client, "scratch@0"), 404, "unknown_model")


def test_whole_checkpoints_in_folders_are_a_film(tiny_folder: Path, tmp_path: Path) -> None:
    for step in (0, 3, 20):
        folder = tmp_path / "run" / f"step{step}"
        folder.mkdir(parents=True)
        for name in FILES:
            (folder / name).symlink_to(tiny_folder / name)
    (tmp_path / "run" / "step-notes").mkdir()
    settings = Settings(shipped=tiny_folder, models=(f"{tmp_path}/run/step*",))
    with TestClient(create_app(settings)) as client:
        trace(client, "run")  # so that it is loaded
        listed = [model["name"] for model in with_weights(client)]
        assert listed == ["shipped", "run", "run@0", "run@3"]
        patterns = [trace(client, name).json()["sites"] for name in ("run@3", "run")]
        assert patterns[0] == patterns[1], "they are links to one file"
        film = client.get("/api/models/run/film").json()
        nothing: dict[str, Any] = {"curves": {}, "heads": {}, "rounding": None, "mutes": []}
        assert film == {"steps": [0, 3, 20]} | nothing


def test_a_pattern_that_finds_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "last").mkdir()
    with pytest.raises(InputError, match=r"No checkpoints are at .* step0, step512"):
        create_app(Settings(models=(f"mine={tmp_path}/*",)))
    assert named("mine=/a/step*") == ("mine", "/a/step*")
    assert named("/a/pythia/step*")[0] == "pythia" and named("/*")[0] == ""


def test_the_shipped_model_has_a_sister_with_a_film(client: TestClient) -> None:
    with TestClient(create_app(Settings())) as ours:
        listed = {model["name"]: model for model in with_weights(ours)}
        assert listed["shipped"]["sister"] == "sister" and "sister" not in listed
        asked = ours.get("/api/models", params={"model": "sister"}).json()["models"]
        film = next(model["film"] for model in asked if model["name"] == "sister")
        assert f"sister@{film[0]}" in {model["name"] for model in asked}
        measured = ours.get("/api/models/sister/film").json()
        assert measured["steps"] == film and len(measured["mutes"]) == len(film)
        for step in film[:-1]:
            assert trace(ours, f"sister@{step}").status_code == 200
    assert all(model["sister"] is None for model in with_weights(client)), "it has a film itself"
    with pytest.raises(InputError, match="Two models are named sister"):
        create_app(Settings(models=("sister=somewhere",)))


def test_a_class_can_bet_on_the_step_at_which_a_head_appears() -> None:
    with TestClient(create_app(Settings(classes="on"))) as ours:
        lessons = ours.app.state.lessons.all  # type: ignore[attr-defined]
        votes = [each["question"] for each in ready_questions(lessons, None)]
        [bet] = [each for each in votes if each["text"].startswith("Place your bet")]
        assert bet["choices"][bet["correct"]] == "From 500 to 700"
        assert "model=sister@0" in bet["choice"] and "model=sister%40700" in bet["reveals"]
        for page in ("/class/abcd", "/class/abcd/desk"):  # it knows the model before it is asked
            assert '"name":"sister@700"' in ours.get(page).text.replace(" ", "")
