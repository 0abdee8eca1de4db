"""The analyses that `analyse` can request: a class each, listed for the API and cost estimates."""

from typing import Any

from server.analyses.analysis import Analysis
from server.analyses.attribution import LogitAttribution
from server.analyses.cell import Cell
from server.analyses.composition import CompositionOfWeights, TextComposition
from server.analyses.court import ExplanationCourt
from server.analyses.flow import Flow
from server.analyses.lens import LogitLens
from server.analyses.long_texts.far_links import FarLinks
from server.analyses.long_texts.overview import Overview
from server.analyses.long_texts.top_keys import TopKeys
from server.analyses.match import Match
from server.analyses.mute_effects import MutingEachHead
from server.analyses.other_attention import AnotherAttention
from server.analyses.patching import PatchBench
from server.analyses.paths import PathMap
from server.analyses.rollout import Rollout
from server.analyses.scores import Scores
from server.analyses.stream import ResidualStream

ANALYSES: tuple[Analysis, ...] = (
    Scores(),
    Match(),
    Rollout(),
    LogitLens(),
    ResidualStream(),
    LogitAttribution(),
    TopKeys(),
    FarLinks(),
    Overview(),
    Cell(),
    TextComposition(),
    CompositionOfWeights(),
    MutingEachHead(),
    PathMap(),
    PatchBench(),
    Flow(),
    ExplanationCourt(),
    AnotherAttention(),
)
REQUESTS: dict[str, Any] = {name: each for one in ANALYSES for name, each in one.request.items()}
ANSWERS: dict[str, Any] = {one.name: one.answer for one in ANALYSES}

__all__ = ["ANALYSES", "ANSWERS", "REQUESTS", "Analysis"]
