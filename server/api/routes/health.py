"""For operators: liveness, readiness and metrics."""

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from server.api.routes.dependencies import MetricsDep, ReadinessDep
from server.api.schemas import ErrorResponse, HealthResponse
from server.classes.room import Room
from server.errors import BusyError

router = APIRouter(tags=["health"])


@router.get("/healthz", summary="Check that the server is alive")
async def healthz() -> HealthResponse:
    """The server is alive."""
    return HealthResponse(status="ok")


@router.get(
    "/readyz",
    summary="Check that the server is ready",
    responses={503: {"model": ErrorResponse, "description": "Not ready."}},
)
async def readyz(request: Request, readiness: ReadinessDep) -> HealthResponse:
    """The default model is loaded, gives a valid trace, and its files and classes are in place."""
    problem = await run_in_threadpool(readiness.problem)
    room: Room | None = request.app.state.room
    if problem is None and room is not None and (lost := await room.check()):
        problem = f"its classes cannot be read or written: {lost}"
    if problem is not None:
        raise BusyError(f"Not ready: {problem}", code="not_ready")
    return HealthResponse(status="ok")


@router.get(
    "/metrics",
    summary="Read the metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
def metrics(metrics: MetricsDep) -> Response:
    """The metrics of all workers, for Prometheus."""
    return Response(metrics.exposition(), media_type="text/plain; version=0.0.4; charset=utf-8")
