"""One answer on its way to its client."""

from typing import TYPE_CHECKING

from starlette.types import Message, Send

from server.serving import refusals
from server.serving.connections import Connections

if TYPE_CHECKING:
    from server.serving.protocol import Protocol

PIECE = 65_536  # what is handed to the system at a time: the rest waits until that is read


class Answer:
    """Sends a large one in pieces, so that the system holds little of what is not read yet."""

    def __init__(self, connection: "Protocol", everyone: Connections, send: Send) -> None:
        self._connection = connection
        self._all = everyone
        self._send = send
        self._start: Message | None = None  # of a large answer, which may yet be refused
        self._refused = False

    async def send(self, message: Message) -> None:
        if self._refused:
            return
        if message["type"] == "http.response.start":
            if _length(message) > PIECE:
                self._start = message
            else:
                await self._send(message)
            return
        body = message.get("body", b"")
        if len(body) > PIECE and not self._all.has_room(body) and self._start is not None:
            self._refused = True
            await refusals.busy({"type": "http"}, _nothing, self._send)
            return
        if self._start is not None:
            await self._send(self._start)
            self._start = None
        if len(body) <= PIECE:
            await self._send(message)
            return
        with self._all.sending(self._connection, body):
            for start in range(0, len(body), PIECE):
                end = start + PIECE
                more = end < len(body) or message.get("more_body", False)
                if self._connection.transport.is_closing():
                    return
                await self._send({**message, "body": body[start:end], "more_body": more})


def _length(start: Message) -> int:
    for name, value in start.get("headers", ()):
        if name.lower() == b"content-length":
            return int(value)
    return 0


async def _nothing() -> Message:
    return {"type": "http.disconnect"}
