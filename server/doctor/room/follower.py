"""A simulated page of a class: joins, follows by stream or by polling, heals, and answers.

It does what static/js/live/ does, without a page: so a benchmark or a check can hold hundreds.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import aclosing, suppress
from random import Random
from typing import Any, Literal

from httpx2 import Response

from server.doctor.room.connection import Client, Event, RefusedError

HEADER = "X-Headlight-Class"
SILENT_S = 5.0  # without an event: the stream is held back somewhere
POLL_S = 2.0
AGAIN_S = 60.0  # of polling, after which the stream is tried again
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 8.0  # after errors, doubled each time

Document = dict[str, Any]
OnChange = Callable[[Document], None]


class GoneError(Exception):
    """The class does not know this person, or there is no such class."""


class Follower:
    """One person in a class.

    Args:
        client: where the class is; through a proxy, perhaps.
        code: of the class.
        seen: called with the document after every change of it.
        token: of somebody who has joined before; the teacher's secret for a teacher.
    """

    def __init__(
        self, client: Client, code: str, seen: OnChange | None = None, *, token: str | None = None
    ) -> None:
        self.client, self.path = client, f"/api/classes/{code}"
        self.token = token
        self.id: str | None = None
        self.document: Document = {}
        self.transport: Literal["none", "stream", "polling"] = "none"
        self.reconnects = self.healed = 0
        self._seen = seen or (lambda document: None)
        self._random = Random(code + secrets.token_hex(4))
        if token is not None:
            client.headers[HEADER] = token

    @property
    def revision(self) -> int:
        return int(self.document.get("revision", -1))

    async def join(self, nickname: str | None = None) -> None:
        """Join, however often that takes. The token is made here, so a repetition makes no double.

        Raises:
            GoneError: there is no such class.
        """
        self.token = self.token or f"p_{secrets.token_urlsafe(18)}"
        body = {"again": self.token} | ({} if nickname is None else {"nickname": nickname})
        answer = await self.insist("POST", "/participants", body)
        if answer.status_code != 201:
            raise GoneError(answer.text)
        found = answer.json()
        self.token, self.id = found["token"], found["id"]
        self.client.headers[HEADER] = found["token"]

    async def insist(self, method: str, path: str, body: object = None) -> Response:
        """A request to the class, repeated while the server is away or too busy."""
        wait = FIRST_WAIT_S
        while True:
            try:
                answer = await self.client.ask(method, self.path + path, body)
            except OSError:  # TimeoutError is one
                await self._pause(wait)
                wait = min(2 * wait, LONGEST_WAIT_S)
                continue
            if answer.status_code not in (429, 502, 503):
                return answer
            await self._pause(float(answer.headers.get("retry-after", wait)))

    async def follow(self) -> None:
        """Keep the document up to date until cancelled, or until the class ends.

        Raises:
            GoneError: the class does not know this person.
        """
        wait = FIRST_WAIT_S
        while not self.document.get("ended"):
            started = time.monotonic()
            meanwhile = asyncio.create_task(self._poll_until_streaming())
            try:
                await self._stream()
            except TimeoutError:
                self.transport = "polling"
                await asyncio.wait({meanwhile}, timeout=AGAIN_S)
            except OSError:
                pass
            except RefusedError as refused:
                _expect_class(refused.status)
            finally:
                meanwhile.cancel()
                await asyncio.gather(meanwhile, return_exceptions=True)
            self.reconnects += 1
            held = time.monotonic() - started > LONGEST_WAIT_S
            wait = FIRST_WAIT_S if held else min(2 * wait, LONGEST_WAIT_S)
            await self._pause(wait / 2)

    async def fetch(self) -> None:
        """Fetch the document if there is a newer one.

        Raises:
            OSError: it was not answered.
            GoneError: the class does not know this person.
        """
        after = f"?after={self.revision}" if self.document else ""
        answer = await self.client.ask("GET", self.path + after)
        _expect_class(answer.status_code)
        if answer.status_code == 200:
            self._take(answer.json())

    async def _stream(self) -> None:
        async with aclosing(self.client.events(f"{self.path}/events")) as events:
            while True:
                async with asyncio.timeout(SILENT_S):
                    try:
                        event = await anext(events)
                    except StopAsyncIteration:
                        return
                self.transport = "stream"
                await self._receive(event)

    async def _receive(self, event: Event) -> None:
        if event.name == "state":
            self._take(event.data)
        elif event.name == "end":
            self._take({**self.document, "ended": True})
        elif event.name == "change" and event.data["from"] == self.revision:
            self._take({**self.document, **event.data["set"], "revision": event.data["revision"]})
        elif event.data["revision"] > self.revision:  # a missed change
            self.healed += 1
            await self.fetch()

    async def _poll_until_streaming(self) -> None:
        """Poll while the stream is held back, also while it is tried again."""
        while not self.document.get("ended"):
            if self.transport == "polling":
                with suppress(OSError):  # it is repeated anyway
                    await self.fetch()
            await asyncio.sleep(POLL_S if self.transport == "polling" else 0.1)

    def _take(self, document: Document) -> None:
        if document.get("revision", 0) >= self.revision:
            self.document = document
            self._seen(document)

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds * self._random.uniform(0.5, 1.5))


def _expect_class(status: int) -> None:
    if status in (401, 404):
        raise GoneError(f"The class answers with status {status}.")
