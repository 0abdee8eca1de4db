"""Mechanisms from scratch through the API: golden numbers, applied settings, and refusals."""

import base64
import json
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from fastapi.testclient import TestClient
from safetensors.torch import save
from torch import Tensor, nn

from model.scratch.mechanisms import MECHANISMS, MechanismId
from server.api.schemas import ModelsResponse, TraceResponse

GOLDEN = Path(__file__).parents[1] / "golden"
EIGHT = "a b c d e f g h"


def golden(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return content


def uploaded(**tensors: Tensor) -> str:
    named = {name.replace("__", "."): tensor.contiguous() for name, tensor in tensors.items()}
    return base64.b64encode(save(named)).decode()


def ask(client: TestClient, scratch: dict[str, Any] | None, **asked: Any) -> Any:
    body = {"model": "scratch", "texts": [EIGHT], "scratch": scratch} | asked
    return client.post("/api/trace", json=body)


def tensors(client: TestClient, scratch: dict[str, Any], **asked: Any) -> dict[str, Tensor]:
    select = {"tensors": ["scores", "pattern", "z", "q", "k", "v"]}
    response = ask(client, scratch, select=select, **asked)
    assert response.status_code == 200, response.text
    TraceResponse.model_validate(response.json())
    [site] = response.json()["sites"]
    return {name: torch.tensor(values) for name, values in site["tensors"].items()}


def close(got: Tensor, expected: object, tolerance: float) -> None:
    torch.testing.assert_close(got, torch.tensor(expected), rtol=0.0, atol=tolerance)


def notebook() -> dict[str, Any]:
    """The single head of the notebook: its x, and its key and query drawn in this order."""
    torch.manual_seed(1337)
    x = torch.randn(4, 8, 32)[0]
    key, query = (nn.Linear(32, 16, bias=False).weight.detach() for _ in range(2))
    weights = uploaded(
        embedding__weight=torch.cat([torch.zeros(1, 32), x]),
        layers__0__attention__w_k__weight=key,
        layers__0__attention__w_q__weight=query,
    )
    return {"mechanism": "single-head", "scale": 1, "weights": weights}


def test_single_head_gives_the_golden_numbers(client: TestClient) -> None:
    expected = golden("single_head")
    got = tensors(client, notebook())
    close(got["scores"][0, 0], expected["scores"], expected["tolerance"])
    close(got["pattern"][0, 0], expected["pattern_softmax_over_key"], expected["tolerance"])


def test_single_head_over_queries_gives_the_golden_mistake(client: TestClient) -> None:
    expected = golden("single_head")
    got = tensors(client, notebook() | {"softmax_over": "query"})
    close(got["pattern"][0, 0], expected["pattern_softmax_over_query"], expected["tolerance"])


def padded() -> dict[str, Any]:
    """A projection that turns the golden embeddings into the golden q, k and v."""
    expected = golden("padded_batch")
    x = torch.tensor(expected["embedding"], dtype=torch.float)
    packed = torch.tensor(expected["qkv_packed_head_qkv_dhead"])  # head, position, qkv · d_head
    wide = torch.cat([packed[0], packed[1]], dim=-1)
    solved = torch.linalg.lstsq(x[0, :2], wide[:2], driver="gelsd").solution.T
    vectors = torch.zeros(5, 4)
    for row, ids in zip(x, torch.tensor(expected["ids"]), strict=True):
        vectors[ids] = row
    vectors[0] = 0
    weights = uploaded(embedding__weight=vectors, layers__0__attention__w_qkv__weight=solved)
    sizes = {"d_model": 4, "n_heads": 2, "d_head": 2, "packing": "head qkv d_head"}
    return {"mechanism": "padded-batch", "weights": weights} | sizes


def test_padded_batch_without_its_mask_gives_the_golden_numbers(client: TestClient) -> None:
    expected = golden("padded_batch")
    texts = {"texts": ["a b", "a b c d"]}
    got = tensors(client, padded(), masks={"padding": False}, **texts)
    close(got["scores"][0], expected["scores_scaled"], expected["tolerance"])
    close(got["pattern"][0], expected["pattern_without_mask"], expected["tolerance"])
    z = got["z"][0].permute(1, 0, 2).flatten(1)
    close(z, expected["z_concatenated"], expected["tolerance"])


def test_padded_batch_with_its_mask_gives_padding_exactly_nothing(client: TestClient) -> None:
    expected = golden("padded_batch")
    got = tensors(client, padded(), texts=["a b", "a b c d"])
    assert got["pattern"][0, :, :, 2:].eq(0).all()
    without = torch.tensor(expected["pattern_without_mask"])[:, :, :2]
    renormalised = without / without.sum(-1, keepdim=True)
    close(got["pattern"][0, :, :, :2], renormalised.tolist(), 2 * expected["tolerance"])


@pytest.mark.parametrize("id", get_args(MechanismId))
def test_every_mechanism_answers_and_says_what_ran(client: TestClient, id: str) -> None:
    targets = ["who is it"] if MECHANISMS[id].cross else None  # type: ignore[index]
    response = ask(client, {"mechanism": id, "seed": 4}, targets=targets)
    assert response.status_code == 200, response.text
    answer = response.json()
    TraceResponse.model_validate(answer)
    assert answer["predictions"] is None
    ran = answer["scratch"]
    assert (ran["mechanism"], ran["seed"], ran["modified"]) == (id, 4, ["seed"])
    assert ran["d_head"] * ran["n_heads"] >= ran["n_heads"] and ran["weights"] is None
    sums = torch.tensor(answer["sites"][0]["tensors"]["pattern"]).sum(-1)
    if ran["sink"] is None:
        torch.testing.assert_close(sums, torch.ones_like(sums))
    else:
        assert (sums < 1).all() and (sums > 0).all(), "the rest is the sink's"


def test_without_a_mechanism_it_is_multi_head(client: TestClient) -> None:
    assert ask(client, None).json()["scratch"]["mechanism"] == "multi-head"
    assert ask(client, {}).json()["scratch"]["mechanism"] == "multi-head"


def test_uploaded_tensors_are_named(client: TestClient) -> None:
    answer = ask(client, notebook()).json()
    assert answer["scratch"]["weights"] == [
        "embedding.weight",
        "layers.0.attention.w_k.weight",
        "layers.0.attention.w_q.weight",
    ]


def test_mistakes_are_told_by_the_site(client: TestClient) -> None:
    [site] = ask(client, {"softmax_over": "query", "scale": 1}).json()["sites"]
    assert (site["softmax_over"], site["mask_applied"], site["scale"]) == ("query", "before", 1.0)
    [site] = ask(client, {"mask_applied": "after"}, masks={"causal": True}).json()["sites"]
    assert site["mask_applied"] == "after"


def test_models_describe_the_mechanisms(client: TestClient) -> None:
    answer = client.get("/api/models").json()
    ModelsResponse.model_validate(answer)
    scratch = answer["models"][-1]
    assert (scratch["name"], scratch["takes_scratch"]) == ("scratch", True)
    assert [row["id"] for row in scratch["mechanisms"]] == list(MECHANISMS)
    for row in scratch["mechanisms"]:
        response = ask(
            client,
            {"mechanism": row["id"]} | row["defaults"],
            targets=["who"] if row["cross"] else None,
        )
        assert response.json()["scratch"]["modified"] == [], row["id"]
    for name, (least, most) in scratch["limits"].items():
        for value in (least - 1, most + 1):
            error = ask(client, {name: value}).json()["error"]
            assert error["field"].startswith(f"scratch.{name}"), name


@pytest.mark.parametrize(
    ("scratch", "field"),
    [
        ({"mechanism": "no"}, "scratch.mechanism"),
        ({"no": 1}, "scratch.no"),
        ({"seed": -1}, "scratch.seed"),
        ({"seed": True}, "scratch.seed"),
        ({"scale": "1/sqrt(2)"}, "scratch.scale"),
        ({"scale": 1e400}, "scratch.scale"),
        ({"residual": 1}, "scratch.residual"),
        ({"n_heads": 5}, "scratch.d_head"),
        ({"weights": "no base64!"}, "scratch.weights"),
        ({"weights": "AAAA"}, "scratch.weights"),
        ({"weights": ""}, "scratch.weights"),
        ({"weights": uploaded(a=torch.zeros([1] * 65))}, "scratch.weights"),
        ({"mechanism": "cross-attention"}, "targets"),
        ({"packing": "head qkv d_head"}, "scratch.packing"),
    ],
)
def test_what_makes_no_sense_is_refused_at_its_field(
    client: TestClient, scratch: dict[str, Any], field: str
) -> None:
    body = json.dumps({"model": "scratch", "texts": [EIGHT], "scratch": scratch})
    headers = {"Content-Type": "application/json"}
    response = client.post("/api/trace", content=body, headers=headers)
    assert response.status_code in (400, 422), response.text
    if response.status_code == 422:
        assert response.json()["error"]["field"].startswith(field)


@pytest.mark.parametrize("scale", [101, -1, 100.5, True, "1/sqrt(2)", [1], {"a": 1}])
def test_a_wrong_scale_is_reported_as_one_problem(client: TestClient, scale: object) -> None:
    error = ask(client, {"scale": scale}).json()["error"]
    assert error["field"] == "scratch.scale"
    assert error["message"] == (
        "scratch.scale: expected '1/sqrt(d_head)', '1/sqrt(d_model)' or a number from 0 to 100."
    )


@pytest.mark.parametrize("scale", [0, 100, 0.5, "1/sqrt(d_model)", None])
def test_scale_is_a_name_a_number_or_the_mechanisms_own(client: TestClient, scale: Any) -> None:
    ran = ask(client, {"scale": scale}).json()["scratch"]["scale"]
    assert ran == ("1/sqrt(d_head)" if scale is None else scale)


def test_a_trained_model_takes_no_mechanism(client: TestClient) -> None:
    response = client.post("/api/trace", json={"texts": [EIGHT], "scratch": {}})
    assert (response.status_code, response.json()["error"]["field"]) == (422, "scratch")


def test_it_cannot_predict_or_be_probed_and_says_so(client: TestClient) -> None:
    parts: list[dict[str, Any]] = [{"analyse": {"lens": {}}}, {"analyse": {"mute_effects": {}}}]
    for asked in ({"predict": {}}, *parts):
        response = ask(client, {}, **asked)
        assert (response.status_code, response.json()["error"]["code"]) == (422, "unavailable")
    heads = client.get("/api/models/scratch/heads").json()
    assert heads["state"] == "failed" and "no vocabulary" in heads["error"]


def test_its_heads_are_scored_on_a_text(client: TestClient) -> None:
    answer = ask(client, {}, analyse={"scores": True, "rollout": True}).json()
    assert len(answer["scores"][0]["heads"]) == 4
    assert torch.tensor(answer["rollout"]).shape == (1, 8, 8)


def test_weights_that_can_be_negative_are_no_bytes(client: TestClient) -> None:
    body = {"model": "scratch", "texts": ["a b c"], "scratch": {"mechanism": "differential"}}
    select = {"tensors": ["net"], "dtype": "uint8"}
    answer = client.post("/api/trace", json=body | {"select": select})
    assert answer.status_code == 422
    assert "uint8" in answer.json()["error"]["message"]
    site = client.post("/api/trace", json=body | {"select": {"tensors": ["net"]}}).json()["sites"][
        0
    ]
    assert site["minus"] == 0.8 and not site["has_gate"]
    rows = torch.tensor(site["tensors"]["net"])[0].sum(-1)
    torch.testing.assert_close(rows, torch.full_like(rows, 0.2))
