"""Before POST /api/trace: what has been answered is answered again, equal requests run once, and
where there is no room a request is refused before anybody reads what it says.

A class types what its teacher types, and opens one link at once. When far too many come at once,
nearly all that a server does is to refuse: its protocol asks the `Porter` before there is anything
that an app could be called with (server/serving/protocol.py).
"""

import asyncio
from collections.abc import MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fastapi import Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.errors import BodyTooLarge, problem_response
from server.metrics import Metrics
from server.participants import participant_of
from server.settings import Settings
from server.tracing import Tracer

PATH = "/api/trace"
LARGEST_SHARE = 4  # an answer larger than this part of the cache is not kept
_ENTRY_BYTES = 1_024  # of Python objects around an answer


class Question(NamedTuple):
    """All that an answer depends on."""

    body: bytes
    content_type: str
    accept: str

    @classmethod
    def of(cls, scope: Scope, body: bytes) -> "Question":
        headers = Headers(scope=scope)
        return cls(body, headers.get("content-type", ""), headers.get("accept", "").lower())

    @property
    def nbytes(self) -> int:
        return len(self.body) + len(self.content_type) + len(self.accept)


@dataclass(eq=False)
class Flight:
    """An answer under way, for all who ask for it; it is given up when all of them have gone."""

    task: "asyncio.Task[list[Message]]"
    abandoned: asyncio.Event
    readers: int = 0


@dataclass
class Porter:
    """Knows what is answered already or under way, and for whom else there is room."""

    tracer: Tracer
    metrics: Metrics
    flights: dict[Question, Flight] = field(default_factory=dict)
    _let_in: set[Question] = field(default_factory=set)  # in this turn of the event loop

    def __post_init__(self) -> None:
        self._refused = self.metrics.requests.labels(PATH, "503")

    def has_room(self, scope: Scope) -> bool:
        """Whether a request of the same participant would not simply be refused."""
        under_way = len(self.flights) + len(self._let_in)
        return not self.tracer.workers.is_full_for(participant_of(scope), under_way)

    def refusal(self, scope: Scope, body: bytes) -> Response | None:
        """What a request is told that finds no room; None: it does, or needs none."""
        question = Question.of(scope, body)
        if question in self.flights or question in self._let_in:
            return None
        if self.tracer.answers.get(question) is not None:
            return None
        if self.has_room(scope):
            self._count(question)
            return None
        response = problem_response(self.tracer.workers.full(participant_of(scope)))
        self._refused.inc()
        return response

    def _count(self, question: Question) -> None:
        """Hundreds may come in one turn, before the first of them has a flight: so they count."""
        if not self._let_in:  # those let in are called in the next turn, after this
            asyncio.get_running_loop().call_soon(self._let_in.clear)
        self._let_in.add(question)


@dataclass
class Door:
    """Stands before the routes. What is not POST /api/trace passes, and so do event streams."""

    app: ASGIApp
    settings: Settings
    porter: Porter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != PATH:
            await self.app(scope, receive, send)
            return
        try:
            body = await _read(receive)
        except BodyTooLarge as error:
            await error.response()(scope, receive, send)
            return
        if body is None:  # whoever asked has gone
            return
        question, tracer, metrics = (
            Question.of(scope, body),
            self.porter.tracer,
            self.porter.metrics,
        )
        known: list[Message] | None = tracer.answers.get(question)
        if known is not None:
            metrics.answers_remembered.inc()
            await _replay(known, send)
            return
        flight = self.porter.flights.get(question)
        if flight is not None:
            metrics.joined.inc()
        elif not self.porter.has_room(scope):
            busy = tracer.workers.full(participant_of(scope))
            await problem_response(busy)(scope, receive, send)
            return
        elif "text/event-stream" in question.accept:
            await self.app(scope, _Body(body, receive), send)
            return
        else:
            flight = self._start(question, scope)
        await self._join(flight, question, receive, send)

    def _start(self, question: Question, scope: Scope) -> Flight:
        abandoned = asyncio.Event()
        task = asyncio.ensure_future(self._fly(question, dict(scope), abandoned))
        flight = self.porter.flights[question] = Flight(task, abandoned)
        return flight

    async def _fly(
        self, question: Question, scope: MutableMapping[str, Any], abandoned: asyncio.Event
    ) -> list[Message]:
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        async def gone() -> Message:
            await abandoned.wait()
            return {"type": "http.disconnect"}

        try:
            await self.app(scope, _Body(question.body, gone), keep)
        finally:
            self._forget(question, abandoned)
        nbytes = sum(len(message.get("body", b"")) for message in messages)
        largest = self.settings.answer_cache_bytes / LARGEST_SHARE
        if messages and messages[0]["status"] == 200 and nbytes <= largest:
            self.porter.tracer.answers.put(
                question, messages, nbytes + question.nbytes + _ENTRY_BYTES
            )
        return messages

    def _forget(self, question: Question, abandoned: asyncio.Event) -> None:
        """Whoever asks from now on asks anew: this flight has ended, or was given up."""
        flight = self.porter.flights.get(question)
        if flight is not None and flight.abandoned is abandoned:
            del self.porter.flights[question]

    async def _join(self, flight: Flight, question: Question, receive: Receive, send: Send) -> None:
        """Wait for an answer, as one of all who do."""
        flight.readers += 1
        leaves = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({flight.task, leaves}, return_when=asyncio.FIRST_COMPLETED)
            if flight.task.done():
                await _replay(flight.task.result(), send)
        finally:
            flight.readers -= 1
            if flight.readers == 0:
                flight.abandoned.set()
                self._forget(question, flight.abandoned)
            leaves.cancel()
            with suppress(asyncio.CancelledError):
                await leaves


class _Body:
    """A `receive` that gives a body that was read before, and then what another one gives."""

    def __init__(self, body: bytes, then: Receive) -> None:
        self._message: Message | None = {"type": "http.request", "body": body, "more_body": False}
        self._then = then

    async def __call__(self) -> Message:
        message, self._message = self._message, None
        return await self._then() if message is None else message


async def _read(receive: Receive) -> bytes | None:
    """A whole body; None where whoever sends it has gone."""
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _replay(messages: list[Message], send: Send) -> None:
    """Send copies: middleware puts headers into one message, and compresses the other in place."""
    for message in messages:
        copied = dict(message)
        if "headers" in copied:
            copied["headers"] = list(copied["headers"])
        await send(copied)
