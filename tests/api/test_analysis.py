"""`analyse`: each number is compared with one that is derived here from the model's own output."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import orjson
import pytest
import torch
from fastapi.testclient import TestClient
from numpy.typing import NDArray

from model.analysis import METRICS
from model.analysis.flow import flow
from model.core.checkpoint import SHIPPED
from model.errors import InputError, UnavailableError
from model.sources.native import NativeSource
from model.sources.registry import Registry
from model.sources.source import Inputs, MutedHead
from model.trace.predictions import MuteEffects
from model.trace.trace import Trace
from server.api.analyses.circuits.cell import Cell
from server.api.schemas import Analyse, TraceResponse
from tests.api.conftest import Serve, Wrapped
from tests.api.test_tracing import metric, until
from tests.api.test_wire import Arrays, Changed, post_json, post_safetensors

pytestmark = pytest.mark.long

TEXTS = ("the cat sat on the mat, the cat ran.", "hello dog")
N = (12, 3)  # tokens of each, [BOS] included
EVERYTHING: dict[str, Any] = {
    "scores": True,
    "rollout": True,
    "match": {"cells": [[1, 0], [3, 2], [2, 0]], "text": 1},
    "lens": {"top_k": 3},
    "stream": {"tensors": ["resid_mid", "attn_scale"], "positions": [0, 2]},
    "attribution": {},
    "top_keys": {"top_k": 2},
    "far_links": {"min_distance": 3},
    "overview": {"resolution": 4, "over": "layers", "pooling": "mean"},
    "cell": {
        "layer": 1,
        "head": 2,
        "query": 2,
        "key": 1,
        "whole_head": True,
        "without": [{"part": {"kind": "mlp", "layer": 0}, "side": "key"}],
    },
    "composition": True,
    "weight_composition": True,
    "mute_effects": {},
    "paths": {"limit": 12},
    "edges": {"corrupted": "a dog ran", "pairs": [[0, 0], [1, 1]], "listed": 5},
    "patching": {
        "clean": "a dog ran",
        "at": "head",
        "by": "head",
        "position": 2,
        "pairs": [[0, 0], [1, 1], [3, 2]],
    },
    "flow": True,
    "explanations": {"layer": 0, "head": 1, "steps": 3},
    "other_attention": {"layer": 0, "head": 1, "position": 2, "steps": 3},
}
PARTS = tuple(EVERYTHING)
NONE: dict[str, Any] = {"layers": []}


def analyse(client: TestClient, texts: tuple[str, ...] = TEXTS, **request: Any) -> dict[str, Any]:
    """Analyse some texts, without their tensors."""
    said = {"select": NONE, "predict": None, **request}
    return post_json(client, texts=texts, **said)


def refusal(client: TestClient, **request: Any) -> dict[str, Any]:
    response = client.post("/api/trace", json={"texts": TEXTS, **request})
    assert response.status_code == 422, response.text
    error: dict[str, Any] = response.json()["error"]
    return error


def scores_of(answer: dict[str, Any], text: int, layer: int, head: int) -> dict[str, Any]:
    [found] = [
        entry["scores"]
        for entry in answer["scores"][text]["heads"]
        if (entry["layer"], entry["head"]) == (layer, head)
    ]
    return dict(found)


@pytest.mark.parametrize("asked", PARTS)
def test_a_part_is_null_unless_asked_for(client: TestClient, asked: str) -> None:
    answer = analyse(client, analyse={asked: EVERYTHING[asked]})
    TraceResponse.model_validate(answer)
    assert [part for part in PARTS if answer[part] is not None] == [asked]
    nothing = analyse(client)
    assert all(nothing[part] is None for part in PARTS)


@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8"])
def test_json_and_safetensors_hold_the_same_analysis(client: TestClient, dtype: str) -> None:
    request = {"texts": TEXTS, "analyse": EVERYTHING, "select": {**NONE, "dtype": dtype}}
    answer = post_json(client, **request)
    document, tensors = post_safetensors(client, **request)
    nested = answer.pop("stream")
    assert document.pop("stream") is None
    stream = {
        f"stream/{place}.{name}": numbers
        for place, named in nested.items()
        for name, numbers in named.items()
    }
    assert len(stream) == 2 * 2  # of each of two layers
    for name, numbers in stream.items():
        np.testing.assert_array_equal(tensors.pop(name), np.array(numbers, dtype="float32"))
    assert set(tensors) == {"rollout", "flow"}
    for name, tensor in tensors.items():
        numbers = np.array(answer.pop(name), dtype=dtype)
        assert tensor.dtype == np.dtype(dtype)
        np.testing.assert_array_equal(tensor, numbers)
        assert document.pop(name) is None
    assert document == answer


def test_scores_of_a_pattern_known_beforehand(client: TestClient) -> None:
    """A window of two without the diagonal: each token looks only at the one before it."""
    text = "the cat sat on mat"  # and [BOS]
    masks = {"window": 2, "blocked": [{"query": i, "key": i} for i in range(1, 6)]}

    def scores(specials: bool) -> dict[str, Any]:
        asked = {"scores": True, "specials": specials}
        answer = analyse(client, (text,), masks=masks, analyse=asked)
        assert answer["scores"][0]["sink_share"] == 1.0
        assert len(answer["scores"][0]["heads"]) == 6
        first, *others = (entry["scores"] for entry in answer["scores"][0]["heads"])
        assert all(other == first for other in others)  # no head has a choice
        return dict(first)

    def value(over: int, value: float) -> dict[str, Any]:
        return {"value": pytest.approx(value, abs=1e-6), "over": over, "reason": None}

    def undefined(reason: str) -> dict[str, Any]:
        return {"value": None, "over": 0, "reason": reason}

    found = scores(specials=False)
    assert set(found) == {metric.name for metric in METRICS}
    assert found["previous_token"] == value(4, 1.0)  # "the" has [BOS] before it: no ordinary token
    assert found["first_token"] == found["special_mass"] == value(1, 1.0)
    assert found["mean_offset"] == value(5, 1.0)
    assert found["entropy"] == value(5, 0.0)
    assert found["same_token"] == undefined("no token occurs twice")
    assert found["punctuation_mass"] == undefined("the text has no punctuation")
    assert found["normalised_entropy"] == undefined("no query may look at two keys")
    assert "no token occurs twice" in found["induction"]["reason"]

    found = scores(specials=True)
    assert found["previous_token"] == value(5, 1.0)
    assert found["mean_offset"] == value(6, 5 / 6)  # [BOS] looks at itself


def test_scores_are_means_over_the_pattern(client: TestClient) -> None:
    _, tensors = post_safetensors(client, texts=TEXTS)
    answer = analyse(client, analyse={"scores": True})
    ids = [[token["id"] for token in row] for row in answer["tokens"]]
    for layer, head in ((0, 2), (1, 0)):
        pattern = tensors[f"layers.{layer}.pattern"].astype(np.float64)[:, head]
        for text, n in enumerate(N):
            scores = scores_of(answer, text, layer, head)
            before = [pattern[text, i, i - 1] for i in range(2, n)]
            assert scores["previous_token"]["over"] == len(before)
            assert scores["previous_token"]["value"] == pytest.approx(np.mean(before), rel=1e-5)
            after = [
                sum(pattern[text, i, j] for j in keys)
                for i in range(1, n)
                for keys in [[j for j in range(2, i) if ids[text][j - 1] == ids[text][i]]]
                if keys
            ]
            assert scores["induction"]["over"] == len(after)
            if after:
                expected = pytest.approx(np.mean(after), rel=1e-5)
                assert scores["induction"]["value"] == expected
        assert scores["induction"]["reason"] is not None  # the second text has no repetitions
        whole = pattern[0, 1:12]
        entropy = -(whole * np.log(np.maximum(whole, 1e-30))).sum(-1).mean()
        value = scores_of(answer, 0, layer, head)["entropy"]["value"]
        assert value == pytest.approx(entropy, rel=1e-4)


def test_sink_share_counts_the_heads_above_the_threshold(client: TestClient) -> None:
    found = analyse(client, analyse={"scores": True})["scores"][0]
    first = [entry["scores"]["first_token"]["value"] for entry in found["heads"]]
    assert 0 < sum(value > 0.3 for value in first) < len(first)  # else this shows little
    assert found["sink_share"] == pytest.approx(np.mean([value > 0.3 for value in first]))


def test_nothing_to_score_is_null_with_a_reason(client: TestClient) -> None:
    answer = analyse(client, ("", "a"), analyse={"scores": True})
    empty, one = answer["scores"]
    assert empty["sink_share"] is None
    for entry in empty["heads"]:
        for score in entry["scores"].values():
            assert (score["value"], score["over"]) == (None, 0)
            assert len(score["reason"]) > 10
    assert one["sink_share"] is not None


def by_hand(tensors: Arrays) -> NDArray[np.float64]:
    n = tensors["layers.0.pattern"].shape[-1]
    rolled = np.eye(n)[None]
    for layer in (0, 1):
        mean = tensors[f"layers.{layer}.pattern"].astype(np.float64).mean(axis=1)
        rolled = (0.5 * mean + 0.5 * np.eye(n)) @ rolled
    return rolled


def test_rollout_is_the_product_of_the_layers(client: TestClient) -> None:
    _, tensors = post_safetensors(client, texts=TEXTS)
    found = np.array(analyse(client, analyse={"rollout": True})["rollout"])
    assert found.shape == (2, 12, 12)
    np.testing.assert_allclose(found, by_hand(tensors), atol=1e-6)
    np.testing.assert_allclose(found.sum(-1), 1, atol=1e-5)


def test_uint8_rollout_is_rounded(client: TestClient) -> None:
    _, tensors = post_safetensors(client, texts=TEXTS, analyse={"rollout": True})
    _, bytes_ = post_safetensors(
        client, texts=TEXTS, analyse={"rollout": True}, select={"dtype": "uint8"}
    )
    expected = np.round(255 * tensors["rollout"])
    np.testing.assert_array_equal(bytes_["rollout"], expected)


def test_last_stage_of_the_lens_is_what_the_model_predicts(client: TestClient) -> None:
    answer = analyse(client, analyse={"lens": {"top_k": 4}}, predict={"top_k": 4})
    for lens, predicted, n in zip(answer["lens"], answer["predictions"], N, strict=True):
        assert lens["position"] == n - 1
        assert [s["name"] for s in lens["stages"]] == ["embedding", "layers.0", "layers.1"]
        assert [s["layer"] for s in lens["stages"]] == [None, 0, 1]
        last = lens["stages"][-1]
        assert [c["id"] for c in last["candidates"]] == [c["id"] for c in predicted]
        for here, there in zip(last["candidates"], predicted, strict=True):
            assert here["probability"] == pytest.approx(there["probability"])
        assert last["final"] == last["candidates"][0]
        assert {stage["final"]["id"] for stage in lens["stages"]} == {predicted[0]["id"]}


def test_first_stage_of_the_lens_reads_the_embedding(
    client: TestClient, tiny: NativeSource
) -> None:
    answer = analyse(client, analyse={"lens": {"top_k": 2, "position": 2}})
    for row, lens in zip(answer["tokens"], answer["lens"], strict=True):
        ids = torch.tensor([[token["id"] for token in row]])
        with torch.inference_mode():
            x = tiny.model.embedding(ids, torch.arange(ids.shape[1])[None])
            probabilities = tiny.model.unembed(tiny.model.norm(x))[0, 2].softmax(-1)
        first = lens["stages"][0]
        assert lens["position"] == 2
        assert first["candidates"][0]["id"] == int(probabilities.argmax())
        for told in (*first["candidates"], first["final"]):
            assert told["probability"] == pytest.approx(probabilities[told["id"]].item(), rel=1e-4)


def likelihoods(
    source: NativeSource, muted: tuple[tuple[int, int], ...], position: int
) -> list[dict[int, float]]:
    """The probability of every token, in a run of its own."""
    inputs = Inputs(texts=TEXTS, muted=tuple(MutedHead(*head) for head in muted))
    rows = source.trace(inputs).predict(top_k=9_999, position=position)
    return [{candidate.id: candidate.probability for candidate in row} for row in rows]


@pytest.mark.parametrize("position", [2, None])
def test_effect_of_muting_is_the_difference_between_two_runs(
    client: TestClient, tiny: NativeSource, position: int | None
) -> None:
    answer = analyse(client, muted=[[1, 2]], analyse={"mute_effects": {"position": position}})
    for text, found in enumerate(answer["mute_effects"]):
        place = N[text] - 1 if position is None else position
        assert found["position"] == place
        token = found["token"]["id"]
        own = likelihoods(tiny, ((1, 2),), place)[text]
        assert token == max(own, key=lambda id: own[id])
        assert found["token"]["probability"] == pytest.approx(own[token])
        assert {effect["kind"] for effect in found["effects"]} == {"self"}
        heads = [(effect["layer"], effect["head"]) for effect in found["effects"]]
        assert heads == [(layer, head) for layer in range(2) for head in range(3)]
        for effect, (layer, head) in zip(found["effects"], heads, strict=True):
            if (layer, head) == (1, 2):
                assert effect["change"] is None
                assert "muted already" in effect["reason"]
                continue
            muted = likelihoods(tiny, ((1, 2), (layer, head)), place)[text]
            assert effect["reason"] is None
            assert effect["change"] == pytest.approx(log(muted[token] / own[token]), abs=1e-4)
            assert abs(effect["change"]) > 1e-3  # else this shows little


def test_effect_of_muting_on_a_token_of_ones_own(client: TestClient, tiny: NativeSource) -> None:
    own = likelihoods(tiny, (), 2)[0]
    token = sorted(own, key=lambda id: own[id])[-3]
    [found, _] = analyse(client, analyse={"mute_effects": {"position": 2, "token": token}})[
        "mute_effects"
    ]
    assert found["token"]["id"] == token
    assert found["token"]["probability"] == pytest.approx(own[token])
    muted = likelihoods(tiny, ((0, 1),), 2)[0]
    change = found["effects"][1]["change"]
    assert change == pytest.approx(log(muted[token] / own[token]), abs=1e-4)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"lens": {"position": 12}}, "analyse.lens.position"),
        ({"mute_effects": {"position": 12}}, "analyse.mute_effects.position"),
        ({"mute_effects": {"token": 99_999}}, "analyse.mute_effects.token"),
    ],
)
def test_what_is_not_there_is_refused_by_name(
    client: TestClient, asked: dict[str, Any], field: str
) -> None:
    error = refusal(client, analyse=asked)
    assert (error["code"], error["field"]) == ("invalid_input", field)


def test_position_is_one_of_the_padded_texts(client: TestClient) -> None:
    answer = analyse(client, analyse={"lens": {"position": 11}, "mute_effects": {"position": 11}})
    assert [lens["position"] for lens in answer["lens"]] == [11, 11]
    assert [found["position"] for found in answer["mute_effects"]] == [11, 11]


class Mute(Wrapped):
    """A model that predicts nothing."""

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        return replace(super().trace(inputs, max_tokens=max_tokens), stages=None)

    def mute_effects(
        self,
        inputs: Inputs,
        *,
        position: int | None = None,
        token: int | None = None,
        max_tokens: int | None = None,
    ) -> list[MuteEffects]:
        raise UnavailableError("It predicts nothing.", field="analyse.mute_effects")


@pytest.mark.parametrize("part", ["lens", "mute_effects"])
def test_model_without_predictions_has_neither_lens_nor_effects(
    serve: Serve, tiny: NativeSource, part: str
) -> None:
    source = Mute(tiny)
    source.info = replace(tiny.info, predicts=None)
    client = serve(Registry({"mute": lambda progress: source}))
    error = refusal(client, analyse={part: {}})
    assert (error["code"], error["field"]) == ("unavailable", f"analyse.{part}")
    assert analyse(client, analyse={"scores": True, "rollout": True})["rollout"]


def test_flow_is_that_of_the_trace(client: TestClient, tiny: NativeSource) -> None:
    expected = flow(tiny.trace(Inputs(texts=("The cat", "a")))).numpy()
    request: dict[str, Any] = {"texts": ("The cat", "a"), "analyse": {"flow": True}, "select": NONE}
    np.testing.assert_array_equal(np.float32(analyse(client, **request)["flow"]), expected)
    document, tensors = post_safetensors(client, **request)
    np.testing.assert_array_equal(tensors["flow"], expected)
    assert document["flow"] is None
    assert analyse(client, analyse={"rollout": True})["flow"] is None


def test_flow_of_a_long_text_is_refused_before_it_begins(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.api.analyses.flow.flow", None)
    error = refusal(client, texts=["a", "cat " * 30], analyse={"flow": True}, select=NONE)
    assert (error["code"], error["field"]) == ("too_many_tokens", "analyse.flow")
    assert error["limit"] == 24


def test_rollout_needs_a_single_stack(serve: Serve, tiny: NativeSource) -> None:
    def cross(trace: Trace) -> Trace:
        return replace(trace, sites=tuple(replace(site, kind="cross") for site in trace.sites))

    client = serve(Registry({"crossed": lambda progress: Changed(tiny, cross)}))
    error = refusal(client, analyse={"rollout": True})
    assert (error["code"], error["field"]) == ("unavailable", "analyse.rollout")


def test_norms_are_of_what_is_moved(client: TestClient, tiny: NativeSource) -> None:
    """Where a query looks at one key only, `norms` there is the size of `result`."""
    request = {"texts": ["hello"], "select": {"tensors": ["norms", "result", "pattern"]}}
    _, tensors = post_safetensors(client, **request)
    for layer in (0, 1):
        result = tensors[f"layers.{layer}.result"]
        norms = tensors[f"layers.{layer}.norms"]
        assert norms.shape == (1, 3, 2, 2)
        size = np.linalg.norm(result[0, :, 0], axis=-1)  # [BOS] sees itself alone
        np.testing.assert_allclose(norms[0, :, 0, 0], size, rtol=1e-5)
        assert (norms[0, :, 0, 1] == 0).all()


class Counting(Wrapped):
    """The tiny model. It counts how often its heads are muted, and can be paused meanwhile."""

    def __init__(self, source: NativeSource) -> None:
        super().__init__(source)
        self.go = threading.Event()
        self.go.set()
        self.runs = 0
        self.error: Exception | None = None

    def mute_effects(
        self,
        inputs: Inputs,
        *,
        position: int | None = None,
        token: int | None = None,
        max_tokens: int | None = None,
    ) -> list[MuteEffects]:
        self.runs += 1
        assert self.go.wait(30)
        if self.error is not None:
            raise self.error
        return super().mute_effects(inputs, position=position, token=token, max_tokens=max_tokens)


@pytest.fixture
def counting(tiny: NativeSource) -> Counting:
    return Counting(tiny)


Ask = Callable[..., Any]


def asker(client: TestClient) -> Ask:
    def ask(text: str = "a cat", **asked: Any) -> Any:
        return client.post("/api/trace", json={"texts": [text], "analyse": {"mute_effects": asked}})

    return ask


def test_effects_are_remembered(serve: Serve, counting: Counting) -> None:
    client = serve(Registry({"counting": lambda progress: counting}))
    ask = asker(client)
    first, again = ask(), ask()
    assert first.status_code == again.status_code == 200
    assert first.content == again.content
    assert counting.runs == metric(client, "mute_effects_computed_total") == 1
    for asked in ({"position": 1}, {"token": 5}, {"text": "a dog"}):
        assert ask(**asked).json()["mute_effects"] != first.json()["mute_effects"]
    assert counting.runs == 4


def test_equal_requests_in_flight_mute_once(serve: Serve, counting: Counting) -> None:
    client = serve(Registry({"counting": lambda progress: counting}), concurrency=3)
    ask = asker(client)
    counting.go.clear()
    with ThreadPoolExecutor(3) as pool:
        answers = [pool.submit(ask) for _ in range(3)]
        until(lambda: counting.runs == 1 and metric(client, "traces_joined_total") == 2)
        counting.go.set()
    assert len({answer.result().content for answer in answers}) == 1
    assert counting.runs == 1


def test_failed_effects_are_not_remembered(serve: Serve, counting: Counting) -> None:
    ask = asker(serve(Registry({"counting": lambda progress: counting})))
    counting.error = InputError("Expected something else.", code="odd")
    assert ask().json()["error"]["code"] == "odd"
    counting.error = None
    assert ask().status_code == 200
    assert counting.runs == 2


def test_too_many_runs_are_refused_before_the_first(serve: Serve, counting: Counting) -> None:
    limit = 2 * N[0] * 2 * 3  # texts · tokens · layers · heads
    for allowed, status in ((limit, 200), (limit - 1, 422)):
        client = serve(Registry({"counting": lambda progress: counting}), max_mute_tokens=allowed)
        request = {"texts": TEXTS, "analyse": {"mute_effects": {}}}
        answer = client.post("/api/trace", json=request)
        assert answer.status_code == status
    error = answer.json()["error"]
    assert (error["code"], error["field"], error["limit"]) == (
        "too_many_runs",
        "analyse.mute_effects",
        limit - 1,
    )
    assert "shorter" in error["message"]
    assert counting.runs == 1


def test_rollout_that_would_be_too_large_is_refused_by_name(serve: Serve) -> None:
    client = serve(max_answer_bytes=200_000)
    request = {"texts": ["cat " * 200], "select": NONE, "analyse": {"rollout": True}}
    error = client.post("/api/trace", json=request).json()["error"]
    assert (error["code"], error["field"]) == ("answer_too_large", "analyse.rollout")
    safetensors = {"Accept": "application/safetensors"}
    assert client.post("/api/trace", json=request, headers=safetensors).status_code == 200


@pytest.mark.parametrize("accept", ["application/json", "application/safetensors"])
@pytest.mark.parametrize(
    "asked",
    [
        {"scores": True},
        {"rollout": True},
        {"lens": {"top_k": 100}},
        {"mute_effects": {}},
        {"stream": {"tensors": ["resid_pre", "mlp_scale"], "layers": [1]}},
        {"stream": {"tensors": ["logits"], "positions": [3, 9]}},
        {"match": {"cells": [[9, 8]]}},
        {"top_keys": {"top_k": 7}},
        {"far_links": {"top_k": 1000, "min_distance": 1, "specials": True, "first_token": True}},
        {"overview": {}},
        {"cell": {"layer": 1, "head": 0, "query": 9, "key": 3}},
        {"cell": EVERYTHING["cell"]},
        {"explanations": {"layer": 0, "head": 1}},
        {"other_attention": {"layer": 1, "position": 4, "steps": 2}},
        EVERYTHING | {"flow": False, "explanations": None},  # of shorter texts than these
    ],
)
def test_size_of_an_analysis_is_estimated_from_above_and_not_far(
    serve: Serve, asked: dict[str, Any], accept: str
) -> None:
    times = 10 if asked.get("explanations") else 30
    request = {"texts": ["the cat ran " * times, "a b"], "select": NONE, "analyse": asked}
    headers = {"Accept": accept}
    client = serve(max_answer_bytes=1)
    refused = client.post("/api/trace", json=request, headers=headers).json()["error"]
    told = int("".join(filter(str.isdigit, refused["message"].split(" bytes")[0])))
    sent = len(serve().post("/api/trace", json=request, headers=headers).content)
    assert 0.4 * told < sent <= told + 4_096


def test_explanations_answer_to_their_old_name_too(client: TestClient) -> None:
    asked = {"position": 3, "steps": 2}
    [new] = analyse(client, TEXTS[:1], analyse={"explanations": asked})["explanations"]
    [old] = analyse(client, TEXTS[:1], analyse={"court": asked})["court"]
    roles = {"method": "witness", "reference": "judge", "second reference": "second judge"}
    for method in new["methods"]:
        method["role"] = roles[method["role"]]
    assert old.pop("testimonies") == new.pop("methods")
    assert old == new
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert schemas["Analyse"]["properties"]["court"]["deprecated"] is True


def test_the_stream_is_the_sum_of_its_parts(client: TestClient) -> None:
    """What each layer adds: its heads' results and its feed-forward's output."""
    named = {"tensors": ["resid_pre", "resid_post", "mlp_out", "logits"]}
    answer = analyse(
        client, select={"tensors": ["result"]}, analyse={"stream": named}, predict={"top_k": 3}
    )
    found = {
        place: {name: np.array(numbers) for name, numbers in tensors.items()}
        for place, tensors in answer["stream"].items()
    }
    for site in answer["sites"]:
        layer = found[site["name"]]
        added = np.array(site["tensors"]["result"]).sum(axis=1) + layer["mlp_out"]
        size = np.abs(layer["resid_post"]).max()
        np.testing.assert_allclose(
            layer["resid_pre"] + added, layer["resid_post"], atol=1e-5 * size
        )
    logits = found["final"]["logits"][0, N[0] - 1]
    shares = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    for each in answer["predictions"][0]:
        assert shares[each["id"]] == pytest.approx(each["probability"], abs=1e-6)


def test_attribution(client: TestClient) -> None:
    """The numbers of each text sum to the logit, whose lead is what the predictions say."""
    answers = [
        analyse(client, analyse={"attribution": {"token": 5, "against": against, "position": 2}})
        for against in (None, 9)
    ]
    for text in range(len(TEXTS)):
        alone, lead = (answer["attribution"][text] for answer in answers)
        assert alone["against"] is None and lead["against"]["id"] == 9
        for one in (alone, lead):
            total = sum(each["value"] for each in one["contributions"]) + one["remainder"]
            assert total == pytest.approx(one["logit"], abs=1e-4)
            heads = {
                (each["part"]["site"], each["part"]["head"]): each["value"]
                for each in one["contributions"]
                if each["part"]["kind"] == "head"
            }
            for source in one["sources"]:
                assert sum(source["values"]) == pytest.approx(
                    heads[source["site"], source["head"]], abs=1e-4
                )
        gap = log(lead["token"]["probability"]) - log(lead["against"]["probability"])
        assert lead["logit"] == pytest.approx(gap, abs=1e-4)


def test_a_match_is_read_off_the_patterns(client: TestClient) -> None:
    _, tensors = post_safetensors(client, texts=TEXTS)
    found = analyse(client, analyse={"match": {"cells": [[4, 3], [5, 4], [5, 0], [4, 3]]}})["match"]
    assert [(one["layer"], one["head"]) for one in found] == [
        (layer, head) for layer in range(2) for head in range(3)
    ]
    for one in found:
        pattern = tensors[f"{one['site']}.pattern"][0, one["head"]].tolist()
        share = (pattern[4][3] + pattern[5][4] + pattern[5][0]) / 2
        chance = (1 / 5 + 2 / 6) / 2
        assert one["share"] == pytest.approx(share, abs=1e-6)
        assert one["chance"] == pytest.approx(chance)
        assert one["lift"] == pytest.approx(share - chance, abs=1e-6)
        assert (one["over"], one["reason"]) == (2, None)


def test_the_overview_is_the_largest_weight_of_any_head(client: TestClient) -> None:
    _, tensors = post_safetensors(client, texts=TEXTS)
    answer = analyse(client, analyse={"overview": {"resolution": 3}})
    both = analyse(client, analyse={"overview": {"resolution": 3, "over": "layers"}})
    for text, n in enumerate(N):
        assert [one["sites"] for one in answer["overview"][text]] == [["layers.0"], ["layers.1"]]
        [whole] = both["overview"][text]
        assert (whole["sites"], whole["layers"]) == (["layers.0", "layers.1"], [0, 1])
        side = n // 3
        for row in range(3):
            for col in range(3):
                block = np.s_[text, :, row * side : (row + 1) * side, col * side : (col + 1) * side]
                by_layer = [tensors[f"layers.{layer}.pattern"][block].max() for layer in range(2)]
                maps = [one["map"][row][col] for one in answer["overview"][text]]
                # another product of matrices, which some processors round otherwise
                assert maps == pytest.approx(by_layer, rel=1e-6)
                assert whole["map"][row][col] == pytest.approx(max(by_layer), rel=1e-6)


def test_top_keys_and_far_links_are_cells_of_the_patterns(client: TestClient) -> None:
    _, tensors = post_safetensors(client, texts=TEXTS)
    top = {"top_k": 3, "rows": [4, 11], "layers": [1], "heads": [2, 0], "min_distance": 2}
    far = {"top_k": 9, "min_distance": 4}
    answer = analyse(client, analyse={"top_keys": top, "far_links": far})
    for text in range(len(TEXTS)):
        heads = answer["top_keys"][text]
        assert [(one["site"], one["head"], one["rows"]) for one in heads] == [
            ("layers.1", 2, [4, 11]),
            ("layers.1", 0, [4, 11]),
        ]
        for one in heads:
            pattern = tensors["layers.1.pattern"][text, one["head"]].tolist()
            for query, keys, weights in zip(range(4, 11), one["keys"], one["weights"], strict=True):
                real = [key for key in range(query - 1) if key < N[text]]
                expected = sorted((-pattern[query][key], key) for key in real)[:3]
                expected = expected if query < N[text] else []  # padding
                assert list(zip(weights, keys, strict=True)) == [(-w, key) for w, key in expected]
        cells = [
            (-pattern[query][key], layer, head, query, key)
            for layer in range(2)
            for head in range(3)
            for pattern in [tensors[f"layers.{layer}.pattern"][text, head].tolist()]
            for query in range(N[text])
            for key in range(1, query - 3)
        ]
        found = answer["far_links"][text]
        assert found["searched"] == len(cells)
        names = ("weight", "layer", "head", "query", "key")
        listed = [tuple(link[name] for name in names) for link in found["links"]]
        assert listed == [(-weight, *rest) for weight, *rest in sorted(cells)[:9]]
        assert all(link["distance"] == link["query"] - link["key"] for link in found["links"])


@pytest.mark.parametrize("without", [[], EVERYTHING["cell"]["without"]])
def test_the_size_of_a_table_of_many_parts_is_estimated(without: list[dict[str, Any]]) -> None:
    """In the shipped model's last layer there are 20 × 20 numbers, most of the answer."""
    trace = NativeSource("shipped", SHIPPED).trace(Inputs(texts=TEXTS, stream=True))
    asked = {"layer": 2, "head": 3, "query": 2, "key": 1, "without": without}
    analyse = Analyse.model_validate({"cell": asked})
    told = Cell().nbytes(trace, analyse, 13)
    answer = Cell().read(trace, analyse, None)
    sent = len(orjson.dumps(answer, option=orjson.OPT_SERIALIZE_NUMPY))
    assert 0.6 * told < sent <= told


def test_composition_has_a_number_for_each_pair_of_heads(client: TestClient) -> None:
    answer = analyse(client, analyse={"composition": True, "weight_composition": True})
    texts, weights = answer["composition"], answer["weight_composition"]
    assert len(texts) == len(TEXTS)
    for found in (*texts, weights):
        [pair] = found["pairs"]  # of two layers
        assert (pair["earlier"], pair["later"]) == ("layers.0", "layers.1")
        for through in ("q", "k", "v"):
            assert [len(row) for row in pair[through]] == [3] * 3
    assert all(0 <= number <= 1 for row in weights["pairs"][0]["k"] for number in row)
    for found in texts:
        assert [(one["site"], one["head"]) for one in found["wholes"]] == [
            (f"layers.{layer}", head) for layer in range(2) for head in range(3)
        ]
    [alone] = analyse(client, TEXTS[:1], analyse={"composition": True})["composition"]
    for one, other in zip(alone["pairs"], texts[0]["pairs"], strict=True):
        assert np.allclose(one["k"], other["k"], atol=1e-5)
    other = analyse(client, ("fox",), analyse={"weight_composition": True})
    assert other["weight_composition"] == weights


def test_paths_lead_to_the_logit(client: TestClient) -> None:
    answer = analyse(client, analyse={"paths": {"token": 5, "against": 9, "limit": 30}})
    attributed = analyse(client, analyse={"attribution": {"token": 5, "against": 9}})
    for found, whole in zip(answer["paths"], attributed["attribution"], strict=True):
        assert found["logit"] == pytest.approx(whole["logit"], abs=1e-4)
        assert found["position"] == whole["position"]
        assert 0 < len(found["edges"]) <= 30
        shares = {tuple(each["part"].values()): each["value"] for each in whole["contributions"]}
        reached = [edge["sender"] for edge in found["edges"] if edge["verdict"] != "denied"]
        sizes = [abs(edge["promised"]) for edge in found["edges"]]
        assert sizes == sorted(sizes, reverse=True) and sizes[-1] >= found["least"]
        for edge in found["edges"]:
            assert edge["receiver"]["part"] is None or edge["receiver"] in reached
            if edge["through"] == "logit":
                share = shares[tuple(edge["sender"]["part"].values())]
                assert edge["promised"] == pytest.approx(share, abs=1e-4)


def test_cuts_are_runs_and_are_counted(serve: Serve) -> None:
    error = refusal(serve(max_mute_tokens=100), analyse={"paths": {"limit": 50}})
    assert error["code"] == "too_many_runs" and error["field"] == "analyse.paths.limit"
    assert "edge" in error["message"]


def test_edges_of_several_texts_and_what_is_wrong_with_them(
    client: TestClient, serve: Serve
) -> None:
    asked = {"corrupted": "a dog ran", "listed": 4, "sets": [[], [0, 3]], "without": [[]]}
    answer = analyse(client, texts=("the cat sat", "the fox ran"), analyse={"edges": asked})
    for text, found in zip(("the cat sat", "the fox ran"), answer["edges"], strict=True):
        assert found["leads"][0] == pytest.approx(found["corrupted"], abs=1e-4)
        assert found["leads"][2] == pytest.approx(found["clean"], abs=1e-4)
        sizes = [abs(edge["estimate"]) for edge in found["edges"]]
        assert len(sizes) == 4 and sizes == sorted(sizes, reverse=True)
        alone = analyse(client, texts=(text,), analyse={"edges": asked})["edges"][0]
        assert alone["leads"] == pytest.approx(found["leads"], abs=1e-4)
    # of different lengths, where each must be read with its own padding
    unequal = ("the cat sat", "the fox ran and the cat sat")
    some = {**asked, "pairs": [[0, 0], [1, 1], [2, 2]]}
    masks = {"causal": False}
    together = analyse(client, texts=unequal, masks=masks, analyse={"edges": some})["edges"]
    for text, found in zip(unequal, together, strict=True):
        [alone] = analyse(client, texts=(text,), masks=masks, analyse={"edges": some})["edges"]
        assert alone["leads"] == pytest.approx(found["leads"], abs=1e-4)
    texts = {"texts": ["the cat sat"]}
    wrong: tuple[tuple[dict[str, Any], str, str], ...] = (
        ({"corrupted": "dog"}, "not_aligned", "analyse.edges.corrupted"),
        ({"corrupted": "a dog ran", "pairs": [[9, 0]]}, "invalid_input", "analyse.edges.pairs"),
        (
            {"corrupted": "a dog ran", "without": [[9999]]},
            "invalid_input",
            "analyse.edges.without.0",
        ),
        ({"corrupted": "a dog ran", "token": 99999}, "invalid_input", "analyse.edges.token"),
    )
    for settings, code, field in wrong:
        error = refusal(client, **texts, analyse={"edges": settings})
        assert (error["code"], error["field"]) == (code, field)
    error = refusal(client, **texts, muted=[[0, 1]], analyse={"edges": {"corrupted": "a dog ran"}})
    assert "without mutes and interventions" in error["message"]
    few = serve(max_mute_tokens=4)
    error = refusal(few, **texts, analyse={"edges": {"corrupted": "a dog ran", "steps": 5}})
    assert error["code"] == "too_many_runs" and error["field"] == "analyse.edges.sets"
