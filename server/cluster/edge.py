"""Turns the errors of Ray's proxy into our JSON shape, for when no ingress could be reached.

Ray calls `middlewares` in each proxy; the engine sets its import path in Ray's environment.
"""

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.errors import BusyError, problem_response
from server.http.middleware import SECURITY_HEADERS, SecurityHeaders

_OURS = next(iter(SECURITY_HEADERS)).lower().encode()  # set on all our responses


class ProxyErrors:
    """Replaces the proxy's own error, or a missing response, with one of our errors."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = replaced = False

        async def send_ours(message: Message) -> None:
            nonlocal started, replaced
            if message["type"] == "http.response.start":
                names = {name.lower() for name, _ in message["headers"]}
                replaced = message["status"] >= 400 and _OURS not in names
            if not replaced:
                started = True
                await send(message)

        await self._app(scope, receive, send_ours)
        if not started:
            await _not_ready()(scope, receive, send)


def _not_ready() -> ASGIApp:
    return problem_response(
        BusyError(
            "No part of the server can take this request right now. Try again in a moment.",
            code="not_ready",
        )
    )


def middlewares() -> list[Middleware]:
    """The middleware of Ray's proxy, outermost first."""
    return [Middleware(SecurityHeaders), Middleware(ProxyErrors)]
