"""Does the server know what a request will cost before it runs it?

Runs requests of very different sizes in this process, with one thread and no cache. Prints the
processor time of each next to the estimate of server/run/tracing/cost.py and its largest term.
Texts, tokens, layers, heads, generated tokens, mutes and painted cells are varied one at a time, to
show how the cost depends on each.

Why: the estimate orders the queue and refuses requests that would occupy a server for long. It
should be right within a factor of 3 for requests that take longer than 20 ms. Run:

    python -m benchmarks.cost

The last line is JSON: one object for each request.
"""

import asyncio
import json
import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import torch

from server.api.answers import SAFETENSORS, Answers, Encoding
from server.api.schemas import TraceRequest
from server.http.metrics import Metrics
from server.run.finding import build_registry
from server.run.lenses import Lenses
from server.run.models import Models
from server.run.tracing import Tracer
from server.run.tracing.cost import estimate
from server.settings import Settings

WORDS = "the old cat near red boats saw a dog on his green hill and then it ran to her ".split()
FEW: dict[str, Any] = {"select": {"layers": []}, "predict": None}
PARTS: dict[str, Any] = {
    "parts": {
        "grid": {"resolution": 64, "dtype": "uint8"},
        "head": {
            "tensors": ["q", "k", "v", "scores", "pattern", "norms"],
            "layers": [2],
            "heads": [3],
        },
    }
}
SCRATCH: dict[str, Any] = {"mechanism": "block", "d_model": 256, "n_heads": 16, "n_layers": 6}


def text(tokens: int) -> str:
    return " ".join((WORDS * (tokens // len(WORDS) + 1))[:tokens])


def requests() -> dict[str, dict[str, Any]]:
    """Named requests; what is varied is the name."""
    found: dict[str, dict[str, Any]] = {}
    for n in (15, 120, 500, 1000):
        found[f"run, {n} tokens"] = {"texts": [text(n)], **FEW}
    for n in (2, 8):
        found[f"run, {n} texts of 500 tokens"] = {"texts": [text(500)] * n, **FEW}
    for n in (15, 500, 1000):
        found[f"keystroke, {n} tokens"] = {"texts": [text(n)], **PARTS}
        found[f"scores, {n} tokens"] = {"texts": [text(n)], **FEW, "analyse": {"scores": True}}
    found["rollout, 1000 tokens"] = {"texts": [text(1000)], **FEW, "analyse": {"rollout": True}}
    for causal in (True, False):
        found[f"flow, 20 tokens{'' if causal else ', no causal mask'}"] = {
            "texts": [text(19)],
            **FEW,
            "masks": {"causal": causal},
            "analyse": {"flow": True},
        }
    for n in (4, 32):
        found[f"generate {n}, 120 tokens"] = {
            "texts": [text(120)],
            **FEW,
            "generate": {"n_tokens": n},
        }
    for n in (15, 120, 500):
        found[f"mute effects, {n} tokens"] = {
            "texts": [text(n)],
            **FEW,
            "analyse": {"mute_effects": {}},
        }
    for n in (100, 10_000):
        cells = [{"query": 200 + i // 150, "key": i % 150} for i in range(n)]
        found[f"{n} painted cells"] = {"texts": [text(400)], "masks": {"blocked": cells}, **FEW}
    for tensors in (["pattern"], ["scores", "pattern"]):
        found[f"all heads, {' and '.join(tensors)}, 500 tokens"] = {
            "texts": [text(500)],
            "select": {"tensors": tensors},
            "predict": None,
        }
    for n in (10, 200):
        found[f"scratch at its largest, {n} tokens"] = {
            "model": "scratch",
            "texts": [text(n)],
            "scratch": SCRATCH,
            "select": {"layers": []},
        }
    return found


def main() -> None:
    torch.set_num_threads(1)
    settings = Settings(cache_bytes=0)
    models = Models(build_registry(settings), settings)
    models.start(timeout_s=60)
    rows = [measure(settings, models, name, request) for name, request in requests().items()]
    for row in rows:
        print(
            "{name:<45} {ms:>8.1f} ms, estimated {estimated_ms:>8.1f} ms ({ratio:.2f} of it), "
            "mostly {largest}".format(**row)
        )
    print(json.dumps({"benchmark": "cost", "requests": rows}))


def measure(settings: Settings, models: Models, name: str, body: dict[str, Any]) -> dict[str, Any]:
    request = TraceRequest.model_validate(body)
    ask = answering(settings, models, body)
    model = asyncio.run(_ready(models, request))
    cost = estimate(request, request.to_inputs(settings), models.info(model))
    taken = []
    for _ in range(3):
        began = time.thread_time()
        with torch.inference_mode():
            ask()
        taken.append(1000 * (time.thread_time() - began))
    ms = sorted(taken)[1]
    return {
        "name": name,
        "ms": ms,
        "estimated_ms": cost.ms,
        "ratio": cost.ms / ms,
        "largest": cost.largest,
    }


def answering(
    settings: Settings, models: Models, body: dict[str, Any], encoding: Encoding = SAFETENSORS
) -> Callable[[], bytes]:
    """What answers a request once, in this process."""
    tracer = Tracer(settings, Metrics())
    answers = Answers(settings, models, tracer, Lenses(models, tracer.workers))
    request = TraceRequest.model_validate(body)
    inputs = request.to_inputs(settings)
    model = asyncio.run(_ready(models, request))
    return lambda: answers.compute(request, inputs, model, encoding)


async def _ready(models: Models, request: TraceRequest) -> str:
    from contextlib import nullcontext

    return await models.ready(request.model, waiting=nullcontext)


if __name__ == "__main__":
    main()
