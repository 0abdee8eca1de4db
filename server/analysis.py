"""What `analyse` asks for beside a trace's tensors: how large it will be, and the numbers."""

from collections.abc import Callable
from typing import Any

from model.analysis import METRICS, head_scores, rollout, sink_share
from model.predictions import MuteEffects
from model.trace import Trace
from server.schemas import Analyse, AnalyseMuteEffects

# Runs the model once for every head: not read off a trace, so whoever runs models brings it.
RunMutes = Callable[[AnalyseMuteEffects], list[MuteEffects]]

# Bytes in JSON, measured where they are longest, and a little more: a score, a candidate, an effect
_SCORE_BYTES, _CANDIDATE_BYTES, _EFFECT_BYTES = 110, 80, 96


def rollout_cells(trace: Trace, analyse: Analyse) -> int:
    """Numbers of the rollout."""
    return len(trace.tokens) * len(trace.tokens[0]) ** 2 if analyse.rollout else 0


def nbytes(trace: Trace, analyse: Analyse) -> int:
    """Bytes, about, of all but the rollout."""
    heads, stages = sum(site.n_heads for site in trace.sites), len(trace.sites) + 1
    each = 0
    if analyse.scores:
        each += _SCORE_BYTES * len(METRICS) * heads
    if analyse.lens is not None:
        each += _CANDIDATE_BYTES * (analyse.lens.top_k + 1) * stages
    if analyse.mute_effects is not None:
        each += _EFFECT_BYTES * heads
    return len(trace.tokens) * each


def read(trace: Trace, analyse: Analyse, run_mutes: RunMutes | None) -> dict[str, Any]:
    """The four parts as orjson takes them, but the rollout a tensor; null is not asked for.

    What refuses soonest comes first, what takes longest last.

    Raises:
        UnavailableError: a part that this model cannot give.
        InputError: a position or token that is not there.
        LimitError: too many runs for the mute effects (code "too_many_runs").
        NumericsError: a number that is not finite.
    """
    found: dict[str, Any] = dict.fromkeys(("scores", "rollout", "lens", "mute_effects"))
    if analyse.lens is not None:
        found["lens"] = trace.lens(**analyse.lens.model_dump())
    if analyse.mute_effects is not None:
        assert run_mutes is not None
        found["mute_effects"] = run_mutes(analyse.mute_effects)
    if analyse.rollout:
        found["rollout"] = rollout(trace)
    if analyse.scores:
        found["scores"] = [
            {"sink_share": sink_share(heads), "heads": heads}
            for text in range(len(trace.tokens))
            for heads in [head_scores(trace, text, specials=analyse.specials)]
        ]
    return found
