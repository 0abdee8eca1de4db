"""For pages and programs: studies of many pairs of sentences."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from server.api.schemas import ErrorResponse
from server.api.schemas.studies import StudyEvents, StudyRequest
from server.api.studies import Studies
from server.http.events import EVENTS, streamed
from server.run.participants import participant_of

router = APIRouter(prefix="/api", tags=["api"])
DESCRIBED: dict[int | str, dict[str, Any]] = {
    200: {
        "model": StudyEvents,
        "description": "Server-sent events: `begin`; then `pair` with what was found in each, and "
        "`table` with the means so far; then `end`, or `error`.",
        "content": {EVENTS: {"schema": {"type": "string"}}},
    },
    404: {"model": ErrorResponse, "description": "There is no such model."},
    422: {"model": ErrorResponse, "description": "The request is invalid."},
    503: {"model": ErrorResponse, "description": "Busy: try again after Retry-After seconds."},
}


@router.post(
    "/study",
    summary="Study many pairs of sentences",
    response_class=StreamingResponse,
    responses=DESCRIBED,
)
async def study(http: Request, asked: StudyRequest) -> StreamingResponse:
    """What parts of a model do in many sentences: means with intervals, by head or by role.

    Each pair waits for its turn as a request of its own. What was found before is not computed
    again, so a study that was stopped goes on when it is asked for once more.
    """
    studies: Studies = http.app.state.studies
    prepared = await studies.prepare(asked, participant_of(http.scope))
    return streamed(studies.events(prepared))
