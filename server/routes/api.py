"""For programs: which models there are, what their heads do, and the trace of some texts."""

import asyncio
import json
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import StreamingResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from server.answers import EVENTS, JSON, SAFETENSORS, Answers, Encoding
from server.errors import CLIENT_GONE, RETRY_AFTER_S, is_json
from server.openapi import body_of
from server.participants import participant_of
from server.probes import document
from server.routes.dependencies import ModelsDep, ProbesDep
from server.schemas import (
    ErrorResponse,
    HeadsResponse,
    ModelsResponse,
    TraceRequest,
    TraceResponse,
)
from server.tracing import Cancelled

SMALL_BYTES = 128 * 1024  # of tensors that are sent as they are
GZIP_MAX_BYTES = 8 * 1024**2
LONG_POLL_S = 1.0  # that an answer waits for a probe to end

router = APIRouter(prefix="/api", tags=["api"])


@router.get("/models")
async def models(models: ModelsDep) -> ModelsResponse:
    """Every model of this server, the default first."""
    return ModelsResponse(models=models.describe())


@router.get(
    "/models/{name}/heads",
    response_model=None,
    responses={
        200: {"model": HeadsResponse, "description": "It is ready, or failed for good."},
        202: {
            "model": HeadsResponse,
            "description": "It is being computed: ask again after Retry-After seconds.",
        },
        404: {"model": ErrorResponse, "description": "There is no such model."},
        422: {"model": ErrorResponse, "description": "The request cannot be done as it is."},
        503: {"model": ErrorResponse, "description": "The model could not be loaded, or not yet."},
    },
)
async def heads(name: str, probes: ProbesDep) -> Response:
    """What each head of a model does by habit: its scores on random tokens, twice in a row.

    Computed once, in the background, when first asked for; an answer waits up to a second for it.
    """
    run = probes.start(name)
    await asyncio.wait([asyncio.wrap_future(run.ended)], timeout=LONG_POLL_S)
    if run.refusal is not None:
        raise run.refusal
    computing = run.state == "computing"
    headers = {"Cache-Control": "no-store"}
    if computing:
        headers["Retry-After"] = str(RETRY_AFTER_S)
    answer = orjson.dumps(document(name, run))
    return Response(answer, 202 if computing else 200, headers, "application/json")


@router.post(
    "/trace",
    response_model=None,
    openapi_extra=body_of(TraceRequest),
    responses={
        200: {
            "model": TraceResponse,
            "description": "JSON; or, by `Accept: application/safetensors`, one safetensors file: "
            "the JSON part is its metadata `trace`, and its tensors are named `layers.3.pattern`, "
            "or `rollout`; or, by `Accept: text/event-stream`, events: `progress` as it goes on, "
            "then `answer` with the JSON, or `error`.",
            "content": {
                SAFETENSORS: {"schema": {"type": "string", "format": "binary"}},
                EVENTS: {"schema": {"type": "string"}},
            },
        },
        400: {"model": ErrorResponse, "description": "The body is not JSON."},
        404: {"model": ErrorResponse, "description": "There is no such model."},
        413: {"model": ErrorResponse, "description": "The body is too large."},
        415: {"model": ErrorResponse, "description": "The body is not declared as JSON."},
        422: {"model": ErrorResponse, "description": "The request cannot be done as it is."},
        500: {"model": ErrorResponse, "description": "A mistake of the server."},
        503: {"model": ErrorResponse, "description": "Busy: try again after Retry-After seconds."},
    },
)
async def trace(http: Request) -> Response:
    """Run a model once and look: every number between the token and the prediction.

    The second look at the same texts under the same masks is free: ask for what you need now, and
    again for more.
    """
    answers: Answers = http.app.state.answers
    request = _read(await http.body(), http.headers.get("content-type", ""))
    wanted = _wanted(http.headers.get("accept", ""))
    asked = await answers.prepare(request, participant_of(http.scope), wanted)
    if asked.encoding == EVENTS:
        events = answers.events(asked)
        return StreamingResponse(events, media_type=EVENTS, headers={"Cache-Control": "no-store"})
    try:
        content = await answers.answer(asked, gone=_gone(http))
    except Cancelled:
        return Response(status_code=CLIENT_GONE)
    headers = {"Vary": "Accept", "Cache-Control": "no-store"}
    if not pays_to_compress(asked.encoding, len(content)):
        headers["Content-Encoding"] = "identity"  # the compressing middleware leaves it alone
    return Response(content, media_type=asked.encoding, headers=headers)


def _read(body: bytes, content_type: str) -> TraceRequest:
    """What FastAPI would make of a body, in a third of its time; with the same errors.

    Raises:
        RequestValidationError: it is not the JSON of a request.
        HTTPException: it is no JSON at all.
    """
    if not body or not is_json(content_type):
        problem: dict[str, Any] = {"type": "missing", "loc": ("body",), "msg": "Field required"}
        raise RequestValidationError([problem])
    try:
        return TraceRequest.model_validate(json.loads(body))
    except json.JSONDecodeError as error:
        problem = {"type": "json_invalid", "loc": ("body", error.pos), "msg": error.msg}
        raise RequestValidationError([problem]) from error
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        raise RequestValidationError(
            [{**each, "loc": ("body", *each["loc"])} for each in problems]
        ) from error
    except (RecursionError, ValueError) as error:  # nested too deeply, a number too long, no UTF-8
        raise HTTPException(400) from error


async def _gone(http: Request) -> None:
    """Returns when whoever asked has closed the connection."""
    while (await http.receive())["type"] != "http.disconnect":
        pass


def pays_to_compress(encoding: Encoding, n_bytes: int) -> bool:
    """Whether compressing an answer takes less time than sending the bytes that it saves.

    Random-looking float32 shrinks little, and a keystroke's few kilobytes are sent in no time;
    gzip makes 30 MB a second, so that past a few megabytes sending is quicker again.
    """
    least = SMALL_BYTES if encoding == SAFETENSORS else 0
    return least <= n_bytes <= GZIP_MAX_BYTES


def _wanted(accept: str) -> Encoding:
    """What the Accept header names, where it does not like JSON better."""
    quality = {}
    for part in accept.lower().split(","):
        kind, *parameters = (piece.strip() for piece in part.split(";"))
        quality[kind] = next((_number(p[2:]) for p in parameters if p.startswith("q=")), 1.0)
    best: Encoding = JSON
    for encoding in (EVENTS, SAFETENSORS):
        wanted = quality.get(encoding, 0.0)
        if wanted > 0 and wanted >= quality.get(best, 0.0):
            best = encoding
    return best


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
