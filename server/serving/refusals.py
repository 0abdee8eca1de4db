"""What is said to requests that never reach the app, in the one shape of errors."""

from fastapi import Response
from starlette.types import Receive, Scope, Send

from server.errors import RETRY_AFTER_S, error_response
from server.middleware import SECURITY_HEADERS

MAX_HEAD_BYTES = 524_288  # of a request line and headers: a link holds up to eight whole texts
MAX_FIELDS = 100  # headers of a request; browsers send about 20


async def busy(scope: Scope, receive: Receive, send: Send) -> None:
    headers = {**SECURITY_HEADERS, "Retry-After": str(RETRY_AFTER_S), "Connection": "close"}
    answer = error_response(
        503,
        "busy",
        "The server is busy: it has as many open requests or unread answers as it can hold. "
        "Try again in a moment.",
        headers=headers,
    )
    await answer(scope, receive, send)


def not_http() -> Response:
    return error_response(
        400,
        "invalid_http",
        "Expected an HTTP/1.1 request; what was sent does not follow its rules.",
    )


def head_too_large() -> Response:
    return error_response(
        431,
        "head_too_large",
        f"Expected an address and headers of at most {MAX_HEAD_BYTES:,} bytes together, and at "
        f"most {MAX_FIELDS} headers; these are more. Send texts in the body of POST /api/trace.",
        limit=MAX_HEAD_BYTES,
    )


def too_slow(part: str, limit: float) -> Response:
    what = {"head": "address and headers", "body": "body"}[part]
    return error_response(
        408,
        "too_slow",
        f"Expected the {what} of a request within {limit:g} s; only a part came. Send it again.",
        limit=limit,
    )


def stopping() -> Response:
    return error_response(
        503,
        "stopping",
        "The server is stopping, and this request would have taken longer. Send it again.",
        headers={"Retry-After": str(RETRY_AFTER_S)},
    )
