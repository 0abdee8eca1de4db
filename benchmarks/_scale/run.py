"""Simulates a room of people who use some workers."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random
from zlib import crc32

import simpy

from benchmarks._load.typists import Outcomes
from benchmarks._scale.costs import Costs
from benchmarks._scale.people import Route, Typist, Visitor, Way
from benchmarks._scale.worker import Limits, Worker


@dataclass(frozen=True)
class Room:
    """Who types, how, and with which workers."""

    people: int
    every_s: float = 2.0  # between the keys of one person
    seconds: float = 60.0
    workers: int = 1
    cores: int | None = None  # shared by workers and clients; None: each worker has its own
    way: Way = "page"
    class_size: int = 1  # people who type the same, each a little after the first
    by_text: bool = False  # equal texts go to the same worker; otherwise each person stays with one
    shares: tuple[float, ...] = ()  # of the people, per worker; empty: drawn with equal chances
    one_client: bool = False  # one process sends for everybody, as in benchmarks/load.py
    limits: Limits = field(default_factory=Limits)
    seed: int = 1


@dataclass(frozen=True)
class Result:
    """The outcome of a simulation."""

    outcomes: Outcomes
    asked_again: int
    computed: int
    remembered: int
    busy: float  # share of the time, averaged over workers
    sent: int

    @property
    def p99_ms(self) -> float:
        return self.outcomes.latency_ms(99) or 0.0

    @property
    def p50_ms(self) -> float:
        return self.outcomes.latency_ms(50) or 0.0

    @property
    def refused(self) -> int:
        return self.asked_again + len(self.outcomes.of("refused"))


def simulate(costs: Costs, room: Room) -> Result:
    """Let people type until the time is up, then wait until everybody has an answer."""
    env = simpy.Environment()
    rng = Random(room.seed)
    cores = None if room.cores is None else simpy.Resource(env, room.cores)
    client = simpy.Resource(env, 1) if room.one_client else None
    workers = [Worker(env, costs, room.limits, rng, cores) for _ in range(room.workers)]
    outcomes = Outcomes(seconds=room.seconds)
    route = _route(room, workers, rng)
    sent = count()
    typists = []
    for person in range(room.people):
        place = person % room.class_size
        typist = Typist(
            env=env,
            person=person,
            texts=_texts(person // room.class_size, sent),
            route=route,
            outcomes=outcomes,
            costs=costs,
            client=client,
            cores=cores,
        )
        if place == 0:
            start = rng.random() * room.every_s
        late = 0.4 * rng.random() * room.every_s if place else 0.0
        env.process(typist.type(room.way, start + late, room.every_s))
        typists.append(typist)
    env.run()
    return Result(
        outcomes=outcomes,
        asked_again=sum(typist.asked_again for typist in typists),
        computed=sum(worker.computed for worker in workers),
        remembered=sum(worker.remembered for worker in workers),
        busy=sum(worker.busy_ms for worker in workers) / 1000 / env.now / len(workers),
        sent=next(sent),
    )


def join(costs: Costs, people: int, within_s: float, workers: int, seed: int = 1) -> list[float]:
    """Seconds until each visitor has a picture; they arrive at a constant rate."""
    env = simpy.Environment()
    rng = Random(seed)
    alike = [Worker(env, costs, Limits(), rng) for _ in range(workers)]
    seconds: list[float] = []
    for person in range(people):
        visitor = Visitor(env, alike[person % workers], costs, seconds)
        env.process(visitor.come(person * within_s / people))
    env.run()
    return seconds


def _texts(who: int, sent: Iterator[int]) -> Iterator[Hashable]:
    """A stream of texts, equal for all of one class."""
    for n in count():
        next(sent)
        yield who, n


def _route(room: Room, workers: list[Worker], rng: Random) -> Route:
    if room.by_text:
        return lambda person, text: workers[crc32(repr(text).encode()) % len(workers)]
    shares = room.shares or (1.0,) * len(workers)
    chosen = rng.choices(workers, shares, k=room.people)
    return lambda person, text: chosen[person]
