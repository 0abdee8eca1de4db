"""Mute effects: what muting each head alone does to a token's probability."""

from typing import Any, ClassVar

from pydantic import Field

from model.trace import Trace
from server.analyses.analysis import Analysis, Fields, RunMutes, Work
from server.fields import Candidate, Index, Kind, Request, Response

_EFFECT_BYTES = 96  # in JSON, measured where they are longest, and a little more


class AnalyseMuteEffects(Request):
    """Which token's probability to watch, and where."""

    position: Index | None = Field(
        default=None, description="In the padded text; null is each text's last real token."
    )
    token: Index | None = Field(
        default=None, description="The token's id; null is the likeliest one there."
    )


class MuteEffect(Response):
    """What muting one head does to the token."""

    kind: Kind
    layer: int
    head: int
    change: float | None = Field(description="ln p(token | muted) − ln p(token), in nats.")
    reason: str | None = Field(description="Why there is no change: the head is muted already.")


class MuteEffects(Response):
    """What muting each head alone does to one token's probability, at one position of one text."""

    position: int
    token: Candidate = Field(description="With its probability as it is: no head muted beside.")
    effects: list[MuteEffect]


class MutingEachHead(Analysis):
    name = "mute_effects"
    request: ClassVar[Fields] = {
        "mute_effects": (
            AnalyseMuteEffects | None,
            Field(
                default=None,
                description="What muting each head alone does to a token's probability; it runs "
                "the texts once for every head. Send {} for its defaults.",
            ),
        )
    }
    answer = (list[MuteEffects] | None, Field(description="Of each text."))
    too_slow = ("muting each head in turn", "Send fewer or shorter texts.")

    def ms(self, analyse: Any, work: Work) -> float:
        return work.texts * work.heads * work.run_ms

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        heads = sum(site.n_heads for site in trace.sites)
        return _EFFECT_BYTES * heads * len(trace.tokens)

    def read(self, trace: Trace, analyse: Any, run_mutes: RunMutes | None) -> Any:
        assert run_mutes is not None
        return run_mutes(analyse.mute_effects)
