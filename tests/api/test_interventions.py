"""Interventions over HTTP: what they change, what they cost, and what they leave in the cache."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.interventions import Intervention
from model.sources.native import NativeSource
from model.sources.source import Inputs
from server.api.schemas import TraceRequest, TraceResponse
from server.run.tracing.cost import Cost, estimate
from server.settings import Settings
from tests.api.conftest import Serve
from tests.api.test_analysis import EVERYTHING
from tests.api.test_tracing import metric
from tests.api.test_wire import post_json, post_safetensors

pytestmark = pytest.mark.long

TEXTS = ("the cat sat on the mat", "hello dog sat")
OTHER = "a dog ran on a mat"
SCALE: dict[str, Any] = {"kind": "scale", "layer": 1, "head": 2, "factor": 0.25}
PATCH: dict[str, Any] = {
    "kind": "patch", "at": "resid_pre", "layer": 1, "source": OTHER, "text": 0, "positions": [2, 3],
}  # fmt: skip


def refusal(client: TestClient, **request: Any) -> dict[str, Any]:
    response = client.post("/api/trace", json={"texts": TEXTS, **request})
    assert response.status_code == 422, response.text
    error: dict[str, Any] = response.json()["error"]
    return error


def test_the_answer_is_that_of_the_edited_run(client: TestClient, tiny: NativeSource) -> None:
    answer = post_json(
        client,
        texts=TEXTS,
        interventions=[SCALE, PATCH],
        predict={"top_k": 5, "unedited": True},
        select={"tensors": ["z"], "layers": [1]},
    )
    TraceResponse.model_validate(answer)
    given = (
        Intervention(kind="scale", at="head", layer=1, head=2, factor=0.25),
        Intervention(kind="patch", at="resid_pre", layer=1, source=OTHER, text=0, positions=(2, 3)),
    )
    trace = tiny.trace(Inputs(TEXTS, interventions=given))
    plain = tiny.trace(Inputs(TEXTS))
    z = trace.sites[1].derive(["z"])["z"]
    assert answer["sites"][0]["tensors"]["z"][0][2][3] == pytest.approx(
        z[0, 2, 3].tolist(), abs=1e-5
    )
    rows = trace.predict(top_k=5, unedited=plain)
    for sent, row in zip(answer["predictions"], rows, strict=True):
        for got, expected in zip(sent, row, strict=True):
            assert got["id"] == expected.id
            assert got["probability"] == pytest.approx(expected.probability, abs=1e-6)
            assert got["unedited"] == pytest.approx(expected.unedited, abs=1e-6)


def test_a_run_with_other_interventions_is_another_run(serve: Serve) -> None:
    client = serve()
    for interventions in ([], [SCALE], [SCALE | {"factor": 0.5}], [SCALE, PATCH], [PATCH, SCALE]):
        post_safetensors(client, texts=TEXTS, interventions=interventions)
    assert metric(client, "traces_computed_total") == 5
    post_safetensors(client, texts=TEXTS, interventions=[SCALE, PATCH])
    assert metric(client, "traces_computed_total") == 5


def test_mute_effects_are_of_the_edited_run(client: TestClient, tiny: NativeSource) -> None:
    answer = post_json(
        client,
        texts=TEXTS,
        interventions=[SCALE],
        analyse={"mute_effects": {}},
        select={"layers": []},
    )
    one = Intervention(kind="scale", at="head", layer=1, head=2, factor=0.25)
    expected = tiny.mute_effects(Inputs(TEXTS, interventions=(one,)))
    plain = tiny.mute_effects(Inputs(TEXTS))
    for sent, found, other in zip(answer["mute_effects"], expected, plain, strict=True):
        changes = [effect["change"] for effect in sent["effects"]]
        assert changes == pytest.approx([each.change for each in found.effects], abs=1e-6)
        assert changes != pytest.approx([each.change for each in other.effects], abs=1e-4)


def test_generated_tokens_come_from_the_edited_run(client: TestClient) -> None:
    negated = {"kind": "scale", "at": "resid_post", "layer": 1, "factor": -1}
    for generate in ({"n_tokens": 3}, {"n_tokens": 2, "sampled": True, "seed": 3}):
        asked = {"texts": TEXTS, "select": {"layers": []}, "generate": generate}
        plain, edited = (
            post_json(client, **asked, interventions=given) for given in ([], [negated])
        )
        new = [[token["id"] for token in each["tokens"][0]][-2:] for each in (plain, edited)]
        assert new[0] != new[1]


def test_sentences_of_interventions_cost_their_runs(tiny: NativeSource) -> None:
    def cost(*interventions: dict[str, Any], **more: Any) -> Cost:
        body = {"texts": ["a cat sat"], "interventions": interventions, **more}
        request = TraceRequest.model_validate(json.loads(json.dumps(body)))
        return estimate(request, request.to_inputs(Settings()), tiny.info)

    mean = {"kind": "mean", "layer": 0, "texts": ["a cat", "a dog"]}
    assert cost(SCALE).terms["interventions"] == 0
    one = cost(mean).terms["interventions"]
    assert one > cost().terms["run"]  # two texts at once
    same = mean | {"head": 1}
    other = mean | {"texts": ["hello", "he was"]}
    assert cost(mean, same).terms["interventions"] == one  # they share a run
    assert cost(mean, other).terms["interventions"] == pytest.approx(2 * one)
    generated = {"generate": {"n_tokens": 3}}
    assert cost(mean, **generated).terms["generate"] > cost(**generated).terms["generate"]
    long = mean | {"texts": ["a cat " * 200]}
    assert cost(long).terms["run"] > cost(mean).terms["run"]


def test_a_saved_page_refuses_them(client: TestClient) -> None:
    response = client.get("/export?text=the+cat&intervention=zero~head.0.1")
    assert response.status_code == 422
    error = response.json()["error"]
    assert (error["code"], error["field"]) == ("invalid_input", "interventions")
    assert "share the link instead" in error["message"]


HUGE: dict[str, Any] = {"kind": "scale", "at": "resid_pre", "layer": 0, "factor": 1_000}


@pytest.mark.parametrize(
    "asked",
    [
        {"predict": {}},
        {"predict": None, "select": {"tensors": ["scores"]}},
        {"generate": {"n_tokens": 2}},
        {"model": "scratch"},
        *(
            {"analyse": {name: EVERYTHING[name]}}
            for name in ("lens", "stream", "scores", "explanations")
        ),
    ],
    ids=str,
)
def test_numbers_that_overflow_are_the_requests_doing(
    client: TestClient, asked: dict[str, Any]
) -> None:
    error = refusal(client, interventions=[HUGE] * 20, **asked)
    assert (error["code"], error["field"]) == ("overflow", "interventions")
    assert "beyond the range of float32. Use smaller factors" in error["message"]


def test_events_blame_the_interventions_too(client: TestClient) -> None:
    body = {"texts": TEXTS, "interventions": [HUGE | {"at": "head"}] * 20}
    headers = {"Accept": "text/event-stream"}
    told = client.post("/api/trace", json=body, headers=headers).text
    [name, data] = told.strip().split("\n\n")[-1].split("\n")
    said = json.loads(data.removeprefix("data: "))
    assert (name, said["status"], said["error"]["code"]) == ("event: error", 422, "overflow")
