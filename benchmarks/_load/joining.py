"""Visitors who open the page: the cost of one visit, and of many at once."""

import asyncio
import time
from collections.abc import Sequence
from statistics import median
from typing import Any

from playwright.sync_api import Browser

from benchmarks._load import page
from benchmarks._load.connection import AT_ONCE
from benchmarks._load.measures import Effort
from benchmarks._load.recorded import TYPED, Sent
from benchmarks._load.servers import Server
from benchmarks._load.typists import Typist

WITHIN_S = 5.0  # in which 200 visitors arrive
TIMEOUT_S = 120.0  # of one request


def opening(browser: Browser, server: Server, effort: Effort) -> dict[str, Any]:
    """One visitor in Chromium: time until the first picture, and number of requests."""

    def served() -> float:
        return server.counters()["headlight_requests"]

    found = page.openings(browser, server.address, served, effort.openings)
    return {name: median(values) for name, values in found.items()}


def joining(server: Server, visit: Sequence[Sent], effort: Effort) -> dict[str, Any]:
    """Many visitors within seconds, each sending all requests of a first visit."""
    people = effort.visitors
    gap_s = WITHIN_S / 200  # the same rate for any number of visitors
    before, start = server.cpu_s(), time.perf_counter()
    seconds, failures, nbytes = asyncio.run(_join(server.address, visit, people, gap_s))
    took_s = time.perf_counter() - start
    found = {
        "visitors": people,
        "within_s": people * gap_s,
        "requests": len(visit),
        "cpu_ms_per_visitor": (server.cpu_s() - before) / people * 1000,
        "bytes_per_visitor": nbytes / people,
        "failed": len(failures),
        "took_s": took_s,
    }
    if seconds:
        found |= {"picture_median_s": median(seconds), "picture_last_s": max(seconds)}
    return found


async def _join(
    address: str, visit: Sequence[Sent], people: int, gap_s: float
) -> tuple[list[float], list[str], int]:
    seconds: list[float] = []
    failures: list[str] = []
    nbytes = 0
    started_at = time.perf_counter() + 0.1

    async def arrive(place: int) -> None:
        nonlocal nbytes
        due = started_at + place * gap_s
        await asyncio.sleep(due - time.perf_counter())
        async with Typist(address, timeout_s=TIMEOUT_S) as person:
            try:
                await _opened(person, visit, seconds, due)
            except (OSError, RuntimeError) as error:
                failures.append(repr(error))
            nbytes += person.client.received_bytes

    await asyncio.gather(*(arrive(place) for place in range(people)))
    return seconds, failures, nbytes


async def _opened(person: Typist, visit: Sequence[Sent], seconds: list[float], due: float) -> None:
    """Request the page, then its files, then its traces, then what follows the picture."""
    html, rest = visit[0], visit[1:]
    early = [each for each in rest if not each.after_picture]
    stages = [
        [html],
        [each for each in early if each.body is None],
        [each for each in early if each.body is not None],
    ]
    for stage in stages:
        await _all(person, stage)
    seconds.append(time.perf_counter() - due)
    await _all(person, [each for each in rest if each.after_picture])


async def _all(person: Typist, some: Sequence[Sent]) -> None:
    """Send all requests of a stage, as many at once as a browser."""
    left = iter(some)

    async def fetch() -> None:
        for each in left:
            status, _ = await person.ask(each, TYPED)
            if status not in (200, 202):
                raise RuntimeError(f"{each.path}: status {status}")

    await asyncio.gather(*(fetch() for _ in range(AT_ONCE)))
