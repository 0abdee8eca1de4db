"""`predict` over HTTP: the nucleus, additional tokens, and what the edits changed."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.sources.native import NativeSource
from model.sources.source import Inputs
from server.api.schemas import TraceResponse
from tests.api.conftest import Serve
from tests.api.test_tracing import metric
from tests.api.test_wire import post_json, post_safetensors

TEXTS = ("the cat sat on the mat, the cat ran.", "hello dog")
EDITS: dict[str, Any] = {"masks": {"window": 2, "padding_side": "left"}, "muted": [[0, 1]]}
PLAIN: dict[str, Any] = {"masks": {"padding_side": "left"}}
EVERY = 100


def ask(client: TestClient, predict: dict[str, Any], **request: Any) -> dict[str, Any]:
    body = {"select": {"layers": []}, "predict": predict, **request}
    answer = post_json(client, texts=TEXTS, **body)
    TraceResponse.model_validate(answer)
    return answer


def refusal(client: TestClient, **request: Any) -> dict[str, Any]:
    response = client.post("/api/trace", json={"texts": TEXTS, **request})
    assert response.status_code == 422, response.text
    error: dict[str, Any] = response.json()["error"]
    return error


def ids(row: list[dict[str, Any]]) -> list[int]:
    return [one["id"] for one in row]


def test_analyses_are_included_only_on_request(client: TestClient) -> None:
    answer = ask(client, {"top_k": 3})
    assert answer["nucleus"] is None
    assert all(one["unedited"] is None for row in answer["predictions"] for one in row)
    assert ask(client, {"top_k": 3, "top_p": 1.0})["predictions"] == answer["predictions"]


@pytest.mark.parametrize("top_p", [0.05, 0.5])
@pytest.mark.parametrize("temperature", [0.5, 1.0])
def test_a_nucleus_is_listed_and_counted(
    client: TestClient, top_p: float, temperature: float
) -> None:
    every = ask(client, {"top_k": EVERY, "temperature": temperature})["predictions"]
    answer = ask(client, {"top_k": EVERY, "top_p": top_p, "temperature": temperature})
    for row, cut, core in zip(every, answer["predictions"], answer["nucleus"], strict=True):
        n, held = 0, 0.0
        while held < top_p and n < EVERY:
            held += row[n]["probability"]
            n += 1
        assert cut == row[:n]  # the probabilities are those of the whole vocabulary
        if n < EVERY:
            assert core == {"tokens": n, "share": pytest.approx(held)}
    few = ask(client, {"top_k": 1, "top_p": top_p, "temperature": temperature})
    assert few["nucleus"] == answer["nucleus"]
    assert [len(row) for row in few["predictions"]] == [1, 1]


def test_unedited_is_what_a_request_without_the_edits_says(client: TestClient) -> None:
    predict = {"top_k": 4, "temperature": 0.8}
    found = ask(client, {**predict, "unedited": True}, **EDITS)
    alone = ask(client, predict, **EDITS)
    plain = ask(client, {**predict, "top_k": EVERY}, **PLAIN)
    assert plain["predicted_at"] == found["predicted_at"]
    for row, here, before in zip(
        found["predictions"], alone["predictions"], plain["predictions"], strict=True
    ):
        assert [{**one, "unedited": None} for one in row[:4]] == here
        known = {one["id"]: one["probability"] for one in before}
        assert {one["id"]: one["unedited"] for one in row if one["id"] in known} == {
            id: p for id, p in known.items() if id in ids(row)
        }
        assert set(ids(before)[:4]) <= set(ids(row)) & set(known)
        assert set(ids(row)[4:]) <= set(ids(before)[:4])  # these dropped out


def test_the_unedited_run_is_remembered_and_without_edits_not_run(client: TestClient) -> None:
    texts = ("mat mat on a mat", "the")

    def computed(**request: Any) -> float:
        before = metric(client, "traces_computed_total")
        post_json(client, texts=texts, predict={"unedited": True}, **request)
        return metric(client, "traces_computed_total") - before

    assert computed() == 1
    assert computed(muted=[[0, 0]]) == 1  # the unedited run is cached
    assert computed(muted=[[0, 1]], masks={"padding_side": "left"}) == 2
    assert computed(muted=[[0, 1]], masks={"padding_side": "left"}) == 0
    answer = post_json(client, texts=texts, predict={"unedited": True})
    for row in answer["predictions"]:
        assert all(one["unedited"] == one["probability"] for one in row)


def test_one_slot_is_enough(serve: Serve) -> None:
    client = serve(concurrency=1, queue_size=1, queue_timeout_s=5)
    answer = ask(client, {"top_k": 2, "unedited": True}, **EDITS, analyse={"mute_effects": {}})
    assert answer["predictions"][0][0]["unedited"] is not None


def test_what_was_generated_is_what_the_unedited_run_reads(client: TestClient) -> None:
    generate = {"n_tokens": 3, "sampled": True, "temperature": 3.0, "top_k": 9, "top_p": 0.9}
    found = ask(client, {"top_k": 2, "unedited": True}, **EDITS, generate=generate)
    alone = ask(client, {"top_k": 2}, **EDITS, generate=generate)
    assert found["tokens"] == alone["tokens"]
    for row, here in zip(found["predictions"], alone["predictions"], strict=True):
        assert ids(row)[:2] == ids(here)
        assert row[0]["unedited"] is not None
        assert row[0]["unedited"] != row[0]["probability"]


def test_tokens_are_listed_wherever_they_rank(client: TestClient, tiny: NativeSource) -> None:
    n = tiny.info.vocab_size
    every = tiny.trace(Inputs(texts=TEXTS)).predict(top_k=n)
    rare = [every[0][-1].id, every[0][0].id, every[0][-9].id]
    answer = ask(client, {"top_k": 2, "tokens": rare})
    first = answer["predictions"][0]
    assert ids(first) == [one.id for one in every[0][:2]] + [rare[2], rare[0]]
    assert first[-1]["probability"] == pytest.approx(every[0][-1].probability)
    assert [one["special"] for one in first] == [one["id"] in (0, 1) for one in first]


def test_json_and_safetensors_hold_the_same(client: TestClient) -> None:
    request = {"texts": TEXTS, "predict": {"unedited": True, "top_p": 0.5}, **EDITS}
    document, _ = post_safetensors(client, **request, select={"layers": []})
    answer = post_json(client, **request, select={"layers": []})
    for key in ("predictions", "nucleus", "predicted_at"):
        assert document[key] == answer[key]


@pytest.mark.parametrize(
    ("predict", "code", "field"),
    [
        ({"top_p": 0}, "invalid_value", "predict.top_p"),
        ({"top_p": 1.01}, "invalid_value", "predict.top_p"),
        ({"top_p": "0.5"}, "invalid_value", "predict.top_p"),
        ({"unedited": 1}, "invalid_value", "predict.unedited"),
        ({"tokens": [3, 3]}, "invalid_value", "predict.tokens"),
        ({"tokens": [-1]}, "invalid_value", "predict.tokens.0"),
        ({"tokens": [999_999]}, "invalid_input", "predict.tokens"),
        ({"unedited": True, "position": 999}, "invalid_input", "predict.position"),
    ],
)
def test_errors_name_their_field(
    client: TestClient, predict: dict[str, Any], code: str, field: str
) -> None:
    error = refusal(client, predict=predict)
    assert (error["code"], error["field"]) == (code, field)


@pytest.mark.parametrize("field", ["top_k", "top_p"])
def test_generate_names_its_field(client: TestClient, field: str) -> None:
    error = refusal(client, generate={"n_tokens": 1, field: 0})
    assert (error["code"], error["field"]) == ("invalid_value", f"generate.{field}")
