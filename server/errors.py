"""All errors have one JSON shape: `{"error": {"code", "message", "field", "limit"}}`.

    HeadlightError (model/errors.py)
    ├── BusyError         too many requests, or a model is still loading: 503 with Retry-After
    ├── OutOfTime         a computation took longer than this server allows: 503
    └── Refusal           a class, or training by hand, refuses a request with a status of its own
    HTTPException (Starlette)
    └── BodyTooLarge      413, raised while a body is read

Errors echo nothing from a request except the names of its fields.
"""

import logging
import random
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from model.errors import CheckpointError, HeadlightError, InputError, NumericsError
from model.message import Message
from model.sources.answering.answer import KINDS as ANSWER_KINDS
from server.languages.catalogue import catalogue
from server.languages.choice import accepted
from server.languages.table import ENGLISH, Language
from server.refusal import Refusal

log = logging.getLogger("headlight")

CLIENT_GONE = 499  # nginx's status for metrics: the client left before the response
STOPPING = Message("The server is stopping. Try again in a moment.")
RETRY_AFTER_S = 1  # minimum; a trace takes milliseconds

# pydantic's error types that get a code of their own, because programs may want to handle them
_CODES = {
    "missing": "missing_field",
    "extra_forbidden": "unknown_field",
    "lone_surrogate": "lone_surrogate",
    "string_unicode": "lone_surrogate",  # in a field name
}
_LIMITS = ("max_length", "le", "lt", "min_length", "ge", "gt")
_HTTP = {
    400: ("invalid_json", "Expected a JSON object as the body; this is not valid JSON."),
    404: ("not_found", "There is nothing at this address. /docs lists all addresses."),
    405: (
        "method_not_allowed",
        "This address does not accept this method. The Allow header lists those that it accepts.",
    ),
}


class BusyError(HeadlightError):
    """The server is overloaded; there should be room again in about `wait_s`."""

    code = "busy"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        field: str | None = None,
        limit: int | None = None,
        wait_s: float = 0.0,
    ) -> None:
        super().__init__(message, code=code, field=field, limit=limit)
        self.wait_s = wait_s


class OutOfTime(HeadlightError):
    """A computation took longer than this server allows."""

    code = "out_of_time"


class BodyTooLarge(HTTPException):
    """The request's body exceeds the limit."""

    def __init__(self, limit: int) -> None:
        super().__init__(413)
        self.limit = limit

    def response(self, language: Language = ENGLISH) -> Response:
        return error_response(
            413,
            "body_too_large",
            Message(
                "Expected a body of at most {most} bytes; this one is larger. Send fewer or "
                "shorter texts, or fewer painted cells.",
                most=self.limit,
            ),
            limit=self.limit,
            language=language,
        )


def error_response(
    status: int,
    code: str,
    message: str,
    *,
    field: str | None = None,
    limit: float | None = None,
    headers: Mapping[str, str] | None = None,
    language: Language = ENGLISH,
) -> Response:
    """A response in the common shape of errors.

    `message` is in English for programs; for a reader of another language there is `localized`.
    """
    error = {"code": code, "message": message, "field": field, "limit": limit}
    if language != ENGLISH and isinstance(message, Message):
        error["localized"] = catalogue(language).text(message)
    return Response(orjson.dumps({"error": error}), status, headers, "application/json")


def range_error(status: int, content_range: str | None) -> Response:
    """The error for a Range header that is malformed (400) or outside the file (416)."""
    if status != 416 or content_range is None:
        return error_response(
            400,
            "invalid_range",
            "Expected a header such as Range: bytes=0-99; this one is malformed. Leave it out to "
            "get the whole file.",
        )
    size = int(content_range.rpartition("/")[2])
    return error_response(
        416,
        "range_not_satisfiable",
        f"Expected a range within the {size:,} bytes of this file.",
        limit=size,
        headers={"Content-Range": content_range},
    )


def install(app: FastAPI) -> None:
    """Install the exception handlers that give all of the app's errors the common shape."""
    app.add_exception_handler(HeadlightError, _headlight_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)


def without_folders(message: str) -> str:
    """Reduce paths to file names: clients should not see where the server keeps its files."""
    return re.sub(r"(?<![\w.~])~?/(?:[^\s/:,]+/)+", "", message)


def unexpected_error(error: Exception, language: Language = ENGLISH) -> Response:
    """The response to an unexpected exception. The details go to the log only."""
    log.error("An unexpected error", exc_info=error)
    return error_response(
        500,
        "internal",
        Message(
            "Something went wrong in the server; see its log. The same request will fail again."
        ),
        language=language,
    )


def retry_after(
    wait_s: float = 0.0, uniform: Callable[[float, float], float] = random.uniform
) -> str:
    """The Retry-After header in whole seconds, with jitter to spread out the retries."""
    return str(RETRY_AFTER_S + round(uniform(wait_s, 1.5 * wait_s + 1)))


def problem_response(error: HeadlightError, language: Language = ENGLISH) -> Response:
    """The response to a HeadlightError."""
    status = _status(error)
    if status >= 500 and not isinstance(error, BusyError | Refusal):  # a class logs its own
        log.error("%s: %s", error.code, error.message)
    names_files = isinstance(error, CheckpointError)
    wait_s = error.wait_s if isinstance(error, BusyError | Refusal) else 0.0
    temporary = isinstance(error, BusyError) or error.code == "no_room" or wait_s > 0
    return error_response(
        status,
        error.code,
        without_folders(error.message) if names_files else error.message,
        field=error.field,
        limit=error.limit,
        # not for a broken checkpoint: waiting will not repair it
        headers={"Retry-After": retry_after(wait_s)} if temporary else None,
        language=language,
    )


async def _headlight_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HeadlightError)
    return problem_response(error, accepted(request.scope))


def _status(error: HeadlightError) -> int:
    match error:
        case Refusal(status=status):
            return status
        case BusyError() | CheckpointError() | OutOfTime():
            return 503
        case NumericsError():
            return 500
        case InputError(code="unknown_model" | "no_dossier" | "no_film"):
            return 404
        case InputError():
            return 422
        case _:
            return 500


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if isinstance(error, BodyTooLarge):
        return error.response(accepted(request.scope))
    code, message = _HTTP.get(error.status_code, ("http_error", error.detail))
    return error_response(error.status_code, code, message, headers=error.headers)


async def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    problems: Sequence[Any] = error.errors()
    return invalid(problems, request.headers.get("content-type", ""))


def invalid(problems: Sequence[Any], content_type: str = "application/json") -> Response:
    """The response to what pydantic found wrong with a request, by its errors."""
    first = problems[0]
    if first["type"] == "json_invalid":
        code, message = _HTTP[400]
        at = first["loc"][-1]
        return error_response(400, code, f"{message} The error is at character {at}.")
    in_body = first["loc"][0] == "body"
    if in_body and not is_json(content_type):
        return error_response(
            415,
            "unsupported_media_type",
            "Expected a JSON body; send it with the header Content-Type: application/json.",
        )
    field = _field(first["loc"])
    message = f"{field or 'The body'}: {_lower_first(first['msg'])}."
    if len(problems) > 1:
        message += f" There are {len(problems) - 1} more problems."
    context = first.get("ctx", {})
    return error_response(
        422,
        _CODES.get(first["type"], "invalid_value"),
        message,
        field=field,
        limit=next((context[name] for name in _LIMITS if name in context), None),
    )


def is_json(content_type: str) -> bool:
    """Whether a Content-Type says that the body is JSON."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind == "application/json" or (
        kind.startswith("application/") and kind.endswith("+json")
    )


def _field(location: Sequence[str | int]) -> str | None:
    """`texts.0` for ("body", "texts", 0). An unknown name is shown only if it is a plain word.

    Pydantic also names the kind of an answer, which is no field: ("body", "answer", "probe", …).
    """
    parts = [
        str(part)
        for before, part in pairwise(location)
        if not (before == "answer" and part in ANSWER_KINDS)
    ]
    if parts and not re.fullmatch(r"\w{1,64}", parts[-1], re.ASCII):
        parts[-1] = "?"
    return ".".join(parts) or None


def _lower_first(message: str) -> str:
    message = message.removeprefix("Value error, ").rstrip(".")
    return message[:1].lower() + message[1:]
