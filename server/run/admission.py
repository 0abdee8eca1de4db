"""Admission of POST /api/trace: cached responses, equal requests run once, early refusals.

A class types what its teacher types and opens the same link at the same time, so many requests are
equal. Under heavy overload the server spends most of its time refusing requests. Refusals must
therefore be cheap: the protocol asks `Admission` before it calls the app at all
(server/http/serving/protocol.py).
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
from server.http.metrics import Metrics
from server.languages.choice import accepted
from server.run.participants import participant_of
from server.run.tracing import Tracer
from server.settings import Settings

PATH = "/api/trace"
ADMITTED = "headlight.admitted"  # in a scope: the key of a request that the protocol let in
MIN_CACHED_RESPONSES = 4  # a response larger than this fraction (1/4) of the cache is not cached
_ENTRY_BYTES = 1_024  # Python objects around a cached response


class RequestKey(NamedTuple):
    """Everything that a response depends on."""

    body: bytes
    content_type: str
    accept: str
    language: str  # of an error

    @classmethod
    def of(cls, scope: Scope, body: bytes) -> "RequestKey":
        headers = Headers(scope=scope)
        return cls(
            body,
            headers.get("content-type", ""),
            headers.get("accept", "").lower(),
            accepted(scope).code,
        )

    @property
    def nbytes(self) -> int:
        return len(self.body) + len(self.content_type) + len(self.accept)


@dataclass(eq=False)
class PendingResponse:
    """A response being computed for one or more clients; cancelled when all of them have gone."""

    task: "asyncio.Task[list[Message]]"
    abandoned: asyncio.Event
    waiting: int = 0  # clients


@dataclass
class Admission:
    """Decides whether a request is answered from the cache, joins an equal one, or is refused."""

    tracer: Tracer
    metrics: Metrics
    pending: dict[RequestKey, PendingResponse] = field(default_factory=dict)
    _admitted: set[RequestKey] = field(default_factory=set)  # in this iteration of the event loop

    def __post_init__(self) -> None:
        self._refused = self.metrics.requests.labels(PATH, "503")

    def has_room(self, scope: Scope) -> bool:
        """Whether the queue would accept a request of this participant."""
        in_flight = len(self.pending) + len(self._admitted)
        return not self.tracer.workers.is_full_for(participant_of(scope), in_flight)

    def refusal(self, scope: Scope, body: bytes) -> Response | None:
        """The error for a request that finds no room; None if it finds room or needs none.

        Then its scope has its key, so that the middleware need not decide again.
        """
        key = scope[ADMITTED] = RequestKey.of(scope, body)
        if key in self.pending or key in self._admitted:
            return None
        if self.tracer.answers.get(key) is not None:
            return None
        if self.has_room(scope):
            self._count(key)
            return None
        response = problem_response(
            self.tracer.workers.full(participant_of(scope)), accepted(scope)
        )
        self._refused.inc()
        return response

    def _count(self, key: RequestKey) -> None:
        """Count a request as admitted until its computation starts.

        Hundreds may arrive in one iteration of the event loop, before any of them has started.
        """
        if not self._admitted:  # the app is called in the next iteration, after this callback
            asyncio.get_running_loop().call_soon(self._admitted.clear)
        self._admitted.add(key)


@dataclass
class AdmissionMiddleware:
    """Applies admission to POST /api/trace, except that event streams are never shared."""

    app: ASGIApp
    settings: Settings
    admission: Admission

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != PATH:
            await self.app(scope, receive, send)
            return
        try:
            body = await _read(receive)
        except BodyTooLarge as error:
            await error.response(accepted(scope))(scope, receive, send)
            return
        if body is None:  # the client has gone
            return
        admitted: RequestKey | None = scope.get(ADMITTED)
        key = admitted or RequestKey.of(scope, body)
        tracer, metrics = self.admission.tracer, self.admission.metrics
        known: list[Message] | None = tracer.answers.get(key)
        if known is not None:
            metrics.answers_remembered.inc()
            await _replay(known, send)
            return
        flight = self.admission.pending.get(key)
        if flight is not None:
            metrics.joined.inc()
        elif admitted is None and not self.admission.has_room(scope):
            busy = tracer.workers.full(participant_of(scope))
            await problem_response(busy, accepted(scope))(scope, receive, send)
            return
        elif "text/event-stream" in key.accept:
            await self.app(scope, _Body(body, receive), send)
            return
        else:
            flight = self._start(key, scope)
        await self._join(flight, key, receive, send)

    def _start(self, key: RequestKey, scope: Scope) -> PendingResponse:
        abandoned = asyncio.Event()
        task = asyncio.ensure_future(self._compute(key, dict(scope), abandoned))
        flight = self.admission.pending[key] = PendingResponse(task, abandoned)
        return flight

    async def _compute(
        self, key: RequestKey, scope: MutableMapping[str, Any], abandoned: asyncio.Event
    ) -> list[Message]:
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        async def gone() -> Message:
            await abandoned.wait()
            return {"type": "http.disconnect"}

        try:
            await self.app(scope, _Body(key.body, gone), keep)
        finally:
            self._forget(key, abandoned)
        nbytes = sum(len(message.get("body", b"")) for message in messages)
        largest = self.settings.answer_cache_bytes / MIN_CACHED_RESPONSES
        if messages and messages[0]["status"] == 200 and nbytes <= largest:
            self.admission.tracer.answers.put(key, messages, nbytes + key.nbytes + _ENTRY_BYTES)
        return messages

    def _forget(self, key: RequestKey, abandoned: asyncio.Event) -> None:
        """Let later requests start anew: this one has ended or was abandoned."""
        flight = self.admission.pending.get(key)
        if flight is not None and flight.abandoned is abandoned:
            del self.admission.pending[key]

    async def _join(
        self, flight: PendingResponse, key: RequestKey, receive: Receive, send: Send
    ) -> None:
        """Wait for a pending response, as one of its clients."""
        flight.waiting += 1
        leaves = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({flight.task, leaves}, return_when=asyncio.FIRST_COMPLETED)
            if flight.task.done():
                await _replay(flight.task.result(), send)
        finally:
            flight.waiting -= 1
            if flight.waiting == 0:
                flight.abandoned.set()
                self._forget(key, flight.abandoned)
            leaves.cancel()
            with suppress(asyncio.CancelledError):
                await leaves


class _Body:
    """A `receive` that delivers a body already read, then the messages of another `receive`."""

    def __init__(self, body: bytes, then: Receive) -> None:
        self._message: Message | None = {"type": "http.request", "body": body, "more_body": False}
        self._then = then

    async def __call__(self) -> Message:
        message, self._message = self._message, None
        return await self._then() if message is None else message


async def _read(receive: Receive) -> bytes | None:
    """The whole body; None if the client disconnects."""
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
    """Send copies, because middleware changes messages in place (headers, compression)."""
    for message in messages:
        copied = dict(message)
        if "headers" in copied:
            copied["headers"] = list(copied["headers"])
        await send(copied)
