"""How many people this machine carries: a short load on itself."""

import asyncio
import time
from collections.abc import Iterator, Sequence

from server.doctor.finding import Finding
from server.doctor.room.follower import Document, Follower
from server.doctor.room.opened import Room

STEPS = (25, 50, 100, 200, 350, 500)  # people, up to those that the settings allow
CHANGES, EVERY_S = 6, 0.25  # of the teacher, in each step
LONGEST_S = 0.5  # in which nearly all pages shall see a change
NEARLY_ALL = 0.95
TRIED_S = 20.0  # after which no larger step begins
CLASS = 30


def load(room: Room) -> Iterator[Finding]:
    """Adds simulated pages until a change takes too long to reach them."""
    people = room.settings.class_people
    steps = sorted({min(step, people) for step in STEPS})
    carried, took = asyncio.run(_climb(room, steps))
    found = f"{carried} simulated people saw a change within {took * 1000:.0f} ms"
    if carried == people:
        yield Finding("people", "ok", f"{found}, and more than {people} cannot join")
    elif carried == steps[-1]:
        yield Finding("people", "ok", f"{found}; more were not tried")
    elif carried >= CLASS:
        advice = "More people work, but see changes later. Use one worker per core."
        yield Finding("people", "ok", found, advice)
    else:
        advice = "Close other programs, use a faster machine, or have people share phones."
        yield Finding("people", "warning", f"only {found}", advice)


async def _climb(room: Room, steps: Sequence[int]) -> tuple[int, float]:
    """The most people who all saw changes in time, and the time that nearly all needed."""
    crowd = _Crowd(room)
    carried, took, end = 0, 0.0, time.monotonic() + TRIED_S
    try:
        for step in steps:
            if time.monotonic() > end:
                break
            await crowd.grow(step)
            seconds = await crowd.measure()
            if seconds > LONGEST_S:
                break
            carried, took = step, seconds
        return carried, took
    finally:
        await crowd.leave()


class _Crowd:
    """Simulated pages that follow the class."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._pages: list[Follower] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._seen_s: list[float] = []
        self._sent: dict[str, float] = {}
        self._teacher = Follower(room.client(), room.code, token=room.secret)

    async def grow(self, people: int) -> None:
        new = [self._page() for _ in range(people - len(self._pages))]
        await asyncio.gather(*(page.join() for page in new))
        self._pages += new
        self._tasks += [asyncio.create_task(page.follow()) for page in new]
        end = time.monotonic() + TRIED_S
        while any(not page.document for page in new) and time.monotonic() < end:
            await asyncio.sleep(0.05)

    def _page(self) -> Follower:
        choice: str | None = None

        def seen(document: Document) -> None:
            nonlocal choice
            if document["choice"] != choice:
                choice = document["choice"]
                if choice in self._sent:
                    self._seen_s.append(time.monotonic() - self._sent[choice])

        return Follower(self._room.client(), self._room.code, seen)

    async def measure(self) -> float:
        """The seconds after which nearly all pages had seen a change."""
        self._seen_s = []
        for _ in range(CHANGES):
            choice = f"text=the+cat+sat+{len(self._sent)}"
            self._sent[choice] = time.monotonic()
            await self._teacher.insist("PATCH", "", {"choice": choice})
            await asyncio.sleep(EVERY_S)
        await asyncio.sleep(LONGEST_S)
        missing = CHANGES * len(self._pages) - len(self._seen_s)
        seen = sorted(self._seen_s) + [float("inf")] * missing
        return seen[int(NEARLY_ALL * len(seen))]

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for page in (*self._pages, self._teacher):
            await page.client.close()
