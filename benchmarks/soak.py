"""Does a server's memory stay constant under all kinds of requests, including hostile ones?

Measures the resident memory of the server's workers over 50,000 requests of the fuzzer
(scripts/fuzz.py: traces of all kinds, broken ones, every other route, bytes that are no HTTP), with
four under way at any time: the median of the last third over that of the first. Until the caches
are full memory grows as it should; so they are small, and some requests come before that do not
count. Also what the server answered, and all that the fuzzer finds wrong.

Why: a class runs for hours, and whoever wants to break the server has as long. Aim: at most 1.03.
Run:

    python -m benchmarks.soak [--requests 50000] [--before 12000] [--seed 2]

The last line is JSON.
"""

import argparse
import asyncio
import json
import os
import time
from statistics import median

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # the server inherits it
os.environ.setdefault("OMP_NUM_THREADS", "1")

from scripts.fuzz import fuzz, serving


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--requests", type=int, default=50_000)
    arguments.add_argument("--before", type=int, default=12_000, help="that fill the cache")
    arguments.add_argument("--seed", type=int, default=2)
    given = arguments.parse_args()
    with serving() as (address, process):
        asyncio.run(fuzz(address, given.seed + 1_000, given.before, 3_600, process))
        start = time.monotonic()
        report = asyncio.run(fuzz(address, given.seed, given.requests, 3_600, process))
        took_s = time.monotonic() - start
    thirds = len(report.memory_mb) // 3
    first, last = report.memory_mb[:thirds], report.memory_mb[-thirds:]
    found = {
        "requests": report.n_sent,
        "seconds": took_s,
        "first_third_mb": median(first),
        "last_third_mb": median(last),
        "most_mb": max(report.memory_mb),
        "last_over_first": median(last) / median(first),
        "found": {problem: len(numbers) for problem, numbers in report.finds.items()},
    }
    for name, value in found.items():
        print(f"{name:>16}: {value}")
    for category, statuses in sorted(report.statuses.items()):
        print(f"{category:>16}: " + ", ".join(f"{s} × {n:,}" for s, n in statuses.most_common()))
    print(json.dumps({"benchmark": "soak", **found, "aims": {"last_over_first": 1.03}}))


if __name__ == "__main__":
    main()
