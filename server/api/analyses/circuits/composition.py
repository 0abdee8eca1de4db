"""Composition: how much a later head reads what an earlier one wrote."""

from typing import Any, ClassVar

from pydantic import Field

from model.analysis.weights.composition import SitePair, text_composition, weight_composition
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Response
from server.run.prices import MULTIPLY_ADD_MS, NUMBER_MS, SOFTMAX_MS

_NUMBER_BYTES = 24  # in JSON
_PAIR_BYTES = 120
_HEAD_BYTES = 100

Matrix = list[list[float]]


class SiteComposition(Response):
    """How much the heads of a later site read of those of an earlier one: [earlier][later]."""

    earlier: str
    later: str
    q: Matrix
    k: Matrix | None = Field(description="null, as v, if they come from another stack.")
    v: Matrix | None


class HeadTotals(Response):
    """What a head that reads goes by as a whole."""

    site: str
    head: int
    lift: float = Field(
        description="By how much the keys that it attends to score above those that it may attend "
        "to, averaged over queries, in units of the scores. q and k of all parts sum to it."
    )
    output: float = Field(description="The mean of the squared length of its output.")


class Composition(Response):
    """The composition of all pairs of heads on one text, with the scale of each norm frozen."""

    pairs: list[SiteComposition] = Field(
        description="q, k: the earlier head's part of the later one's lift, in units of the "
        "scores. v: its share of the later head's output. Either may be negative."
    )
    wholes: list[HeadTotals]


class WeightComposition(Response):
    """The composition of all pairs of heads by weights, from 0 to 1 (Elhage et al. 2021)."""

    pairs: list[SiteComposition]
    baseline: float = Field(
        description="What two matrices that know nothing of each other give on average."
    )


class TextComposition(Analysis):
    name = "composition"
    request: ClassVar[Fields] = {
        "composition": (
            bool,
            Field(
                default=False,
                description="Compute how much each head reads what each earlier head wrote, "
                "through its queries, keys and values, on these texts.",
            ),
        )
    }
    answer = (
        list[Composition] | None,
        Field(description="The composition of heads on each text."),
    )
    reads_stream = True
    needs_server = True
    too_slow = (
        Message("the composition of heads"),
        Message("Send fewer or shorter texts, or leave it out."),
    )
    too_large = Message("Leave it out: it has a number for each pair of heads.")

    def ms(self, analyse: Any, work: Work) -> float:
        info, sites = work.info, work.sites
        projected = work.heads * sites / 2 * work.tokens * info.d_model * 3 * info.d_model
        written = work.heads * work.tokens * info.d_head * info.d_model
        pairs = work.heads**2 / 2
        per_text = (projected + written) * MULTIPLY_ADD_MS + 3 * pairs * NUMBER_MS
        return work.texts * per_text + work.heads * work.cells * SOFTMAX_MS

    def kept(self, work: Work) -> int:
        return work.tokens * (work.heads + 2 * work.sites) * 4 * work.info.d_model

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        return len(trace.tokens) * (_bytes(trace) + _HEAD_BYTES * _heads(trace))

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        return [
            {
                "pairs": [_document(pair) for pair in found.pairs],
                "wholes": [vars(whole) for whole in found.wholes],
            }
            for found in text_composition(trace)
        ]


class CompositionOfWeights(Analysis):
    name = "weight_composition"
    request: ClassVar[Fields] = {
        "weight_composition": (
            bool,
            Field(
                default=False,
                description="Compute how much each head could read what each earlier head writes, "
                "from the weights of the model alone: the same for every text.",
            ),
        )
    }
    answer = (
        WeightComposition | None,
        Field(description="The composition of heads by weights."),
    )
    reads_stream = True
    needs_server = True
    too_slow = (Message("the composition of heads by weights"), Message("Leave it out."))
    too_large = Message("Leave it out: it has a number for each pair of heads.")

    def ms(self, analyse: Any, work: Work) -> float:
        info = work.info
        pairs = work.heads**2 / 2
        products = pairs * 3 * info.d_head * info.d_model * info.d_head
        read = work.sites * info.d_model * 4 * info.d_model**2
        return (products + read) * MULTIPLY_ADD_MS + 3 * pairs * NUMBER_MS

    def kept(self, work: Work) -> int:
        return 5 * work.sites * work.info.d_model**2

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        return _bytes(trace)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        found = weight_composition(trace, "analyse.weight_composition")
        return {"pairs": [_document(pair) for pair in found.pairs], "baseline": found.baseline}


def _heads(trace: Trace) -> int:
    return sum(site.n_heads for site in trace.sites)


def _bytes(trace: Trace) -> int:
    sites = [site.n_heads for site in trace.sites]
    pairs = (sum(sites) ** 2 - sum(n**2 for n in sites)) // 2
    return _PAIR_BYTES * len(sites) ** 2 // 2 + 3 * _NUMBER_BYTES * pairs


def _document(pair: SitePair) -> dict[str, Any]:
    return {
        name: value if isinstance(value, str) or value is None else value.tolist()
        for name, value in vars(pair).items()
    }
