"""A recorded run answers in the page as the server answers for the model itself."""

import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient

from model.sources.pretrained.source import PretrainedSource
from server.api.routes.pages import limits
from server.api.schemas import TraceRequest
from server.app import create_app
from server.pages.export.recorded import recorded
from server.settings import Settings
from tests.unit.sources.pretrained.checkpoints import FAMILIES

ROOT = Path(__file__).parents[2]
DRIVER = ROOT / "tests" / "js" / "own" / "recorded-driver.mjs"
NODE = shutil.which("node")
CLOSE = 2e-5

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(NODE is None, reason="Node.js runs the engine of the page"),
]

EDITED = {
    "masks": {"window": 3, "blocked": [{"layer": 1, "head": 1, "query": 2, "key": 0}]},
    "muted": [[0, 1]],
}
# fillers, shared keys, rotary positions with grouped queries, a soft cap, biases, patterns only
INPUTS: dict[str, dict[str, Any]] = {
    "bert": {"texts": ["the cat sat on the mat", "a dog"], **EDITED},
    "gpt2": {"texts": ["the cat sat on the mat"]},
    "llama": {"texts": ["the cat sat", "a dog"], "masks": {"padding_side": "left"}},
    "gemma2": {"texts": ["the cat sat on the mat"], "masks": {"prefix": 2}},
    "t5": {"texts": ["the cat sat", "a dog"], "targets": ["her cat", ""]},
    "bloom": {"texts": ["the cat sat", "a dog"]},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    torch.manual_seed(0)
    for family in INPUTS:
        FAMILIES[family](folder / family)
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> Any:
    settings = Settings(models=tuple(f"{folder}/{name}" for name in INPUTS))
    with TestClient(create_app(settings)) as client:
        yield client


def row(client: TestClient, model: str) -> dict[str, Any]:
    models = client.get("/api/models").json()["models"]
    return next(dict(each) for each in models if each["name"] == model)


def selections(model: dict[str, Any]) -> list[dict[str, Any]]:
    """What the page asks of a head, of all heads, and of some rows."""
    known = [name for name in model["tensors"] if name not in ("result", "norms")]
    every = [name for name in known if name != "bias"]
    return [
        {"select": {"tensors": every}},
        {"select": {"tensors": ["pattern"], "resolution": 3, "dtype": "uint8"}},
        {"select": {"tensors": every, "layers": [1], "heads": [1, 0], "rows": [1, 3]}},
        {"select": {"layers": []}, "analyse": {"scores": True}, "predict": None},
    ]


def page(file: Path, model: str, requests: list[dict[str, Any]]) -> dict[str, Any]:
    """The models and the answers of a page that has only the recording."""
    done = subprocess.run(
        [str(NODE), DRIVER, file, model],
        input=json.dumps(requests),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Where two answers differ: numbers by more than `CLOSE`, anything else at all."""
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = {key: (one.get(key), other.get(key)) for key in one | other}  # missing is null
        return [each for key in pairs for each in differences(*pairs[key], f"{where}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            each
            for index, (a, b) in enumerate(zip(one, other, strict=True))
            for each in differences(a, b, f"{where}[{index}]")
        ]
    numbers = [isinstance(each, int | float) for each in (one, other)]
    close = all(numbers) and math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)
    return [] if close or one == other else [f"{where}: {one!r} and {other!r}"]


def record(client: TestClient, folder: Path, model: str, file: Path, dtype: Any) -> dict[str, Any]:
    """Write the recording of a model's run, and return the run's inputs."""
    inputs = {"model": model} | INPUTS[model]
    client.post("/api/trace", json=inputs).raise_for_status()  # it loads
    source = PretrainedSource.load(model, str(folder / model))
    request = TraceRequest.model_validate(inputs)
    rows = {name: row(client, name) for name in (model, "scratch")}
    settings = Settings()
    contents = recorded(source, rows, request, dtype, limits(settings), settings)
    file.write_bytes(contents.inside[f"{model}/trace.safetensors"])
    return inputs


@pytest.mark.parametrize("model", INPUTS)
def test_everything_that_is_derived_is_what_the_server_derives(
    client: TestClient, folder: Path, model: str, tmp_path: Path
) -> None:
    inputs = record(client, folder, model, tmp_path / "file", "float32")
    requests = [inputs | selection for selection in selections(row(client, model))]
    answers = page(tmp_path / "file", model, requests)["answers"]
    for request, answer in zip(requests, answers, strict=True):
        server = client.post("/api/trace", json=request)
        assert server.status_code == 200, server.text
        assert differences(answer.get("answer", answer), server.json()) == []


def test_predictions_are_those_that_were_recorded(
    client: TestClient, folder: Path, tmp_path: Path
) -> None:
    inputs = record(client, folder, "gpt2", tmp_path / "file", "float32")
    last = {"select": {"layers": []}, "predict": {"top_k": 3}}
    there = {"select": {"layers": []}, "predict": {"top_k": 3, "position": 5}}
    [one, same, *refused] = page(
        tmp_path / "file",
        "gpt2",
        [
            *(inputs | last, inputs | there),
            inputs | {"predict": {"position": 2}},
            inputs | {"predict": {"temperature": 2}},
            inputs | {"predict": {"top_p": 0.5}},
        ],
    )["answers"]
    server = client.post("/api/trace", json=inputs | last).json()
    assert differences(one["answer"]["predictions"], server["predictions"]) == []
    assert one["answer"]["predictions"] == same["answer"]["predictions"]
    assert [answer["error"]["field"] for answer in refused] == ["predict"] * 3


@pytest.mark.parametrize("targets", [{}, {"targets": [""]}])
def test_a_target_that_was_left_out_is_an_empty_one(
    client: TestClient,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    targets: dict[str, Any],
) -> None:
    monkeypatch.setitem(INPUTS, "t5", {"texts": ["the cat sat"], **targets})
    inputs = record(client, folder, "t5", tmp_path / "file", "float32")
    asked = [inputs | {"targets": [""]}, {"model": "t5", "texts": ["the cat sat"]}]
    other = inputs | {"targets": ["a"]}
    [*same, refused] = page(tmp_path / "file", "t5", [*asked, other])["answers"]
    assert [len(each["answer"]["target_tokens"][0]) for each in same] == [1, 1]
    assert refused["error"]["field"] == "targets"


def test_what_needs_the_model_again_is_unavailable(
    client: TestClient, folder: Path, tmp_path: Path
) -> None:
    inputs = record(client, folder, "bert", tmp_path / "file", "float32")
    found = page(
        tmp_path / "file",
        "bert",
        [
            inputs | {"texts": ["another text", "a dog"]},
            inputs | {"pairs": ["a", "b"]},
            inputs | {"masks": {}},
            inputs | {"muted": []},
            inputs | {"generate": {"n_tokens": 1}},
            inputs | {"analyse": {"mute_effects": {"position": 2}}},
            inputs | {"analyse": {"lens": {"top_k": 99}}},
            inputs | {"analyse": {"paths": {}}},
        ],
    )
    errors = [answer["error"] for answer in found["answers"]]
    assert {error["code"] for error in errors} == {"unavailable"}
    assert [error["field"] for error in errors] == [
        *("texts", "pairs", "masks", "muted", "generate"),
        *("analyse.mute_effects", "analyse.lens", "analyse.paths"),
    ]
    assert all("this file holds one recorded run" in error["message"] for error in errors[:5])
    # of what was asked when it was recorded, there are answers, and no others
    assert all("and for no other" in error["message"] for error in errors[5:7])
    assert "this file holds one recorded run" in errors[-1]["message"]
    [described] = found["models"]
    assert described["recorded"]["muted"] == [[0, 1]] and described["lacks"]


def test_what_the_model_said_of_the_run_is_there(
    client: TestClient, folder: Path, tmp_path: Path
) -> None:
    inputs = record(client, folder, "bert", tmp_path / "file", "float32")
    asked = {
        "mute_effects": {},
        "attribution": {},
        "decided": {},
        "lens": {"top_k": 3, "position": 2},
    }
    requests = [inputs | {"analyse": {name: settings}} for name, settings in asked.items()]
    found = page(tmp_path / "file", "bert", requests)["answers"]
    for name, request, answer in zip(asked, requests, found, strict=True):
        server = client.post("/api/trace", json=request).json()[name]
        assert_near(answer["answer"][name], server)


def assert_near(found: Any, wanted: Any) -> None:
    """The same JSON, with numbers of four digits."""
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for key, value in wanted.items():
            assert_near(found[key], value)
    elif isinstance(wanted, list):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_near(one, other)
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, rel=1e-3, abs=1e-5)
    else:
        assert found == wanted


def test_half_precision_moves_a_pattern_by_less_than_a_hundredth(
    client: TestClient, folder: Path, tmp_path: Path
) -> None:
    inputs = record(client, folder, "llama", tmp_path / "file", "float16")
    [answer] = page(tmp_path / "file", "llama", [inputs])["answers"]
    server = client.post("/api/trace", json=inputs).json()
    for one, other in zip(answer["answer"]["sites"], server["sites"], strict=True):
        patterns = (torch.tensor(site["tensors"]["pattern"]) for site in (one, other))
        torch.testing.assert_close(*patterns, atol=1e-2, rtol=0)
