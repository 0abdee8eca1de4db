"""Somebody in a class who wants to spoil it, while another person and the teacher go on."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from scripts.live import Server, running
from server.classes.live import MAX_STREAMS
from server.doctor.room.connection import Client
from server.doctor.room.follower import HEADER, Follower

VOTE = {"kind": "vote", "question": {"text": "Where?", "choices": ["a", "b"], "correct": 1}}
LATE = {"nickname": "Late"}
TIMEOUT_S = 30.0
KEPT, STREAMS, ANSWERS, WRONG_CODES = 24, 150, 400, 2_000
GROWTH_BYTES = 150_000_000  # of both workers
DEEP = b"[" * 4_000 + b"]" * 4_000
NAME = "<b onclick=alert(1)>"


class Forged(NamedTuple):
    """A request that must not be obeyed."""

    method: str
    path: str
    body: object = None
    token: str | None = None  # None: the sender's own


TEACHERS = [  # only a teacher may send these
    Forged("PATCH", "", {"mode": "pause"}),
    Forged("PATCH", "", {"choice": "text=mine"}),
    Forged("POST", "/activities", VOTE),
    Forged("PATCH", "/activities/ACTIVITY", {"phase": "revealed"}),
    Forged("DELETE", "/activities/ACTIVITY"),
    Forged("GET", "/people"),
    Forged("GET", "/saved"),
    Forged("GET", "/report.html"),
    Forged("GET", "/report.csv"),
    Forged("PATCH", "/people/PERSON", {"removed": True}),
    Forged("PATCH", "/answers/ACTIVITY/PERSON/0", {"hidden": True}),
    Forged("DELETE", ""),
]
STRANGERS = [  # nobody has these tokens
    Forged("PUT", "/answers/ACTIVITY/0", {"choice": 0}, "p_" + "A" * 32),
    Forged("PATCH", "", {"mode": "pause"}, "t_" + "A" * 32),
    Forged("GET", "", None, "t_"),
    Forged("GET", "", None, "p_' OR 1=1 --"),
]
WRONG = [  # nothing that an answer can be
    Forged("PUT", "/answers/ACTIVITY/0", {"choice": 2}),
    Forged("PUT", "/answers/ACTIVITY/0", {"choice": -1}),
    Forged("PUT", "/answers/ACTIVITY/0", b'{"choice": 1' + b"0" * 400 + b"}"),
    Forged("PUT", "/answers/ACTIVITY/0", {"choice": {"$gt": 0}}),
    Forged("PUT", "/answers/ACTIVITY/0", {"choice": 0, "person": "PERSON"}),
    Forged("PUT", "/answers/ACTIVITY/0", {"cells": [[3] * 200] * 200}),
    Forged("PUT", "/answers/ACTIVITY/0", []),
    Forged("PUT", "/answers/ACTIVITY/0", b'{"choice": NaN}'),
    Forged("PUT", "/answers/ACTIVITY/0", b"\xff\xfe"),
    Forged("PUT", "/answers/ACTIVITY/0", DEEP),
    Forged("PUT", "/answers/ACTIVITY/0", b'{"choice": "' + b"1" * 300_000 + b'"}'),
    Forged("PUT", "/answers/ACTIVITY/..%2f..%2fpeople", {"choice": 0}),
    Forged("PUT", "/answers/ACTIVITY/%00", {"choice": 0}),
    Forged("PUT", f"/answers/ACTIVITY/{'a' * 5_000}", {"choice": 0}),
    Forged("PUT", "/answers/a999/0", {"choice": 0}),
    Forged("PUT", "/answers/%2e%2e/0", {"choice": 0}),
    Forged("POST", "/participants", {"nickname": "x" * 10_000}),
    Forged("POST", "/participants", {"nickname": {"a": 1}}),
    Forged("POST", "/participants", {"nickname": "x", "id": "PERSON"}),
    Forged("GET", "?after=" + "9" * 5_000),
    Forged("GET", "?after=-1%27"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("classes")
    settings = {"classes": "on", "class_store": str(folder / "store")}
    with running("--workers", "2", settings=settings) as server:
        yield server


class Class:
    """A class with a teacher, one honest person who follows, and one who is hostile."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._clients: list[Client] = []

    async def __aenter__(self) -> "Class":
        made = (await self.client().ask("POST", "/api/classes", {})).json()
        self.code = made["code"]
        self.teacher = self.person(made["secret"])
        self.honest, self.hostile = self.person(), self.person()
        await self.honest.join("Ada")
        await self.hostile.join(NAME)
        self._following = asyncio.create_task(self.honest.follow())
        answer = await self.teacher.insist("POST", "/activities", VOTE)
        self.activity = answer.json()["id"]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._following.cancel()
        await asyncio.gather(self._following, return_exceptions=True)
        for client in self._clients:
            await client.close()

    def client(self, token: str | None = None) -> Client:
        """A client that is closed with the class."""
        self._clients.append(Client(self.server.address, {HEADER: token} if token else {}))
        return self._clients[-1]

    def person(self, token: str | None = None) -> Follower:
        return Follower(self.client(), self.code, token=token)

    async def forge(self, forged: Forged, sender: Follower | None = None) -> int:
        """Send it as somebody who joins for it, since a flood is refused; returns the status."""
        if sender is None:
            sender = self.person()
            await sender.join()
        if forged.token is not None:
            sender.client.headers[HEADER] = forged.token
        path = forged.path.replace("ACTIVITY", self.activity)
        answer = await sender.client.ask(
            forged.method, sender.path + path.replace("PERSON", str(self.honest.id)), forged.body
        )
        if answer.status_code >= 400:
            assert list(answer.json()) == ["error"], answer
        return answer.status_code

    async def goes_on(self) -> None:
        """A change of the teacher reaches the honest person, whose answer is taken; one joins."""
        async with asyncio.timeout(TIMEOUT_S):
            choice = f"text=step+{self.honest.revision}"
            teacher, path = self.teacher.client, self.teacher.path
            assert (await teacher.ask("PATCH", path, {"choice": choice})).status_code == 200
            while self.honest.document.get("choice") != choice:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)  # more often would be too fast for an honest person
            path = f"{path}/answers/{self.activity}/0"
            assert (await self.honest.client.ask("PUT", path, {"choice": 1})).status_code == 204
            joined = await self.client().ask("POST", f"{self.teacher.path}/participants", LATE)
            assert joined.status_code == 201

    async def votes(self) -> list[int]:
        await self.teacher.insist("PATCH", f"/activities/{self.activity}", {"phase": "revealed"})
        document = (await self.teacher.insist("GET", "")).json()
        counts: list[int] = document["activity"]["results"]["rounds"][0]
        return counts


def test_forged_messages_change_nothing(server: Server) -> None:
    async def play() -> None:
        async with Class(server) as given:
            before = (await given.teacher.insist("GET", "")).json()
            assert {await given.forge(each) for each in TEACHERS} == {403}
            assert {await given.forge(each) for each in STRANGERS} == {401}
            found = {str(each)[:120]: await given.forge(each) for each in WRONG}
            assert {name: status for name, status in found.items() if not 400 <= status < 500} == {}
            after = (await given.teacher.insist("GET", "")).json()
            changing = ("now", "people", "teacher")
            assert {k: v for k, v in after.items() if k not in changing} == {
                k: v for k, v in before.items() if k not in changing
            }
            await given.goes_on()
            twice = [Forged("PUT", f"/answers/ACTIVITY/{item}", {"choice": 1}) for item in "01"]
            assert [await given.forge(each, given.hostile) for each in twice] == [204, 409]
            assert await given.votes() == [0, 2]
            people = (await given.teacher.insist("GET", "/people")).json()["people"]
            names = Counter(each["nickname"] for each in people)
            assert (names["Ada"], names[NAME]) == (1, 1)
            assert set(names) == {"Ada", NAME, "Late", None}

    asyncio.run(play())
    assert "Traceback" not in server.log()


def test_floods_and_wrong_codes_stop_nobody(server: Server) -> None:
    def memory() -> int:
        return sum(psutil.Process(worker).memory_info().rss for worker in server.workers())

    async def flood(given: Class) -> Counter[int]:
        """Answers as fast as they go, on several connections with one token."""

        async def sends() -> Counter[int]:
            client = given.client(given.hostile.token)
            path = f"{given.hostile.path}/answers/{given.activity}/0"
            return Counter(
                [
                    (await client.ask("PUT", path, {"choice": 0})).status_code
                    for _ in range(ANSWERS // 4)
                ]
            )

        return sum(await asyncio.gather(*(sends() for _ in range(4))), Counter())

    async def guess(given: Class) -> Counter[int]:
        async def tries(first: int) -> Counter[int]:
            client = given.client("p_" + "B" * 32)
            codes = (
                f"{first + n:07d}".translate(str.maketrans("015", "BCD"))
                for n in range(WRONG_CODES // 8)
            )
            return Counter(
                [(await client.ask("GET", f"/api/classes/{code}")).status_code for code in codes]
            )

        return sum(await asyncio.gather(*(tries(n * 1_000) for n in range(8))), Counter())

    async def leave_streams(given: Class) -> None:
        """Streams that are left half-way, and streams that are kept."""
        path = f"{given.hostile.path}/events"
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{HEADER}: {given.hostile.token}\r\n\r\n"
        for _ in range(STREAMS):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(head.encode())
            await asyncio.sleep(0.005)
            writer.transport.abort()
        hoarder = given.person()
        await hoarder.join()
        head = head.replace(str(given.hostile.token), str(hoarder.token))
        kept = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(KEPT)]
        for _, writer in kept:
            writer.write(head.encode())
        ends = [asyncio.create_task(reader.readuntil(b"\r\n0\r\n\r\n")) for reader, _ in kept]
        async with asyncio.timeout(TIMEOUT_S):
            while sum(end.done() for end in ends) < KEPT - 2 * MAX_STREAMS:
                await asyncio.sleep(0.05)
        for (_, writer), end in zip(kept, ends, strict=True):
            end.cancel()
            writer.transport.abort()
        await asyncio.gather(*ends, return_exceptions=True)

    async def play() -> None:
        async with Class(server) as given:
            before = memory()
            attack = asyncio.gather(flood(given), guess(given), leave_streams(given))
            while not attack.done():
                await given.goes_on()
            answers, codes, _ = await attack
            assert set(answers) == {204, 429}
            assert set(codes) == {404}
            assert memory() - before < GROWTH_BYTES
            assert await given.votes() == [1, 1]

    asyncio.run(play())
    assert "Traceback" not in server.log()
    assert json.dumps(NAME) not in server.log()
