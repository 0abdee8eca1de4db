"""The tables, in the terminal and in the documents."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks._scale.compared import Figure
from benchmarks._scale.costs import Costs
from benchmarks._scale.machines import Machine, Plan

COMMAND = "python -m benchmarks.scale --write"


@dataclass(frozen=True)
class Grid:
    """One table: the name that documents use for it, and its cells as text."""

    name: str
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def print(self, console: Console) -> None:
        table = Table(title=self.title, title_justify="left")
        for index, words in enumerate(self.head):
            table.add_column(words, justify="right" if index else "left", no_wrap=not index)
        for row in self.rows:
            table.add_row(*row)
        console.print(table)

    def markdown(self) -> str:
        lines = [self.head, ["---", *["---:"] * (len(self.head) - 1)], *self.rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def costs_grid(costs: Costs) -> Grid:
    """The costs from which everything else is computed."""
    rows = [
        ("a keystroke: processor time, ms", number(costs.keystroke_ms)),
        ("– reading and sending, in the event loop, ms", number(costs.loop_ms)),
        ("– the forward pass, ms", number(costs.pass_ms)),
        ("– deriving and encoding, ms", number(costs.rest_ms)),
        ("– waking up, if the worker was idle, ms", number(costs.wake_ms)),
        ("a further text in one pass, ms", number(costs.batched_ms)),
        ("a keystroke with a cached answer, ms", number(costs.hit_ms)),
        ("a refusal, ms", number(costs.refusal_ms)),
        ("a keystroke: kB sent to the page", number(costs.answer_bytes / 1000)),
        ("a keystroke: kB sent by the page", number(costs.request_bytes / 1000)),
        ("a first visit: processor time, ms", number(costs.visit_ms)),
        ("a first visit: kB", number(costs.visit_bytes / 1000)),
        ("memory of the process that starts the workers, MB", number(costs.fixed_mb)),
        ("memory of a worker under load, MB", number(costs.worker_mb)),
    ]
    return Grid("costs", "What things cost", ("", "measured"), rows)


def compared_grid(figures: Iterable[Figure]) -> Grid:
    """Measured and simulated, side by side."""
    rows = [
        (
            figure.name,
            number(figure.measured),
            number(figure.simulated),
            f"{figure.off:+.0%}",
            "yes" if figure.agrees else "no",
        )
        for figure in figures
    ]
    head = ("", "measured", "simulated", "off by", "within 15%")
    return Grid("compared", "On this machine, measured and simulated", head, rows)


def machines_grid(machines: Iterable[Machine], fast: Iterable[Machine]) -> Grid:
    """How many people each machine can serve."""
    rows = [
        (
            f"{each.cores} cores",
            f"{each.learners:,}",
            f"{quick.learners:,}",
            f"{each.at_most:,}",
            number(each.p99_ms),
            number(each.join_s),
            number(each.memory_mb / 1000),
        )
        for each, quick in zip(machines, fast, strict=True)
    ]
    head = (
        "Machine",
        "learners, a key every 2 s",
        "or two keys a second",
        "maximum (2 s)",
        "p99 ms",
        "all joined after s",
        "memory GB",
    )
    return Grid("machines", "How many people on which machine", head, rows)


def plans_grid(plans: Sequence[Plan], cores: int) -> Grid:
    """What large numbers of learners need, one column each."""
    named: Mapping[str, Sequence[str]] = {
        "keystrokes a second": [f"{each.keystrokes_per_s:,.0f}" for each in plans],
        "busy cores": [number(each.busy_cores) for each in plans],
        f"machines of {cores} cores": [f"{each.machines:,}" for each in plans],
        "workers or replicas, one per core": [f"{each.cores:,}" for each in plans],
        "memory, GB": [number(each.memory_gb) for each in plans],
        "sent to learners, Mbit/s": [number(each.out_mbit_s) for each in plans],
        "sent by learners, Mbit/s": [number(each.in_mbit_s) for each in plans],
        "all join within 5 min: Mbit/s": [number(each.joining_mbit_s) for each in plans],
        "all join within 5 min: busy cores": [number(each.joining_cores) for each in plans],
        "core-hours per learner and hour": [f"{each.core_hours:.4f}" for each in plans],
        "p99 ms": [number(each.p99_ms) for each in plans],
        "repeated keystrokes": [f"{each.asked_again:,}" for each in plans],
        "simulated learners": [f"{each.simulated:,}" for each in plans],
    }
    head = ("Learners", *(f"{each.learners:,}" for each in plans))
    rows = [(name, *cells) for name, cells in named.items()]
    return Grid("plans", "What learners need", head, rows)


def routing_grid(shares: Mapping[int, tuple[float, float]], class_size: int) -> Grid:
    """What sticky routing saves."""
    rows = [
        (f"{workers:,}", f"{by_person:.0%}", f"{by_text:.0%}")
        for workers, (by_person, by_text) in shares.items()
    ]
    head = ("workers", "each learner stays with one", "each text stays with one")
    title = f"Classes of {class_size} that type the same: keystrokes answered from the cache"
    return Grid("routing", title, head, rows)


def number(value: float) -> str:
    """About three significant figures."""
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def write(grids: Iterable[Grid], where: str, document: Path) -> None:
    """Write each table between its marks."""
    text = document.read_text(encoding="utf-8")
    for grid in grids:
        text = filled(text, grid, where)
    document.write_text(text, encoding="utf-8")


def filled(text: str, grid: Grid, where: str) -> str:
    """The document with one table replaced, between `scale: NAME` and `scale: end` comments."""
    mark = re.escape(f"<!-- scale: {grid.name} -->")
    new = (
        f"<!-- scale: {grid.name} -->\n{grid.markdown()}\n\n"
        f"*{where} `{COMMAND}` writes this table.*\n<!-- scale: end -->"
    )
    return re.sub(f"{mark}.*?<!-- scale: end -->", lambda _: new, text, flags=re.DOTALL)
