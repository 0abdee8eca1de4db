"""Is it worth running the model once for several waiting requests?

Compares two ways to answer eight keystrokes from different people, with about 16 tokens each: one
after the other, and with one forward pass for all eight texts, padded to the longest, before each
is answered. The server only batches requests that are already waiting, so nobody waits for a batch
to fill; this measures the saving when eight are waiting. Processor time of one thread. Run:

    python -m benchmarks.batching [--repeats 100]

The last line is JSON.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from statistics import median

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import torch

from model.core.checkpoint import SHIPPED
from model.sources.native import NativeSource
from model.sources.source import Inputs
from server.api import wire
from server.api.looks import looks_of
from server.api.schemas import TraceRequest

TEXTS = (
    "maria saw herself in the old mirror near the green hill and she ran to",
    "the keys near the old cabinet were on the table before the cat",
    "the dog that saw the boats ran to his old green house and then",
    "when john and mary went to the old store john gave the bag to",
    "a cat near red boats saw a dog on his green hill and then it",
    "the teachers of the boy who saw the old red boat near the house were",
    "his sister saw himself in the mirror and then ran up the hill to the",
    "the boats on the river near the green hill saw the old cat and the",
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeats", type=int, default=100)
    repeats = arguments.parse_args().repeats
    torch.set_num_threads(1)
    source = NativeSource("shipped", SHIPPED)
    each = [Inputs((text,)) for text in TEXTS]
    alone = [source.trace(inputs) for inputs in each]
    request = TraceRequest.model_validate(
        {
            "texts": ["a"],
            "parts": {
                "grid": {"resolution": 64, "dtype": "uint8"},
                "head": {
                    "tensors": ["q", "k", "v", "scores", "pattern", "blocked_by", "norms"],
                    "layers": [2],
                    "heads": [3],
                },
            },
        }
    )

    def answer_all() -> None:
        for trace in alone:
            wire.encode(
                trace,
                looks_of(request),
                request.predict,
                request.analyse,
                safetensors=True,
                max_bytes=10**8,
            )

    def passes() -> None:
        for inputs in each:
            source.trace(inputs)

    def one_pass() -> None:
        source.trace_together(each)

    ways: dict[str, Sequence[Callable[[], None]]] = {
        "one_by_one": (passes, answer_all),
        "together": (one_pass, answer_all),
        "passes_alone": (passes,),
        "pass_together": (one_pass,),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    with torch.inference_mode():
        for _ in range(repeats):
            for name, steps in ways.items():
                began = time.thread_time()
                for step in steps:
                    step()
                taken[name].append(1000 * (time.thread_time() - began) / len(TEXTS))
    ms = {name: median(times) for name, times in taken.items()}
    for name, taken_ms in ms.items():
        print(f"{name:<14} {taken_ms:6.2f} ms a keystroke")
    saved = 1 - ms["together"] / ms["one_by_one"]
    print(f"Batching eight saves {saved:.0%} of a keystroke's computation.")
    print(json.dumps({"benchmark": "batching", **ms, "saved": saved}))


if __name__ == "__main__":
    main()
