"""The metrics that score heads: one row each, with its formula, its paper, and what it reads.

A score is a mean over queries. For each query, a metric reads either the sum of the pattern over
certain cells, or a number computed from the whole row.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import torch
from einops import einsum
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.analysis.words import Words
from model.lazy import lazy

Unit = Literal["share of attention", "nats", "tokens", "0 to 1"]
MetricName = str  # one of METRICS
BLOCKED = "the masks block every cell that it reads"
SINK = 0.3  # a head with a larger first-token score is a sink
LABELLED = 0.3  # a head that gives this share of its attention is named after it


@dataclass(frozen=True, eq=False)
class Cells:
    """Some query rows and all keys, with the tokens and positions by which metrics select cells."""

    i: Int[Tensor, "row 1"]
    j: Int[Tensor, " key"]
    ids: Int[Tensor, "row 1"]  # of the queries
    keys: Words
    counted: Bool[Tensor, " key"]
    one_text: bool  # whether queries and keys are the same tokens

    @lazy
    def same(self) -> Bool[Tensor, "row key"]:
        """Where query and key are the same token of the vocabulary."""
        return self.ids == self.keys.ids

    @property
    def first(self) -> Bool[Tensor, " key"]:
        return self.keys.real & (self.j == self.keys.first)


@dataclass(frozen=True, eq=False)
class Rows:
    """Some query rows of some heads."""

    pattern: Float[Tensor, "head row key"]
    n_allowed: Int[Tensor, "#head row"]  # keys that the mask allows
    offset: Float[Tensor, "row key"]  # i − j

    @lazy
    def entropy(self) -> Float[Tensor, "head row"]:
        entropy: Tensor = torch.special.entr(self.pattern).sum(-1)
        return entropy

    @lazy
    def mean_offset(self) -> Float[Tensor, "head row"]:
        return self.weighted(self.offset)

    def weighted(self, cells: Float[Tensor, "row key"]) -> Float[Tensor, "head row"]:
        """The sum over the keys, weighted by the pattern."""
        total: Tensor = einsum(self.pattern, cells, "head row key, row key -> head row")
        return total


@dataclass(frozen=True, slots=True)
class Also:
    """What a head must do as well, to be named after a metric, where that is known of it."""

    metric: MetricName
    least: float

    def is_met(self, values: Mapping[MetricName, float | None]) -> bool:
        """Whether a head does; one of which it is not known gets the benefit of the doubt."""
        value = values.get(self.metric)
        return value is None or value >= self.least


@dataclass(frozen=True, kw_only=True)
class Metric:
    """One way to score a head. A[i,j] is its pattern for query i and key j; t[i] is token i."""

    name: MetricName
    label: str
    definition: str
    source: str
    unit: Unit
    brief: str = ""  # at most five letters, for a terminal; without it, not shown there
    cells: Callable[[Cells], Bool[Tensor, "#row key"]] | None = None  # the cells that it sums,
    value: Callable[[Rows], Float[Tensor, "head row"]] | None = None  # or its number for each row
    min_keys: int = 1  # rows where the mask allows fewer keys are left out
    one_text: bool = False  # it compares positions or tokens of one text
    absent: str = BLOCKED  # the reason given if no query can be scored
    also: Also | None = None

    def described(self) -> dict[str, Any]:
        """Its description in the API."""
        also = None if self.also is None else asdict(self.also)
        return {**{name: getattr(self, name) for name in DESCRIBED}, "also": also}


DESCRIBED = ("name", "label", "definition", "source", "unit")
METRICS = (
    Metric(
        name="previous_token",
        label="previous token",
        definition="How much a token looks at the one before it: the mean over i of A[i,i−1].",
        source="Clark et al. 2019, What Does BERT Look At?",
        unit="share of attention",
        brief="prev",
        cells=lambda at: (at.j == at.i - 1) & at.counted,
        one_text=True,
        absent="no scored token has another before it",
    ),
    Metric(
        name="next_token",
        label="next token",
        definition="How much a token looks at the one after it: the mean over i of A[i,i+1].",
        source="Clark et al. 2019, What Does BERT Look At?",
        unit="share of attention",
        brief="next",
        cells=lambda at: (at.j == at.i + 1) & at.counted,
        one_text=True,
        absent="no scored token has another after it",
    ),
    Metric(
        name="same_token",
        label="same token",
        definition="How much a token looks at earlier copies of itself: "
        "the mean over the i that have any, of Σ_j A[i,j] where t[j] = t[i] and j < i.",
        source="Wang et al. 2022, Interpretability in the Wild (duplicate-token heads)",
        unit="share of attention",
        brief="same",
        cells=lambda at: at.same & (at.j < at.i) & at.counted,
        one_text=True,
        absent="no token occurs twice",
    ),
    Metric(
        name="induction",
        label="induction",
        definition="How much a token looks at what followed earlier copies of itself (prefix "
        "matching): the mean over the i that have any, of Σ_j A[i,j] where t[j−1] = t[i] and "
        "0 < j < i.",
        source="Olsson et al. 2022, In-context Learning and Induction Heads",
        unit="share of attention",
        brief="induc",
        cells=lambda at: at.same.roll(1, dims=1) & (at.j > 0) & (at.j < at.i) & at.counted,
        one_text=True,
        absent="no token occurs twice with another in between",
        also=Also("copying", 0.75),  # half way from chance to always
    ),
    Metric(
        name="first_token",
        label="first token",
        definition="How much later tokens look at the first one: the mean over i ≥ 1 of A[i,0]. "
        f"A head above {SINK} is called a sink.",
        source="Xiao et al. 2024, Efficient Streaming Language Models with Attention Sinks",
        unit="share of attention",
        brief="first",
        cells=lambda at: at.first & (at.i != at.j) if at.one_text else at.first[None],
        absent="no scored token comes after the first",
    ),
    Metric(
        name="entropy",
        label="entropy",
        definition="How widely a head looks: the mean over i of −Σ_j A[i,j] ln A[i,j]; 0 means a "
        "single key.",
        source="Clark et al. 2019, What Does BERT Look At?",
        unit="nats",
        brief="entr",
        value=lambda rows: rows.entropy,
    ),
    Metric(
        name="normalised_entropy",
        label="normalised entropy",
        definition="Entropy as a share of its maximum: the mean over i of "
        "−Σ_j A[i,j] ln A[i,j] / ln n[i], where i may look at n[i] ≥ 2 keys.",
        source="Entropy, divided by that of a uniform pattern",
        unit="0 to 1",
        brief="e/max",
        value=lambda rows: rows.entropy / rows.n_allowed.clamp(min=2).log(),
        min_keys=2,
        absent="no query may look at two keys",
    ),
    Metric(
        name="distance",
        label="distance",
        definition="How far away a head looks on average: the mean over i of Σ_j A[i,j] |i − j|.",
        source="Vig & Belinkov 2019, Analyzing the Structure of Attention",
        unit="tokens",
        brief="dist",
        value=lambda rows: rows.weighted(rows.offset.abs()),
        one_text=True,
    ),
    Metric(
        name="mean_offset",
        label="mean offset",
        definition="How far back a head looks on average: the mean over i of Σ_j A[i,j] (i − j). "
        "Below 0 it looks ahead; near 0 it may still look far to both sides.",
        source="Vig & Belinkov 2019, Analyzing the Structure of Attention",
        unit="tokens",
        brief="offs",
        value=lambda rows: rows.mean_offset,
        one_text=True,
    ),
    Metric(
        name="mean_distance",
        label="mean distance",
        definition="The former name of mean_offset, with the same value.",
        source="Vig & Belinkov 2019, Analyzing the Structure of Attention",
        unit="tokens",
        value=lambda rows: rows.mean_offset,
        one_text=True,
    ),
    Metric(
        name="special_mass",
        label="special tokens",
        definition="How much goes to special tokens: the mean over the i that may look at any, of "
        "Σ_j A[i,j] where t[j] is special.",
        source="Clark et al. 2019, What Does BERT Look At?",
        unit="share of attention",
        brief="spec",
        cells=lambda at: at.keys.special[None],
        absent="the text has no special token",
    ),
    Metric(
        name="punctuation_mass",
        label="punctuation",
        definition="How much goes to punctuation: the mean over the i that may look at any, of "
        "Σ_j A[i,j] where t[j] has a mark or symbol, and neither a letter nor a digit.",
        source="Clark et al. 2019, What Does BERT Look At?",
        unit="share of attention",
        brief="punct",
        cells=lambda at: at.keys.punctuation[None],
        absent="the text has no punctuation",
    ),
)
# Not of the pattern alone, so that only a probe or a dossier has it: model/analysis/copying.py
COPYING = Metric(
    name="copying",
    label="copying",
    definition="Of the attention to ordinary tokens, the share on tokens j whose own logit "
    "A[i,j] · v[j] · W_O raises above the mean logit, with the norms frozen. Chance is about half.",
    source="Olsson et al. 2022, In-context Learning and Induction Heads",
    unit="0 to 1",
    brief="copy",
)
PROBED = (*METRICS, COPYING)  # what a probe measures
