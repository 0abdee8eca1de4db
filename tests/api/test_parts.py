"""Several selections from one trace in one request: each part is what `select` alone would send."""

from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from model.sources.registry import Registry
from server.api.schemas import TraceResponse
from tests.api.conftest import Serve, Wrapped
from tests.api.test_wire import TEXTS, post_json, post_safetensors

GRID = {"tensors": ["pattern"], "resolution": 4, "dtype": "uint8"}
HEAD = {"tensors": ["q", "k", "pattern", "blocked_by"], "layers": [1], "heads": [2, 0]}
ROWS = {"tensors": ["scores"], "rows": [1, 3], "dtype": "float16"}
NONE: dict[str, Any] = {"layers": []}
PARTS = {"grid": GRID, "head": HEAD, "rows": ROWS, "none": NONE}
BESIDE = {"analyse": {"scores": True, "rollout": True, "lens": {}}, "predict": {"top_k": 3}}


def test_each_part_is_what_a_select_alone_sends(client: TestClient) -> None:
    answer = post_json(client, texts=TEXTS, parts=PARTS, **BESIDE)
    TraceResponse.model_validate(answer)
    assert list(answer["parts"]) == list(PARTS)
    for name, select in PARTS.items():
        alone = post_json(client, texts=TEXTS, select=select)
        sites = {site["name"]: site["tensors"] for site in alone["sites"]}
        assert answer["parts"][name] == sites
        assert alone["parts"] is None


def test_answer_with_parts_lists_every_site_with_all_its_heads(client: TestClient) -> None:
    answer = post_json(client, texts=TEXTS, parts={"head": HEAD}, **BESIDE)
    whole = post_json(client, texts=TEXTS, **BESIDE)
    assert [site | {"tensors": None} for site in answer["sites"]] == [
        site | {"tensors": None} for site in whole["sites"]
    ]
    for name in ("predictions", "scores", "lens", "rollout", "tokens"):
        assert answer[name] == whole[name]


def test_safetensors_name_the_part_before_the_tensor(client: TestClient) -> None:
    as_json = post_json(client, texts=TEXTS, parts=PARTS, **BESIDE)
    document, arrays = post_safetensors(client, texts=TEXTS, parts=PARTS, **BESIDE)
    assert document == as_json | {"parts": None, "rollout": None}
    expected = {
        f"{part}/{site}.{name}"
        for part, sites in as_json["parts"].items()
        for site, tensors in sites.items()
        for name in tensors
    }
    assert set(arrays) == expected | {"rollout"}
    for name in expected:
        part, _, rest = name.partition("/")
        site, _, tensor = rest.rpartition(".")
        found = np.array(as_json["parts"][part][site][tensor], dtype=arrays[name].dtype)
        np.testing.assert_array_equal(arrays[name], found)
    assert arrays["rollout"].dtype == np.float32


def test_parts_are_of_one_run(serve: Serve, tiny: Any) -> None:
    class Counted(Wrapped):
        runs = 0

        def trace(self, *args: Any, **options: Any) -> Any:
            self.runs += 1
            return super().trace(*args, **options)

    counted = Counted(tiny)
    client = serve(Registry({"counted": lambda progress: counted}))
    counted.runs = 0  # the startup check also ran it
    post_json(client, texts=TEXTS, parts=PARTS, **BESIDE)
    assert counted.runs == 1


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({"parts": {"head": {"tensors": ["pattern"], "layers": [7]}}}, "parts.head.layers"),
        ({"parts": {"head": {"tensors": ["pattern"], "heads": [9]}}}, "parts.head.heads"),
        ({"parts": {"head": {"tensors": ["bias"]}}}, "parts.head.tensors"),
        ({"parts": {"a": {"rows": [0, 99]}}}, "parts.a.rows"),
        ({"parts": {}}, "parts"),
        ({"parts": {f"p{n}": {} for n in range(9)}}, "parts"),
        ({"parts": {"Big letters": {}}}, "parts.Big letters.?"),
        ({"parts": {"a": {"tensor": []}}}, "parts.a.tensor"),
        ({"parts": {"a": {}}, "select": {}}, None),
    ],
)
def test_wrong_part_is_refused_by_name(
    client: TestClient, request_: dict[str, Any], field: str | None
) -> None:
    response = client.post("/api/trace", json={"texts": ["a cat"], **request_})
    assert response.status_code == 422
    assert response.json()["error"]["field"] == field


def test_limit_of_an_answer_counts_all_parts(serve: Serve) -> None:
    client = serve(max_answer_bytes=9_000)
    one = {"tensors": ["scores"], "layers": [0]}
    assert client.post("/api/trace", json={"texts": TEXTS, "parts": {"a": one}}).status_code == 200
    refused = client.post("/api/trace", json={"texts": TEXTS, "parts": {"a": one, "b": one}})
    assert refused.status_code == 422
    assert refused.json()["error"]["code"] == "answer_too_large"
    assert refused.json()["error"]["field"] == "parts"
