"""Parses the cookies that this server sets, in linear time.

`http.cookies`, which Starlette and FastAPI use, takes quadratic time for a quoted value with many
backslashes: 7 s for 20,000 of them, before any other check.
"""

import re

from starlette.types import ASGIApp, Receive, Scope, Send

PREFIX = "headlight_"  # starts the name of each cookie that this server sets
_PLAIN = re.compile(r"[A-Za-z0-9_.~=-]{0,500}")  # characters allowed in our cookies


def cookie(header: str, name: str) -> str | None:
    """The value of the first cookie with that name in a Cookie header, or None."""
    for part in header.split(";"):
        key, given, value = part.partition("=")
        if given and key.strip() == name:
            return value.strip()
    return None


class OwnCookies:
    """Removes all cookies from a request that this server cannot have set.

    Browsers also send the cookies of other applications on the same host.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            sent = [value for name, value in scope["headers"] if name == b"cookie"]
            if sent:
                others = [header for header in scope["headers"] if header[0] != b"cookie"]
                kept = ours(b";".join(sent).decode("latin-1"))
                # in place, because the metrics middleware later reads the route from this scope
                scope["headers"] = [*others, (b"cookie", kept.encode())] if kept else others
        await self._app(scope, receive, send)


def ours(header: str) -> str:
    """A Cookie header reduced to our cookies."""
    parts = (part.strip() for part in header.split(";"))
    found = [part for part in parts if part.startswith(PREFIX) and _PLAIN.fullmatch(part)]
    return "; ".join(found)
