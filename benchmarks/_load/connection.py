"""An HTTP client with very little overhead, so that benchmarks measure the server.

It keeps connections alive as a browser does and parses in C. If a connection broke while idle, it
reconnects and repeats the request. It does not decode response bodies.
"""

import asyncio
from asyncio import Future, Protocol, Transport
from typing import NamedTuple, cast
from urllib.parse import urlsplit

import httptools

AT_ONCE = 6  # connections of a browser to one server


class Answer(NamedTuple):
    """The part of a response that the typists need."""

    status: int
    retry_after: int | None


class Client:
    """The connections of one simulated person."""

    def __init__(self, address: str, timeout_s: float) -> None:
        where = urlsplit(address)
        self._host, self._port = str(where.hostname), int(where.port or 80)
        self._timeout_s = timeout_s
        self._free = asyncio.Semaphore(AT_ONCE)
        self._idle: list[_Connection] = []
        self.sent_bytes = self.received_bytes = 0
        self._head = f"Host: {where.netloc}\r\n"

    def close(self) -> None:
        for connection in self._idle:
            connection.close()

    async def ask(
        self, method: str, path: str, headers: dict[str, str], body: bytes | None = None
    ) -> Answer:
        """Send a request and read the whole response.

        Raises:
            OSError: the connection could not be opened, or it broke.
            TimeoutError: the response did not arrive in time.
        """
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        length = "" if body is None else f"Content-Length: {len(body)}\r\n"
        head = f"{method} {path} HTTP/1.1\r\n{self._head}{lines}{length}\r\n"
        request = head.encode("latin-1") + (body or b"")
        async with self._free, asyncio.timeout(self._timeout_s):
            while self._idle:
                connection = self._idle.pop()
                if connection.is_open:
                    try:
                        return await self._exchange(connection, request)
                    except ConnectionError:
                        break  # the server closed it just then: a browser opens another one
            loop = asyncio.get_running_loop()
            _, made = await loop.create_connection(_Connection, self._host, self._port)
            return await self._exchange(made, request)

    async def _exchange(self, connection: "_Connection", request: bytes) -> Answer:
        try:
            answer = await connection.exchange(request)
        except BaseException:
            connection.close()
            raise
        self.sent_bytes += len(request)
        self.received_bytes += connection.received_bytes
        if connection.is_open:
            self._idle.append(connection)
        return answer


class _Connection(Protocol):
    """One connection: a request, its response, the next request."""

    def __init__(self) -> None:
        self._transport: Transport | None = None
        self._answer: Future[Answer] | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._retry_after: int | None = None
        self._last = False
        self.received_bytes = 0  # of the last response

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    async def exchange(self, request: bytes) -> Answer:
        if self._transport is None:
            raise ConnectionResetError("the connection is closed")
        self._answer = asyncio.get_running_loop().create_future()
        self.received_bytes = 0
        self._transport.write(request)
        return await self._answer

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    # callbacks of the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.received_bytes += len(data)
        self._parser.feed_data(data)
        if self._last:
            self.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionResetError("the server closed the connection"))

    # callbacks of the parser

    def on_message_begin(self) -> None:
        self._retry_after = None

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"retry-after":
            self._retry_after = int(value)

    def on_message_complete(self) -> None:
        self._last = not self._parser.should_keep_alive()
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(Answer(self._parser.get_status_code(), self._retry_after))
