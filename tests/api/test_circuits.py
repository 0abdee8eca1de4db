"""GET /api/models/{name}/circuits: what it answers, and what it refuses."""

import warnings
from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.analysis.weights.circuits import circuits
from model.sources.native import NativeSource
from server.api.schemas.circuits import CircuitsResponse
from tests.api.conftest import Serve
from tests.api.test_error_shape import assert_shape

PATH = "/api/models/shipped/circuits"


def test_the_answer_is_what_the_model_says(client: TestClient, tiny: NativeSource) -> None:
    token = tiny.tokenizer.encode("fox")[-1].id
    response = client.get(PATH, params={"layer": 1, "head": 2, "token": token})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    CircuitsResponse.model_validate(answer)
    found = circuits(tiny, layer=1, head=2, token=token)
    assert answer["copying"] == pytest.approx(found.copying, abs=1e-6)
    assert [each["query"]["id"] for each in answer["qk"]] == [pair.first for pair in found.qk]
    assert [each["output"]["id"] for each in answer["ov"]] == [pair.second for pair in found.ov]
    assert found.partners is not None
    assert answer["partners"]["token"] == {"id": token, "text": "fox"}
    for name, second in (("as_query", "key"), ("raises", "output"), ("lowers", "output")):
        pairs = getattr(found.partners, name)
        assert [each[second]["id"] for each in answer["partners"][name]] == [
            pair.second for pair in pairs
        ]
        assert [each["value"] for each in answer["partners"][name]] == pytest.approx(
            [pair.value for pair in pairs], abs=1e-5
        )
    for each in answer["qk"]:
        assert each["key"]["text"] == tiny.tokenizer.token_text(each["key"]["id"])
    again = client.get(PATH, params={"layer": 1, "head": 2, "token": token})
    assert again.content == response.content


def test_the_pairs_can_be_left_out(client: TestClient) -> None:
    answer = client.get(PATH, params={"layer": 0, "head": 1, "token": 9, "pairs": False}).json()
    assert answer["qk"] == answer["ov"] == []
    assert answer["copying"] is not None
    assert len(answer["partners"]["as_key"]) == 10


@pytest.mark.parametrize(
    ("query", "status", "code", "field"),
    [
        ("layer=1", 422, "missing_field", "head"),
        ("layer=x&head=1", 422, "invalid_value", "layer"),
        ("layer=1&head=1&pairs=perhaps", 422, "invalid_value", "pairs"),
        ("layer=1&head=1&kind=other", 422, "invalid_value", "kind"),
        ("layer=-1&head=1", 422, "invalid_value", "layer"),
        ("layer=2&head=1", 422, "invalid_input", "layer"),
        ("layer=1&head=3", 422, "invalid_input", "head"),
        ("layer=1&head=1&kind=cross", 422, "invalid_input", "kind"),
        ("layer=1&head=1&token=99999", 422, "invalid_input", "token"),
        ("layer=1&head=1&token=0", 422, "invalid_input", "token"),
    ],
)
def test_what_is_refused(
    client: TestClient, query: str, status: int, code: str, field: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        error = assert_shape(client.get(f"{PATH}?{query}"), status, code)
    assert error["field"] == field


def test_a_kind_that_a_model_lacks_is_not_a_missing_layer(client: TestClient) -> None:
    def message(**query: Any) -> str:
        response = client.get(PATH, params={"head": 1, **query})
        return str(assert_shape(response, 422, "invalid_input")["message"])

    assert message(layer=1, kind="cross").startswith("shipped has no cross sites, only self.")
    assert message(layer=2, kind="self") == "shipped has layers 0 to 1 of the kind self; got 2."
    assert message(layer=2) == "shipped has layers 0 to 1; got 2."


def test_models_without_a_vocabulary_are_refused(client: TestClient) -> None:
    where = {"layer": 0, "head": 0}
    assert_shape(client.get("/api/models/nobody/circuits", params=where), 404, "unknown_model")
    error = assert_shape(
        client.get("/api/models/scratch/circuits", params=where), 422, "unavailable"
    )
    assert "no vocabulary" in error["message"]


def test_pairs_that_take_too_long_are_refused(serve: Serve) -> None:
    client = serve(max_work_s=0.0035)
    error = assert_shape(client.get(PATH, params={"layer": 1, "head": 1}), 422, "too_expensive")
    assert error["field"] == "pairs" and "pairs=false" in error["message"]
    assert client.get(PATH, params={"layer": 1, "head": 1, "pairs": False}).status_code == 200
