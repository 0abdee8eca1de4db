"""HTTP for simulated pages: little overhead per message, and event streams as they arrive.

A check or a benchmark holds hundreds of them in one process, on the machine that it measures.
"""

import asyncio
import ssl
from asyncio import Future, Protocol, Transport
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

import httptools
import orjson

TIMEOUT_S = 20.0
REPEATED = ("GET", "PUT", "DELETE")  # may be sent again when a kept connection turns out broken


class Answer(NamedTuple):
    """A whole response."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes

    def json(self) -> Any:
        return orjson.loads(self.body) if self.body else None


class Event(NamedTuple):
    """One message of an event stream."""

    name: str
    data: Any


def trusting(certificate: Path | None) -> ssl.SSLContext | None:
    """Trusts any certificate, if the server has one: a check looks at it elsewhere."""
    if certificate is None:
        return None
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Client:
    """The connections of one simulated page: one for its requests, and one for each stream."""

    def __init__(
        self,
        address: str,
        headers: Mapping[str, str] | None = None,
        *,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        where = urlsplit(address)
        self._host, self._netloc = str(where.hostname), where.netloc
        self._port = where.port or (443 if where.scheme == "https" else 80)
        self._tls = (tls or True) if where.scheme == "https" else None
        self.headers = dict(headers or {})
        self._kept: _Connection | None = None
        self._turn = asyncio.Lock()

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    async def ask(
        self, method: str, path: str, body: object = None, *, timeout_s: float = TIMEOUT_S
    ) -> Answer:
        """Send a request and read the response; one at a time.

        Raises:
            OSError: the connection could not be opened, or it broke.
            TimeoutError: the response did not arrive in time.
        """
        async with self._turn, asyncio.timeout(timeout_s):
            request = self._request(method, path, body)
            if self._kept is not None and self._kept.is_open:
                try:
                    return await self._exchange(self._kept, request)
                except ConnectionError:
                    if method not in REPEATED:
                        raise
            self._kept = await self._connect()
            return await self._exchange(self._kept, request)

    async def events(self, path: str) -> AsyncGenerator[Event, None]:
        """The events of a stream, on a connection of its own, until it ends.

        Raises:
            OSError: the connection could not be opened, or it broke.
            RefusedError: the response is not an event stream.
        """
        connection = await self._connect()
        try:
            async with aclosing(connection.stream(self._request("GET", path, None))) as pieces:
                rest = b""
                async for piece in pieces:
                    *whole, rest = (rest + piece).split(b"\n\n")
                    for each in whole:
                        event = _parse(each)
                        if event is not None:
                            yield event
        finally:
            connection.close()

    async def _connect(self) -> "_Connection":
        loop = asyncio.get_running_loop()
        _, made = await loop.create_connection(_Connection, self._host, self._port, ssl=self._tls)
        return made

    async def _exchange(self, connection: "_Connection", request: bytes) -> Answer:
        try:
            return await connection.exchange(request)
        except BaseException:  # an answer that comes later must not be taken for the next one
            connection.close()
            raise

    def _request(self, method: str, path: str, body: object) -> bytes:
        sent = b"" if body is None else body if isinstance(body, bytes) else orjson.dumps(body)
        headers = {"Host": self._netloc, "Content-Type": "application/json", **self.headers}
        headers["Content-Length"] = str(len(sent))
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + sent


class RefusedError(Exception):
    """A stream was answered with something else."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"Expected an event stream, got status {answer.status}.")
        self.answer = answer


class _Connection(Protocol):
    """One connection: a request, its response, the next request; or one stream."""

    def __init__(self) -> None:
        self._transport: Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._answer: Future[Answer] | None = None
        self._pieces: asyncio.Queue[bytes | None] | None = None
        self._headers: dict[str, str] = {}
        self._body: list[bytes] = []

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    async def exchange(self, request: bytes) -> Answer:
        return await self._send(request)

    async def stream(self, request: bytes) -> AsyncGenerator[bytes, None]:
        self._pieces = asyncio.Queue()
        whole = self._send(request)
        try:
            while True:
                piece = await self._pieces.get()
                if piece is None:
                    break
                yield piece
        except BaseException:
            whole.cancel()
            raise
        answer = await whole
        if "text/event-stream" not in answer.headers.get("content-type", ""):
            raise RefusedError(answer)

    def _send(self, request: bytes) -> "Future[Answer]":
        self._answer = asyncio.get_running_loop().create_future()
        if self._transport is None:
            self._answer.set_exception(ConnectionResetError("the connection is closed"))
        else:
            self._transport.write(request)
        return self._answer

    # callbacks of the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionResetError("the server closed the connection"))
        if self._pieces is not None:
            self._pieces.put_nowait(None)

    # callbacks of the parser

    def on_message_begin(self) -> None:
        self._headers, self._body = {}, []

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode().lower()] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        streams = "text/event-stream" in self._headers.get("content-type", "")
        if streams and self._pieces is not None:
            self._pieces.put_nowait(body)
        else:
            self._body.append(body)

    def on_message_complete(self) -> None:
        answer = Answer(self._parser.get_status_code(), self._headers, b"".join(self._body))
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)
        if self._pieces is not None:
            self._pieces.put_nowait(None)
        elif not self._parser.should_keep_alive():
            self.close()


def _parse(message: bytes) -> Event | None:
    """An event of its lines; None for a comment."""
    name, data = "message", []
    for line in message.decode().splitlines():
        field, _, value = line.partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data":
            data.append(value.removeprefix(" "))
    return Event(name, orjson.loads("\n".join(data))) if data else None
