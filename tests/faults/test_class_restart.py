"""A class whose worker is killed, and whose server is restarted."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks._class.house import House
from server.doctor.room.connection import Client
from server.doctor.room.follower import Follower

PEOPLE = 8
VOTE = {"kind": "vote", "question": {"text": "Where?", "choices": ["a", "b", "c"], "correct": 1}}
TIMEOUT_S = 30.0


def test_people_answers_and_revision_survive_a_killed_worker_and_a_restart(tmp_path: Path) -> None:
    with House(tmp_path / "classes", workers=2, people=PEOPLE) as house:
        asyncio.run(_lesson(house))


async def _lesson(house: House) -> None:
    async with _class(house) as (teacher, people):
        ids = [person.id for person in people]
        assert len(set(ids)) == PEOPLE
        activity = (await teacher.insist("POST", "/activities", VOTE)).json()["id"]
        await _all(people, lambda each: bool(each.document["activity"]))
        for place, person in enumerate(people):
            answer = await person.insist("PUT", f"/answers/{activity}/0", {"choice": place % 3})
            assert answer.status_code == 204
            if place == PEOPLE // 2:
                house.kill_a_worker()
        await teacher.insist("PATCH", "", {"choice": "text=after+the+kill"})
        await _all(people, lambda each: each.document["choice"] == "text=after+the+kill")

        before = teacher.revision
        await house.restart()
        again = [
            await person.insist("POST", "/participants", {"again": person.token})
            for person in people
        ]
        assert [answer.json()["id"] for answer in again] == ids
        await teacher.insist("PATCH", f"/activities/{activity}", {"phase": "revealed"})
        await _all([teacher, *people], lambda each: bool(each.document["activity"]["results"]))
        assert all(each.revision > before for each in people)
        [counts] = people[0].document["activity"]["results"]["rounds"]
        assert counts == [Counter(n % 3 for n in range(PEOPLE))[choice] for choice in range(3)]
        for place, person in enumerate(people):
            own = (await person.insist("GET", "")).json()["mine"]
            assert own == {activity: {"1": {"0": {"choice": place % 3}}}}
        assert len((await teacher.insist("GET", "/people")).json()["people"]) == PEOPLE


@asynccontextmanager
async def _class(house: House) -> AsyncIterator[tuple[Follower, list[Follower]]]:
    """A teacher and people who all follow."""
    client = Client(house.address)
    made = (await client.ask("POST", "/api/classes", {})).json()
    teacher = Follower(client, made["code"], token=made["secret"])
    people = [Follower(Client(house.address), made["code"]) for _ in range(PEOPLE)]
    await asyncio.gather(*(person.join() for person in people))
    everyone = [teacher, *people]
    following = [asyncio.create_task(each.follow()) for each in everyone]
    try:
        await _all(everyone, lambda each: bool(each.document))
        yield teacher, people
    finally:
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        for each in everyone:
            await each.client.close()


async def _all(people: list[Follower], hold: Callable[[Follower], bool]) -> None:
    """Wait until it holds for all."""
    async with asyncio.timeout(TIMEOUT_S):
        while not all(map(hold, people)):
            await asyncio.sleep(0.02)
