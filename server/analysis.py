"""What `analyse` asks for beside a trace's tensors, read off it."""

from typing import Any

from model.trace import Trace
from server.analyses import ANALYSES, Analysis
from server.analyses.analysis import RunMutes
from server.schemas import Analyse


def asked(analyse: Analyse) -> list[Analysis]:
    """The analyses of a request."""
    return [one for one in ANALYSES if one.is_asked(analyse)]


def nbytes(trace: Trace, analyse: Analyse, number_bytes: int) -> dict[Analysis, int]:
    """Bytes, about, of each that is asked for."""
    return {one: one.nbytes(trace, analyse, number_bytes) for one in asked(analyse)}


def read(trace: Trace, analyse: Analyse, run_mutes: RunMutes | None) -> dict[str, Any]:
    """The answer of each analysis, by its name; None is not asked for.

    What may refuse at once comes first.

    Raises:
        HeadlightError: as each analysis says.
    """
    found: dict[str, Any] = {one.name: None for one in ANALYSES}
    for one in sorted(asked(analyse), key=lambda one: one.is_slow):
        found[one.name] = one.read(trace, analyse, run_mutes)
    return found
