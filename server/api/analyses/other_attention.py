"""Another attention pattern that gives nearly the same answer, or none."""

from dataclasses import asdict
from typing import Any, ClassVar

from pydantic import Field

from model.analysis.explanations.other import EPSILON, MIN_JSD, Search, other_attention
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Candidate, Index, Request, Response

MAX_RESTARTS, MAX_STEPS, MAX_SEED = 32, 200, 2**31 - 1
_GRADIENT_RUNS = 3  # what a run with its gradient costs, in runs
_NUMBER_BYTES = 24  # in JSON
_ANSWER_BYTES = 1_000  # besides the patterns


class AnalyseOtherAttention(Request):
    """Which pattern to replace, how little the answer may move, and how hard to search."""

    layer: Index | None = Field(default=None, description="null means the last.")
    head: Index | None = Field(default=None, description="null means all heads of the layer.")
    position: Index | None = Field(
        default=None,
        description="The position of the prediction, whose row is replaced, counted in the padded "
        "text; null means each text's first mask token, or else its last real token.",
    )
    epsilon: float = Field(
        default=EPSILON,
        ge=0,
        le=1,
        description="How far the answer's distribution may move, as a total variation distance "
        "(Jain & Wallace 2019: 0.05 where there are many answers, 0.01 where few).",
    )
    min_jsd: float = Field(
        default=MIN_JSD,
        ge=0,
        le=0.7,
        description="How different the other pattern must be to count as found: a Jensen–Shannon "
        "divergence in nats, at most ln 2 = 0.69.",
    )
    restarts: int = Field(
        default=8, ge=1, le=MAX_RESTARTS, description="Patterns that are improved side by side."
    )
    steps: int = Field(
        default=60, ge=0, le=MAX_STEPS, description="Steps of gradient ascent for each."
    )
    seed: int = Field(default=0, ge=0, le=MAX_SEED, description="Of the random starts.")


class AnswerWithOther(Response):
    """A likely answer, as it is and with the other pattern."""

    token: Candidate
    after: float = Field(description="Its probability with the other pattern.")


class OtherAttention(Response):
    """The most different pattern found for one text whose answer stays within ε."""

    position: int
    site: str
    heads: list[int]
    keys: list[int] = Field(description="The positions that any of these heads may look at.")
    pattern: list[list[float]] = Field(description="Head × key, as it is.")
    found: bool = Field(
        description="Whether `other` differs by `min_jsd` and keeps the answer within `epsilon`."
    )
    other: list[list[float]] | None = Field(
        description="null: every pattern that was tried moved the answer further than ε."
    )
    jsd: float | None = Field(
        description="Jensen–Shannon divergence of both in nats, the mean over the heads."
    )
    tvd: float | None = Field(
        description="By how much the answer moves in a real run with `other`: the total variation "
        "distance over the vocabulary."
    )
    tvd_without: float = Field(
        description="By how much it moves if these heads give nothing there. Near 0, their pattern "
        "cannot matter (Wiegreffe & Pinter 2019)."
    )
    answers: list[AnswerWithOther]
    tried: int = Field(description="Patterns that were run.")


class AnotherAttention(Analysis):
    name = "other_attention"
    request: ClassVar[Fields] = {
        "other_attention": (
            AnalyseOtherAttention | None,
            Field(
                default=None,
                description="Search another row of a head's pattern, or of all heads of a layer, "
                "that gives nearly the same answer (Jain & Wallace 2019), by gradient ascent; what "
                "is found is confirmed by a run. Send {} for its defaults.",
            ),
        )
    }
    answer = (
        list[OtherAttention] | None,
        Field(description="For each text, the other pattern, or that none was found."),
    )
    needs_server = True
    is_slow = True
    too_slow = (
        Message("the search of another attention pattern"),
        Message("Ask for fewer steps or restarts, or send fewer or shorter texts."),
    )

    def ms(self, analyse: Any, work: Work) -> float:
        asked = analyse.other_attention
        rows = work.tokens + _GRADIENT_RUNS * asked.restarts * asked.steps
        ms: float = work.texts * rows * work.run_ms
        return ms

    def kept(self, work: Work) -> int:
        # all tensors of one pass with the gradients of all rows, about 20 of the stream's width
        return 20 * work.tokens * (work.tokens + 8) * (work.sites + 1) * work.info.d_model

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        keys = max(site.mask.n_key for site in trace.sites)
        heads = max(site.n_heads for site in trace.sites)
        return len(trace.tokens) * (_ANSWER_BYTES + 2 * _NUMBER_BYTES * heads * keys)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        search = Search(**analyse.other_attention.model_dump())
        found = runs.cached(
            self.name, search, lambda: other_attention(trace, runs.runner(runs.inputs), search)
        )
        return [asdict(one) for one in found]
