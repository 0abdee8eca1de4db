"""The metrics that score heads: one row each in static/js/facts/metrics.json, with its formula
and its paper, and here what it reads.

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
from model.facts import facts
from model.lazy import lazy
from model.message import Message

Unit = Literal["share of attention", "nats", "tokens", "0 to 1"]
MetricName = str  # one of METRICS
BLOCKED = Message("the masks block every cell that it reads")
_FACTS = facts("metrics")
SINK: float = _FACTS["sink"]  # a head with a larger first-token score is a sink
LABELLED: float = _FACTS[
    "strong"
]  # a head that gives this share of its attention is named after it


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
        """Whether a head does it, or the value is unknown."""
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
# The cells that a metric sums,
_CELLS: Mapping[MetricName, Callable[[Cells], Bool[Tensor, "#row key"]]] = {
    "previous_token": lambda at: (at.j == at.i - 1) & at.counted,
    "next_token": lambda at: (at.j == at.i + 1) & at.counted,
    "same_token": lambda at: at.same & (at.j < at.i) & at.counted,
    "induction": lambda at: at.same.roll(1, dims=1) & (at.j > 0) & (at.j < at.i) & at.counted,
    "first_token": lambda at: at.first & (at.i != at.j) if at.one_text else at.first[None],
    "special_mass": lambda at: at.keys.special[None],
    "punctuation_mass": lambda at: at.keys.punctuation[None],
}
# or its number for each row.
_VALUES: Mapping[MetricName, Callable[[Rows], Float[Tensor, "head row"]]] = {
    "entropy": lambda rows: rows.entropy,
    "normalised_entropy": lambda rows: rows.entropy / rows.n_allowed.clamp(min=2).log(),
    "distance": lambda rows: rows.weighted(rows.offset.abs()),
    "mean_offset": lambda rows: rows.mean_offset,
}


def _metric(row: Mapping[str, Any]) -> Metric:
    name, also = row["name"], row.get("also")
    said = {key: value for key, value in row.items() if key not in ("probe", "find", "also")}
    return Metric(
        **said,
        cells=_CELLS.get(name),
        value=_VALUES.get(name),
        also=Also(**also) if also else None,
    )


_DEFINED = [row for row in _FACTS["rows"] if "definition" in row]
METRICS = tuple(_metric(row) for row in _DEFINED if "probe" not in row)
# Not of the pattern alone, so that only a probe or a dossier has it (weights/copying.py)
[COPYING] = [_metric(row) for row in _DEFINED if "probe" in row]
PROBED = (*METRICS, COPYING)  # what a probe measures
