"""POST /api/trace: the numbers are those of the model, the same in JSON and safetensors."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from fastapi.testclient import TestClient
from numpy.typing import NDArray
from safetensors.numpy import load

from model.masks.rules import Cell, MaskSettings
from model.sources.native import NativeSource
from model.sources.registry import Registry
from model.sources.source import Inputs, MutedHead
from model.trace.tensors import TensorName
from model.trace.trace import Trace
from server.api.schemas import TraceResponse
from tests.api.conftest import Serve, Wrapped

TEXTS = ("The cat sat on the mat.", "Hello")
TENSORS: tuple[TensorName, ...] = (
    *("q", "k", "v", "scores", "pattern", "z", "result", "norms", "blocked_by", "value_weighted"),
)
DTYPES = {"float32": np.float32, "float16": np.float16, "uint8": np.uint8}

Arrays = dict[str, NDArray[Any]]


def post_json(client: TestClient, **request: Any) -> dict[str, Any]:
    response = client.post("/api/trace", json=request)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    answer: dict[str, Any] = response.json()
    return answer


def post_safetensors(client: TestClient, **request: Any) -> tuple[dict[str, Any], Arrays]:
    response = client.post(
        "/api/trace", json=request, headers={"Accept": "application/safetensors"}
    )
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/safetensors"
    length = int.from_bytes(response.content[:8], "little")
    header = json.loads(response.content[8 : 8 + length])
    return json.loads(header["__metadata__"]["trace"]), load(response.content)


def test_answer_has_the_documented_shape(client: TestClient) -> None:
    answer = post_json(client, texts=TEXTS)
    TraceResponse.model_validate(answer)
    assert set(answer) == set(TraceResponse.model_fields)
    assert [site["name"] for site in answer["sites"]] == ["layers.0", "layers.1"]
    assert answer["sites"][1]["heads"] == [0, 1, 2]
    assert np.array(answer["sites"][0]["tensors"]["pattern"]).shape == (2, 3, 8, 8)
    assert [len(row) for row in answer["tokens"]] == [8, 8]
    assert answer["tokens"][1][-1]["text"] == "[PAD]"
    assert [token["padding"] for token in answer["tokens"][1]] == [False] * 2 + [True] * 6
    assert {token["segment"] for row in answer["tokens"] for token in row} == {0}
    assert [len(row) for row in answer["predictions"]] == [10, 10]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("select", [{}, {"layers": [1], "heads": [2, 0], "rows": [3, 7]}])
def test_json_and_safetensors_hold_the_same_numbers(
    client: TestClient, select: dict[str, Any], dtype: str
) -> None:
    names = ("pattern", "blocked_by") if dtype == "uint8" else TENSORS
    request = {"texts": TEXTS, "select": {**select, "tensors": names, "dtype": dtype}}
    answer = post_json(client, **request)
    document, tensors = post_safetensors(client, **request)
    seen = 0
    for site in answer["sites"]:
        for name, numbers in site.pop("tensors").items():
            array = tensors[f"{site['name']}.{name}"]
            assert array.dtype == (np.uint8 if name == "blocked_by" else DTYPES[dtype])
            np.testing.assert_array_equal(np.array(numbers, dtype=array.dtype), array)
            seen += 1
    assert document == answer
    assert seen == len(tensors) == len(names) * len(answer["sites"])


def test_numbers_are_those_of_the_model(client: TestClient, tiny: NativeSource) -> None:
    cells: list[dict[str, Any]] = [
        {"text": 0, "layer": 1, "head": 2, "query": 4, "key": 1, "kind": "self"},
        {"text": None, "layer": None, "head": None, "query": 3, "key": None, "kind": None},
    ]
    _, tensors = post_safetensors(
        client,
        texts=TEXTS,
        masks={"causal": False, "padding_side": "left", "window": 5, "blocked": cells},
        muted=[[0, 1]],
        select={"tensors": TENSORS, "heads": [2, 0], "rows": [1, 6]},
    )
    masks = MaskSettings(
        causal=False,
        padding_side="left",
        window=5,
        blocked=tuple(Cell(**cell) for cell in cells),
    )
    trace = tiny.trace(Inputs(texts=TEXTS, masks=masks, muted=(MutedHead(0, 1),)))
    for site in trace.sites:
        derived = site.derive(TENSORS, heads=[2, 0], rows=slice(1, 6))
        for name, tensor in derived.items():
            np.testing.assert_array_equal(tensors[f"{site.name}.{name}"], tensor.numpy())


def test_muting_changes_the_layers_above_only(client: TestClient) -> None:
    own, muted = (post_safetensors(client, texts=TEXTS, muted=heads)[1] for heads in ([], [[0, 1]]))
    np.testing.assert_array_equal(own["layers.0.pattern"], muted["layers.0.pattern"])
    assert np.abs(own["layers.1.pattern"] - muted["layers.1.pattern"]).max() > 0.01


def test_muted_head_may_name_its_kind_of_site(client: TestClient) -> None:
    (plain, tensors), (named, others) = (
        post_safetensors(client, texts=TEXTS, muted=[head], select={"tensors": TENSORS})
        for head in ([0, 1], [0, 1, "self"])
    )
    assert plain == named
    assert tensors.keys() == others.keys()
    for name, array in tensors.items():
        np.testing.assert_array_equal(array, others[name])
    assert not others["layers.0.z"][:, 1].any() and others["layers.0.z"][:, 0].any()


@pytest.mark.parametrize(
    ("kinds", "names"),
    [
        (None, ["layers.0", "layers.1"]),
        (["self"], ["layers.0", "layers.1"]),
        (["cross", "self"], ["layers.0", "layers.1"]),
        (["cross"], []),
    ],
)
def test_sites_are_chosen_by_kind(
    client: TestClient, kinds: list[str] | None, names: list[str]
) -> None:
    answer = post_json(client, texts=TEXTS, select={"kinds": kinds})
    assert [site["name"] for site in answer["sites"]] == names
    one = post_json(client, texts=TEXTS, select={"kinds": kinds, "layers": [1]})
    assert [site["name"] for site in one["sites"]] == names[1:]
    assert answer["predictions"] == post_json(client, texts=TEXTS)["predictions"]


def test_allowed_cell_wins_over_the_causal_mask(client: TestClient) -> None:
    free = {"text": 0, "layer": 1, "head": 2, "query": 0, "key": 3}
    _, tensors = post_safetensors(
        client,
        texts=TEXTS,
        masks={"allowed": [free]},
        select={"tensors": ["pattern", "blocked_by"]},
    )
    assert tensors["layers.1.blocked_by"][0, 2, 0, 3] == 0
    assert tensors["layers.1.pattern"][0, 2, 0, 3] > 0
    assert tensors["layers.0.pattern"][0, 2, 0, 3] == 0


def test_uint8_is_the_rounded_pattern(client: TestClient) -> None:
    _, exact = post_safetensors(client, texts=TEXTS)
    _, bytes_ = post_safetensors(client, texts=TEXTS, select={"dtype": "uint8"})
    expected = np.round(255 * exact["layers.1.pattern"].astype(np.float64))
    np.testing.assert_array_equal(bytes_["layers.1.pattern"], expected)


def test_resolution_is_the_max_pooled_pattern(client: TestClient, tiny: NativeSource) -> None:
    select = {"resolution": 4, "heads": [1], "dtype": "float32"}
    _, tensors = post_safetensors(client, texts=TEXTS, select=select)
    whole = tiny.trace(Inputs(texts=TEXTS)).sites[1].derive(["pattern"], heads=[1])["pattern"]
    by_hand = whole.reshape(2, 1, 4, 2, 4, 2).amax(dim=(3, 5))
    np.testing.assert_array_equal(tensors["layers.1.pattern"], by_hand.numpy())


def test_pooling_may_be_the_mean(client: TestClient, tiny: NativeSource) -> None:
    select = {"resolution": 4, "pooling": "mean", "heads": [1]}
    _, tensors = post_safetensors(client, texts=TEXTS, select=select)
    whole = tiny.trace(Inputs(texts=TEXTS)).sites[1].derive(["pattern"], heads=[1])["pattern"]
    by_hand = whole.reshape(2, 1, 4, 2, 4, 2).mean(dim=(3, 5))
    np.testing.assert_allclose(tensors["layers.1.pattern"], by_hand.numpy(), atol=1e-6)


def test_patterns_from_word_to_word_come_with_the_words(
    client: TestClient, tiny: NativeSource
) -> None:
    select = {"units": "words", "tensors": ["pattern", "blocked_by"], "heads": [1]}
    document, tensors = post_safetensors(client, texts=TEXTS, select=select)
    trace = tiny.trace(Inputs(tuple(TEXTS)))
    words = trace.words["tokens"]
    assert document["words"] == [[word._asdict() for word in row] for row in words]
    assert document["target_words"] is None
    for site in trace.sites:
        for name in ("pattern", "blocked_by"):
            expected = site.in_words(words, words, name=name, heads=[1]).numpy()
            np.testing.assert_allclose(tensors[f"{site.name}.{name}"], expected, atol=1e-6)
    small, pooled = post_safetensors(client, texts=TEXTS, select=select | {"resolution": 2})
    assert small["words"] == document["words"]
    assert pooled["layers.0.pattern"].shape[2:] == (2, 2)


def test_resolution_above_the_text_sends_it_whole(client: TestClient) -> None:
    _, tensors = post_safetensors(client, texts=TEXTS, select={"resolution": 256})
    assert tensors["layers.0.pattern"].shape == (2, 3, 8, 8)


def test_rows_with_nothing_to_attend_to_are_listed_and_zero(client: TestClient) -> None:
    row = {"text": 1, "layer": 0, "head": 2, "query": 4}
    answer = post_json(client, texts=TEXTS, masks={"blocked": [row]})
    first, second = answer["sites"]
    assert first["blocked_rows"] == [{"text": 1, "head": 2, "index": 4}]
    assert first["blocked_columns"] == second["blocked_rows"] == []
    assert first["tensors"]["pattern"][1][2][4] == [0.0] * 8


def test_predictions_are_those_of_the_model(client: TestClient, tiny: NativeSource) -> None:
    predict = {"top_k": 3, "position": 2, "temperature": 0.5}
    answer = post_json(client, texts=TEXTS, predict=predict, select={"layers": []})
    expected = tiny.trace(Inputs(texts=TEXTS)).predict(top_k=3, position=2, temperature=0.5)
    assert answer["sites"] == []
    found = [[(c["id"], c["text"]) for c in row] for row in answer["predictions"]]
    assert found == [[(c.id, c.text) for c in row] for row in expected]
    for row, other in zip(answer["predictions"], expected, strict=True):
        assert [c["probability"] for c in row] == pytest.approx([c.probability for c in other])


def test_predictions_can_be_left_away(client: TestClient) -> None:
    assert post_json(client, texts=TEXTS, predict=None)["predictions"] is None


def test_every_character_travels(client: TestClient) -> None:
    text = 'naïve 👩‍🔬 <img src=x onerror=alert(1)> "\\\x00\u2028'
    answer = post_json(client, texts=[text])
    tokens = [token for token in answer["tokens"][0] if not token["special"]]
    assert "".join(token["text"] for token in tokens) == text
    assert all(text[token["start"] : token["end"]] == token["text"] for token in tokens)


def test_empty_text_is_its_beginning(client: TestClient) -> None:
    answer = post_json(client, texts=[""])
    assert [token["text"] for token in answer["tokens"][0]] == ["[BOS]"]
    assert answer["sites"][0]["tensors"]["pattern"] == [[[[1.0]], [[1.0]], [[1.0]]]]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/json, application/safetensors;q=0.5", "application/json"),
        ("application/safetensors;q=0", "application/json"),
        ("application/safetensors;q=nonsense", "application/json"),
        ("text/html, application/safetensors", "application/safetensors"),
        ("Application/SafeTensors; q=0.9, */*", "application/safetensors"),
    ],
)
def test_accept_header_chooses_the_encoding(client: TestClient, accept: str, kind: str) -> None:
    response = client.post("/api/trace", json={"texts": ["a"]}, headers={"Accept": accept})
    assert response.headers["content-type"] == kind
    assert "Accept" in response.headers["vary"]


def test_response_is_compressed_if_the_client_accepts_it(client: TestClient) -> None:
    request = {"texts": TEXTS, "select": {"dtype": "uint8"}}
    answers = {
        encoding: client.post("/api/trace", json=request, headers={"Accept-Encoding": encoding})
        for encoding in ("gzip", "identity")
    }
    assert answers["gzip"].headers["content-encoding"] == "gzip"
    assert "content-encoding" not in answers["identity"].headers
    assert answers["gzip"].json() == answers["identity"].json()


class Changed(Wrapped):
    """The tiny model, whose traces the test changes before they are read."""

    def __init__(self, source: NativeSource, change: Callable[[Trace], Trace]) -> None:
        super().__init__(source)
        self._change = change

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        return self._change(super().trace(inputs, max_tokens=max_tokens))


def test_float16_refuses_what_it_cannot_hold(serve: Serve, tiny: NativeSource) -> None:
    def enlarge(trace: Trace) -> Trace:
        sites = (replace(site, scale=1e6) for site in trace.sites)
        return replace(trace, sites=tuple(sites))

    client = serve(Registry({"large": lambda progress: Changed(tiny, enlarge)}))
    select = {"tensors": ["scores"], "dtype": "float16"}
    response = client.post("/api/trace", json={"texts": TEXTS, "select": select})
    assert response.status_code == 422
    error = response.json()["error"]
    assert (error["code"], error["field"]) == ("dtype_overflow", "select.dtype")
    post_json(client, texts=TEXTS, select={**select, "dtype": "float32"})


def test_model_without_predictions_says_so_when_asked(serve: Serve, tiny: NativeSource) -> None:
    mute = Changed(tiny, lambda trace: replace(trace, stages=None))
    mute.info = replace(tiny.info, predicts=None)
    client = serve(Registry({"mute": lambda progress: mute}))
    assert post_json(client, texts=TEXTS)["predictions"] is None
    response = client.post("/api/trace", json={"texts": TEXTS, "predict": {}})
    assert response.status_code == 422
    assert response.json()["error"]["code"] == "unavailable"


def test_softmax_over_queries_lists_blocked_columns(serve: Serve, tiny: NativeSource) -> None:
    def turn(trace: Trace) -> Trace:
        return replace(
            trace, sites=tuple(replace(site, softmax_over="query") for site in trace.sites)
        )

    client = serve(Registry({"turned": lambda progress: Changed(tiny, turn)}))
    blocked = [{"text": 0, "head": 1, "key": 3}]
    answer = post_json(client, texts=["the cat sat"], masks={"causal": False, "blocked": blocked})
    for site in answer["sites"]:
        assert site["blocked_rows"] == []
        assert site["blocked_columns"] == [{"text": 0, "head": 1, "index": 3}]


def test_tensors_are_compressed_where_it_saves_time(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # of 5,000, 6,800 and 8,900 bytes; every new analysis adds a few to each
    monkeypatch.setattr("server.api.routes.api.SMALL_BYTES", 6_000)
    monkeypatch.setattr("server.api.routes.api.GZIP_MAX_BYTES", 8_000)
    headers = {"Accept-Encoding": "gzip", "Accept": "application/safetensors"}
    none: dict[str, Any] = {"layers": []}
    for select, encoding in ((none, "identity"), ({"heads": [0]}, "gzip"), ({}, "identity")):
        request = {"texts": TEXTS, "select": select}
        response = client.post("/api/trace", json=request, headers=headers)
        assert response.headers["content-encoding"] == encoding
        assert len(load(response.content)) == 2 * (select != none)


def test_number_that_is_not_finite_is_never_sent(
    client: TestClient, tiny: NativeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    app: Any = client.app
    with app.state.models.use() as source:
        served = source.model
    broken = served.blocks[0].attention.w_qkv.weight.clone()
    broken[0, 0] = float("nan")
    with torch.no_grad():
        monkeypatch.setattr(served.blocks[0].attention.w_qkv.weight, "data", broken)
    for predict, culprit in (({}, "logits"), (None, "layers.0.pattern")):
        request: dict[str, Any] = {"texts": ["not seen before"], "predict": predict}
        response = client.post("/api/trace", json=request)
        assert response.status_code == 500
        error = response.json()["error"]
        assert error["code"] == "not_finite"
        assert culprit in error["message"]
