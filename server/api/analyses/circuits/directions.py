"""Directions of the stream that belong to a token."""

from typing import Annotated, Any, ClassVar

from pydantic import Field

from model.analysis.weights.directions import AskedDirection, Of, directions
from model.kinds import SiteKind as Kind
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.analyses.circuits.words import MAX_WIDTH
from server.api.fields import Index, Request
from server.run.prices import MULTIPLY_ADD_MS

MAX_DIRECTIONS = 64


class AnalyseDirection(Request):
    """Which direction, of which token."""

    of: Of = Field(
        description="`embedding`, without a position. `unembedding`: the row that raises the "
        "token's logit at the end of the stream. `ov`: what the head writes where it looks at the "
        "token alone. `lens`: what raises the token's logit after a layer by a tuned lens, but for "
        "the scale of the last norm; the lens is fitted the first time, and answered with 503 "
        "(`lens_fitting`) until it is done."
    )
    token: Index
    layer: Index | None = Field(default=None, description="For `ov` and `lens`.")
    head: Index | None = Field(default=None, description="For `ov`.")
    kind: Kind | None = Field(default=None, description="Of the head, in an encoder–decoder.")


class AnalyseDirections(Request):
    """Directions of tokens."""

    each: Annotated[list[AnalyseDirection], Field(min_length=1, max_length=MAX_DIRECTIONS)]


class DirectionsOfTokens(Analysis):
    name = "directions"
    request: ClassVar[Fields] = {
        "directions": (
            AnalyseDirections | None,
            Field(
                default=None,
                description="Directions of the residual stream that belong to tokens, to be added "
                "by an intervention or put in words.",
            ),
        )
    }
    answer = (
        list[list[float]] | None,
        Field(description="For each direction as many numbers as the stream has for a token."),
    )
    reads_stream = True
    needs_server = True
    too_slow = (Message("the directions of tokens"), Message("Send fewer."))

    def ms(self, analyse: Any, work: Work) -> float:
        return float(len(analyse.directions.each) * 4 * work.info.d_model**2 * MULTIPLY_ADD_MS)

    def kept(self, work: Work) -> int:
        return MAX_DIRECTIONS * work.info.d_model

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        d_model = next(
            (site.w_o.shape[-1] for site in trace.sites if site.w_o is not None), MAX_WIDTH
        )
        return int(len(analyse.directions.each) * d_model * number_bytes)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        each = [AskedDirection(**one.model_dump()) for one in analyse.directions.each]
        return [vector.tolist() for vector in directions(trace, each, runs.lens)]
