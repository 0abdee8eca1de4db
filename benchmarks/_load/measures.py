"""One function for each question about a server under load; for visits see joining.py."""

import asyncio
import itertools
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any

from benchmarks._load import page, texts
from benchmarks._load.recorded import TYPED, Sent
from benchmarks._load.servers import CORES, Highest, Server, headlight, on_core, staying_away
from benchmarks._load.typists import (
    Outcome,
    Outcomes,
    Typist,
    at_a_rate,
    like_the_page,
    one_after_another,
)

FACTORS = (0.5, 1, 2, 5, 10)  # load as a multiple of the capacity
EVERY_S = 0.5  # between the keys of one typist, in an overload
OPENING_S = 60.0  # at most, until a browser has opened the page
CROWD = 8  # typists who press the next key at once, to find the capacity

# Keeps the only worker of a server busy for seconds: it mutes each head of a long text in turn.
LONG = " ".join(["the old cat near the red boats saw a dog on his green hill"] * 20)
OCCUPYING = Sent(
    method="POST",
    path="/api/trace",
    accept="application/json",
    wave=0,
    body={"select": {"layers": []}, "predict": None, "analyse": {"mute_effects": {}}},
)

_seeds = itertools.count(1_000)


@dataclass(frozen=True)
class Effort:
    """How long and how often each measurement runs."""

    keystrokes: int = 400
    seconds: float = 10.0  # of each level of load
    typing_s: float = 30.0  # of the classrooms
    visitors: int = 200
    openings: int = 5
    hostile: int = 500  # requests, each for a large mechanism

    @classmethod
    def quick(cls) -> "Effort":
        return cls(keystrokes=80, seconds=3.0, typing_s=8.0, visitors=10, openings=2, hostile=50)


def bare_pass_ms(repeats: int, texts_at_once: int = 1) -> float:
    """Processor time of a bare forward pass per text, in a fresh process on the servers' core."""
    command = [*on_core(CORES[0]), sys.executable, "-m", "benchmarks._load.bare"]
    command += [str(texts.TOKENS), str(repeats), str(texts_at_once)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def keystroke(server: Server, sent: Sequence[Sent], effort: Effort) -> dict[str, Any]:
    """Processor time of an answered keystroke at 16 tokens; no text is in the server's cache."""
    fresh = texts.of_length(seed=3)

    async def run(n: int) -> Outcomes:
        async with Typist(server.address, sent, fresh) as person:
            return await one_after_another([person], lambda done: done >= n)

    asyncio.run(run(max(20, effort.keystrokes // 10)))  # warms up
    before, loop_before = server.cpu_s(), server.loop_cpu_s()
    outcomes = asyncio.run(run(effort.keystrokes))
    cpu_s, loop_s = server.cpu_s() - before, server.loop_cpu_s() - loop_before
    answered = len(outcomes.of("answered"))
    return {
        "cpu_ms": cpu_s / answered * 1000,
        "loop_ms": loop_s / answered * 1000,
        "median_ms": median(each.seconds for each in outcomes.all) * 1000,
        "requests": len(sent),
    }


def remembered_ms(server: Server, sent: Sequence[Sent], effort: Effort) -> float:
    """Processor time of a keystroke whose answer is cached."""

    async def run() -> Outcomes:
        async with Typist(server.address, sent, itertools.repeat(TYPED)) as person:
            await person.press(time.perf_counter())
            return await one_after_another([person], lambda done: done >= 2 * effort.keystrokes)

    before = server.cpu_s()
    answered = len(asyncio.run(run()).of("answered"))
    return (server.cpu_s() - before) / answered * 1000


def overload(server: Server, sent: Sequence[Sent], effort: Effort) -> dict[str, Any]:
    """The capacity of a server in keystrokes per second, and how it behaves under more load."""
    capacity = asyncio.run(_as_fast_as_possible(server, sent, effort)).answered_per_s
    levels: list[dict[str, Any]] = []
    with Highest(server) as highest:
        for factor in FACTORS:
            people = max(1, round(factor * capacity * EVERY_S))
            spent = server.cpu_s()
            outcomes = asyncio.run(_typing(server, sent, people, EVERY_S, effort.seconds))
            until_idle(server)
            answered = max(1, len(outcomes.of("answered")))
            cpu_ms = (server.cpu_s() - spent) / answered * 1000  # including the refusals
            pages = asyncio.run(_paging(server, sent, people, EVERY_S, effort.seconds))
            until_idle(server)
            levels.append(
                {"factor": factor, "people": people, "cpu_ms": cpu_ms, **outcomes.row()}
                | {"pages": pages.row()}
            )
    for way in (levels, [level["pages"] for level in levels]):
        peak = max(capacity, *(level["answered_per_s"] for level in way))
        for level in way:
            level["share_of_peak"] = level["answered_per_s"] / peak
    return {"capacity_per_s": capacity, "levels": levels, "highest_rss_mb": highest.rss_mb}


def typing(
    server: Server, sent: Sequence[Sent], people: int, every_s: float, effort: Effort, real: bool
) -> dict[str, Any]:
    """A room of people who type; with `real`, also a page in Chromium."""

    async def type_on() -> tuple[Outcomes, list[float]]:
        before, start = server.cpu_s_by_process(), time.perf_counter()
        outcomes = await _typing(server, sent, people, every_s, effort.typing_s)
        took_s = time.perf_counter() - start
        after = server.cpu_s_by_process()
        spent = [(after[each] - before.get(each, 0.0)) / took_s for each in after]
        return outcomes, sorted(spent, reverse=True)

    async def run() -> tuple[tuple[Outcomes, list[float]], list[float]]:
        if not real:
            return await type_on(), []
        opened = threading.Event()
        beside = asyncio.create_task(
            asyncio.to_thread(page.type_slowly, server.address, effort.typing_s, opened)
        )
        await asyncio.wait(
            {beside, asyncio.ensure_future(asyncio.to_thread(opened.wait, OPENING_S))},
            return_when=asyncio.FIRST_COMPLETED,
        )
        return await type_on(), await beside

    with Highest(server) as highest:
        (outcomes, spent), pictures = asyncio.run(run())
    found = {
        "people": people,
        "every_s": every_s,
        **outcomes.row(),
        "server_cpu": sum(spent),
        "busiest_processes_cpu": spent[:2],
        "highest_rss_mb": highest.rss_mb,
    }
    if real:
        found |= {"page_median_ms": median(pictures), "page_worst_ms": max(pictures)}
    return found


def same_text(server: Server, sent: Sequence[Sent], people: int, effort: Effort) -> dict[str, Any]:
    """A class that types the teacher's text a moment later, compared with one that does not."""

    async def run(alike: bool) -> Outcomes:
        rng = Random(5)
        seeds = [900 + (0 if alike else place) for place in range(people)]
        outcomes = Outcomes(seconds=effort.typing_s, started_at=time.perf_counter() + 0.1)

        async def press(person: Typist, due: float) -> Outcome:
            await asyncio.sleep(due - time.perf_counter())
            return await person.press(due)

        async with crowd(server, sent, seeds) as everyone:
            # one key a second: the teacher's first, then the others'
            pressed = [
                press(person, outcomes.started_at + n + (rng.random() * 0.8 if index else 0))
                for n in range(int(effort.typing_s))
                for index, person in enumerate(everyone)
            ]
            outcomes.all.extend(await asyncio.gather(*pressed))
        return outcomes

    found: dict[str, Any] = {"people": people}
    for name, alike in (("alike", True), ("apart", False)):
        counted, before = server.counters(), server.cpu_s()
        outcomes = asyncio.run(run(alike))
        spent = server.cpu_s() - before
        after = server.counters()
        answered = max(1, len(outcomes.of("answered")))
        found[f"{name}_cpu_ms"] = spent / answered * 1000
        found[f"{name}_refused"] = len(outcomes.of("refused"))
        found[f"{name}_hits"] = {
            counter: (value - counted.get(counter, 0)) / answered
            for counter, value in after.items()
            if "hit" in counter or "joined" in counter
        }
        until_idle(server)
    return found


def refusal(sent: Sequence[Sent], effort: Effort) -> dict[str, Any]:
    """Processor time of a refusal in the event loop, while the only worker is busy.

    Many requests are refused, because only then does the cost of a refusal matter.
    """

    async def occupy(person: Typist, words: Iterator[str]) -> None:
        while True:
            await person.ask(OCCUPYING, next(words))

    async def run(server: Server) -> tuple[Outcomes, float]:
        words = (f"{text} {LONG}" for text in texts.of_length(seed=4))
        async with Typist(server.address) as other:
            occupied = asyncio.create_task(occupy(other, words))
            await asyncio.sleep(0.5)
            async with crowd(server, sent, strangers(CROWD)) as everyone:
                n = 10 * effort.keystrokes
                before = server.loop_cpu_s()
                outcomes = await one_after_another(everyone, lambda done: done >= n)
                spent = server.loop_cpu_s() - before
            occupied.cancel()
            return outcomes, spent

    with headlight(queue_size="0") as server, staying_away():
        outcomes, spent = asyncio.run(run(server))
    n = len(outcomes.of("refused"))
    if n < len(outcomes.all) / 2:
        raise RuntimeError(f"only {n} of {len(outcomes.all)} keystrokes were refused")
    return {"cpu_ms": spent / n * 1000, "refused": n, "answered": len(outcomes.of("answered"))}


async def _as_fast_as_possible(server: Server, sent: Sequence[Sent], effort: Effort) -> Outcomes:
    async with crowd(server, sent, strangers(CROWD)) as everyone:
        await one_after_another(everyone, lambda done: done >= 5 * CROWD)  # warms up
        end = time.perf_counter() + effort.seconds
        return await one_after_another(everyone, lambda _: time.perf_counter() >= end)


async def _typing(
    server: Server, sent: Sequence[Sent], people: int, every_s: float, seconds: float
) -> Outcomes:
    async with crowd(server, sent, strangers(people)) as everyone:
        return await at_a_rate(everyone, every_s, seconds)


async def _paging(
    server: Server, sent: Sequence[Sent], people: int, every_s: float, seconds: float
) -> Outcomes:
    async with crowd(server, sent, strangers(people)) as everyone:
        return await like_the_page(everyone, every_s, seconds)


def strangers(people: int) -> list[int]:
    """Seeds that were not used yet, because a server caches its answers."""
    return list(itertools.islice(_seeds, people))


@asynccontextmanager
async def crowd(
    server: Server, sent: Sequence[Sent], seeds: Iterable[int]
) -> AsyncIterator[list[Typist]]:
    """People who type; those with the same seed type the same text."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(Typist(server.address, sent, texts.typed(seed)))
            for seed in seeds
        ]


def until_idle(server: Server, timeout_s: float = 15.0) -> None:
    """Wait until the server has finished work whose clients are gone."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        before = server.cpu_s()
        time.sleep(0.3)
        if server.cpu_s() - before < 0.03:
            return
