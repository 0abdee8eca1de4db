"""For programs: the circuits of a head over the vocabulary."""

from fastapi import APIRouter, Request, Response

from model.kinds import SiteKind as Kind
from server.api.circuits import Asked, HeadCircuits
from server.api.fields import Index
from server.api.routes.api import gone
from server.api.schemas import ErrorResponse
from server.api.schemas.circuits import CircuitsResponse
from server.errors import CLIENT_GONE
from server.run.participants import participant_of
from server.run.tracing import Cancelled

router = APIRouter(prefix="/api", tags=["api"])


@router.get(
    "/models/{name}/circuits",
    summary="Read a head over the vocabulary",
    response_model=None,
    responses={
        200: {"model": CircuitsResponse, "description": "The circuits of the head."},
        404: {"model": ErrorResponse, "description": "There is no such model."},
        422: {"model": ErrorResponse, "description": "The request is invalid."},
        503: {"model": ErrorResponse, "description": "Busy: try again after Retry-After seconds."},
    },
)
async def circuits(
    http: Request,
    name: str,
    layer: Index,
    head: Index,
    kind: Kind | None = None,
    token: Index | None = None,
    pairs: bool = True,
) -> Response:
    """Which tokens a head looks for, and what it writes when it finds them, from weights alone.

    `token` is an id: the answer then has its partners, too. Without `pairs`, the strongest pairs of
    the whole vocabulary are left out, which take longest.
    """
    service: HeadCircuits = http.app.state.circuits
    asked = Asked(name, layer, head, kind, token, pairs)
    job = await service.prepare(asked, participant_of(http.scope))
    try:
        content = await service.answer(job, gone(http))
    except Cancelled:
        return Response(status_code=CLIENT_GONE)
    return Response(content, media_type="application/json", headers={"Cache-Control": "no-store"})
