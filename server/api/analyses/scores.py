"""Scores: how much each head does what heads are known to do."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from model.analysis import METRICS, PROBED, head_scores, sink_share
from model.analysis.scores import MAX_CELLS
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Response
from server.run.prices import SCORE_MS, SOFTMAX_MS

_SCORE_BYTES = 110  # in JSON: the longest that we measured, with some margin
if TYPE_CHECKING:
    from model.analysis.metrics import MetricName as MetricName  # as: exported
else:
    MetricName = Literal[tuple(metric.name for metric in PROBED)]


class Also(Response):
    """A head is named after a metric only if it also has at least this score, or it is unknown."""

    metric: MetricName
    least: float


class Score(Response):
    """A mean over queries. If there are none, the value is null, with the reason."""

    value: float | None
    over: int = Field(description="The number of queries that the mean is over.")
    reason: str | None = Field(
        description="Why there is no value, such as `no token occurs twice`; otherwise null."
    )


class HeadScores(Response):
    """Every metric of one head; `copying` on the probe only."""

    site: str
    layer: int
    head: int
    scores: dict[MetricName, Score]


class TextScores(Response):
    """Every head's scores on one text."""

    sink_share: float | None = Field(
        description="Of the heads that have a first_token score, the share with one above 0.3."
    )
    heads: list[HeadScores]


class Scores(Analysis):
    name = "scores"
    request: ClassVar[Fields] = {
        "scores": (
            bool,
            Field(
                default=False,
                description="Compute how much each head does what heads are known to do: look at "
                "the previous token, induction, and so on. GET /api/models/{name}/heads defines "
                "the scores.",
            ),
        ),
        "specials": (
            bool,
            Field(
                default=False,
                description="Whether special tokens count in the scores: as queries, and as the "
                "keys of scores such as previous_token, same_token and induction.",
            ),
        ),
    }
    answer = (
        list[TextScores] | None,
        Field(description="For each text, the scores of every head."),
    )
    reads_patterns = True
    is_slow = True
    too_slow = (
        Message("scoring every head"),
        Message("Send fewer or shorter texts, or leave the scores out."),
    )

    def ms(self, analyse: Any, work: Work) -> float:
        return work.heads * work.cells * (SOFTMAX_MS + SCORE_MS)

    def held(self, analyse: Any, work: Work) -> float:
        together = min(MAX_CELLS, work.heads * work.cells)
        return 3 * max(work.site_stripe, together)  # of the sites that are read together

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        heads = sum(site.n_heads for site in trace.sites)
        return _SCORE_BYTES * len(METRICS) * heads * len(trace.tokens)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        return [
            {"sink_share": sink_share(heads), "heads": heads}
            for text in range(len(trace.tokens))
            for heads in [head_scores(trace, text, specials=analyse.specials)]
        ]
