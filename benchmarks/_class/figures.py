"""The figures of a class, their aims, and the lines that are printed."""

from collections.abc import Mapping, Sequence
from math import ceil

AIMS: Mapping[str, float] = {  # at most
    "join_p95_ms": 1_000.0,
    "not_joined": 0,
    "change_p50_ms": 500.0,
    "change_p99_ms": 1_000.0,
    "polling_p95_ms": 3_000.0,  # a poll every 2 s, jittered by the network
    "lost": 0,
    "double": 0,
    "behind": 0,
    "wrong_votes": 0,
    "wrong_drawings": 0,
    "without_trace": 0,
    "pages_behind": 0,
    "pages_errors": 0,
}


def percentile(values: Sequence[float], percent: float) -> float:
    """Nearest rank; 0 of nothing."""
    ordered = sorted(values)
    return ordered[max(0, ceil(percent / 100 * len(ordered)) - 1)] if ordered else 0.0


def spread(name: str, values: Sequence[float]) -> dict[str, float]:
    """The percentiles of a latency in ms, by the names that they have in the JSON."""
    return {f"{name}_p{percent}_ms": percentile(values, percent) for percent in (50, 95, 99)}


def lines(found: Mapping[str, float], aims: Mapping[str, float] = AIMS) -> list[str]:
    """One line for each figure, with its aim and whether it is met."""
    ends = {
        name: f"  aim {aim:g}: {'met' if found[name] <= aim else 'not met'}"
        for name, aim in aims.items()
        if name in found
    }
    return [f"{name:>24}: {value:10,.1f}{ends.get(name, '')}" for name, value in found.items()]
