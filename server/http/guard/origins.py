"""The origins (scheme, host, port) of other pages: those in the settings, and those refused.

A refused origin is named in the log, because the browser tells the reader of the other page little
or nothing. The name is what the browser sent, so it is parsed before it is logged.
"""

import logging
import re

from starlette.datastructures import Headers

log = logging.getLogger("headlight")

MAX_NAMED = 100  # refused origins that the log names, per process
UNNAMED = "null"  # what a browser sends for a page without an origin

_LABEL = r"[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?"
_ORIGIN = re.compile(
    rf"(https?)://({_LABEL}(?:\.{_LABEL}){{0,30}}|\[[0-9a-f:.]{{2,45}}\])(:[0-9]{{1,5}})?"
)
_USUAL_PORT = {"http": ":80", "https": ":443"}


def check_origins(origins: tuple[str, ...]) -> tuple[str, ...]:
    """The configured origins as browsers write them: in lower case, without the usual port.

    Raises:
        ValueError: an entry is not an origin, perhaps because it has a path or a wildcard.
    """
    found: dict[str, None] = {}  # in order, each once
    for origin in origins:
        parsed = _ORIGIN.fullmatch(origin.lower())
        if parsed is None:
            raise ValueError(
                "expected origins like https://blog.example.org or http://localhost:8080, without "
                f"path, wildcard or slash at the end, separated by commas; got {origin!r}"
            )
        found[_written(parsed)] = None
    return tuple(found)


def origin_of(url: str) -> str | None:
    """The origin of an http(s) URL; None if it has none."""
    parsed = _ORIGIN.match(url.lower())
    if parsed is None or url[parsed.end() : parsed.end() + 1] not in ("", "/", "?", "#"):
        return None
    return _written(parsed)


def is_own(origin: str, headers: Headers) -> bool:
    """Whether an origin is this server's. A proxy may have changed the scheme, but not the host."""
    host = headers.get("host", "").strip().lower()
    schemes = (origin_of(f"{scheme}://{host}") for scheme in ("http", "https"))
    return origin in schemes or headers.get("sec-fetch-site") == "same-origin"


def _written(parsed: re.Match[str]) -> str:
    scheme, host, port = parsed[1], parsed[2], parsed[3] or ""
    return f"{scheme}://{host}{'' if port == _USUAL_PORT[scheme] else port}"


class RefusedOrigins:
    """Writes each refused origin to the log once."""

    def __init__(self, message: str) -> None:
        """`message` has one %s, for the origin."""
        self._message = message
        self._named: set[str] = set()

    def tell(self, origin: str) -> None:
        """Log a refusal, unless this origin or too many others have been named before."""
        if origin in self._named or len(self._named) >= MAX_NAMED:
            return
        self._named.add(origin)
        log.warning(self._message, origin)
        if len(self._named) == MAX_NAMED:
            log.warning("%d origins were refused; further ones are not named.", MAX_NAMED)
