"""Compares measurements on this machine with the simulation."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks._load.measures import CROWD, EVERY_S
from benchmarks._scale.costs import Costs
from benchmarks._scale.run import Result, Room, join, simulate

TOLERANCE = 0.15


@dataclass(frozen=True)
class Figure:
    """One figure, measured and simulated."""

    name: str
    measured: float
    simulated: float

    @property
    def off(self) -> float:
        """The error of the simulation, as a share of the measured value."""
        if self.measured == self.simulated:
            return 0.0
        return (self.simulated - self.measured) / self.measured if self.measured else float("inf")

    @property
    def agrees(self) -> bool:
        return abs(self.off) <= TOLERANCE


def compare(
    found: Mapping[str, Any], costs: Costs, seconds: float, typing_s: float
) -> list[Figure]:
    """Throughput and latency of one worker at each load, of the rooms, and of the visitors."""
    one = Room(people=CROWD, way="eager", seconds=seconds, one_client=True)
    fastest = simulate(costs, one).outcomes.answered_per_s
    overload = found["overload"]
    figures = [Figure("as fast as possible: answered/s", overload["capacity_per_s"], fastest)]
    for level in overload["levels"]:
        room = Room(level["people"], EVERY_S, seconds, way="open", one_client=True)
        figures += _both(f"load × {level['factor']:g}: ", level, simulate(costs, room))
    for measured in found["rooms"]:
        room = Room(
            measured["people"],
            measured["every_s"],
            typing_s,
            workers=2,
            cores=found["cores"],
            way="open",
            shares=tuple(measured["busiest_processes_cpu"]),
            one_client=True,
        )
        name = f"{room.people} people, a key every {room.every_s:g} s: "
        figures += _both(name, measured, simulate(costs, room))
    joined = found["joining"]
    seconds_each = join(costs, joined["visitors"], joined["within_s"], workers=1)
    name = f"{joined['visitors']} join: "
    figures += [
        Figure(f"{name}median picture s", joined["picture_median_s"], median(seconds_each)),
        Figure(f"{name}last picture s", joined["picture_last_s"], max(seconds_each)),
    ]
    return figures


def _both(name: str, measured: Mapping[str, Any], simulated: Result) -> list[Figure]:
    row = simulated.outcomes.row()
    shares = [each["refused"] / max(1, each["sent"]) for each in (measured, row)]
    figures = [Figure(f"{name}answered/s", measured["answered_per_s"], row["answered_per_s"])]
    for key in ("p50_ms", "p99_ms"):
        figures.append(Figure(f"{name}{key[:3]} ms", measured[key] or 0.0, row[key] or 0.0))
    return [*figures, Figure(f"{name}refused, share", *shares)]
