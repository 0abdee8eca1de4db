"""The process that trains one run: `python -m server.training.process FOLDER`.

It has the lowest priority and one thread, so that it takes only what requests leave.
"""

import json
import os
import sys
from pathlib import Path

import torch
from filelock import FileLock

from model.training.tasks.fit import Point, fit
from model.training.tasks.learner import Learner, Network
from model.training.tasks.tasks import task_of
from server.training.runs import ENDED, POINTS, STOP, Run

NICE = 19


def main(folder: Path) -> None:
    """Train the run to its end, from where it was last saved, once nobody else trains it."""
    if hasattr(os, "nice"):  # Windows has none
        os.nice(NICE)
    torch.set_num_threads(1)
    with FileLock(folder / "trained"):
        run = Run(folder.name, folder)
        if not run.is_over:
            train(run)


def train(run: Run) -> None:
    """Train every network of a run that has not ended."""
    folder = run.folder
    asked = run.asked
    task = task_of(asked["task"], asked["text"])
    learners = [
        (Learner(task, Network(**network)), run.network(lane))
        for lane, network in enumerate(asked["networks"])
    ]
    with (folder / POINTS).open("a", encoding="utf-8") as points:
        if points.tell():
            points.write("\n")  # what wrote before may have been killed in the middle of a line

        def tell(lane: int, point: Point) -> None:
            points.write(json.dumps({"lane": lane, **point.told()}) + "\n")
            points.flush()

        fit(learners, tell, (folder / STOP).exists)
    run.mark(ENDED)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
