"""`headlight train --task`: a small network that learns a task while one watches."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from model.errors import InputError
from model.training.tasks.fit import Point, fit, has_ended
from model.training.tasks.learner import Learner, network_of
from model.training.tasks.tasks import task_of

DIVERGED = "the numbers have grown beyond float32. Try a smaller learning_rate."


def practise(
    output: Path | None,
    name: str | None,
    text: Path | None,
    given: Sequence[str],
    options: Mapping[str, int | None],
) -> None:
    """Train a network for a task, and print how far it has come.

    Raises:
        InputError: there is no such task or setting, or a value is out of its range.
    """
    if output is None:
        raise InputError("Name the folder to write the network to: --output FOLDER.")
    if has_ended(output):
        raise InputError(f"{output} holds a network already. Name another folder.")
    task = task_of(name or "", None if text is None else _lines(text))
    chosen = {key: value for key, value in options.items() if value is not None}
    network = network_of(task, chosen | dict(map(_setting, given)))
    best = "" if task.best is None else f", the best possible {task.best:.0%}"
    console = Console(soft_wrap=True, highlight=False)
    console.print(f"{task.name}: {task.about} Guessing gives {task.chance:.0%}{best}.")

    def tell(_: int, point: Point) -> None:
        if point.score is None:
            console.print(f"step {point.step}: {DIVERGED}")
            return
        share, loss = f"{point.score.accuracy:.1%}", f"{point.score.loss:.3f}"
        console.print(f"step {point.step}: {share} of the answers are right, loss {loss} nats")
        if point.ended == "steps" and task.best is not None:
            console.print(f"It has not reached {task.goal:.0%} in {network.steps:,} steps.")

    fit([(Learner(task, network), output)], tell)
    if has_ended(output):
        console.print(f"Look at it with: headlight serve --model {output.name}={output}")


def _lines(text: Path) -> str:
    try:
        return text.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--text: {text} cannot be read: {error}.") from error


def _setting(entry: str) -> tuple[str, Any]:
    name, given, value = entry.partition("=")
    if not given:
        raise InputError(f"--set: expected NAME=VALUE, such as n_layers=1; got {entry!r}.")
    try:
        return name, json.loads(value)
    except ValueError:  # a name, such as rotary
        return name, value
