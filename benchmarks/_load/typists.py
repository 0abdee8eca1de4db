"""Simulated people who type, and the outcomes of their keystrokes.

`at_a_rate` is an open loop: each keystroke is sent when it is due, no matter whether the previous
one has been answered, and its time counts from when it was due. So a stalled server is charged for
all keystrokes that were due meanwhile (waiting for the response first would be coordinated
omission). `like_the_page` has one request in flight, as the page does, and respects Retry-After.
"""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import ceil
from random import Random
from typing import Any, Literal
from uuid import uuid4

from benchmarks._load.connection import Answer, Client
from benchmarks._load.recorded import Sent

TIMEOUT_S = 20.0  # after which an answer counts as lost
BUSY = 503


@dataclass(frozen=True)
class Outcome:
    """The outcome of one keystroke."""

    kind: Literal["answered", "refused", "lost", "wrong"]
    seconds: float  # since it was due
    ended_at: float
    late_s: float  # how long after it was due it was sent, because the typists were too slow
    n_requests: int
    retry_after: int | None = None
    what: str = ""


@dataclass
class Outcomes:
    """The outcomes of all keystrokes of a run."""

    all: list[Outcome] = field(default_factory=list)
    seconds: float = 0.0  # of the run
    started_at: float = 0.0
    client_cpu_s: float = 0.0

    def of(self, kind: str) -> list[Outcome]:
        return [each for each in self.all if each.kind == kind]

    @property
    def answered_per_s(self) -> float:
        """Answers within the run; later ones do not count."""
        end = self.started_at + self.seconds
        return sum(each.ended_at <= end for each in self.of("answered")) / self.seconds

    def latency_ms(self, percent: float) -> float | None:
        """A percentile over the answered keystrokes (nearest rank)."""
        times = sorted(each.seconds for each in self.of("answered"))
        return times[max(0, ceil(percent / 100 * len(times)) - 1)] * 1000 if times else None

    def row(self) -> dict[str, Any]:
        waits = [each.retry_after for each in self.of("refused") if each.retry_after is not None]
        return {
            "sent": len(self.all),
            "answered": len(self.of("answered")),
            "refused": len(self.of("refused")),
            "lost": len(self.of("lost")),
            "wrong": len(self.of("wrong")),
            "answered_per_s": self.answered_per_s,
            "p50_ms": self.latency_ms(50),
            "p99_ms": self.latency_ms(99),
            "retry_after_least": min(waits, default=None),
            "retry_after_most": max(waits, default=None),
            "problems": dict(Counter(each.what for each in self.all if each.what).most_common(3)),
            "client_late_ms": max((each.late_s for each in self.all), default=0) * 1000,
            "client_cpu": self.client_cpu_s / self.seconds if self.seconds else 0,
        }


class Typist:
    """One person, with their own connections and identity."""

    def __init__(
        self,
        address: str,
        keystroke: Sequence[Sent] = (),
        texts: Iterator[str] | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self.client = Client(address, timeout_s)
        self._named = {"X-Headlight-Participant": uuid4().hex}
        waves = sorted({each.wave for each in keystroke})
        self._waves = [[each for each in keystroke if each.wave == wave] for wave in waves]
        self.texts = iter(()) if texts is None else texts

    async def __aenter__(self) -> "Typist":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.client.close()

    async def press(self, due: float, text: str | None = None) -> Outcome:
        """One keystroke, with all requests that the page sends for it."""
        text = next(self.texts) if text is None else text
        late_s = time.perf_counter() - due
        n = 0

        def ended(
            kind: Literal["answered", "refused", "lost", "wrong"],
            retry_after: int | None = None,
            what: str = "",
        ) -> Outcome:
            now = time.perf_counter()
            return Outcome(kind, now - due, now, late_s, n, retry_after, what)

        for wave in self._waves:
            n += len(wave)
            asked = [self.ask(each, text) for each in wave]
            try:
                if len(asked) == 1:
                    answers = [await asked[0]]
                else:
                    answers = await asyncio.gather(*asked)
            except OSError as error:
                return ended("lost", what=repr(error))
            for status, wait in answers:
                if status == BUSY:
                    return ended("refused", wait)
                if status != 200:
                    return ended("wrong", what=f"status {status}")
        return ended("answered")

    async def ask(self, sent: Sent, text: str) -> Answer:
        """Send one recorded request with this text."""
        headers = sent.headers | self._named
        return await self.client.ask(sent.method, sent.path, headers, sent.payload(text))


async def at_a_rate(
    people: Sequence[Typist], every_s: float, seconds: float, seed: int = 0
) -> Outcomes:
    """Everybody presses a key at regular intervals, each starting at a random offset."""
    rng = Random(seed)
    offsets = [rng.random() * every_s for _ in people]
    outcomes = Outcomes(seconds=seconds, started_at=time.perf_counter() + 0.1)
    cpu_s = _cpu_s()

    async def type_on(person: Typist, offset: float) -> None:
        under_way = []
        due = outcomes.started_at + offset
        while due < outcomes.started_at + seconds:
            await asyncio.sleep(due - time.perf_counter())
            under_way.append(asyncio.create_task(person.press(due)))
            due += every_s
        outcomes.all.extend(await asyncio.gather(*under_way))

    typing = [type_on(person, offset) for person, offset in zip(people, offsets, strict=True)]
    wait = asyncio.gather(*typing)
    await asyncio.sleep(max(0, outcomes.started_at + seconds - time.perf_counter()))
    outcomes.client_cpu_s = _cpu_s() - cpu_s
    await wait
    return outcomes


async def like_the_page(
    people: Sequence[Typist], every_s: float, seconds: float, seed: int = 0
) -> Outcomes:
    """Everybody presses a key at regular intervals, and their page requests the newest text.

    Only one request is in flight; after a refusal there is a pause (static/js/api/pauses.js).
    Each request has one outcome, timed from when it was sent.
    """
    rng = Random(seed)
    outcomes = Outcomes(seconds=seconds, started_at=time.perf_counter() + 0.1)
    end = outcomes.started_at + seconds
    cpu_s = _cpu_s()

    async def type_on(person: Typist, first: float) -> None:
        text, typed, tries, wants = "", 0, 0, False
        while (now := time.perf_counter()) < end:
            due = int((now - first) / every_s + 1)  # keys pressed by now
            if due > typed:
                *_, text = islice(person.texts, due - typed)
                typed, wants = due, True
            if not wants:
                await asyncio.sleep(first + typed * every_s - now)
                continue
            outcome = await person.press(now, text)
            outcomes.all.append(outcome)
            wants = outcome.kind == "refused"
            tries = tries + 1 if wants else 0
            if wants:
                await asyncio.sleep(pause_after(tries, outcome.retry_after or 0, rng.random))

    offsets = [outcomes.started_at + rng.random() * every_s for _ in people]
    await asyncio.gather(*(type_on(each, at) for each, at in zip(people, offsets, strict=True)))
    outcomes.client_cpu_s = _cpu_s() - cpu_s
    return outcomes


def pause_after(tries: int, after_s: float, random: Callable[[], float]) -> float:
    """Seconds that the page waits after `tries` refusals in a row (static/js/api/pauses.js)."""
    grown = min(30.0, 0.5 * 2.0 ** (tries - 1))
    return max(after_s, grown * (0.5 + 0.5 * random()))


async def one_after_another(people: Sequence[Typist], stop: Callable[[int], bool]) -> Outcomes:
    """Everybody presses the next key as soon as the last one is answered."""
    outcomes = Outcomes(started_at=time.perf_counter())
    cpu_s = _cpu_s()

    async def type_on(person: Typist) -> None:
        while not stop(len(outcomes.all)):
            outcomes.all.append(await person.press(time.perf_counter()))

    await asyncio.gather(*map(type_on, people))
    outcomes.seconds = time.perf_counter() - outcomes.started_at
    outcomes.client_cpu_s = _cpu_s() - cpu_s
    return outcomes


def _cpu_s() -> float:
    return sum(os.times()[:2])
