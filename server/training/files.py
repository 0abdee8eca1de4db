"""A trained network as one file: its weights, and all that it takes to open it again."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from model.errors import InputError
from model.files import read_json
from model.film import ABOUT, FRAMES, Film, write_film
from model.sources.native import NativeSource
from model.training.tasks.fit import Ended, Point, keep, look
from model.training.tasks.learner import Learner, network_of
from model.training.tasks.tasks import task_of
from server.training.runs import ENDED, POINTS, Run, Runs

MAX_BYTES = 8 * 1024**2
KEY = "headlight"  # in the file's metadata
NOT_OURS = (
    "Expected a file that the page Train saved: a safetensors file whose metadata say which "
    "network it is."
)


def packed(run: Run, lane: int) -> bytes:
    """A network that has ended as a safetensors file.

    Raises:
        CheckpointError: it has not ended.
    """
    folder, asked = run.network(lane), run.asked
    weights = NativeSource("trained", folder).model.state_dict()
    about = {
        "task": asked["task"],
        "text": asked["text"],
        "network": asked["networks"][lane],
        "step": read_json(folder / FRAMES / ABOUT)["steps"][-1],
    }
    return save(weights, {KEY: json.dumps(about)})


def opened(body: bytes, runs: Runs, participant: str) -> Run:
    """A saved network as a run that has ended.

    Raises:
        InputError: it is no such file, or its weights do not fit the network.
    """
    run = runs.begin()
    path = run.folder / "opened.safetensors"
    try:
        path.write_bytes(body)
        learner, about = _read(path)
        folder, step = run.network(0), about["step"]
        score = learner.score()
        ended: Ended = "goal" if score.accuracy >= learner.task.goal else "steps"
        keep(learner, folder)
        write_film(folder, Film((step,), {}, {}))
        shown, pattern = look(learner)
        point = Point(step, None, score, shown, pattern, ended)
        line = json.dumps({"lane": 0, **point.told()}) + "\n"
        (run.folder / POINTS).write_text(line, encoding="utf-8")
        run.mark(ENDED)
        runs.ask(
            run,
            {
                "task": learner.task.id,
                "text": about["text"],
                "networks": [asdict(learner.network)],
                "seeds": 1,
                "participant": participant,
            },
        )
    except BaseException:
        runs.remove(run)
        raise
    path.unlink()
    return run


def _read(path: Path) -> tuple[Learner, dict[str, Any]]:
    try:
        with safe_open(path, framework="pt") as file:
            about = json.loads((file.metadata() or {}).get(KEY, "null"))
            weights = {name: file.get_tensor(name) for name in file.keys()}
    except (SafetensorError, ValueError) as error:
        raise InputError(NOT_OURS, field="file") from error
    match about:
        case {
            "task": str(id),
            "text": str() | None as text,
            "network": dict(network),
            "step": int(step),
        } if 0 <= step < 1_000_000:
            task = task_of(id, text)
            learner = Learner(task, network_of(task, network))
        case _:
            raise InputError(NOT_OURS, field="file")
    own = learner.model.state_dict()
    shapes = {name: tuple(tensor.shape) for name, tensor in own.items()}
    if {name: tuple(tensor.shape) for name, tensor in weights.items()} != shapes or not all(
        tensor.dtype == torch.float32 and bool(tensor.isfinite().all())
        for tensor in weights.values()
    ):
        raise InputError(
            "The weights in this file do not fit the network that it names, or are not finite "
            "numbers. Save it again.",
            field="file",
        )
    learner.model.load_state_dict(weights)
    return learner, about
