"""What does recording cost, and what does looking cost?

Measures: one forward pass that keeps q, k, v (what a trace is made of), over the same pass that
keeps nothing; and the same for the whole of `Source.trace` (tokenizing and masks included). Both
passes run torch's fused attention. Then the price of deriving what a reader looks at, and the
memory that a trace holds beside the patterns that it stands for.

Why: a trace keeps what went into attention, and everything else is derived when somebody looks.
That is worth having only if recording is next to free (aim: ratio at most 1.05) and the derivation
of what fits on a screen is small.

How: the two passes alternate, one thread, and the ratio is the median of the ratios of neighbours,
so that whatever else the machine does meets both. The shipped checkpoint is measured; without one,
a random model of the same size. Run:

    python -m benchmarks.recording [--repeats 200]

The last line is JSON: one object for each length.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch: waiting threads must not spin

import torch

from model.core.checkpoint import SHIPPED, Checkpoint, save_checkpoint
from model.core.tokenizer import Tokenizer
from model.core.transformer import Transformer, TransformerConfig
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.trace.site import Site

LENGTHS = (16, 128, 512)  # tokens, [BOS] included


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeats", type=int, default=200, help="pairs of passes a length")
    repeats = arguments.parse_args().repeats
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        source = shipped_or_random(Path(folder))
        rows = [measure(source, n, repeats) for n in LENGTHS]
    print_table(rows)
    print(json.dumps({"benchmark": "recording", "model": source.info.name, "lengths": rows}))


def shipped_or_random(folder: Path) -> NativeSource:
    if (SHIPPED / "config.json").is_file():
        return NativeSource("shipped", SHIPPED)
    tokenizer = Tokenizer.load(SHIPPED / "tokenizer.json")
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(vocab_size=tokenizer.vocab_size))
    save_checkpoint(folder, Checkpoint(model, tokenizer))
    return NativeSource("random", folder)


def measure(source: NativeSource, n: int, repeats: int) -> dict[str, float]:
    text = "the " * (n - 1)
    inputs = Inputs((text,))
    ids = torch.tensor([[token.id for token in source.tokenizer.encode(text)]])
    assert ids.shape == (1, n), "every repeated word should be one token"

    @torch.inference_mode()
    def plain() -> object:
        return source.model(ids)

    @torch.inference_mode()
    def recorded() -> object:
        return source.model(ids, record=True)

    def traced() -> object:
        return source.trace(inputs)

    trace = source.trace(inputs)
    some = slice(0, 1)

    def thumbnails() -> object:
        return [site.thumbnail(64) for site in trace.sites]

    recorded_s, plain_s, ratio = interleaved(recorded, plain, repeats)
    traced_s, _, traced_ratio = interleaved(traced, plain, repeats)
    few = max(repeats // 10, 3)
    pattern_bytes = (
        sum(site.n_heads * site.mask.n_query * site.mask.n_key for site in trace.sites) * 4
    )
    return {
        "tokens": n,
        "plain_ms": milliseconds(plain_s),
        "recorded_ms": milliseconds(recorded_s),
        "recorded_over_plain": round(ratio, 3),
        "trace_ms": milliseconds(traced_s),
        "trace_over_plain": round(traced_ratio, 3),
        "one_row_ms": milliseconds(
            timed(lambda: trace.sites[0].derive(["pattern"], rows=some), few)
        ),
        "one_head_ms": milliseconds(
            timed(lambda: trace.sites[0].derive(["pattern"], heads=[0]), few)
        ),
        "thumbnails_ms": milliseconds(timed(thumbnails, few)),
        "everything_ms": milliseconds(timed(lambda: everything(trace.sites), few)),
        "trace_kib": round(trace.nbytes / 1024, 1),
        "patterns_kib": round(pattern_bytes / 1024, 1),
    }


def everything(sites: tuple[Site, ...]) -> object:
    return [site.derive(site.tensors) for site in sites]


def interleaved(
    one: Callable[[], object], other: Callable[[], object], repeats: int
) -> tuple[float, float, float]:
    """Median seconds of both, and the median of their ratios. Which goes first alternates."""
    ones: list[float] = []
    others: list[float] = []
    for repeat in range(-3, repeats):  # three to warm up
        pair = ((one, ones), (other, others))
        for run, times in pair if repeat % 2 else reversed(pair):
            start = time.perf_counter()
            kept = run()
            times.append(time.perf_counter() - start)
            del kept
    ones, others = ones[3:], others[3:]
    ratios = [a / b for a, b in zip(ones, others, strict=True)]
    return median(ones), median(others), median(ratios)


def timed(run: Callable[[], object], repeats: int) -> float:
    """Median seconds."""
    run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return median(times)


def milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)


def print_table(rows: list[dict[str, float]]) -> None:
    for name in rows[0]:
        cells = "".join(f"{row[name]:>12,}" for row in rows)
        print(f"{name:<22}{cells}")


if __name__ == "__main__":
    main()
