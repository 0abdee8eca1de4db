"""Ray's own answers in the one shape: what its proxy says when no ingress could be asked.

Ray calls `middlewares` in each proxy, by the name that the engine puts into its environment.
"""

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.errors import BusyError, problem_response
from server.middleware import SECURITY_HEADERS, SecurityHeaders

_OURS = next(iter(SECURITY_HEADERS)).lower().encode()  # every answer of ours has it, none of Ray's


class OneShape:
    """Replaces an error of the proxy, or no answer at all, by one of ours."""

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
            await _nobody()(scope, receive, send)


def _nobody() -> ASGIApp:
    return problem_response(
        BusyError(
            "No part of the server could take this request just now. Try again in a moment.",
            code="not_ready",
        )
    )


def middlewares() -> list[Middleware]:
    """For Ray's proxy, from the outside in."""
    return [Middleware(SecurityHeaders), Middleware(OneShape)]
