"""The message for each number: a trace, another route, or bytes that are not HTTP.

The same seed and number give the same bytes, so that a failure can be reproduced.
"""

import json
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from random import Random
from typing import Literal
from urllib.parse import quote

from fastapi import APIRouter
from fastapi.routing import APIRoute

import server.api.routes
from scripts._fuzz import bodies, mutations
from server.pages.assets.vendor import VENDOR

Category = Literal["trace", "mutated trace", "broken trace", "route", "garbage"]
CATEGORIES: Sequence[tuple[Category, int]] = (
    ("trace", 35),
    ("mutated trace", 25),
    ("broken trace", 12),
    ("route", 22),
    ("garbage", 6),
)
METHODS = (
    "GET",
    "HEAD",
    "OPTIONS",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "TRACE",
    "get",
    "BREW",
    "X" * 40,
)
ACCEPTS = (
    *("application/json", "application/safetensors", "text/event-stream", "*/*", "text/html", ""),
    *(
        "application/safetensors;q=0.1, application/json",
        "application/safetensors;q=x",
        "\xff",
        "," * 999,
    ),
)
PARAMETERS = (
    *("shipped", "scratch", "nobody", "attention", "teachers", "main.js", "main.css", "x" * 3_000),
    *(
        *VENDOR,
        "..",
        "../../etc/passwd",
        "%2e%2e%2fserver",
        "%00",
        "%ff",
        "a b",
        "🙂",
        "{name}",
        "<b>",
        "",
    ),
)
HEADERS: Sequence[tuple[str, Sequence[str]]] = (
    ("Accept-Encoding", ("gzip", "identity", "gzip;q=0", "*", "br;q=x", "deflate", "")),
    (
        "Range",
        (
            "bytes=0-9",
            "bytes=-5",
            "bytes=9-1",
            "bytes=99999999-",
            "bytes=0-1,3-4",
            "lines=1",
            "bytes=" + "0-1," * 500,
        ),
    ),
    ("If-None-Match", ('"x"', "*", "W/")),
    (
        "If-Modified-Since",
        ("Thu, 01 Jan 1970 00:00:00 GMT", "tomorrow", "Sun, 99 Xxx 99999 99:99:99 GMT"),
    ),
    (
        "Cookie",
        ("headlight_participant=", "a=b; ;;=", "headlight_participant=" + "z" * 3_000, "\xe9=\x7f"),
    ),
    ("X-Headlight-Participant", ("", "me", "p" * 3_000, "\xff\xfe", "a,b;c")),
    ("Host", ("localhost", "evil.example", "127.0.0.1:99999", "[::1]", "a b", "", "x" * 300)),
    ("Origin", ("http://evil.example", "null")),
    ("Expect", ("100-continue", "200-maybe")),
    ("X-Forwarded-For", ("1.2.3.4", "'")),
    ("Content-Encoding", ("gzip", "br")),
    ("Upgrade", ("websocket", "h2c")),
    ("Connection", ("close", "keep-alive", "Upgrade", "close, close")),
)
GARBAGE: Sequence[bytes] = (
    *(
        b"\r\n",
        b"\x00" * 100,
        b"GET\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02",
    ),
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nNo colon\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"b" * 700_000 + b"\r\n\r\n",
    b"GET /" + b"a" * 700_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n folded: yes\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nA\x00: b\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
)
_TRACE = b"POST /api/trace HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
GARBAGE_BODIES: Sequence[bytes] = (
    _TRACE + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}{}{}",
    _TRACE + b"Content-Length: -1\r\n\r\n{}",
    _TRACE + b"Content-Length: 1e9\r\n\r\n{}",
    _TRACE + b"Content-Length: 99999999999999999999999\r\n\r\n{}",
    _TRACE + b"Content-Length: 300000\r\n\r\n{}",
    _TRACE + b"Content-Length: 50\r\n\r\n{}",
    _TRACE + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    _TRACE + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}",
    _TRACE + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    _TRACE + b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    _TRACE + b"Transfer-Encoding: gzip\r\n\r\n{}",
    _TRACE + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n[\r\n" * 300_000 + b"0\r\n\r\n",
)


@dataclass(frozen=True)
class Message:
    """Bytes to send, and what we expect of the answer."""

    category: Category
    data: bytes
    path: str = ""
    head: bool = False  # the answer has no body
    ends: bool = False  # the connection is closed for writing afterwards
    is_http: bool = True  # an answer must come

    def analyses(self) -> list[str]:
        """What a well-formed trace request asks to be analysed."""
        if self.category != "trace":
            return []
        asked = json.loads(self.data.partition(b"\r\n\r\n")[2]).get("analyse") or {}
        return [name for name, value in asked.items() if value not in (False, None)]

    @property
    def first_line(self) -> str:
        return self.data.partition(b"\r\n")[0].decode("latin-1")[:100]


def message(seed: int, number: int) -> Message:
    rng = Random(f"{seed} {number}")
    names, shares = zip(*CATEGORIES, strict=True)
    category: Category = rng.choices(names, shares)[0]
    if category == "garbage":
        return _garbage(rng)
    if category == "route":
        return _route(rng)
    body = bodies.trace(rng)
    if category == "mutated trace":
        body = mutations.mutated(rng, body)
    content = mutations.as_json(rng, body)
    if category == "broken trace":
        content = mutations.broken(rng, content)
    headers = [("Content-Type", _content_type(rng)), ("Content-Length", str(len(content)))]
    accept = rng.choice(ACCEPTS) if rng.random() < 0.6 else "application/safetensors"
    return _request(rng, category, "POST", "/api/trace", [*headers, ("Accept", accept)], content)


def _content_type(rng: Random) -> str:
    if rng.random() < 0.97:
        return "application/json"
    return rng.choice(
        (
            "",
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "a/b+json",
            "\xff",
        )
    )


def _route(rng: Random) -> Message:
    path, methods = rng.choice(routes())
    for name in ("{name}", "{slug}", "{path}"):
        value = rng.choice(PARAMETERS)
        if name in path:
            path = path.replace(name, value if rng.random() < 0.5 else quote(value, safe=""))
    path = "".join(each if "!" <= each <= "~" else quote(each) for each in path)
    if rng.random() < 0.3:
        path += rng.choice(
            (
                "?",
                "?text=a&text=b",
                "?v=",
                "?%ff=%00",
                "?" + "a=1&" * 2_000,
                "/",
                "//",
                "/../",
                ";a",
            )
        )
    usual = rng.random() < 0.6
    method = rng.choice(sorted(methods)) if usual else rng.choice(METHODS)
    headers = [("Accept", rng.choice(ACCEPTS))]
    content = b""
    if method in ("POST", "PUT", "PATCH"):
        content = b"{}" if rng.random() < 0.7 else b"x" * rng.choice((0, 9, 300_000))
        headers += [("Content-Type", "application/json"), ("Content-Length", str(len(content)))]
    return _request(rng, "route", method, path, headers, content)


def _request(
    rng: Random,
    category: Category,
    method: str,
    path: str,
    headers: Sequence[tuple[str, str]],
    content: bytes,
) -> Message:
    named = {"Host": "localhost"} | dict(headers)
    plain = True
    while rng.random() < 0.25:
        name, values = rng.choice(HEADERS)
        named[name] = rng.choice(values)
        # the HTTP library handles these, not our code
        plain = plain and name not in ("Upgrade", "Expect", "Connection", "Host")
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    data = f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + content
    return Message(category, data, path, head=method == "HEAD", is_http=plain)


def _garbage(rng: Random) -> Message:
    if rng.random() < 0.4:
        return Message("garbage", rng.choice(GARBAGE_BODIES), ends=True, is_http=False)
    data = rng.choice(GARBAGE)
    if rng.random() < 0.3:
        data = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 2_000))) + b"\r\n\r\n"
    elif rng.random() < 0.3:
        at = rng.randrange(len(data))
        data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    return Message("garbage", data, ends=True, is_http=False)


@cache
def routes() -> tuple[tuple[str, frozenset[str]], ...]:
    """Every route of the server, and one that does not exist."""
    found = {("/nowhere/{path}", frozenset({"GET"})), ("/static/{path}", frozenset({"GET"}))}
    for module in pkgutil.iter_modules(server.api.routes.__path__, "server.api.routes."):
        router = getattr(import_module(module.name), "router", None)
        for route in router.routes if isinstance(router, APIRouter) else ():
            if isinstance(route, APIRoute):
                found.add((route.path, frozenset(route.methods or ())))
    return tuple(sorted(found, key=lambda each: each[0]))
