"""One connection: uvicorn's httptools protocol with time and size limits, and our errors.

A request has a head (request line and headers), a body and a response; between requests the
connection is idle. The head and the body each have a time limit. A response has a limit on how
long its client may read nothing.
"""

from typing import Any, cast

import httptools
from fastapi import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.server import ServerState

from server.http.events import STREAM
from server.http.middleware import SECURITY_HEADERS
from server.http.serving import refusals
from server.http.serving.answer import ResponseSender
from server.http.serving.connections import Connections
from server.http.serving.refusals import MAX_FIELDS, MAX_HEAD_BYTES
from server.run.admission import PATH as TRACE_PATH
from server.run.admission import Admission

LINGER_S = 2.0  # how long a refused client has to read the error, even if it is still sending
HEALTH = (b"/healthz", b"/readyz")
TRACE_URL = TRACE_PATH.encode()
SECURITY_LINES = "".join(f"{name}: {it}\r\n" for name, it in SECURITY_HEADERS.items()).encode()


class _HeadTooLarge(Exception):
    """Raised by the parser's callbacks."""


class Protocol(HttpToolsProtocol):
    """HTTP/1.1 from one client."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: Any = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        assert isinstance(server_state, Connections)
        self._connections = server_state
        self._limits = server_state.limits
        self._app: ASGIApp = self.app
        self._answering: RequestResponseCycle | None = None
        self._reading: str | None = None  # "head" or "body" while a request comes in
        self._deadline = float("inf")  # for the head, the body or the first request
        self._head_bytes = 0
        self._stalled_since: float | None = None
        self._closing_since: float | None = None
        self._refused = False  # further input is ignored
        self._endless = False  # the response would not end by itself
        self._last = False  # the server is stopping: this request is the last one
        self._admission: Admission | None = app_state.get("admission")
        # the body so far of a request that may be refused without the app
        self._held: bytes | None = None
        self._may_hold = False  # at most one request per read: more would delay other connections
        self._offered = False  # whether the request offers another protocol
        self._framing_bytes = 0  # received with a body but not part of it: chunk sizes, trailers

    # ── opening and closing

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if not self._connections.opened(self):
            transport.abort()
            return
        self._connections.idle(self)
        self._deadline = self.loop.time() + self._limits.idle_s

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.closed(self)
        self._forget_answer()
        super().connection_lost(exc)

    def close_idle(self) -> None:
        self.transport.close()

    def cut_off(self) -> None:
        self._connections.count_cut()
        self.transport.abort()

    # ── requests

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._reading == "body":
            self._framing_bytes += len(data)
        else:
            self._head_bytes += len(data)
        self._may_hold = not self.flow.write_paused
        try:
            self._parse(data)
        except httptools.HttpParserError as error:
            if isinstance(error.__context__, _HeadTooLarge):
                self._refuse(refusals.head_too_large())
            else:
                self._refuse(refusals.not_http())
        else:
            if self._held is not None:  # the body is incomplete
                self._pass_held_to_app()
            if max(self._head_bytes, self._framing_bytes) > MAX_HEAD_BYTES:
                self._refuse(refusals.head_too_large())

    def _parse(self, data: bytes) -> None:
        """Feed the parser, but without an offer to change the protocol (`Upgrade`).

        The parser would take what follows the head for the other protocol, so that a body was lost.
        A server may ignore the offer, not the body (RFC 9110, 7.8).
        """
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as stop:
            if not self._offered:  # CONNECT
                self.cycle.keep_alive = False  # answer it as an ordinary request, drop the rest
                return
            head, self._offered = self._head_without_offer(), False
            self.parser = httptools.HttpRequestParser(self)
            self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as in uvicorn
            self._parse(head + data[stop.args[0] :])

    def _head_without_offer(self) -> bytes:
        """The head that was parsed, again as bytes."""
        lines = [b"%b %b HTTP/1.1" % (self.parser.get_method(), self.url)]
        for name, value in self.headers:
            if name == b"connection":
                options = (option.strip() for option in value.split(b","))
                value = b", ".join(one for one in options if one.lower() != b"upgrade")
            if name != b"upgrade":
                lines.append(b"%b: %b" % (name, value))
        return b"\r\n".join([*lines, b"", b""])

    def on_message_begin(self) -> None:
        self._unset_keepalive_if_required()
        super().on_message_begin()
        self._connections.reading(self)
        self._reading, self._deadline = "head", self.loop.time() + self._limits.head_s

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= MAX_FIELDS:
            raise _HeadTooLarge
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._offered = self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"
        if self._offered:
            return
        if self._can_hold():
            self._held, self._may_hold = b"", False
        else:
            self._begin()
        self._connections.read(self)
        self._reading, self._deadline = "body", self.loop.time() + self._limits.body_s
        self._head_bytes = self._framing_bytes = 0

    def _begin(self) -> None:
        """Pass the incoming request to the app."""
        # httptools parses at most 65,535 bytes; the query holds the texts and may be longer
        address, mark, query = self.url.partition(b"?")
        self.url = address
        busy = self._connections.full and address not in HEALTH
        self.app = refusals.busy if busy else self._run
        super().on_headers_complete()
        if self._last:
            self.cycle.keep_alive = False
        if mark:
            self.scope["query_string"] = query.partition(b"#")[0]

    def on_body(self, body: bytes) -> None:
        if self._reading == "body":
            self._framing_bytes -= len(body)
        if self._held is None:
            super().on_body(body)
        else:
            self._held += body

    def _can_hold(self) -> bool:
        """Whether to hold this request until it is complete: it may be refused without the app."""
        return (
            self._may_hold
            and self._admission is not None
            and self.url == TRACE_URL
            and self.parser.get_method() == b"POST"
            and self._answering is None
            and not self.expect_100_continue
        )

    def _pass_held_to_app(self) -> None:
        """Pass the held request to the app."""
        body, self._held = self._held or b"", None
        self._begin()
        super().on_body(body)

    def _refuse_held(self, refusal: Response) -> None:
        is_1_0 = self.parser.get_http_version() == "1.0"
        stays = self.parser.should_keep_alive() and not (is_1_0 or self._last)
        self._held = None
        self._write(refusal, stays=stays)
        self._reading, self._deadline = None, float("inf")
        if stays:
            self.on_response_complete()
        else:
            self.transport.close()

    def on_message_complete(self) -> None:
        if self._offered:
            return  # it is parsed again
        if self._held is not None and self._admission is not None:
            refusal = self._admission.refusal(cast(Scope, self.scope), self._held)
            if refusal is not None:
                self._refuse_held(refusal)
                return
            self._pass_held_to_app()
        super().on_message_complete()
        self._reading, self._deadline = None, float("inf")
        if self._answering is None:  # the response was sent before the request was complete
            self._connections.idle(self)

    # ── responses

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        self._endless = STREAM.fullmatch(cycle.scope["path"]) is not None
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        self._answering = None
        super().on_response_complete()
        if self._answering is None and self._reading is None:
            self._connections.idle(self)

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, ResponseSender(self, self._connections, send).send)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled_since = self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stalled_since = None

    def stalled_s(self) -> float:
        """How long the client has left waiting data unread."""
        return 0.0 if self._stalled_since is None else self.loop.time() - self._stalled_since

    # ── limits and shutdown

    def check(self, now: float) -> None:
        """Close the connection if it exceeds a time limit. Called a few times a second."""
        if self.stalled_s() > self._limits.write_s:
            self.cut_off()
        elif self.transport.is_closing():  # it still sends buffered data, which may stall
            self._closing_since = self._closing_since or now
            if now - self._closing_since > self._limits.write_s:
                self.cut_off()
        elif now > self._deadline and not self.flow.read_paused:
            if self._refused or self._reading is None:
                self.transport.close()
            else:
                limit = getattr(self._limits, f"{self._reading}_s")
                self._refuse(refusals.too_slow(self._reading, limit))

    def stop(self) -> None:
        """Refuse a request that the server will not answer before it stops."""
        if self._refused and self._answering is None:  # it has been told, and reads no more
            self.transport.close()
        elif self._answering is None or not self._answering.response_started:
            self._write(refusals.stopping())
            self._forget_answer()
            self.transport.close()

    def shutdown(self) -> None:
        """Close if idle, else after the current request."""
        self._last = True
        if self._endless and self._answering is not None:
            self._forget_answer()
            self.transport.close()
        elif self._answering is not None:
            self._answering.keep_alive = False
        elif self._reading is None:
            self.transport.close()

    def _refuse(self, answer: Response) -> None:
        """Send an error for input that is not a valid request, and ignore all further input."""
        if self.transport.is_closing():
            return
        self._refused = True
        self._connections.read(self)
        in_body = self._reading == "body" and self._held is None  # the app has seen its head
        if self._answering is not None and (not in_body or self.pipeline):
            self._answering.keep_alive = False  # an earlier request gets its answer first
            self._deadline = float("inf")
            return
        if in_body and self.cycle.response_started:  # too late for an error response
            self._forget_answer()
            self.transport.abort()
            return
        self._forget_answer()
        self._write(answer)
        # closing at once would reset the connection if the client is still sending, and the client
        # would lose the response
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._deadline = self.loop.time() + LINGER_S

    def _forget_answer(self) -> None:
        """Tell the app that the client no longer waits for its response."""
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()
            self._answering = None

    def _write(self, answer: Response, stays: bool = False) -> None:
        lines = [*self.server_state.default_headers, *answer.raw_headers]
        head = b"".join([b"%b: %b\r\n" % line for line in lines])
        end = b"\r\n" if stays else b"connection: close\r\n\r\n"
        self.transport.write(
            b"".join((STATUS_LINE[answer.status_code], head, SECURITY_LINES, end, answer.body))
        )
