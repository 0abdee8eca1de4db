"""What is told of tasks and runs."""

from dataclasses import asdict
from random import Random
from typing import Any

from model.training.tasks.learner import KINDS, LIMITS, network_of
from model.training.tasks.tasks import TASKS, Task, task_of
from server.api.schemas.training import TrainingRequest
from server.training.runs import Run, Runs, model_name


def asked_of(request: TrainingRequest, participant: str) -> dict[str, Any]:
    """What a run keeps of a request: the networks with all their settings, for each seed.

    Raises:
        InputError: there is no such task or setting, or a value does not fit.
    """
    task = task_of(request.task, request.text)
    networks = [asdict(network_of(task, dict(given))) for given in request.networks]
    lanes = [
        network | {"seed": network["seed"] + more}
        for network in networks
        for more in range(request.seeds)
    ]
    return {
        "task": task.id,
        "text": request.text,
        "networks": lanes,
        "seeds": request.seeds,
        "participant": participant,
    }


def tasks() -> list[dict[str, Any]]:
    return [_task(task) for task in TASKS.values()]


def _task(task: Task) -> dict[str, Any]:
    line, asked = next(task.examples(Random(1), task.sizes[-1], held_out=False))
    return {
        "id": task.id,
        "name": task.name,
        "about": task.about,
        "example": line,
        "asked": asked,
        "chance": task.chance,
        "goal": task.goal,
        "settings": asdict(network_of(task, {})),
    }


def settings() -> list[dict[str, Any]]:
    """What one may choose of a network."""
    return [_setting(name, options) for name, options in KINDS.items()]


def _setting(name: str, options: tuple[object, ...]) -> dict[str, Any]:
    names = [option for option in options if isinstance(option, str)]
    kinds = {bool: "flag", int: "whole", float: "number"}
    types = [option for option in options if isinstance(option, type)]
    limits = LIMITS.get(name)
    return {
        "name": name,
        "options": names,
        "kind": kinds[types[0]] if types else "names",
        "limits": None if limits is None else list(limits),
    }


def run(found: Run, runs: Runs, participant: str) -> tuple[dict[str, Any], int]:
    """Everything of a run, and where its next points begin."""
    asked = found.asked
    points, end = found.points()
    ended = {point["lane"]: point["step"] for point in points if point["ended"]}
    lanes = [
        {
            "network": network,
            "variant": lane // asked["seeds"],
            "seed": network["seed"],
            "model": _model(found, runs, lane, ended.get(lane)),
        }
        for lane, network in enumerate(asked["networks"])
    ]
    return {
        "id": found.id,
        "task": _task(task_of(asked["task"], asked["text"])),
        "state": found.state,
        "place": runs.place(found),
        "problem": found.problem,
        "own": asked["participant"] == participant,
        "lanes": lanes,
        "points": _brief(points),
    }, end


def _brief(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The points, of which only the newest of each network has its lines and patterns."""
    newest = {point["lane"]: at for at, point in enumerate(points)}
    return [
        point if newest[point["lane"]] == at else point | {"shown": [], "pattern": ""}
        for at, point in enumerate(points)
    ]


def _model(found: Run, runs: Runs, lane: int, step: int | None) -> str | None:
    name = None if step is None else model_name(found.id, lane, step)
    return name if name is not None and runs.model(name) is not None else None
