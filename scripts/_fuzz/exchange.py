"""Sends arbitrary bytes and reads the response, with a new connection each time."""

import asyncio
import gzip
from dataclasses import dataclass, field
from typing import Literal

import httptools

TIMEOUT_S = 60.0


@dataclass
class Answer:
    """The response, if there was one."""

    outcome: Literal["answered", "closed", "cut short", "timed out"]
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def kind(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]

    def content(self) -> bytes | None:
        """The decoded body; None if we do not know its encoding."""
        match self.headers.get("content-encoding", "identity"):
            case "identity":
                return self.body
            case "gzip":
                return gzip.decompress(self.body)
            case _:
                return None


class _Reader:
    """The callbacks of the parser."""

    def __init__(self, bodyless: bool) -> None:
        self._bodyless = bodyless
        self.headers: dict[str, str] = {}
        self.body = bytearray()
        self.done = False
        self.parser = httptools.HttpResponseParser(self)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        if self.parser.get_status_code() >= 200:
            self.done = self.done or self._bodyless

    def on_body(self, part: bytes) -> None:
        self.body += part

    def on_message_complete(self) -> None:
        if self.parser.get_status_code() < 200:  # "100 Continue": the answer follows
            self.headers.clear()
        else:
            self.done = True


async def exchange(host: str, port: int, data: bytes, *, head: bool, ends: bool) -> Answer:
    """Send bytes and read one response. With `ends`, close the connection for writing afterwards.

    Raises:
        OSError: the server does not accept connections.
    """
    reader, writer = await asyncio.open_connection(host, port)
    found = _Reader(head)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            writer.write(data)
            if ends:
                writer.write_eof()
            while not found.done:
                part = await reader.read(65_536)
                if not part:
                    break
                found.parser.feed_data(part)
    except TimeoutError:
        return Answer("timed out")
    except (OSError, httptools.HttpParserError):
        # the server closed while we were still sending; its response may be lost
        return Answer("cut short" if found.headers else "closed")
    finally:
        writer.transport.abort()
    if not found.headers and not found.done:
        return Answer("closed")
    status = found.parser.get_status_code()
    outcome: Literal["answered", "cut short"] = "answered" if found.done else "cut short"
    return Answer(outcome, status, found.headers, bytes(found.body))
