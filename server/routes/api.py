"""For programs: which models there are, what their heads do, and the trace of some texts."""

import asyncio
from typing import Annotated

import orjson
from fastapi import APIRouter, Header, Response

from model.predictions import MuteEffects
from model.sources.source import unedited
from model.trace import Trace
from server import wire
from server.errors import RETRY_AFTER_S
from server.probes import document
from server.routes.dependencies import ModelsDep, ProbesDep, SettingsDep, TracerDep
from server.schemas import (
    AnalyseMuteEffects,
    ErrorResponse,
    HeadsResponse,
    ModelsResponse,
    TraceRequest,
    TraceResponse,
)

SAFETENSORS = "application/safetensors"
GZIP_MAX_BYTES = (
    8 * 1024**2
)  # gzip makes half of it, at 30 MB a second: past this, sending is quicker
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
    responses={
        200: {
            "model": TraceResponse,
            "description": "JSON; or, by `Accept: application/safetensors`, one safetensors file: "
            "the JSON part is its metadata `trace`, and its tensors are named `layers.3.pattern`, "
            "or `rollout`.",
            "content": {SAFETENSORS: {"schema": {"type": "string", "format": "binary"}}},
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
def trace(
    request: TraceRequest,
    settings: SettingsDep,
    models: ModelsDep,
    tracer: TracerDep,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> Response:
    """Run a model once and look: every number between the token and the prediction.

    The second look at the same texts under the same masks is free: ask for what you need now, and
    again for more.
    """
    inputs = request.to_inputs(settings)
    safetensors = _wants_safetensors(accept)
    with models.use(request.model, waiting=tracer.queue.place) as source:
        # left out, predictions come if the model can; asked for, a model that cannot says so
        asked = "predict" in request.model_fields_set or source.info.predicts is not None
        predict = request.predict if asked else None

        def encode(trace: Trace, plain: Trace | None = None) -> bytes:
            def run_mutes(asked: AnalyseMuteEffects) -> list[MuteEffects]:
                return tracer.mute_effects(source, inputs, trace, asked.position, asked.token)

            return wire.encode(
                trace,
                request.select,
                predict,
                request.analyse,
                run_mutes,
                plain,
                safetensors=safetensors,
                max_bytes=settings.max_answer_bytes,
            )

        if predict is not None and predict.unedited:
            # one after the other: whoever holds a slot never waits for a second one
            edited = tracer.look(source, inputs, lambda trace: trace)
            plain = unedited(inputs, edited)
            answer = tracer.look(source, plain, lambda trace: encode(edited, trace))
        else:
            answer = tracer.look(source, inputs, encode)
    headers = {"Vary": "Accept", "Cache-Control": "no-store"}
    if len(answer) > GZIP_MAX_BYTES:
        headers["Content-Encoding"] = "identity"  # the compressing middleware leaves it alone
    media_type = SAFETENSORS if safetensors else "application/json"
    return Response(answer, media_type=media_type, headers=headers)


def _wants_safetensors(accept: str) -> bool:
    """Whether the Accept header names safetensors, and does not like JSON better."""
    quality = {}
    for part in accept.lower().split(","):
        kind, *parameters = (piece.strip() for piece in part.split(";"))
        quality[kind] = next((_number(p[2:]) for p in parameters if p.startswith("q=")), 1.0)
    wanted = quality.get(SAFETENSORS, 0.0)
    return wanted > 0 and wanted >= quality.get("application/json", 0.0)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
