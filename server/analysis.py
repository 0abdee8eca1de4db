"""Computes the analyses that a request asks for with `analyse`."""

from typing import Any

from model.trace import Trace
from server.analyses import ANALYSES, Analysis
from server.analyses.analysis import Runs
from server.schemas import Analyse


def requested(analyse: Analyse) -> list[Analysis]:
    """The analyses that a request asks for."""
    return [one for one in ANALYSES if one.is_asked(analyse)]


def nbytes(trace: Trace, analyse: Analyse, number_bytes: int) -> dict[Analysis, int]:
    """The approximate number of bytes of each requested analysis."""
    return {one: one.nbytes(trace, analyse, number_bytes) for one in requested(analyse)}


def read(trace: Trace, analyse: Analyse, runs: Runs | None) -> dict[str, Any]:
    """The result of each analysis, by its name; None if it was not requested.

    Quick analyses come first, so that an invalid request is refused before the slow ones run.

    Raises:
        HeadlightError: see each analysis.
    """
    found: dict[str, Any] = {one.name: None for one in ANALYSES}
    for one in sorted(requested(analyse), key=lambda one: one.is_slow):
        found[one.name] = one.read(trace, analyse, runs)
    return found
