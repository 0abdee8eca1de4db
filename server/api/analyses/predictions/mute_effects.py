"""What muting each head alone does to a token's probability: measured, or estimated from one
gradient, and measured for the heads that may matter most."""

from dataclasses import asdict
from typing import Any, ClassVar

from pydantic import Field

from model.analysis.mute_estimates import FIELD, mute_estimates
from model.kinds import SiteKind as Kind
from model.message import Message
from model.sources.inputs import muted_heads
from model.trace.trace import Trace
from server.api.analyses.analysis import GRADIENT_RUNS, Analysis, Fields, Runs, Work
from server.api.fields import Candidate, Index, Request, Response

_EFFECT_BYTES = 96  # in JSON: the longest that we measured, with some margin
_ESTIMATE_BYTES = 128  # the same
MAX_EXACT = 256


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
    too_slow = (Message("muting each head in turn"), Message("Send fewer or shorter texts."))

    def ms(self, analyse: Any, work: Work) -> float:
        return work.texts * work.rows_ms(work.heads, in_layers=True)

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        heads = sum(site.n_heads for site in trace.sites)
        return _EFFECT_BYTES * heads * len(trace.tokens)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        return runs.mute_effects(analyse.mute_effects.position, analyse.mute_effects.token)


class AnalyseMuteEstimates(AnalyseMuteEffects):
    """Which token's probability to watch, where, and how many heads to mute in earnest."""

    exact: int = Field(
        default=20,
        ge=0,
        le=MAX_EXACT,
        description="How many heads to mute: those whose shares of the estimate are largest, "
        "whatever their signs.",
    )


class MuteEstimate(Response):
    """What muting one head would do to the token."""

    kind: Kind
    layer: int
    head: int
    estimate: float | None = Field(
        description="−z · gradient of ln p(token): how ln p would change, in nats, if the model "
        "were linear around this run (attribution patching, Nanda 2023); null for a muted head."
    )
    change: float | None = Field(
        description="ln p(token | muted) − ln p(token) in nats, measured; null if it was not."
    )
    reason: str | None = Field(description="Why there is no number; otherwise null.")


class MuteEstimates(Response):
    """What muting each head alone would do to one token's probability, in one text."""

    position: int
    token: Candidate = Field(
        description="The token, with its probability before any further head is muted."
    )
    effects: list[MuteEstimate]
    agreement: float | None = Field(
        description="Kendall's τ-b between the estimates and the changes of the heads that were "
        "muted; null if these are too few for an order."
    )


class EstimatingMutes(Analysis):
    name = "mute_estimates"
    request: ClassVar[Fields] = {
        "mute_estimates": (
            AnalyseMuteEstimates | None,
            Field(
                default=None,
                description="Estimate what muting each head would do to a token's probability from "
                "one pass forward and back, and mute those that may matter most. Send {} for its "
                "defaults.",
            ),
        )
    }
    answer = (
        list[MuteEstimates] | None,
        Field(description="For each text, the estimated effect of muting each head alone."),
    )
    needs_server = True
    too_slow = (
        Message("estimating mutes"),
        Message("Send fewer or shorter texts, or a smaller `exact`."),
    )

    def ms(self, analyse: Any, work: Work) -> float:
        exact: int = min(analyse.mute_estimates.exact, work.heads)
        return work.texts * (work.rows_ms(exact) + GRADIENT_RUNS * work.run_ms)

    def kept(self, work: Work) -> int:
        return work.backward

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        heads = sum(site.n_heads for site in trace.sites)
        return _ESTIMATE_BYTES * heads * len(trace.tokens)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        asked = analyse.mute_estimates
        each = Message("{n} head", "{n} heads", n=asked.exact)
        runs.check(asked.exact, each, Message("Muting the heads that may matter most"), FIELD)

        def compute() -> Any:
            found = mute_estimates(
                trace,
                runs.info.sites,
                muted_heads(runs.inputs.muted, runs.info),
                runs.runner(runs.inputs),
                **asked.model_dump(),
            )
            return [asdict(one) for one in found]

        return runs.cached("mute_estimates", asked.model_dump_json(), compute)
