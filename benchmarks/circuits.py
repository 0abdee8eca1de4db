"""What does it cost to ask why, next to the run that is asked about?

Measures, on the shipped model with one thread and a sentence of 16 tokens:

- each decomposition (a logit, the scores of one cell, composition on the text, the stream) divided
  by one forward pass that records the stream; the aim is at most 3;
- how many seconds the analyses take that run the model again and again (the patch bench over the
  stream, the path map, the explanations), as whole requests to a server in this process; the aim is
  2 seconds for the patch bench;
- the most memory that each takes above what the process takes with the model loaded.

Why: an answer to "why here?" should come as fast as the picture it is asked about. Each is measured
in a process of its own, since memory that was taken is seldom given back. Run:

    python -m benchmarks.circuits

The last line is JSON.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch: waiting threads must not spin

KB, MB = 1_024, 1_024**2
TEXT = "Maria saw herself in the old mirror near the red boat and then she saw"
CLEAN = TEXT.replace("Maria", "Peter").replace("herself", "himself")
TOKENS = 16  # of both, the first one special
ROUNDS = 15

# each in terms of a recorded trace
DECOMPOSITIONS: dict[str, Callable[[Any], object]] = {
    "a logit": lambda trace: _model("attribution").attribution(trace),
    "one cell": lambda trace: _model("cell").cell(trace, layer=2, head=3, query=9, key=1),
    "composition on the text": lambda trace: _model("composition").text_composition(trace),
    "the stream": lambda trace: _stream(trace),
}
REQUESTS: dict[str, dict[str, Any]] = {
    "patch bench, stream": {"patching": {"clean": CLEAN}},
    "patch bench, heads": {"patching": {"clean": CLEAN, "at": "head", "by": "head"}},
    "path map": {"paths": {}},
    "explanations": {"explanations": {}},
}
AIMS = {"patch bench, stream": 2.0}  # seconds
AIM_RATIO = 3.0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--one", metavar="NAME", help="measure this one")
    one = arguments.parse_args().one
    if one is not None:
        print(json.dumps(decomposed(one) if one in DECOMPOSITIONS else requested(one)))
        return
    found: dict[str, dict[str, float]] = {}
    for name in (*DECOMPOSITIONS, *REQUESTS):
        command = [sys.executable, "-m", "benchmarks.circuits", "--one", name]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found[name] = json.loads(said.splitlines()[-1])
        print(f"{name:>24}: {line(name, found[name])}")
    print(json.dumps({"benchmark": "circuits", **found}))


def line(name: str, measured: dict[str, float]) -> str:
    """One result in words, with its aim."""
    memory = f"{measured['peak_mb']:.1f} MB more"
    if "ratio" in measured:
        met = "met" if measured["ratio"] <= AIM_RATIO else "not met"
        times = f"{measured['ms']:.1f} ms, {measured['ratio']:.2f} × a forward pass"
        return f"{times} (aim {AIM_RATIO:g}: {met}), {memory}"
    aim = ""
    if name in AIMS:
        aim = f" (aim {AIMS[name]:g}: {'met' if measured['seconds'] <= AIMS[name] else 'not met'})"
    return f"{measured['seconds']:.2f} s{aim}, {memory}"


def decomposed(name: str) -> dict[str, float]:
    """The median of one decomposition, and of one recorded pass, measured in turn."""
    import torch

    from model.core.checkpoint import SHIPPED
    from model.sources.native import NativeSource
    from model.sources.source import Inputs

    torch.set_num_threads(1)
    source, inputs = NativeSource("shipped", SHIPPED), Inputs(texts=(TEXT,), stream=True)
    trace, find = source.trace(inputs), DECOMPOSITIONS[name]
    assert len(trace.tokens[0]) == TOKENS
    before = _peak()
    find(trace)
    memory = _peak() - before
    passes, finds = [], []
    for _ in range(ROUNDS):
        passes.append(_seconds(lambda: source.trace(inputs)))
        finds.append(_seconds(lambda: find(trace)))
    forward, found = statistics.median(passes), statistics.median(finds)
    return {
        "ms": round(1000 * found, 2),
        "forward_ms": round(1000 * forward, 2),
        "ratio": round(found / forward, 2),
        "peak_mb": round(memory / MB, 1),
    }


def requested(name: str) -> dict[str, float]:
    """One request to a fresh server, after a plain one over the same text."""
    import torch
    from fastapi.testclient import TestClient

    from server.app import create_app
    from server.settings import Settings

    torch.set_num_threads(1)
    body: dict[str, Any] = {"texts": [TEXT], "select": {"layers": []}, "predict": None}
    with TestClient(create_app(Settings(allowed_hosts=("testserver",)))) as client:
        client.post("/api/trace", json=body).raise_for_status()
        before = _peak()

        def ask() -> None:
            asked = client.post("/api/trace", json=body | {"analyse": REQUESTS[name]})
            assert asked.status_code == 200, asked.text

        seconds = _seconds(ask)
        return {"seconds": round(seconds, 3), "peak_mb": round((_peak() - before) / MB, 1)}


def _stream(trace: Any) -> object:
    from model.trace.stream_tensors import stream_tensors

    return stream_tensors(trace, ["resid_pre", "resid_mid", "resid_post", "mlp_out"])


def _model(name: str) -> Any:
    from importlib import import_module

    return import_module(f"model.analysis.{name}")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KB


if __name__ == "__main__":
    main()
