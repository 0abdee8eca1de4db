"""Fuzzes a server: sends unusual and broken requests and checks every response.

A third are valid trace requests with random combinations of tensors, selections, analyses,
predictions and mechanisms. The rest are such requests with broken values, JSON or bytes; every
other route with odd methods, paths and headers; and bytes that are not HTTP. For every response we
check: no 500; errors in the common JSON shape; the security headers; JSON and tensors that match
the schemas, with only finite numbers; and that there is a response at all. If this script starts
the server, its memory must not grow: in the last third at most 1.05 times that of the first.

    python -m scripts.fuzz [--requests 100000] [--seconds 3600] [--seed 1] [--address URL]
    python -m scripts.fuzz --seed 1 --only 4711    # repeat one: prints the request and response

Exits with status 1 if there was a failure; each failure is reported with its number.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from urllib.parse import urlsplit

import psutil

from scripts._fuzz.checks import problems
from scripts._fuzz.exchange import exchange
from scripts._fuzz.messages import message
from scripts.live import running

AT_ONCE = 4
MAX_FINDS = 20  # different ones; then it stops
MEMORY_EVERY = 50  # requests
MAX_GROWTH = 1.05
CACHES = ("cache_bytes", "answer_cache_bytes")  # settings
MIN_REQUESTS = 3_000  # with fewer, memory says nothing


@dataclass
class Report:
    """Counts of requests and responses, the problems found, and memory over time."""

    statuses: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    analyses: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    finds: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    memory_mb: list[float] = field(default_factory=list)

    @property
    def n_sent(self) -> int:
        return sum(sum(found.values()) for found in self.statuses.values())

    @property
    def least_computed(self) -> tuple[float, str]:
        """The smallest share of well-formed requests for an analysis that got 200, and which."""
        shares = ((found["200"] / found.total(), name) for name, found in self.analyses.items())
        return min(shares, default=(0.0, "none"))

    @property
    def growth(self) -> float | None:
        """Memory in the last third over that in the first; None after too few requests."""
        third = len(self.memory_mb) // 3
        if self.n_sent < MIN_REQUESTS or third == 0:
            return None
        return median(self.memory_mb[-third:]) / median(self.memory_mb[:third])


async def fuzz(
    address: str, seed: int, requests: int, seconds: float, process: psutil.Process | None = None
) -> Report:
    """Send up to `requests` requests within `seconds`."""
    where = urlsplit(address)
    host, port = str(where.hostname), int(where.port or 80)
    report = Report()
    numbers = iter(range(requests))
    end = time.monotonic() + seconds

    async def send_some() -> None:
        for number in numbers:
            if time.monotonic() > end or len(report.finds) > MAX_FINDS:
                return
            await send(number)
            if process is not None and number % MEMORY_EVERY == 0:
                report.memory_mb.append(_memory_mb(process))

    async def send(number: int) -> None:
        sent = message(seed, number)
        answer = await exchange(host, port, sent.data, head=sent.head, ends=sent.ends)
        outcome = str(answer.status) if answer.outcome == "answered" else answer.outcome
        report.statuses[sent.category][outcome] += 1
        for name in sent.analyses():
            report.analyses[name][outcome] += 1
        for problem in problems(sent, answer):
            report.finds[f"{sent.category}: {problem}"].append(number)

    await asyncio.gather(*(send_some() for _ in range(AT_ONCE)))
    return report


def _memory_mb(process: psutil.Process) -> float:
    workers = process.children(recursive=True) or [process]  # who starts them answers nothing
    return float(sum(each.memory_info().rss for each in workers) / 1e6)


@contextmanager
def serving() -> Iterator[tuple[str, psutil.Process]]:
    """A server and its process. Its caches are small, since memory grows until they are full."""
    settings = {"log_level": "error", **{name: str(8 * 1024**2) for name in CACHES}}
    with running(settings=settings) as server:
        yield server.address, psutil.Process(server.process.pid)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--requests", type=int, default=100_000)
    arguments.add_argument("--seconds", type=float, default=3_600, help="at most")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--address", help="of a server that is already running")
    arguments.add_argument("--only", type=int, help="the number of one request")
    given = arguments.parse_args()
    if given.address:
        run(given, given.address, None)
    else:
        with serving() as (address, process):
            run(given, address, process)


def run(given: argparse.Namespace, address: str, process: psutil.Process | None) -> None:
    if given.only is not None:
        show(address, given.seed, given.only)
        return
    began = time.monotonic()
    report = asyncio.run(fuzz(address, given.seed, given.requests, given.seconds, process))
    took_s = time.monotonic() - began
    print(f"seed {given.seed}: {report.n_sent:,} requests in {took_s:.0f} s")
    for category, statuses in sorted(report.statuses.items()):
        counts = ", ".join(f"{status} × {n:,}" for status, n in statuses.most_common())
        print(f"  {category}: {counts}")
    share, name = report.least_computed
    print(f"  computed of the well-formed requests for an analysis: at least {share:.0%} ({name})")
    if report.growth is not None:
        print(f"  memory, last third over first: {report.growth:.3f}")
    for problem, numbers in report.finds.items():
        print(f"FOUND {problem}\n  {len(numbers)} ×; --seed {given.seed} --only {numbers[0]}")
    if report.finds or (report.growth or 0) > MAX_GROWTH:
        sys.exit(1)


def show(address: str, seed: int, number: int) -> None:
    """Send one request and print it with its answer."""
    where = urlsplit(address)
    sent = message(seed, number)
    print(f"--- {sent.category}, {len(sent.data):,} bytes\n{sent.data[:3_000]!r}")
    asked = exchange(
        str(where.hostname), int(where.port or 80), sent.data, head=sent.head, ends=sent.ends
    )
    answer = asyncio.run(asked)
    print(f"--- {answer.outcome}: {answer.status}")
    print("".join(f"{name}: {value}\n" for name, value in answer.headers.items()))
    print(repr(answer.body[:1_000]))
    for problem in problems(sent, answer):
        print(f"FOUND {problem}")


if __name__ == "__main__":
    main()
