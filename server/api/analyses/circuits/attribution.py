"""Direct logit attribution: what each part of the run adds to a token's logit."""

from typing import Any, ClassVar

from pydantic import Field

from model.analysis.attribution import attribution
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import AskedLogit, Candidate, Part, Response
from server.run.prices import MULTIPLY_ADD_MS, NUMBER_MS

_PART_BYTES = 110  # in JSON: the longest that we measured, with some margin
_NUMBER_BYTES = 24
_WRITES = 3  # parts of a layer besides its heads: the bias of W_O, the feed-forward, a norm


class AnalyseAttribution(AskedLogit):
    """Which logit to take apart, and where."""


class Contribution(Response):
    """What one part adds to the logit."""

    part: Part
    value: float = Field(description="In logits. Negative: it speaks against the token.")


class SourceContributions(Response):
    """What each source token adds to the logit through one head; they sum to the head's own."""

    site: str
    layer: int
    head: int
    values: list[float] = Field(description="In logits, one per key of the site.")


class Attribution(Response):
    """A logit at one position of one text as a sum, with the scale of the last norm frozen."""

    position: int
    token: Candidate
    against: Candidate | None
    logit: float = Field(
        description="The token's logit, or the difference; the contributions, the soft cap and the "
        "remainder sum to it."
    )
    contributions: list[Contribution] = Field(description="In the order in which they are written.")
    soft_cap: float | None = Field(
        description="What the soft cap of the logits changes; null if the model has none."
    )
    remainder: float = Field(
        description="What no part adds: the bias of the language-model head, and whatever else in "
        "it is not linear."
    )
    sources: list[SourceContributions]


class LogitAttribution(Analysis):
    name = "attribution"
    request: ClassVar[Fields] = {
        "attribution": (
            AnalyseAttribution | None,
            Field(
                default=None,
                description="Compute the direct logit attribution: what the embedding, each head, "
                "each feed-forward network, and each source token through each head add to a "
                "token's logit (Elhage et al. 2021). What a part does to later parts is not "
                "counted. Send {} for its defaults.",
            ),
        )
    }
    answer = (
        list[Attribution] | None,
        Field(description="The direct logit attribution for each text."),
    )
    reads_stream = True
    needs_server = True
    too_slow = (
        Message("taking the logit apart"),
        Message("Send fewer or shorter texts, or leave it out."),
    )

    def ms(self, analyse: Any, work: Work) -> float:
        info = work.info
        parts = work.heads + _WRITES * work.sites
        mixed = work.heads * info.d_head * info.d_model + work.heads * work.tokens * info.d_head
        listed = (parts + work.heads * work.tokens) * NUMBER_MS
        return work.texts * (mixed * MULTIPLY_ADD_MS + listed)

    def kept(self, work: Work) -> int:
        # the outputs of the embedding and of each feed-forward network, and the norms' scales
        return work.texts * work.tokens * (work.sites + 1) * (work.info.d_model + 2)

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        heads = sum(site.n_heads for site in trace.sites)
        keys = max(site.mask.n_key for site in trace.sites)
        parts = heads + _WRITES * len(trace.sites)
        return len(trace.tokens) * (_PART_BYTES * (parts + heads) + _NUMBER_BYTES * heads * keys)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        return [
            {
                **vars(one),
                "contributions": [
                    {"part": each.part._asdict(), "value": each.value} for each in one.contributions
                ],
            }
            for one in attribution(trace, **analyse.attribution.model_dump())
        ]
