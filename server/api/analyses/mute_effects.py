"""Mute effects: what muting each head alone does to a token's probability."""

from typing import Any, ClassVar

from pydantic import Field

from model.kinds import SiteKind as Kind
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Candidate, Index, Request, Response

_EFFECT_BYTES = 96  # in JSON: the longest that we measured, with some margin


class AnalyseMuteEffects(Request):
    """Which token's probability to watch, and where."""

    position: Index | None = Field(
        default=None,
        description="The position to predict from, counted in the padded text; null means each "
        "text's last real token.",
    )
    token: Index | None = Field(
        default=None, description="The token's id; null means the likeliest token there."
    )


class MuteEffect(Response):
    """What muting one head does to the token."""

    kind: Kind
    layer: int
    head: int
    change: float | None = Field(
        description="ln p(token | muted) − ln p(token) in nats; null if there is no number."
    )
    reason: str | None = Field(
        description="Why there is no number, such as `this head is muted already`; otherwise null."
    )


class MuteEffects(Response):
    """What muting each head alone does to one token's probability, at one position of one text."""

    position: int
    token: Candidate = Field(
        description="The token, with its probability before any further head is muted."
    )
    effects: list[MuteEffect]


class MutingEachHead(Analysis):
    name = "mute_effects"
    request: ClassVar[Fields] = {
        "mute_effects": (
            AnalyseMuteEffects | None,
            Field(
                default=None,
                description="Compute what muting each head alone does to a token's probability. "
                "This runs the texts once for every head. Send {} for its defaults.",
            ),
        )
    }
    answer = (
        list[MuteEffects] | None,
        Field(description="For each text, the effect of muting each head alone."),
    )
    too_slow = ("muting each head in turn", "Send fewer or shorter texts.")

    def ms(self, analyse: Any, work: Work) -> float:
        return work.texts * work.rows_ms(work.heads)

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        heads = sum(site.n_heads for site in trace.sites)
        return _EFFECT_BYTES * heads * len(trace.tokens)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        return runs.mute_effects(analyse.mute_effects.position, analyse.mute_effects.token)
