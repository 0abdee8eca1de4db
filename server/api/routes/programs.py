"""The programs of lessons, which readers change and run."""

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException

from server.api.routes.dependencies import AnsweredLessonsDep, SettingsDep
from server.api.schemas import ErrorResponse
from server.api.schemas.programs import ProgramAnswer, ProgramRequest
from server.errors import error_response
from server.languages.catalogue import catalogue
from server.languages.choice import accepted
from server.programs.running import Programs, runs_programs
from server.run.participants import participant_of

router = APIRouter(prefix="/api", tags=["api"])


@router.post(
    "/lessons/{slug}/programs/{name}",
    summary="Run a program of a lesson",
    response_model=ProgramAnswer,
    responses={
        403: {"model": ErrorResponse, "description": "This server runs no programs."},
        404: {"model": ErrorResponse, "description": "There is no such lesson or program."},
        422: {"model": ErrorResponse, "description": "The request is invalid."},
        503: {"model": ErrorResponse, "description": "Busy: try again after Retry-After seconds."},
    },
)
async def run(
    http: Request,
    slug: str,
    name: str,
    asked: ProgramRequest,
    lessons: AnsweredLessonsDep,
    settings: SettingsDep,
) -> object:
    """Run a reader's version of a program, and compare it with the solution if there is one.

    It is not given to Python: an allow-list of its syntax is walked, over tensors of limited size,
    in a process of its own without files, with limits of time and memory. What is wrong is said in
    the language of Accept-Language, except what Python and torch say.
    """
    programs: Programs = http.app.state.programs
    if not runs_programs(settings):
        return error_response(
            403, "programs_off", "This server runs no programs. HEADLIGHT_PROGRAMS=true lets it."
        )
    lesson = lessons.get(slug)
    if lesson is None or name not in lesson.content.programs:
        raise HTTPException(404)
    program = lesson.content.programs[name]
    hidden = program.solution_text, program.hidden_checks
    answer = await programs.run(asked.code, *hidden, participant_of(http.scope))
    return catalogue(accepted(http.scope)).value(answer)
