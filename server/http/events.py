"""Server-sent events (WHATWG HTML, "Server-sent events")."""

import re
from collections.abc import AsyncIterator
from typing import Any

import orjson
from fastapi import Response
from fastapi.responses import StreamingResponse

EVENTS = "text/event-stream"
STREAM = re.compile(r"/api/((classes|training)/[^/]+/events|study)")  # they end with the server
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # for nginx, which else holds the stream back
}


def event(name: str, data: Any) -> bytes:
    """An event; data are sent as JSON, bytes as they are."""
    content = data if isinstance(data, bytes) else orjson.dumps(data)
    return b"event: %b\ndata: %b\n\n" % (name.encode(), content)


def problem_event(response: Response) -> bytes:
    """What would have been an answer of its own, had the events not begun."""
    after = response.headers.get("Retry-After")  # seconds; an event has no headers
    problem = orjson.loads(response.body) | {
        "status": response.status_code,
        "retry_after": None if after is None else int(after),
    }
    return event("error", problem)


def streamed(events: AsyncIterator[bytes]) -> StreamingResponse:
    """The response that sends them as they come."""
    return StreamingResponse(events, media_type=EVENTS, headers=_HEADERS)
