"""Which models there are, how far they are loaded, and health."""

import threading
from functools import partial
from typing import Any

from fastapi.testclient import TestClient

from model.errors import CheckpointError
from model.sources.native import NativeSource
from model.sources.registry import Progress, Registry
from model.sources.source import Source
from server.api.schemas import ModelsResponse
from tests.api.conftest import Serve


def test_model_describes_itself(client: TestClient, tiny: NativeSource) -> None:
    answer = client.get("/api/models").json()
    ModelsResponse.model_validate(answer)
    model, *_, scratch = answer["models"]
    assert (scratch["name"], scratch["state"]) == ("scratch", "ready")
    expected: dict[str, Any] = {
        "name": "shipped",
        "state": "ready",
        "progress": 1.0,
        "error": None,
        "description": "A tiny random model.",
        "licence": "CC0-1.0",
        "n_layers": 2,
        "n_heads": 3,
        "d_model": 20,
        "d_head": 6,
        "vocab_size": tiny.info.vocab_size,
        "n_parameters": sum(parameter.numel() for parameter in tiny.model.parameters()),
        "max_tokens": 300,
        "trained_tokens": 16,
        "trained_on": None,
        "weights": tiny.info.weights,
        "revision": None,
        "unknown_id": None,
        "causal": True,
        "predicts": "next",
        "sites": [
            {"name": "layers.0", "kind": "self", "layer": 0, "n_heads": 3},
            {"name": "layers.1", "kind": "self", "layer": 1, "n_heads": 3},
        ],
        "tensors": [
            "q",
            "k",
            "v",
            "scores",
            "pattern",
            "z",
            "blocked_by",
            "result",
            "norms",
            "value_weighted",
        ],
        "d_ff": 28,
        "norm": "pre",
        "residual": True,
        "takes_targets": False,
        "takes_pairs": False,
        "takes_messages": False,
        "classes": [],
        "takes_scratch": False,
        "mechanisms": None,
        "settings": None,
        "limits": None,
        "library_class": None,
        "edited_at": ["head", "mlp", "resid_pre", "resid_mid", "resid_post"],
        "edited_at_reason": "",
        "lacks": "",
        "stream_lacks": "",
    }
    tensors = expected.pop("tensors")
    assert [name for name in model["tensors"] if name in tensors] == tensors
    assert {**model, **expected} == model


def test_healthy_and_ready(client: TestClient) -> None:
    for path in ("/healthz", "/readyz"):
        response = client.get(path)
        assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_default_model_is_loaded_at_the_start_and_others_when_asked_for(
    serve: Serve, tiny: NativeSource
) -> None:
    loads: list[str] = []

    def loader(name: str, progress: Progress) -> Source:
        loads.append(name)
        return tiny

    client = serve(Registry({name: partial(loader, name) for name in ("one", "two")}))
    assert loads == ["one"]
    one, two = client.get("/api/models").json()["models"]
    assert (one["name"], one["state"], one["n_heads"]) == ("one", "ready", 3)
    assert (two["name"], two["state"], two["n_heads"]) == ("two", "not_loaded", None)
    for _ in range(2):
        request = {"texts": ["a"], "model": "two"}
        assert client.post("/api/trace", json=request).status_code == 200
    assert loads == ["one", "two"]
    assert client.get("/api/models").json()["models"][1]["state"] == "ready"


def test_request_waits_for_a_model_only_so_long(serve: Serve, tiny: NativeSource) -> None:
    go = threading.Event()

    def load(progress: Progress) -> Source:
        assert go.wait(30)
        return tiny

    client = serve(Registry({"quick": lambda progress: tiny, "slow": load}), load_timeout_s=0.05)
    request = {"texts": ["a"], "model": "slow"}
    refused = client.post("/api/trace", json=request)
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "loading")
    assert "retry-after" in refused.headers
    assert client.get("/api/models").json()["models"][1]["state"] == "loading"
    go.set()
    answers = (client.post("/api/trace", json=request).status_code for _ in range(100))
    assert 200 in answers


def test_model_that_failed_to_load_is_tried_again(serve: Serve, tiny: NativeSource) -> None:
    attempts: list[Exception | None] = [CheckpointError("Not yet."), None]

    def load(progress: Progress) -> Source:
        error = attempts.pop(0)
        if error is not None:
            raise error
        return tiny

    client = serve(Registry({"late": load}))
    assert client.get("/readyz").status_code == 503
    assert client.post("/api/trace", json={"texts": ["a"]}).status_code == 200
    assert client.get("/readyz").status_code == 200
