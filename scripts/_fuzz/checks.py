"""The checks on every response."""

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load

from scripts._fuzz.exchange import Answer
from scripts._fuzz.messages import Message
from server.api.analyses import ANALYSES, ANSWERS
from server.api.answers import EVENTS, SAFETENSORS
from server.api.schemas import (
    Dossier,
    ErrorResponse,
    HeadsResponse,
    HealthResponse,
    ModelsResponse,
    TraceResponse,
)
from server.api.schemas.select import SHARES
from server.http.middleware import SECURITY_HEADERS

ANALYSED = {name for one in ANALYSES for name in one.request}
ALLOWED = {503}  # server errors that are expected: busy, or not loaded
BODYLESS = {204, 304}


def problems(message: Message, answer: Answer) -> Iterator[str]:
    """Describe the problems with a response."""
    if answer.outcome != "answered":
        # a server may close a connection that does not speak HTTP, but it must not keep it waiting
        if message.is_http or answer.outcome == "timed out":
            yield answer.outcome
        return
    if answer.status >= 500 and answer.status not in ALLOWED:
        yield f"status {answer.status}"
    missing = [name for name in SECURITY_HEADERS if name.lower() not in answer.headers]
    if missing:
        yield f"status {answer.status} without {', '.join(missing)}"
    if message.head or answer.status in BODYLESS:
        return
    try:
        content = answer.content()
    except (OSError, EOFError) as error:
        yield f"cannot decode the body: {error}"
        return
    if content is None:
        return
    if 300 <= answer.status < 400:
        yield from _of_redirect(answer)
    elif not 200 <= answer.status < 300:
        yield from _of_error(message, answer, content)
    elif answer.kind == "application/json":
        yield from _of_json(message, content)
    elif answer.kind == SAFETENSORS:
        yield from _of_tensors(content)
    elif answer.kind == EVENTS:
        yield from _of_events(content)


def _of_redirect(answer: Answer) -> Iterator[str]:
    """A redirect stays on this server."""
    location = answer.headers.get("location", "")
    if not location.startswith("/") or location.startswith(("//", "/\\")):
        yield f"status {answer.status} leads to {location!r}"


def _of_error(message: Message, answer: Answer, content: bytes) -> Iterator[str]:
    is_page = answer.kind == "text/html" and message.path.startswith("/learn/")
    if is_page and answer.status == 404:
        return
    if answer.kind != "application/json":
        yield f"status {answer.status} as {answer.kind or 'no type'}, not in the error format"
        return
    try:
        document = _strict(content)
    except ValueError as error:
        yield f"status {answer.status}: {error}"
        return
    yield from _like(ErrorResponse, document, f"status {answer.status}")
    if answer.status == 503 and document.get("error", {}).get("code") == "busy":
        wait = answer.headers.get("retry-after", "")
        if not (wait.isdecimal() and int(wait) >= 1):
            yield f"busy with Retry-After {wait!r}"


def _of_json(message: Message, content: bytes) -> Iterator[str]:
    try:
        document = _strict(content)
    except ValueError as error:
        yield f"JSON: {error}"
        return
    shape = _shape_of(message.path.partition("?")[0])
    if shape is not None:
        yield from _like(shape, document, "JSON")


def _shape_of(path: str) -> type[BaseModel] | None:
    match path.strip("/").split("/"):
        case ["api", "trace"]:
            return TraceResponse
        case ["api", "models"]:
            return ModelsResponse
        case ["api", "models", *_, "heads"]:
            return HeadsResponse
        case ["api", "models", *_, "dossier"]:
            return Dossier
        case ["healthz"] | ["readyz"]:
            return HealthResponse
        case _:
            return None


def _of_tensors(content: bytes) -> Iterator[str]:
    try:
        length = int.from_bytes(content[:8], "little")
        document = _strict(json.loads(content[8 : 8 + length])["__metadata__"]["trace"].encode())
        tensors = load(content)
    except (SafetensorError, ValueError, KeyError) as error:
        yield f"safetensors: {error!r}"
        return
    yield from _like(TraceResponse, document, "safetensors")
    sites = {site["name"] for site in document["sites"]}
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            yield f"{name} is not finite"
        is_share = name.rpartition(".")[2] in SHARES
        if is_share and tensor.dtype.kind == "f" and tensor.size:
            if tensor.min() < 0 or tensor.max() > 1.001:
                yield f"{name} is not between 0 and 1"
        known = name.rpartition("/")[2]
        of_an_analysis = name.partition("/")[0] in ANALYSED  # which may be of layers not selected
        if not of_an_analysis and known not in ANSWERS and known.rpartition(".")[0] not in sites:
            yield f"{name} belongs to no site"


def _of_events(content: bytes) -> Iterator[str]:
    """Any number of progress events, then exactly one final event."""
    names = []
    for event in content.decode().strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line)
        name, data = lines.get("event", ""), lines.get("data", "null")
        names.append(name)
        try:
            document = _strict(data.encode())
        except ValueError as error:
            yield f"event {name!r}: {error}"
            continue
        if name == "answer":
            yield from _like(TraceResponse, document, "event answer")
        elif name == "error":
            if document.get("status", 500) >= 500 and document["status"] not in ALLOWED:
                yield f"event error with status {document.get('status')}"
            yield from _like(ErrorResponse, {"error": document.get("error")}, "event error")
    if names[-1] not in ("answer", "error") or set(names[:-1]) - {"progress"}:
        yield f"events {names[:3]} … {names[-1:]}"


def _strict(content: bytes) -> Any:
    """Parse strict JSON, without NaN, Infinity or numbers that overflow."""

    def finite(number: str) -> float:
        if not math.isfinite(float(number)):
            raise ValueError(f"contains {number}")
        return float(number)

    return json.loads(content, parse_constant=finite, parse_float=finite)


def _like(shape: type[BaseModel], document: Any, what: str) -> Iterator[str]:
    try:
        shape.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        yield f"{what} does not match {shape.__name__}: {first['loc']} {first['msg']}"
