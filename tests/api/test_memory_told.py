"""The memory that a request is said to take, against what torch allocates while it is answered."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.profiler import ProfilerActivity, profile

from model.core.checkpoint import SHIPPED
from model.sources.native import NativeSource
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Source
from server.api import wire
from server.api.looks import looks_of
from server.api.schemas import TraceRequest
from server.http.metrics import Metrics
from server.run.tracing import Tracer
from server.run.tracing.cost import estimate
from server.settings import Settings
from tests.sweeps import sweep
from tests.unit.sources.pretrained import checkpoints

pytestmark = pytest.mark.long

SETTINGS = Settings(max_tokens=8_192)
MB = 1_000_000
N = {"llama": 900, "gemma2": 900, "t5": 500, "bloom": 400, "shipped": 500}  # tokens
ASKED: Mapping[str, dict[str, Any]] = {
    "nothing": {},
    "pooled": {"select": {"resolution": 64}},
    "mean": {"select": {"resolution": 7, "pooling": "mean"}},
    "overview": {"analyse": {"overview": {"over": "layers"}}},
    "overview by mean": {"analyse": {"overview": {"resolution": 7, "pooling": "mean"}}},
    "top keys": {"analyse": {"top_keys": {}}},
    "many top keys": {"analyse": {"top_keys": {"top_k": 256}}},
    "far links": {"analyse": {"far_links": {}}},
    "match": {"analyse": {"match": {"cells": [[5, 4], [300, 20]]}}},
    "scores": {"analyse": {"scores": True}},
    "rollout": {"analyse": {"rollout": True}},
}


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Source]:
    loaded: dict[str, Source] = {"shipped": NativeSource("shipped", SHIPPED)}

    def source(name: str) -> Source:
        if name not in loaded:
            torch.manual_seed(0)
            folder: Path = getattr(checkpoints, name)(tmp_path_factory.mktemp(name))
            path = folder / "config.json"
            config = json.loads(path.read_text("utf-8"))
            if "max_position_embeddings" in config:
                config["max_position_embeddings"] = 8_192
            path.write_text(json.dumps(config), "utf-8")
            loaded[name] = PretrainedSource.load(name, str(folder))
        return loaded[name]

    return source


def request_for(n: int, asked: Mapping[str, Any]) -> TraceRequest:
    body = {"ids": [[5] * n], "select": {"layers": []}, "predict": None, **asked}
    return TraceRequest.model_validate(body)


def told(source: Source, request: TraceRequest) -> int:
    return estimate(request, request.to_inputs(SETTINGS), source.info).nbytes


def allocated(source: Source, request: TraceRequest) -> int:
    """The most bytes that torch's tensors take together, from the run to the answer."""
    inputs = request.to_inputs(SETTINGS)
    with (
        torch.inference_mode(),
        profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiled,
    ):
        trace = source.trace(inputs, max_tokens=8_192)
        wire.encode(
            trace,
            looks_of(request),
            None,
            request.analyse,
            Tracer(SETTINGS, Metrics()).runs(source, inputs, trace, pytest.fail),
            safetensors=True,
            max_bytes=10**10,
        )
    results: Any = profiled.profiler
    events = [each for each in results.kineto_results.events() if each.name() == "[memory]"]
    now = most = 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        now += event.nbytes()
        most = max(most, now)
    return most


PAIRS = list(product(N, ASKED))
# every model with a plain request, and every analysis on one model
SAMPLE = [(name, asked) for name, asked in PAIRS if name == "llama" or asked == "nothing"]


@pytest.mark.parametrize(("name", "asked"), sweep(PAIRS, SAMPLE, spread=True))
def test_memory_is_told_from_above_and_not_far(
    load: Callable[[str], Source], name: str, asked: str
) -> None:
    source, request = load(name), request_for(N[name], ASKED[asked])
    measured, said = allocated(source, request), told(source, request)
    assert measured <= said
    # torch's fused attention takes less than families that cannot use it, and what is listed is
    # kept in Python's lists, too, which torch does not count
    if asked not in ("nothing", "many top keys"):
        assert said < 9 * measured + 10 * MB


@pytest.mark.parametrize(
    ("name", "n", "explanations"),
    [
        ("shipped", 57, {"steps": 128}),
        ("shipped", 5, {"steps": 1}),
        ("llama", 30, {"steps": 128}),
        ("llama", 8, {"layer": 0, "head": 1}),
    ],
)
def test_memory_of_explanations_is_told_from_above(
    load: Callable[[str], Source], name: str, n: int, explanations: dict[str, Any]
) -> None:
    source, request = load(name), request_for(n, {"analyse": {"explanations": explanations}})
    measured, said = allocated(source, request), told(source, request)
    assert measured <= said < 9 * measured + 10 * MB


def test_memory_of_what_interventions_hold_is_told(load: Callable[[str], Source]) -> None:
    source = load("llama")
    rows = [
        {"kind": "patch", "at": "resid_pre", "layer": layer, "source": "the cat " * n}
        for n in (1, 2, 3)
        for layer in range(2)
    ]
    frozen = [{"kind": "freeze_pattern", "layer": 1}]
    plain, edited = (request_for(900, {"interventions": given}) for given in ([], frozen * 20))
    more = told(source, edited) - told(source, plain)
    # q and k of all heads of the donor, and their edits
    assert more >= allocated(source, edited) - allocated(source, plain)
    several = request_for(900, {"interventions": rows})
    assert told(source, several) - told(source, plain) == 12 * 6 * 902 * 3 * source.info.d_model


@pytest.mark.parametrize(
    "asked", ["nothing", "pooled", "mean", "overview", "top keys", "far links", "match"]
)
def test_a_deep_model_reads_long_texts_a_site_at_a_time(
    load: Callable[[str], Source], asked: str
) -> None:
    """Thirty-two layers hold no more at once than three; only what is kept grows."""
    source = load("llama")
    [first, *_] = source.info.sites
    deep = replace(source.info, sites=tuple(replace(first, layer=n) for n in range(32)))
    long = request_for(8_100, ASKED[asked])
    said = estimate(long, long.to_inputs(SETTINGS), deep).nbytes
    few = estimate(long, long.to_inputs(SETTINGS), source.info).nbytes
    half = request_for(4_050, ASKED[asked])
    assert said <= 2.2 * estimate(half, half.to_inputs(SETTINGS), deep).nbytes
    each = 12 * 8_102 * (3 * deep.n_heads * deep.d_head + deep.d_model)
    sent = 12 * 64 * 64 * 6 if asked == "pooled" else 12 * 8_102 * 8 * 6 * 6
    assert said - few <= 29 * (each + sent)
    assert said < 1_300 * MB  # a stripe of all heads alone would take 4,833 MB
