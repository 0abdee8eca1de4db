"""The class: everyone's page, when it saw each change, and what each person answered."""

import asyncio
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from server.doctor.room.connection import Client
from server.doctor.room.follower import Document, Follower

LOOK = {"tensors": ["pattern"], "resolution": 32, "dtype": "uint8"}


class Person:
    """A participant who follows the teacher, and whose page shows a trace of every sentence."""

    def __init__(self, place: int, address: str, code: str) -> None:
        self.place = place
        self.page = Follower(Client(address), code, self._saw)
        self.saw_at: dict[str, float] = {}  # by choice: when it was first on the page
        self.joined_s = self.first_document_s = 0.0
        self.answered = 0  # traces
        self.shown: str | None = None  # the sentence whose trace came last
        self.token: str | None = None  # as of joining
        self.id: str | None = None
        self._traces = Client(address)
        self._wanted = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def arrive(self, at: float) -> None:
        """Join when it is due, then follow."""
        await asyncio.sleep(max(0.0, at - time.perf_counter()))
        await self.page.join(f"Person {self.place}")
        self.joined_s = time.perf_counter() - at
        self.id, self.token = self.page.id, self.page.token
        self._tasks = [asyncio.create_task(self.page.follow()), asyncio.create_task(self._look())]
        while not self.page.document:
            await asyncio.sleep(0.02)
        self.first_document_s = time.perf_counter() - at

    async def leave(self) -> None:
        """Close the page.

        Raises:
            GoneError: the class had lost this person.
        """
        broken = [task.exception() for task in self._tasks if task.done()]
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.page.client.close()
        await self._traces.close()
        for error in broken:
            if error is not None:
                raise error

    async def answer(self, activity: str, answer: object) -> int:
        """Send an answer until it is taken or refused; returns the status."""
        return (await self.page.insist("PUT", f"/answers/{activity}/0", answer)).status_code

    def _saw(self, document: Document) -> None:
        self.saw_at.setdefault(document["choice"], time.perf_counter())
        self._wanted.set()

    async def _look(self) -> None:
        """Trace the sentence in view, always the newest, as the page does."""
        self._traces.headers["Accept"] = "application/safetensors"
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            text = text_of(self.page.document["choice"])
            if text is None or text == self.shown:
                continue
            body = {"texts": [text], "parts": {"grid": LOOK}}
            try:
                status = (await self._traces.ask("POST", "/api/trace", body)).status_code
            except OSError:
                status = 0
            if status == 200:
                self.answered, self.shown = self.answered + 1, text
            else:  # the page asks again
                await asyncio.sleep(0.5)
                self._wanted.set()


def text_of(choice: str) -> str | None:
    """The sentence of a choice."""
    return parse_qs(choice).get("text", [None])[0]


@dataclass
class Changes:
    """What the teacher showed, and when."""

    sent_at: dict[str, float] = field(default_factory=dict)  # by choice, in order
    outages: list[tuple[float, float]] = field(default_factory=list)

    def latencies_ms(self, pages: Iterable[Mapping[str, float]]) -> list[float]:
        """How long each change took to reach each page, but for those sent in an outage.

        `pages` says of each page when it first showed each choice. One that showed a later choice
        first, since the earlier one was overtaken, counts as having shown both then.
        """
        choices = [(choice, at) for choice, at in self.sent_at.items() if not self._lost(at)]
        found = []
        for saw_at in pages:
            seen_at = float("inf")
            for choice, sent in reversed(choices):
                seen_at = min(seen_at, saw_at.get(choice, float("inf")))
                found.append((seen_at - sent) * 1000)
        return found

    def _lost(self, at: float) -> bool:
        return any(begin <= at <= end for begin, end in self.outages)
