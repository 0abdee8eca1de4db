"""Tells clients apart without identifying them: by a random cookie, or by a header in programs.

Never by IP address, because a whole school may share one.
"""

import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.http.guard.cookies import cookie

COOKIE = "headlight_participant"
HEADER = "x-headlight-participant"
MAX_LENGTH = 64  # longer names are truncated


def participant_of(scope: Scope) -> str:
    """The participant of a request; all clients without cookie or header count as one."""
    headers = Headers(scope=scope)
    named = headers.get(HEADER)
    if named is None:
        named = cookie(headers.get("cookie", ""), COOKIE)
    return (named or "")[:MAX_LENGTH]


class Participants:
    """Sets the cookie on pages: a random value that lasts until the browser is closed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_page = headers.get("content-type", "").startswith("text/html")
                if is_page and COOKIE not in Headers(scope=scope).get("cookie", ""):
                    value = secrets.token_urlsafe(12)
                    headers.append(
                        "set-cookie", f"{COOKIE}={value}; Path=/; HttpOnly; SameSite=Lax"
                    )
            await send(message)

        await self._app(scope, receive, send_named if scope["type"] == "http" else send)
