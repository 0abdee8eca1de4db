"""Networks of every mechanism that can be trained: each analysis answers, or says why it cannot."""

from math import log
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.scratch.mechanisms import MECHANISMS, MechanismId
from model.training.tasks.fit import keep
from model.training.tasks.learner import TRAINABLE, Learner, network_of
from model.training.tasks.tasks import TASKS
from tests.api.conftest import Serve
from tests.api.test_analysis import EVERYTHING

TEXT = "kfdaobcfda"
EDGES = {"cell", "patching", "match", "branches", "court", "edges"}  # with settings of their own


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of networks that have learnt nothing yet."""
    found = tmp_path_factory.mktemp("mechanisms")
    task = TASKS["induction"]
    for mechanism in TRAINABLE:
        network = network_of(task, {"mechanism": mechanism, "n_heads": 4, "d_mlp": 16})
        learner = Learner(task, network)
        keep(learner, found / mechanism)
    return found


@pytest.fixture
def client(serve: Serve, folders: Path) -> TestClient:
    return serve(models=",".join(f"{path.name}={path}" for path in sorted(folders.iterdir())))


def ask(client: TestClient, mechanism: str, **asked: Any) -> Any:
    body = {"model": mechanism, "texts": [TEXT], "select": {"layers": []}, **asked}
    return client.post("/api/trace", json=body)


@pytest.mark.parametrize("mechanism", TRAINABLE)
def test_each_analysis_answers_or_says_why_it_cannot(
    client: TestClient, mechanism: MechanismId
) -> None:
    own = MECHANISMS[mechanism].own
    refused = set()
    settings = {name: value for name, value in EVERYTHING.items() if name not in EDGES}
    for name, value in settings.items():
        answer = ask(client, mechanism, analyse={name: value})
        assert answer.status_code in (200, 422), (name, answer.text)
        if answer.status_code == 422:
            refused.add(name)
            assert answer.json()["error"]["code"] == "unavailable", answer.text
    followed = {"attribution", "composition", "weight_composition", "paths", "stream"}
    if own.kernel != "exp" or own.gate:
        assert followed & refused, "what reads the stream"
    else:
        assert refused == set()


@pytest.mark.parametrize("mechanism", TRAINABLE)
def test_all_edges_are_this_run_and_none_the_other_or_it_is_said_why(
    client: TestClient, mechanism: MechanismId
) -> None:
    other = "kfdaobcfdo"
    both = {"token": 3, "against": 4}
    answer = ask(client, mechanism, analyse={"edges": {**both, "corrupted": other}})
    own = MECHANISMS[mechanism].own
    if own.gate or own.minus is not None or own.selective or own.kernel != "exp":
        assert answer.json()["error"]["code"] == "unavailable"
        assert " be run" in answer.json()["error"]["message"]
        return
    [found] = answer.json()["edges"]
    for text, lead in ((TEXT, found["clean"]), (other, found["corrupted"])):
        predict = {"top_k": 1, "tokens": [3, 4]}
        told = ask(client, mechanism, texts=[text], predict=predict).json()["predictions"][0]
        p = {one["id"]: one["probability"] for one in told}
        assert lead == pytest.approx(log(p[3]) - log(p[4]), abs=1e-3)
    assert abs(found["clean"] - found["corrupted"]) > 1e-3


@pytest.mark.parametrize("mechanism", TRAINABLE)
def test_muting_a_head_does_what_its_effect_says(client: TestClient, mechanism: str) -> None:
    plain = ask(client, mechanism, predict={"top_k": 1}, analyse={"mute_effects": {}}).json()
    [best] = plain["predictions"][0]
    effects = plain["mute_effects"][0]
    [found] = [one for one in effects["effects"] if (one["layer"], one["head"]) == (1, 2)]
    predict = {"top_k": 1, "tokens": [best["id"]]}
    muted = ask(client, mechanism, muted=[[1, 2]], predict=predict).json()
    [after] = [one for one in muted["predictions"][0] if one["id"] == best["id"]]
    change = log(after["probability"] / best["probability"])
    assert abs(change) > 1e-4
    assert found["change"] == pytest.approx(change, abs=1e-4)
