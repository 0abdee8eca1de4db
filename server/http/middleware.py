"""Plain ASGI middleware: metrics, security headers, HEAD, bugs, body limits, Range errors."""

import time
from collections.abc import Mapping
from types import MappingProxyType

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.errors import CLIENT_GONE, BodyTooLarge, range_error, unexpected_error
from server.http.guard.frames import OLD_POLICY, POLICY, frame_policy, opens_frames
from server.http.metrics import Metrics
from server.languages.choice import accepted
from server.run.admission import PATH as TRACE_PATH

# plotly misplaces its buttons without inline styles; its PNG export needs data:, blob:
CONTENT_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'"
)
SECURITY_HEADERS: Mapping[str, str] = {
    POLICY: frame_policy(CONTENT_POLICY, ()),
    "X-Content-Type-Options": "nosniff",
    OLD_POLICY: "SAMEORIGIN",
    "Referrer-Policy": "no-referrer",  # the URL contains the reader's text
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityHeaders:
    """Adds the security headers to every response, unless the route has set them itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_open = opens_frames(headers.get(POLICY))
                for name, value in SECURITY_HEADERS.items():
                    if not (is_open and name == OLD_POLICY):
                        headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_secured if scope["type"] == "http" else send)


class Measure:
    """Counts and times requests by route.

    All unknown addresses count as one route, so that clients cannot create new labels.
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
    if scope["path"] == TRACE_PATH and scope["method"] == "POST":
        return TRACE_PATH  # may be answered before routing
    return str(getattr(scope.get("route"), "path", "unknown"))


class HeadAsGet:
    """Handles HEAD like GET. uvicorn drops the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # a copy, because uvicorn must still see HEAD
        await self._app(scope, receive, send)


class CatchBugs:
    """Turns an unexpected exception into a 500 in the common shape of errors.

    Starlette would do this outside all middleware, where the response would lack the security
    headers.
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
            await unexpected_error(error, accepted(scope))(scope, receive, send)


class BodyLimit:
    """Refuses a body that is too large: at once by its Content-Length, else while reading it."""

    def __init__(
        self, app: ASGIApp, max_bytes: int, larger: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        """`larger`: the limits of the paths that have one of their own."""
        self._app = app
        self._max_bytes = max_bytes
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = max(self._max_bytes, self._larger.get(scope["path"], 0))
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared) > limit:
            await BodyTooLarge(limit).response(accepted(scope))(scope, receive, send)
            return
        received = 0

        async def receive_limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise BodyTooLarge(limit)
            return message

        await self._app(scope, receive_limited, send)


class RangeErrors:
    """Replaces Starlette's plain-text errors about Range headers with our JSON errors."""

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
