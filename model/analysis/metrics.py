"""What a head can be scored by: one row each, with its formula, its paper, and what it reads.

A score is a mean over queries. A metric reads either the sum of the pattern over the cells that it
asks about, or a number of each whole row.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import torch
from einops import einsum
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.analysis.words import Words

Unit = Literal["share of attention", "nats", "tokens", "0 to 1"]
MetricName = str  # of one of METRICS
BLOCKED = "the masks block every cell that it asks about"
SINK = 0.3  # a head with a larger first-token score is a sink


@dataclass(frozen=True, eq=False)
class Cells:
    """Some query rows and all keys, as a metric asks about their tokens and places."""

    i: Int[Tensor, "row 1"]
    j: Int[Tensor, " key"]
    ids: Int[Tensor, "row 1"]  # of the queries
    keys: Words
    counted: Bool[Tensor, " key"]
    one_text: bool  # queries and keys are the same tokens

    @cached_property
    def same(self) -> Bool[Tensor, "row key"]:
        """Where query and key are one token of the vocabulary."""
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

    @cached_property
    def entropy(self) -> Float[Tensor, "head row"]:
        entropy: Tensor = torch.special.entr(self.pattern).sum(-1)
        return entropy

    @cached_property
    def mean_offset(self) -> Float[Tensor, "head row"]:
        return self.weighted(self.offset)

    def weighted(self, cells: Float[Tensor, "row key"]) -> Float[Tensor, "head row"]:
        """The sum over the keys, weighted by the pattern."""
        total: Tensor = einsum(self.pattern, cells, "head row key, row key -> head row")
        return total


@dataclass(frozen=True, kw_only=True)
class Metric:
    """One way to score a head. A[i,j] is its pattern: i the query, j the key; t[i] are tokens."""

    name: MetricName
    label: str
    definition: str
    source: str
    unit: Unit
    brief: str = ""  # at most five letters, for a terminal, which leaves out a metric without
    cells: Callable[[Cells], Bool[Tensor, "#row key"]] | None = None  # whose sum it reads
    value: Callable[[Rows], Float[Tensor, "head row"]] | None = None  # or what it reads in a row
    least_keys: int = 1  # a row where the mask allows fewer says nothing
    one_text: bool = False  # it compares places or tokens, so queries and keys are of one text
    absent: str = BLOCKED  # why it may be over no query

    def described(self) -> dict[str, Any]:
        """What the API says of it."""
        return {name: getattr(self, name) for name in DESCRIBED}


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
        absent="no token that counts has another before it",
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
        absent="no token that counts has another after it",
    ),
    Metric(
        name="same_token",
        label="same token",
        definition="How much a token looks at earlier copies of itself: "
        "the mean, over the i that have one, of Σ_j A[i,j] where t[j] = t[i] and j < i.",
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
        definition="How much a token looks at what followed earlier copies of itself: "
        "the mean, over the i that have one, of Σ_j A[i,j] where t[j−1] = t[i] and 0 < j < i.",
        source="Olsson et al. 2022, In-context Learning and Induction Heads",
        unit="share of attention",
        brief="induc",
        cells=lambda at: at.same.roll(1, dims=1) & (at.j > 0) & (at.j < at.i) & at.counted,
        one_text=True,
        absent="no token occurs twice, with another after its first time",
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
        absent="no token that counts comes after the first",
    ),
    Metric(
        name="entropy",
        label="entropy",
        definition="How widely a head looks: the mean over i of −Σ_j A[i,j] ln A[i,j]; 0 is one "
        "key.",
        source="Clark et al. 2019, What Does BERT Look At?",
        unit="nats",
        brief="entr",
        value=lambda rows: rows.entropy,
    ),
    Metric(
        name="normalised_entropy",
        label="normalised entropy",
        definition="Entropy as a share of what it can be: the mean over i of "
        "−Σ_j A[i,j] ln A[i,j] / ln n[i], where i may look at n[i] ≥ 2 keys.",
        source="Entropy, divided by that of a uniform pattern",
        unit="0 to 1",
        brief="e/max",
        value=lambda rows: rows.entropy / rows.n_allowed.clamp(min=2).log(),
        least_keys=2,
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
        "Below 0 it looks ahead; near 0 it may look far to both sides.",
        source="Vig & Belinkov 2019, Analyzing the Structure of Attention",
        unit="tokens",
        brief="offs",
        value=lambda rows: rows.mean_offset,
        one_text=True,
    ),
    Metric(
        name="mean_distance",
        label="mean distance",
        definition="The earlier name of mean_offset: the same number.",
        source="Vig & Belinkov 2019, Analyzing the Structure of Attention",
        unit="tokens",
        value=lambda rows: rows.mean_offset,
        one_text=True,
    ),
    Metric(
        name="special_mass",
        label="special tokens",
        definition="How much goes to special tokens: the mean, over the i that may look at one, of "
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
        definition="How much goes to punctuation: the mean, over the i that may look at some, of "
        "Σ_j A[i,j] where t[j] has a mark or symbol, and neither a letter nor a digit.",
        source="Clark et al. 2019, What Does BERT Look At?",
        unit="share of attention",
        brief="punct",
        cells=lambda at: at.keys.punctuation[None],
        absent="the text has no punctuation",
    ),
)
