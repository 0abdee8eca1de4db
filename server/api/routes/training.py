"""Training by hand: what can be trained, and the runs."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

import anyio.to_thread
from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse

from server.api.routes.dependencies import SettingsDep
from server.api.schemas import ErrorResponse
from server.api.schemas.training import TasksResponse, TrainingRequest, TrainingResponse
from server.http.events import event, streamed
from server.run.participants import participant_of
from server.training import described, files
from server.training.errors import no_run, not_yours, off
from server.training.runs import Run, Runs
from server.training.turns import Turns

LOOK_S = 0.25  # between two looks at a run that somebody watches
BEAT_S = 5.0

TRAINING = "/api/training"
OPENED = f"{TRAINING}/files"  # takes a file
router = APIRouter(prefix=TRAINING, tags=["api"])
MISSING: dict[int | str, dict[str, Any]] = {
    403: {"model": ErrorResponse, "description": "This server trains nothing, or it is not yours."},
    404: {"model": ErrorResponse, "description": "There is no such training."},
    422: {"model": ErrorResponse, "description": "The request is invalid."},
}


async def _runs(request: Request) -> Runs:
    if not request.app.state.settings.training:
        raise off()
    return request.app.state.runs  # type: ignore[no-any-return]


async def _turns(request: Request) -> Turns:
    return request.app.state.turns  # type: ignore[no-any-return]


RunsDep = Annotated[Runs, Depends(_runs)]


def _own(request: Request, id: str, runs: RunsDep) -> Run:
    """The run of whoever asks.

    Raises:
        Refusal: it is another one's.
    """
    run = runs.get(id)
    if run.asked["participant"] != participant_of(request.scope):
        raise not_yours()
    return run


OwnRunDep = Annotated[Run, Depends(_own)]
TurnsDep = Annotated[Turns, Depends(_turns)]


@router.get("", summary="List the tasks of training by hand", response_model=TasksResponse)
async def tasks(settings: SettingsDep) -> object:
    """The tasks that a small network can learn in about a minute, and what one may choose."""
    return {
        "enabled": settings.training,
        "tasks": described.tasks(),
        "settings": described.settings(),
    }


@router.post(
    "",
    summary="Train small networks",
    status_code=201,
    response_model=TrainingResponse,
    responses={
        403: {"model": ErrorResponse, "description": "This server trains nothing."},
        409: {"model": ErrorResponse, "description": "You are training already."},
        422: {"model": ErrorResponse, "description": "The request is invalid."},
        503: {"model": ErrorResponse, "description": "Too many trainings wait."},
    },
)
def train(http: Request, asked: TrainingRequest, runs: RunsDep, turns: TurnsDep) -> object:
    """Begin to train, or wait for a turn. One run a participant at a time."""
    participant = participant_of(http.scope)
    run = runs.create(described.asked_of(asked, participant))
    turns.wake()
    return described.run(run, runs, participant)[0]


@router.get("/{id}", summary="Read a training", response_model=TrainingResponse, responses=MISSING)
def read(http: Request, id: str, runs: RunsDep) -> object:
    """A run with all its points so far."""
    return described.run(runs.get(id), runs, participant_of(http.scope))[0]


@router.post(
    "/{id}/stop", summary="Stop a training", response_model=TrainingResponse, responses=MISSING
)
def stop(http: Request, run: OwnRunDep, runs: RunsDep) -> object:
    """Let a run end at its next point. What it has learnt is kept, and it can go on."""
    runs.stop(run)
    return described.run(run, runs, participant_of(http.scope))[0]


@router.post(
    "/{id}/resume",
    summary="Resume a training",
    response_model=TrainingResponse,
    responses=MISSING,
)
def resume(http: Request, run: OwnRunDep, runs: RunsDep, turns: TurnsDep) -> object:
    """Let a run go on that was stopped, or that has failed."""
    runs.resume(run)
    turns.wake()
    return described.run(run, runs, participant_of(http.scope))[0]


@router.post(
    "/files",
    summary="Open a saved network",
    status_code=201,
    response_model=TrainingResponse,
    responses={
        403: {"model": ErrorResponse, "description": "This server trains nothing."},
        413: {"model": ErrorResponse, "description": "The file is too large."},
        422: {"model": ErrorResponse, "description": "It is no such file."},
    },
)
async def open_file(http: Request, runs: RunsDep) -> object:
    """A run that has ended, with the network of a file that `GET …/file` gave as the body."""
    body, participant = await http.body(), participant_of(http.scope)

    def opened() -> dict[str, Any]:
        return described.run(files.opened(body, runs, participant), runs, participant)[0]

    return await anyio.to_thread.run_sync(opened)


@router.get(
    "/{id}/{lane}/file",
    summary="Save a trained network",
    response_class=Response,
    responses={
        200: {"content": {"application/safetensors": {}}},
        **MISSING,
    },
)
def save_file(id: str, lane: int, runs: RunsDep) -> Response:
    """Its weights as safetensors; the metadata hold its task, its settings and its own lines."""
    run = runs.get(id)
    told, _ = described.run(run, runs, "")
    if not 0 <= lane < len(told["lanes"]) or told["lanes"][lane]["model"] is None:
        raise no_run()
    name = f"{told['task']['id']}-{id}-{lane}.safetensors"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(files.packed(run, lane), headers=headers, media_type="application/safetensors")


@router.get(
    "/{id}/events",
    summary="Follow a training",
    response_class=StreamingResponse,
    responses=MISSING,
)
async def follow(http: Request, id: str, runs: RunsDep) -> StreamingResponse:
    """Server-sent events: `run` with everything, `points` as they come, `run` again at the end."""
    run, participant = runs.get(id), participant_of(http.scope)

    def whole() -> tuple[dict[str, Any], int]:
        return described.run(run, runs, participant)

    async def stream() -> AsyncIterator[bytes]:
        told, end = await anyio.to_thread.run_sync(whole)
        yield event("run", told)
        silent = 0.0
        while told["state"] in ("waiting", "training"):
            await asyncio.sleep(LOOK_S)
            points, end = await anyio.to_thread.run_sync(run.points, end)
            state = run.state, await anyio.to_thread.run_sync(runs.place, run)
            if state != (told["state"], told["place"]):
                told, end = await anyio.to_thread.run_sync(whole)
                yield event("run", told)
            elif points:
                yield event("points", {"points": points})
            silent = 0.0 if points else silent + LOOK_S
            if silent >= BEAT_S:
                silent = 0.0
                yield event("beat", {})

    return streamed(stream())
