"""Simulated people who type and who open the page.

There are three ways to type. `open`, as in benchmarks/load.py: each key is sent when it is due.
`page`, as in the page: one request is in flight, then the newest text follows; a refused request is
repeated after the pause that the server asks for. `eager`: the next key follows the last answer.
"""

from collections.abc import Callable, Generator, Hashable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import simpy

from benchmarks._load.connection import AT_ONCE
from benchmarks._load.typists import Outcome, Outcomes
from benchmarks._scale.costs import Costs
from benchmarks._scale.worker import MS, Reply, Request, Worker

Way = Literal["open", "page", "eager"]
Route = Callable[[int, Hashable], Worker]  # from a person and a text to a worker


@dataclass
class Typist:
    """One person at a keyboard."""

    env: simpy.Environment
    person: int
    texts: Iterator[Hashable]  # the text in the box after each key
    route: Route
    outcomes: Outcomes
    costs: Costs
    client: simpy.Resource | None = None  # the process that sends for everybody, if there is one
    cores: simpy.Resource | None = None  # which it shares with the server
    asked_again: int = 0
    _due: list[float] = field(default_factory=list)  # the keys that have no answer yet
    _newest: Hashable = None
    _asking: bool = False

    def type(self, way: Way, offset_s: float, every_s: float) -> Generator[Any, Any, None]:
        """Press keys until the time is up."""
        end = self.outcomes.started_at + self.outcomes.seconds
        if way == "eager":
            while self.env.now < end:
                yield from self._press(next(self.texts), self.env.now)
            return
        due = self.outcomes.started_at + offset_s
        while due < end:
            yield self.env.timeout(due - self.env.now)
            text = next(self.texts)
            if way == "open":
                self.env.process(self._press(text, due))
            else:
                self._note(text, due)
            due += every_s

    def _press(self, text: Hashable, due: float) -> Generator[Any, Any, None]:
        """Press one key and record the outcome."""
        reply = yield from self._ask(text)
        self._record(reply, due)

    def _note(self, text: Hashable, due: float) -> None:
        self._newest = text
        self._due.append(due)
        if not self._asking:
            self._asking = True
            self.env.process(self._catch_up())

    def _catch_up(self) -> Generator[Any, Any, None]:
        """Ask for the newest text until it is answered; it stands for those before it."""
        while self._due:
            n = len(self._due)
            reply = yield from self._ask(self._newest)
            if reply.status == 200:
                for due in self._due[:n]:
                    self._record(reply, due)
                del self._due[:n]
            else:
                self.asked_again += 1
                yield self.env.timeout(reply.retry_after_s or 1)
        self._asking = False

    def _ask(self, text: Hashable) -> Generator[Any, Any, Reply]:
        yield from self._spend(self.costs.client_ms)
        yield self.env.timeout(self.costs.delay_ms / 2 / MS)
        answered = self.env.event()
        request = Request(str(self.person), text, partial(_wake, answered))
        self.route(self.person, text).take(request)
        reply: Reply = yield answered
        yield self.env.timeout(self.costs.delay_ms / 2 / MS)
        return reply

    def _spend(self, ms: float) -> Generator[Any, Any, None]:
        if self.client is None:
            return
        with self.client.request() as turn:
            yield turn
            if self.cores is None:
                yield self.env.timeout(ms / MS)
                return
            with self.cores.request() as core:
                yield core
                yield self.env.timeout(ms / MS)

    def _record(self, reply: Reply, due: float) -> None:
        kind: Literal["answered", "refused"] = "answered" if reply.status == 200 else "refused"
        now = self.env.now
        self.outcomes.all.append(Outcome(kind, now - due, now, 0.0, 1, reply.retry_after_s))


@dataclass
class Visitor:
    """One person who opens the page: its HTML, its files, then its first picture."""

    env: simpy.Environment
    worker: Worker
    costs: Costs
    seconds: list[float]  # until the picture, of everybody

    def come(self, at: float) -> Generator[Any, Any, None]:
        yield self.env.timeout(at)
        n = self.costs.visit_requests
        yield from self._fetch()
        left = iter(range(n - 2))
        yield self.env.all_of([self.env.process(self._some(left)) for _ in range(AT_ONCE)])
        yield from self._fetch()
        self.seconds.append(self.env.now - at)

    def _some(self, left: Iterator[int]) -> Generator[Any, Any, None]:
        for _ in left:
            yield from self._fetch()

    def _fetch(self) -> Generator[Any, Any, None]:
        fetched = self.env.event()
        cost = self.costs.visit_ms / self.costs.visit_requests
        self.worker.fetch(cost, partial(_wake, fetched))
        yield fetched


def _wake(event: simpy.Event, value: object = None) -> None:
    event.succeed(value)
