"""Does every task of training by hand reach its goal, and how long does it take?

Each task is trained with its usual network and three seeds, in one thread. Run it as
`python -m benchmarks.tasks [TASK …]`; it takes some minutes.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import torch
from rich.console import Console
from rich.table import Table

from model.training.tasks.fit import Point, fit
from model.training.tasks.learner import Learner, network_of
from model.training.tasks.tasks import TASKS

SEEDS = (1, 2, 3)
LIMIT_S = 90


def main(names: list[str]) -> None:
    """Print the steps, the seconds and the accuracy of each training; exit 1 if one fails."""
    torch.set_num_threads(1)
    table = Table("task", "goal", "seed", "steps", "seconds", "right", title="Training by hand")
    failed = False
    for name in names:
        task = TASKS[name]
        for seed in SEEDS:
            points: dict[int, Point] = {}  # the newest of each network
            began = perf_counter()
            with TemporaryDirectory() as folder:
                learner = Learner(task, network_of(task, {"seed": seed}))
                fit([(learner, Path(folder))], points.__setitem__)
            took, last = perf_counter() - began, points[0]
            failed |= last.ended != "goal" or took > LIMIT_S
            table.add_row(
                *(name, f"{task.goal:.0%}", str(seed), str(last.step)),
                *(f"{took:.1f}", "—" if last.score is None else f"{last.score.accuracy:.1%}"),
            )
    Console().print(table)
    sys.exit(failed)


if __name__ == "__main__":
    main(sys.argv[1:] or list(TASKS))
