"""Error responses for requests that never reach the app, in the common JSON shape."""

from fastapi import Response
from starlette.types import Receive, Scope, Send

from server.errors import RETRY_AFTER_S, error_response
from server.http.middleware import SECURITY_HEADERS

MAX_HEAD_BYTES = 524_288  # request line and headers: a link holds up to eight whole texts
MAX_FIELDS = 100  # headers in a request; browsers send about 20


async def busy(scope: Scope, receive: Receive, send: Send) -> None:
    headers = {**SECURITY_HEADERS, "Retry-After": str(RETRY_AFTER_S), "Connection": "close"}
    answer = error_response(
        503,
        "busy",
        "The server is busy: it has as many open requests or unread responses as it can hold. "
        "Try again in a moment.",
        headers=headers,
    )
    await answer(scope, receive, send)


def not_http() -> Response:
    return error_response(
        400,
        "invalid_http",
        "Expected an HTTP/1.1 request; the data received is not a valid one.",
    )


def head_too_large() -> Response:
    return error_response(
        431,
        "head_too_large",
        f"Expected a URL and headers of at most {MAX_HEAD_BYTES:,} bytes in total, and at most "
        f"{MAX_FIELDS} headers; got more. Send texts in the body of POST /api/trace.",
        limit=MAX_HEAD_BYTES,
    )


def too_slow(part: str, limit: float) -> Response:
    what = {"head": "URL and headers", "body": "body"}[part]
    return error_response(
        408,
        "too_slow",
        f"Expected the {what} of a request within {limit:g} s; only a part arrived. Send it again.",
        limit=limit,
    )


def stopping() -> Response:
    return error_response(
        503,
        "stopping",
        "The server is stopping and could not finish this request in time. Send it again.",
        headers={"Retry-After": str(RETRY_AFTER_S)},
    )
