"""Scores: how much each head does what heads are known to do."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from model.analysis import METRICS, head_scores, sink_share
from model.trace import Trace
from server.analyses.analysis import Analysis, Fields, RunMutes, Work
from server.fields import Response
from server.prices import SCORE_MS, SOFTMAX_MS

_SCORE_BYTES = 110  # of one in JSON, measured where they are longest, and a little more
if TYPE_CHECKING:
    from model.analysis.metrics import MetricName as MetricName  # as: exported
else:
    MetricName = Literal[tuple(metric.name for metric in METRICS)]


class Score(Response):
    """A mean over some queries; null over none, with the reason."""

    value: float | None
    over: int = Field(description="Queries that the mean is over.")
    reason: str | None = Field(description="Why there is no value: `no token occurs twice`.")


class HeadScores(Response):
    """Every metric of one head."""

    site: str
    layer: int
    head: int
    scores: dict[MetricName, Score]


class TextScores(Response):
    """Every head's scores on one text."""

    sink_share: float | None = Field(
        description="The share of heads whose first_token is above 0.3, of those that have one."
    )
    heads: list[HeadScores]


class Scores(Analysis):
    name = "scores"
    request: ClassVar[Fields] = {
        "scores": (
            bool,
            Field(
                default=False,
                description="How much each head does what heads are known to do: previous token, "
                "induction and so on; GET /api/models/{name}/heads defines them.",
            ),
        ),
        "specials": (
            bool,
            Field(
                default=False,
                description="Whether special tokens count in the scores: as queries, and as the "
                "keys that previous_token, same_token and induction look for.",
            ),
        ),
    }
    answer = (list[TextScores] | None, Field(description="Of each text."))
    reads_patterns = True
    is_slow = True
    too_slow = ("scoring every head", "Send fewer or shorter texts, or leave the scores out.")

    def ms(self, analyse: Any, work: Work) -> float:
        return work.heads * work.cells * (SOFTMAX_MS + SCORE_MS)

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        heads = sum(site.n_heads for site in trace.sites)
        return _SCORE_BYTES * len(METRICS) * heads * len(trace.tokens)

    def read(self, trace: Trace, analyse: Any, run_mutes: RunMutes | None) -> Any:
        return [
            {"sink_share": sink_share(heads), "heads": heads}
            for text in range(len(trace.tokens))
            for heads in [head_scores(trace, text, specials=analyse.specials)]
        ]
