"""For programs: the models, what their heads do, and traces of texts."""

import asyncio
import json
from dataclasses import asdict
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import StreamingResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from server.api.answers import EVENTS, JSON, SAFETENSORS, Answers, Encoding
from server.api.openapi import body_of
from server.api.routes.dependencies import DossiersDep, ModelsDep, ProbesDep
from server.api.schemas import (
    Dossier,
    ErrorResponse,
    FilmResponse,
    HeadsResponse,
    ModelsResponse,
    TraceRequest,
    TraceResponse,
)
from server.errors import CLIENT_GONE, RETRY_AFTER_S, is_json
from server.languages.choice import accepted
from server.run.participants import participant_of
from server.run.probes import document
from server.run.tracing import Cancelled

SMALL_BYTES = 128 * 1024  # smaller safetensors files are not compressed
GZIP_MAX_BYTES = 8 * 1024**2
LONG_POLL_S = 1.0  # how long a response waits for a probe to end

router = APIRouter(prefix="/api", tags=["api"])


@router.get(
    "/models",
    summary="List models",
    responses={422: {"model": ErrorResponse, "description": "The request is invalid."}},
)
async def models(models: ModelsDep, model: str | None = None) -> ModelsResponse:
    """Every model of this server, starting with the default.

    With `model`, the name of one that was trained by hand, also that.
    """
    return ModelsResponse(models=models.describe(*filter(None, (model,))))


@router.get(
    "/models/{name}/heads",
    summary="Score the heads of a model",
    response_model=None,
    responses={
        200: {"model": HeadsResponse, "description": "The scores, or a permanent failure."},
        202: {
            "model": HeadsResponse,
            "description": "Still computing: ask again after Retry-After seconds.",
        },
        404: {"model": ErrorResponse, "description": "There is no such model."},
        422: {"model": ErrorResponse, "description": "The request is invalid."},
        503: {"model": ErrorResponse, "description": "The model is loading or failed to load."},
    },
)
async def heads(name: str, probes: ProbesDep) -> Response:
    """What each head of a model does by habit: its scores on rows of random tokens, repeated once.

    They are computed in the background on the first request; a response waits up to a second.
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


@router.get(
    "/models/{name}/dossier",
    summary="Read the dossier of a model",
    response_model=None,
    responses={
        200: {"model": Dossier, "description": "What every head does over many texts."},
        404: {
            "model": ErrorResponse,
            "description": "There is no such model, or no dossier of it: the message says how to "
            "make one.",
        },
        422: {"model": ErrorResponse, "description": "The request is invalid."},
        503: {"model": ErrorResponse, "description": "Its file is broken."},
    },
)
def dossier(name: str, models: ModelsDep, dossiers: DossiersDep) -> Response:
    """What every head of a model does over many texts, as `headlight dossier` measured it.

    It is read from the file `dossier.json` beside the model's weights, and nothing is computed.
    """
    content = dossiers.read(name, models.weights(name))
    return Response(content, 200, {"Cache-Control": "no-store"}, "application/json")


@router.get(
    "/models/{name}/film",
    summary="Read the film of a model",
    responses={
        404: {"model": ErrorResponse, "description": "There is no such model, or it has no film."},
        422: {"model": ErrorResponse, "description": "The request is invalid."},
    },
)
def film(name: str, models: ModelsDep) -> FilmResponse:
    """What was measured of a model at each kept step of its training; nothing is computed.

    What it was at a step is the model NAME@STEP.
    """
    return FilmResponse(**asdict(models.film(name)))


@router.post(
    "/trace",
    summary="Trace texts",
    response_model=None,
    openapi_extra=body_of(TraceRequest),
    responses={
        200: {
            "model": TraceResponse,
            "description": "JSON by default. With `Accept: application/safetensors`, one "
            "safetensors file: its metadata `trace` is the JSON part, and its tensors have names "
            "such as `layers.3.pattern` or `rollout`. With `Accept: text/event-stream`, events: "
            "`progress` several times, then `answer` with the JSON, or `error`.",
            "content": {
                SAFETENSORS: {"schema": {"type": "string", "format": "binary"}},
                EVENTS: {"schema": {"type": "string"}},
            },
        },
        400: {"model": ErrorResponse, "description": "The body is not JSON."},
        404: {"model": ErrorResponse, "description": "There is no such model."},
        413: {"model": ErrorResponse, "description": "The body is too large."},
        415: {"model": ErrorResponse, "description": "The body is not declared as JSON."},
        422: {"model": ErrorResponse, "description": "The request is invalid."},
        500: {"model": ErrorResponse, "description": "The server made a mistake."},
        503: {"model": ErrorResponse, "description": "Busy: try again after Retry-After seconds."},
    },
)
async def trace(http: Request) -> Response:
    """Run a model once, and get any number between the tokens and the prediction.

    Traces are cached, so a second request for the same texts and masks is cheap: ask for what you
    need now, and for more later.
    """
    answers: Answers = http.app.state.answers
    request = _read(await http.body(), http.headers.get("content-type", ""))
    encoding = _accepted(http.headers.get("accept", ""))
    prepared = await answers.prepare(request, participant_of(http.scope), encoding)
    if encoding == EVENTS:
        events = answers.events(prepared, accepted(http.scope))
        return StreamingResponse(events, media_type=EVENTS, headers={"Cache-Control": "no-store"})
    try:
        content = await answers.answer(prepared, gone=gone(http))
    except Cancelled:
        return Response(status_code=CLIENT_GONE)
    headers = {"Vary": "Accept", "Cache-Control": "no-store"}
    if not pays_to_compress(encoding, len(content)):
        headers["Content-Encoding"] = "identity"  # so that the middleware does not compress it
    return Response(content, media_type=encoding, headers=headers)


def _read(body: bytes, content_type: str) -> TraceRequest:
    """Parse a body as FastAPI would, with the same errors, but in a third of the time.

    Raises:
        RequestValidationError: the body is not valid JSON, or not a valid request.
        HTTPException: the body cannot be parsed at all.
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
    except (RecursionError, ValueError) as error:  # too deep, a number too long, not UTF-8
        raise HTTPException(400) from error


async def gone(http: Request) -> None:
    """Return when the client has closed the connection."""
    while (await http.receive())["type"] != "http.disconnect":
        pass


def pays_to_compress(encoding: Encoding, n_bytes: int) -> bool:
    """Whether compressing a response takes less time than sending the bytes that it saves.

    float32 numbers look random and shrink little, and the few kilobytes after a keystroke are sent
    in no time. gzip handles 30 MB per second, so above a few megabytes sending is quicker again.
    """
    minimum = SMALL_BYTES if encoding == SAFETENSORS else 0
    return minimum <= n_bytes <= GZIP_MAX_BYTES


def _accepted(accept: str) -> Encoding:
    """The encoding that the Accept header prefers; JSON unless it names another."""
    quality = {}
    for part in accept.lower().split(","):
        kind, *parameters = (piece.strip() for piece in part.split(";"))
        quality[kind] = next((_number(p[2:]) for p in parameters if p.startswith("q=")), 1.0)
    best: Encoding = JSON
    for encoding in (EVENTS, SAFETENSORS):
        q = quality.get(encoding, 0.0)
        if q > 0 and q >= quality.get(best, 0.0):
            best = encoding
    return best


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
