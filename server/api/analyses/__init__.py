"""The analyses that `analyse` can request, a class each. What the API says of them, what they cost
and how they are computed is read from this list.
"""

from typing import Any

from pydantic import create_model

from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Runs
from server.api.analyses.circuits.attribution import LogitAttribution
from server.api.analyses.circuits.cell import Cell
from server.api.analyses.circuits.composition import CompositionOfWeights, TextComposition
from server.api.analyses.circuits.directions import DirectionsOfTokens
from server.api.analyses.circuits.edges import CircuitsOfEdges
from server.api.analyses.circuits.patching import PatchBench
from server.api.analyses.circuits.paths import PathMap
from server.api.analyses.circuits.words import InWords, SingleNeurons
from server.api.analyses.explanations import Court, Explanations
from server.api.analyses.flow import Flow
from server.api.analyses.gradients import Gradients
from server.api.analyses.long_texts.far_links import FarLinks
from server.api.analyses.long_texts.overview import Overview
from server.api.analyses.long_texts.top_keys import TopKeys
from server.api.analyses.match import Match
from server.api.analyses.other_attention import AnotherAttention
from server.api.analyses.predictions.branches import FollowingBranches
from server.api.analyses.predictions.lens import Deciding, LogitLens
from server.api.analyses.predictions.mute_effects import EstimatingMutes, MutingEachHead
from server.api.analyses.predictions.vector_effects import TurningTheVector
from server.api.analyses.rollout import Rollout
from server.api.analyses.scores import Scores
from server.api.analyses.space import SpaceOfQueriesAndKeys
from server.api.analyses.stream import ResidualStream
from server.api.fields import Request

ANALYSES: tuple[Analysis, ...] = (
    Scores(),
    Match(),
    Rollout(),
    LogitLens(),
    Deciding(),
    FollowingBranches(),
    ResidualStream(),
    Gradients(),
    DirectionsOfTokens(),
    InWords(),
    SingleNeurons(),
    LogitAttribution(),
    TopKeys(),
    FarLinks(),
    Overview(),
    Cell(),
    TextComposition(),
    CompositionOfWeights(),
    MutingEachHead(),
    EstimatingMutes(),
    TurningTheVector(),
    PathMap(),
    PatchBench(),
    CircuitsOfEdges(),
    Flow(),
    SpaceOfQueriesAndKeys(),
    Explanations(),
    Court(),
    AnotherAttention(),
)
ANSWERS: dict[str, Any] = {one.name: one.answer for one in ANALYSES}

__all__ = ["ANALYSES", "ANSWERS", "Analyse", "Analysis", "nbytes", "read", "requested"]

_FIELDS: dict[str, Any] = {name: each for one in ANALYSES for name, each in one.request.items()}


class Analyse(create_model("Analyse", __base__=Request, **_FIELDS)):  # type: ignore[misc]
    """The analyses to compute from the trace, besides its tensors; by default none."""


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
