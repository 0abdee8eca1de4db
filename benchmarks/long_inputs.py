"""Does memory grow with tokens, or with their square?

Measures: the most memory that a process takes (above what it takes with the model loaded) to trace
one text of 1,024, 2,048 and 4,096 tokens and to look at it: every head's thumbnail and 64 rows of
one head. The model is a tiny one of Llama's kind with rotary positions, grouped queries and random
weights; the masks are its own. Beside it, what the patterns would take if they were kept.

Why: a mask or a pattern of a whole head is tokens² numbers, and of a whole model layers · heads
times that. Derived in stripes of rows, neither is ever there at once. Doubling the tokens should
double the memory, not quadruple it.

How: each length in a process of its own, since memory that was taken is seldom given back. Run:

    python -m benchmarks.long_inputs

The last line is JSON: one object for each length, with its ratio to the length before.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch: waiting threads must not spin

LENGTHS = (1_024, 2_048, 4_096)  # tokens, the first one special
KB, MB = 1_024, 1_024**2


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--one", nargs=2, metavar=("FOLDER", "TOKENS"), help="measure this one")
    one = arguments.parse_args().one
    if one is not None:
        print(json.dumps(measure(Path(one[0]), int(one[1]))))
        return
    rows, before = list[dict[str, float | None]](), 0.0
    with tempfile.TemporaryDirectory() as folder:
        checkpoint(Path(folder))
        for n in LENGTHS:
            command = [sys.executable, "-m", "benchmarks.long_inputs", "--one", folder, str(n)]
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            row = json.loads(said.splitlines()[-1])
            row["ratio"] = round(row["peak_mb"] / before, 2) if before else None
            before = row["peak_mb"]
            rows.append(row)
            print(
                f"{n:>6,} tokens: {row['peak_mb']:7.1f} MB at most, {row['trace_mb']:6.1f} MB kept;"
                f" the patterns would take {row['patterns_mb']:9.1f} MB"
            )
    print(json.dumps({"benchmark": "long_inputs", "lengths": rows}))


def checkpoint(folder: Path) -> None:
    """The tiny model of the tests."""
    import torch

    from tests.unit.sources.pretrained.checkpoints import llama

    torch.manual_seed(0)
    llama(folder)


def measure(folder: Path, n: int) -> dict[str, float]:
    import torch

    from model.sources.pretrained.source import PretrainedSource
    from model.sources.source import Inputs

    torch.set_num_threads(1)
    source = PretrainedSource.load("tiny", str(folder))
    source.trace(Inputs(("the cat",))).sites[0].thumbnail(8)  # what is loaded when first used
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KB
    with torch.inference_mode():
        trace = source.trace(Inputs(("cat " * (n - 1),)))
        for site in trace.sites:
            for head in range(site.n_heads):
                site.thumbnail(64, heads=[head])
        trace.sites[0].derive(["pattern"], heads=[0], rows=slice(n // 2, n // 2 + 64))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KB - before
    assert len(trace.tokens[0]) == n
    heads = sum(site.n_heads for site in trace.sites)
    return {
        "tokens": n,
        "peak_mb": round(peak / MB, 1),
        "trace_mb": round(trace.nbytes / MB, 1),
        "patterns_mb": round(heads * n * n * 4 / MB, 1),
    }


if __name__ == "__main__":
    main()
