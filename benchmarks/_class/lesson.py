"""The script: a class joins, its teacher types, everyone votes and draws; then it is counted."""

import asyncio
import time
from asyncio import Future
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import urlencode

from benchmarks._class.figures import percentile, spread
from benchmarks._class.house import House
from benchmarks._class.network import Proxy
from benchmarks._class.people import Changes, Person
from model.training.grammar.english.writer import Writer
from server.doctor.room.connection import Client
from server.doctor.room.follower import Follower

JOIN_S = 5.0  # in which everyone arrives
KEY_S = 0.3  # between two keys of the teacher
THINK_S = 3.0  # in which everyone answers
SETTLE_S = 20.0  # for everyone to be up to date at the end
SECOND_THOUGHTS = 0.2  # share that answers twice
CHOICES = ["The cat", "The mat", "The word before"]
TOKENS = ["[BOS]", "the", "cat", "sat"]
TRUTH = [[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.2, 0.3, 0.5, 0.0], [0.1, 0.2, 0.3, 0.4]]
OPENED, CHANGED, TAKEN, CLOSED = 201, 200, 204, 409  # statuses


@dataclass
class Lesson:
    """One class, from its first page to its last."""

    house: House
    people: list[Person]
    teacher: Follower
    seconds: float
    seed: int = 0
    changes: Changes = field(default_factory=Changes)
    wrong_votes: int = 0
    wrong_drawings: int = 0
    n_votes: int = 0
    n_drawings: int = 0
    restart_s: float = 0.0
    sentences: list[str] = field(default_factory=list)
    typed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)
        self._writer = Writer(self._random)

    @property
    def code(self) -> str:
        return self.teacher.path.rpartition("/")[2]

    async def give(self) -> None:
        """Everything in order; the worker dies in the first vote, the restart is in a drawing."""
        _expect(await self.teacher.insist("PATCH", "", {"mode": "follow"}), CHANGED)
        begin = time.perf_counter() + 0.2
        gap = JOIN_S / len(self.people)
        arrivals = (person.arrive(begin + n * gap) for n, person in enumerate(self.people))
        await asyncio.gather(*arrivals)
        end = begin + self.seconds
        killed = restarted = False
        while not restarted or time.perf_counter() < end:
            await self._type(self._writer.sentence())
            await self._vote(disaster=None if killed else self._kill())
            killed = True
            await self._type(self._writer.sentence())
            late = time.perf_counter() > begin + self.seconds / 2
            await self._draw(disaster=self._restart() if late and not restarted else None)
            restarted = restarted or late
        await self._type(self._writer.sentence())
        await self._everyone_is_up_to_date()

    async def _type(self, sentence: str) -> None:
        self.sentences.append(sentence)
        for end in range(4, len(sentence) + 1):
            self.typed.add(sentence[:end])
            choice = urlencode({"text": sentence[:end], "layer": 1, "head": 2})
            self.changes.sent_at.setdefault(choice, time.perf_counter())
            _expect(await self.teacher.insist("PATCH", "", {"choice": choice}), CHANGED)
            await asyncio.sleep(KEY_S)

    async def _vote(self, disaster: Any = None) -> None:
        """A vote of two rounds: answers, results, a talk with one's neighbour, answers again."""
        question = {"text": "Where does it look?", "choices": CHOICES, "correct": 2}
        activity = await self._start("vote", question)
        rounds = []
        for number in (1, 2):
            if number == 2:
                await self._turn(activity, {"round": 2, "phase": "open"})
            answers = [{"choice": self._random.randrange(len(CHOICES))} for _ in self.people]
            given = self._everyone_answers(activity, answers)
            if disaster is not None:
                await asyncio.gather(given, disaster)
                disaster = None
            statuses = await given
            assert set(statuses) == {TAKEN}, Counter(statuses)
            counts = Counter(answer["choice"] for answer in answers)
            rounds.append([counts[choice] for choice in range(len(CHOICES))])
            await self._turn(activity, {"phase": "closed"})
        await self._turn(activity, {"phase": "revealed"})
        results = await self._results()
        self.n_votes += sum(map(sum, rounds))
        for expected, found in zip(rounds, results["rounds"], strict=True):
            self.wrong_votes += sum(abs(a - b) for a, b in zip(expected, found, strict=True))
        late = await self.people[0].answer(activity, {"choice": 0})
        assert late == CLOSED, late
        _expect(await self.teacher.insist("DELETE", f"/activities/{activity}"), TAKEN)

    async def _draw(self, disaster: Any = None) -> None:
        question = {"text": "Draw its pattern.", "tokens": TOKENS, "causal": True, "truth": TRUTH}
        activity = await self._start("drawing", question)
        drawings = [{"cells": self._cells()} for _ in self.people]
        given = self._everyone_answers(activity, drawings)
        if disaster is not None:
            await asyncio.gather(given, disaster)
        statuses = await given
        assert set(statuses) == {TAKEN}, Counter(statuses)
        await self._turn(activity, {"phase": "revealed"})
        results = await self._results()
        expected = average([drawing["cells"] for drawing in drawings])
        self.n_drawings += len(drawings)
        same = results["n"] == len(drawings) and all(
            abs(a - b) < 2e-3
            for row, other in zip(expected, results["average"], strict=True)
            for a, b in zip(row, other, strict=True)
        )
        self.wrong_drawings += not same
        _expect(await self.teacher.insist("DELETE", f"/activities/{activity}"), TAKEN)

    def _cells(self) -> list[list[int]]:
        return [
            [self._random.randrange(4) if key <= query else 0 for key in range(len(TOKENS))]
            for query in range(len(TOKENS))
        ]

    def _everyone_answers(self, activity: str, answers: Sequence[object]) -> "Future[list[int]]":
        """The statuses. Some people first give the answer of somebody else."""

        async def think(place: int, person: Person) -> int:
            await asyncio.sleep(self._random.uniform(0, THINK_S))
            if self._random.random() < SECOND_THOUGHTS:
                await person.answer(activity, answers[place - 1])
            return await person.answer(activity, answers[place])

        return asyncio.gather(*(think(index, each) for index, each in enumerate(self.people)))

    async def _start(self, kind: str, question: object) -> str:
        body = {"kind": kind, "question": question}
        answer = await self.teacher.insist("POST", "/activities", body)
        _expect(answer, OPENED)
        return str(answer.json()["id"])

    async def _turn(self, activity: str, change: object) -> None:
        _expect(await self.teacher.insist("PATCH", f"/activities/{activity}", change), CHANGED)

    async def _results(self) -> Any:
        await self._refresh()
        return self.teacher.document["activity"]["results"]

    async def _refresh(self) -> None:
        answer = await self.teacher.insist("GET", "")
        self.teacher.document = answer.json()

    async def _kill(self) -> None:
        await asyncio.sleep(THINK_S / 3)
        self.house.kill_a_worker()

    async def _restart(self) -> None:
        await asyncio.sleep(THINK_S / 3)
        begin = time.perf_counter()
        self.restart_s = await self.house.restart()
        while any(not self._is_up_to_date(person) for person in self.people):
            if time.perf_counter() - begin > 60:
                break
            await asyncio.sleep(0.1)
        self.changes.outages.append((begin, time.perf_counter()))

    def _is_up_to_date(self, person: Person) -> bool:
        newest = next(reversed(self.changes.sent_at))
        return bool(person.page.document["choice"] == newest)

    async def _everyone_is_up_to_date(self) -> None:
        end = time.perf_counter() + SETTLE_S
        newest = self.sentences[-1]
        while time.perf_counter() < end:
            if all(self._is_up_to_date(each) and each.shown == newest for each in self.people):
                break
            await asyncio.sleep(0.1)

    async def figures(self) -> dict[str, float]:
        """What was measured, and what should all be zero."""
        listed = (await self.teacher.insist("GET", "/people")).json()["people"]
        ids = Counter(person["id"] for person in listed)
        ours = {person.id for person in self.people}
        names = Counter(person["nickname"] for person in listed)
        streaming = [each for each in self.people if each.page.transport == "stream"]
        polling = [each for each in self.people if each.page.transport == "polling"]
        return {
            "people": len(self.people),
            "not_joined": sum(not person.joined_s for person in self.people),
            **spread("join", [each.joined_s * 1000 for each in self.people]),
            "first_document_p95_ms": percentile(
                [each.first_document_s * 1000 for each in streaming], 95
            ),
            "streaming": len(streaming),
            "polling": len(polling),
            "changes": len(self.changes.sent_at),
            **spread("change", self.changes.latencies_ms(each.saw_at for each in streaming)),
            **spread("polling", self.changes.latencies_ms(each.saw_at for each in polling)),
            "reconnects": sum(each.page.reconnects for each in self.people),
            "healed": sum(each.page.healed for each in self.people),
            "restart_s": self.restart_s,
            "lost": len(ours - set(ids))
            + sum(each.page.token != each.token for each in self.people),
            "double": sum(n - 1 for name, n in names.items() if name is not None),
            "behind": sum(not self._is_up_to_date(each) for each in self.people),
            "votes": self.n_votes,
            "wrong_votes": self.wrong_votes,
            "drawings": self.n_drawings,
            "wrong_drawings": self.wrong_drawings,
            "sentences_typed": len(self.typed),
            "traces_answered": sum(each.answered for each in self.people),
            "traces_computed": await asyncio.to_thread(self.house.computed),
            "without_trace": sum(each.shown != self.sentences[-1] for each in self.people),
        }


@asynccontextmanager
async def opened(
    house: House, people: int, seconds: float, *, cut: float, buffered: float, seed: int
) -> AsyncIterator[tuple[Lesson, Sequence[Proxy]]]:
    """A class whose pages reach the server through the network of a school."""
    client = Client(house.address)
    made = await client.ask("POST", "/api/classes", {})
    _expect(made, OPENED)
    code, secret = made.json()["code"], made.json()["secret"]
    teacher = Follower(client, code, token=secret)
    cutting = Proxy(house.port, cut=cut, seed=seed)
    buffering = Proxy(house.port, buffers=True)
    async with AsyncExitStack() as stack:
        for proxy in (cutting, buffering):
            await stack.enter_async_context(proxy.open())
        behind = round(buffered * people)
        everyone = [
            Person(n, (buffering if n < behind else cutting).address, code) for n in range(people)
        ]
        Random(seed).shuffle(everyone)
        following = asyncio.create_task(teacher.follow())
        try:
            yield Lesson(house, everyone, teacher, seconds, seed), (cutting, buffering)
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            await client.close()
            for person in everyone:
                await person.leave()


def average(drawings: Sequence[Sequence[Sequence[int]]]) -> list[list[float]]:
    """The average of drawings whose rows are made to sum to 1; empty rows stay 0."""
    n = len(TOKENS)
    total = [[0.0] * n for _ in range(n)]
    for cells in drawings:
        for query, row in enumerate(cells):
            for key, cell in enumerate(row):
                total[query][key] += cell / (sum(row) or 1) / len(drawings)
    return total


def _expect(answer: Any, *statuses: int) -> None:
    if answer.status_code not in statuses:
        raise RuntimeError(
            f"Expected status {statuses}, got {answer.status_code}: {answer.text[:300]}"
        )
