"""Does memory grow with tokens, or with their square?

Measures: the most memory that a process takes (above what it takes with the model loaded) to trace
one text of 1,024, 2,048, 4,096 and 8,192 tokens and to look at it: every layer pooled to 64 × 64
cells by maximum and by mean, a map of the maximum over all heads, 64 rows of one head, the 8 top
keys of each query of one layer, and the 50 strongest links of all heads that are a tenth of the
text apart. The model is a tiny one of Llama's kind with rotary
positions, grouped queries and random weights; the masks are its own. Beside it, what the patterns
would take if they were kept.

Why: a mask or a pattern of a whole head is tokens² numbers, and of a whole model layers · heads
times that. Derived in stripes of rows, neither is ever there at once. Doubling the tokens may
double the memory, but not quadruple it. A stripe has at most a million cells, so for shorter texts
the peak is a constant. It counts what the allocator cannot give back, too: small tensors that are
kept among large ones leave holes.

How: each length in a process of its own, since memory that was taken is seldom given back. Run:

    python -m benchmarks.long_texts

The last line is JSON: one object for each length. `ratio` is its peak over that of the length
before; `s` is the processor time of each look.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch: waiting threads must not spin

LENGTHS = (1_024, 2_048, 4_096, 8_192)  # tokens, the first one special
KB, MB = 1_024, 1_024**2


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--one", nargs=2, metavar=("FOLDER", "TOKENS"), help="measure this one")
    one = arguments.parse_args().one
    if one is not None:
        print(json.dumps(measure(Path(one[0]), int(one[1]))))
        return
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        checkpoint(Path(folder))
        for n in LENGTHS:
            command = [sys.executable, "-m", "benchmarks.long_texts", "--one", folder, str(n)]
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            row = json.loads(said.splitlines()[-1])
            row["ratio"] = round(row["peak_mb"] / rows[-1]["peak_mb"], 2) if rows else None
            rows.append(row)
            print(
                f"{n:>6,} tokens: {row['peak_mb']:7.1f} MB at most, {row['trace_mb']:6.1f} MB kept;"
                f" the patterns would take {row['patterns_mb']:9.1f} MB; "
                + ", ".join(f"{name} {s:g} s" for name, s in row["s"].items())
            )
    print(json.dumps({"benchmark": "long_texts", "lengths": rows}))


def checkpoint(folder: Path) -> None:
    """The tiny model of the tests, for longer texts."""
    import torch

    from tests.unit.sources.pretrained.checkpoints import llama

    torch.manual_seed(0)
    llama(folder)
    path = folder / "config.json"
    config = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(config | {"max_position_embeddings": max(LENGTHS)}), "utf-8")


def measure(folder: Path, n: int) -> dict[str, Any]:
    import torch

    from model.analysis.long_texts.far_links import far_links
    from model.analysis.long_texts.overview import overview
    from model.analysis.long_texts.top_keys import top_keys
    from model.sources.pretrained.source import PretrainedSource
    from model.sources.source import Inputs

    torch.set_num_threads(1)
    source = PretrainedSource.load("tiny", str(folder))
    source.trace(Inputs(("the cat",))).sites[0].thumbnail(8)  # what is loaded when first used
    before = peak()
    seconds: dict[str, float] = {}

    def timed(name: str, look: Callable[[], Any]) -> Any:
        began = time.process_time()
        found = look()
        seconds[name] = round(time.process_time() - began, 2)
        return found

    with torch.inference_mode():
        trace = timed("trace", lambda: source.trace(Inputs(("cat dog " * (n // 2 - 1) + "cat",))))
        sites, middle = trace.sites, slice(n // 2, n // 2 + 64)
        timed("pooled", lambda: [site.thumbnail(64) for site in sites])
        timed("means", lambda: [site.thumbnail(64, pooling="mean") for site in sites])
        timed("overview", lambda: overview(trace, resolution=64, over="layers"))
        timed("rows", lambda: sites[0].derive(["pattern"], heads=[0], rows=middle))
        timed("top_keys", lambda: top_keys(sites[0], text=0, top_k=8))
        timed("far_links", lambda: far_links(trace, top_k=50, min_distance=n // 10))
    most = peak() - before
    assert len(trace.tokens[0]) == n
    heads = sum(site.n_heads for site in trace.sites)
    return {
        "tokens": n,
        "peak_mb": round(most / MB, 1),
        "trace_mb": round(trace.nbytes / MB, 1),
        "patterns_mb": round(heads * n * n * 4 / MB, 1),
        "s": seconds,
    }


def peak() -> int:
    """The most memory that this process has taken, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KB


if __name__ == "__main__":
    main()
