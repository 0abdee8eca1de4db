"""Around every route, in plain ASGI: measuring, security headers, HEAD, bugs, bodies, ranges."""

import time
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.door import PATH as DOOR
from server.errors import CLIENT_GONE, BodyTooLarge, range_error, unexpected_error
from server.metrics import Metrics

SECURITY_HEADERS: Mapping[str, str] = {
    # plotly misplaces its buttons without inline styles; its PNG export needs data:, blob:
    "Content-Security-Policy": "default-src 'self'; script-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "no-referrer",  # an address holds the reader's text
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityHeaders:
    """Adds the security headers to every answer; what a route set itself stays."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_secured if scope["type"] == "http" else send)


class Measure:
    """Counts and times requests by route.

    All unknown addresses are one route, so that nobody can make up labels.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, start = CLIENT_GONE, time.perf_counter()

        async def send_measured(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_measured)
        finally:
            route = _route(scope)
            self._metrics.requests.labels(route, str(status)).inc()
            self._metrics.seconds.labels(route).observe(time.perf_counter() - start)


def _route(scope: Scope) -> str:
    if scope["path"].startswith("/static/"):
        return "/static"
    if scope["path"] == DOOR and scope["method"] == "POST":
        return DOOR  # answered before any route is looked for, or behind a door of its own
    return str(getattr(scope.get("route"), "path", "unknown"))


class HeadAsGet:
    """Answers HEAD wherever GET is answered. The server itself leaves the body away."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # a copy: the server still has to know
        await self._app(scope, receive, send)


class CatchBugs:
    """Turns an exception that nobody expected into a 500 of the one shape.

    Starlette's own place for this is outside all middleware, where its answer would lack the
    security headers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, send_watched)
        except Exception as error:
            if started or scope["type"] != "http":
                raise
            await unexpected_error(error)(scope, receive, send)


class BodyLimit:
    """Refuses a body that is too large: at once if it says so itself, else as soon as it is."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared) > self._max_bytes:
            await BodyTooLarge(self._max_bytes).response()(scope, receive, send)
            return
        received = 0

        async def receive_limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_bytes:
                raise BodyTooLarge(self._max_bytes)
            return message

        await self._app(scope, receive_limited, send)


class RangeErrors:
    """Puts Starlette's refusals of a Range header, which are plain text, into the one shape."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "range" not in Headers(scope=scope):
            await self._app(scope, receive, send)
            return
        refused = False

        async def send_shaped(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start":
                headers = Headers(scope=message)
                plain = headers.get("content-type", "").startswith("text/plain")
                if plain and message["status"] in (400, 416):
                    refused = True
                    answer = range_error(message["status"], headers.get("content-range"))
                    await answer(scope, receive, send)
            if not refused:
                await send(message)

        await self._app(scope, receive, send_shaped)
