"""Sends one response to its client."""

from asyncio import Transport
from typing import Protocol

from starlette.types import Message, Send

from server.http.serving import refusals
from server.http.serving.connections import Connection, Connections

CHUNK_BYTES = 65_536  # written to the socket at a time; the rest waits until the client reads


class Sending(Connection, Protocol):
    """A connection over which a response is sent."""

    transport: Transport


class ResponseSender:
    """Sends a large response in chunks, so that little unread data sits in socket buffers."""

    def __init__(self, connection: Sending, connections: Connections, send: Send) -> None:
        self._connection = connection
        self._connections = connections
        self._send = send
        self._start: Message | None = None  # held back: a large response may still be refused
        self._refused = False

    async def send(self, message: Message) -> None:
        if self._refused:
            return
        if message["type"] == "http.response.start":
            if _length(message) > CHUNK_BYTES:
                self._start = message
            else:
                await self._send(message)
            return
        body = message.get("body", b"")
        large = len(body) > CHUNK_BYTES
        if large and not self._connections.has_room(body) and self._start is not None:
            self._refused = True
            await refusals.busy({"type": "http"}, _disconnected, self._send)
            return
        if self._start is not None:
            await self._send(self._start)
            self._start = None
        if not large:
            await self._send(message)
            return
        with self._connections.sending(self._connection, body):
            for start in range(0, len(body), CHUNK_BYTES):
                end = start + CHUNK_BYTES
                more = end < len(body) or message.get("more_body", False)
                if self._connection.transport.is_closing():
                    return
                await self._send({**message, "body": body[start:end], "more_body": more})


def _length(start: Message) -> int:
    for name, value in start.get("headers", ()):
        if name.lower() == b"content-length":
            return int(value)
    return 0


async def _disconnected() -> Message:
    return {"type": "http.disconnect"}
