"""From a call to its answer: waits while the server is busy, and turns refusals into exceptions."""

import json
import time
from typing import Any

from headlight.errors import (
    BusyError,
    HeadlightError,
    RequestError,
    ServerError,
    UnreachableError,
)
from headlight.http.steps import Call, Pause, Reply, Steps

PAUSE_S = 1.0  # before asking again, where the server does not say


def replied(call: Call, patience_s: float) -> Steps[Reply]:
    """The reply to a call.

    While the server is busy it is asked again, each time after the seconds of its Retry-After. A
    connection that is lost is opened once more, as the server closes those that were idle for long.

    Raises:
        RequestError: the server refuses the request.
        BusyError: it stayed busy for `patience_s`.
        ServerError: it made a mistake.
        UnreachableError: nothing answers.
    """
    end = time.monotonic() + patience_s
    lost = False
    while True:
        try:
            reply = yield call
        except UnreachableError as error:
            if lost or error.code != "connection_lost":
                raise
            lost = True
            continue
        if reply.status < 400:
            return reply
        wait_s = wait_of(reply)
        if reply.status != 503 or wait_s is None:
            raise problem(reply)
        if time.monotonic() + wait_s > end:
            raise problem(reply, BusyError)
        yield Pause(wait_s)


def json_replied(call: Call, patience_s: float) -> Steps[Any]:
    """The JSON that a call is answered with. Raises as `replied` does."""
    reply = yield from replied(call, patience_s)
    return parsed(reply)


def parsed(reply: Reply) -> Any:
    try:
        return json.loads(reply.content)
    except ValueError:
        raise _not_headlight(reply) from None


def wait_of(reply: Reply) -> float | None:
    """The seconds after which to ask again; None if asking again is no use."""
    given = reply.headers.get("retry-after")
    if given is None:
        return None
    return float(given) if given.isdigit() else PAUSE_S


def problem(reply: Reply, kind: type[HeadlightError] | None = None) -> HeadlightError:
    """The exception for an answer that is an error, with the server's own words."""
    try:
        found = json.loads(reply.content)["error"]
        details = {name: found[name] for name in ("code", "field", "limit")}
        message = found["message"]
    except (ValueError, KeyError, TypeError):
        return _not_headlight(reply)
    if kind is None:
        kind = RequestError if reply.status < 500 else ServerError
    return kind(message, **details)


def _not_headlight(reply: Reply) -> ServerError:
    return ServerError(
        "Expected an answer of a Headlight server; got something else, with status "
        f"{reply.status}. Check the address.",
        code="not_headlight",
    )
