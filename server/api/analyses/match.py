"""Match: how much each head looks at the cells that a reader has painted."""

from dataclasses import asdict
from typing import Annotated, Any, ClassVar

from pydantic import Field

from model.analysis.match import match
from model.facts import limit
from model.kinds import SiteKind as Kind
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Index, Request, Response
from server.run.prices import PAINTED_MS, SOFTMAX_MS

MAX_CELLS = limit("cells")

_HEAD_BYTES = 190  # in JSON: the longest that we measured, with some margin
PaintedPlace = Annotated[list[Index], Field(min_length=2, max_length=2)]


class AnalyseMatch(Request):
    """A picture of where a head should look."""

    cells: Annotated[list[PaintedPlace], Field(min_length=1, max_length=MAX_CELLS)] = Field(
        description="The painted cells, each as [query, key]; at least one."
    )
    text: Index = Field(default=0, description="The text that they are painted on.")
    kind: Kind | None = Field(
        default=None,
        description="For an encoder–decoder: the kind of sites; null means that of the first site.",
    )


class HeadMatch(Response):
    """How much one head looks at the painted cells."""

    site: str
    layer: int
    head: int
    share: float | None = Field(
        description="The share of attention on painted keys, a mean over the queries at which the "
        "masks allow a painted key and one that is not painted; null if there are none."
    )
    chance: float | None = Field(
        description="The same for a head that looks at all allowed keys alike."
    )
    lift: float | None = Field(description="share − chance.")
    over: int = Field(description="The number of queries that they are means over.")
    reason: str | None = Field(
        description="Why there is no number, such as `the masks block every painted cell`; "
        "otherwise null."
    )


class Match(Analysis):
    name = "match"
    request: ClassVar[Fields] = {
        "match": (
            AnalyseMatch | None,
            Field(
                default=None,
                description="Compare every head with a painted picture: how much of its attention "
                "is on the painted cells, against chance.",
            ),
        )
    }
    answer = (
        list[HeadMatch] | None,
        Field(description="Each head of the chosen kind, in the order of the sites."),
    )
    reads_patterns = True
    is_slow = True
    too_slow = (
        Message("matching every head"),
        Message("Send shorter texts, or leave the match out."),
    )

    def ms(self, analyse: Any, work: Work) -> float:
        cells = work.heads * work.tokens * work.tokens  # of one text
        return cells * SOFTMAX_MS + work.sites * len(analyse.match.cells) * PAINTED_MS

    def held(self, analyse: Any, work: Work) -> float:
        return 4 * work.stripe(work.site_heads)  # one site at a time, in float64

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        return _HEAD_BYTES * sum(site.n_heads for site in trace.sites)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        asked = analyse.match
        cells = {(query, key) for query, key in asked.cells}
        return [asdict(one) for one in match(trace, cells, text=asked.text, kind=asked.kind)]
