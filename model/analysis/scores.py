"""Scores of heads: each metric is a mean over the queries for which it has a value.

A metric has a value for a query if the query is real (not padding) and the mask allows it at least
one of the cells that the metric reads. Other queries are left out, which is not the same as
counting them as 0. If no query is left, the score is None, with the reason. Patterns are derived in
stripes of query rows, so that a long text never takes heads · tokens² numbers of memory.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from einops import einsum
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.analysis.metrics import BLOCKED, METRICS, SINK, Cells, MetricName, Rows
from model.analysis.words import Words, words_of
from model.core.tokenizer import Token
from model.errors import InputError
from model.masks.mask import STRIPE, stripes_of
from model.slices import end_slice
from model.trace.recorded import TokenAxis
from model.trace.site import Site
from model.trace.trace import Trace

MAX_CELLS = 4_000_000  # of the patterns that are read together
MASSES = tuple(metric for metric in METRICS if metric.cells is not None)


@dataclass(slots=True)  # not frozen, which takes three times as long: an answer has hundreds
class Score:
    """A mean over `over` queries. If there are none, the value is None, with the reason."""

    value: float | None
    over: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class HeadScores:
    """Every metric of one head."""

    site: str
    layer: int
    head: int
    scores: dict[MetricName, Score]


@dataclass(frozen=True, eq=False)
class Tally:
    """The sums and counts of one site over one text; tallies of several texts can be added."""

    site: str
    layer: int
    sums: Float[Tensor, "metric head"]
    over: Int[Tensor, "metric head"]
    reasons: tuple[str, ...]  # for each metric, in case no query has a value

    def __add__(self, other: "Tally") -> "Tally":
        return replace(self, sums=self.sums + other.sums, over=self.over + other.over)

    def scores(self) -> list[HeadScores]:
        """The means of each head."""
        means = (self.sums / self.over.clamp(min=1)).T.tolist()
        return [
            HeadScores(self.site, self.layer, head, dict(self._of_head(values, over)))
            for head, (values, over) in enumerate(zip(means, self.over.T.tolist(), strict=True))
        ]

    def _of_head(
        self, values: Sequence[float], over: Sequence[int]
    ) -> Iterable[tuple[MetricName, Score]]:
        for metric, value, n, reason in zip(METRICS, values, over, self.reasons, strict=True):
            yield metric.name, Score(value, n, None) if n else Score(None, 0, reason)


def head_scores(trace: Trace, text: int, *, specials: bool = False) -> list[HeadScores]:
    """Every metric of every head on one text of a trace, by site.

    `specials` says whether special tokens count: as queries, and as the keys of metrics that select
    keys by position or token, such as previous_token. The other metrics always read every key.

    Raises:
        InputError: there is no such text.
        NumericsError: a number is not finite.
    """
    if not 0 <= text < len(trace.tokens):
        raise InputError(f"This trace has texts 0 to {len(trace.tokens) - 1}; got {text}.")
    return [
        scores for tally in tallies(trace, text, specials=specials) for scores in tally.scores()
    ]


def sink_share(heads: Sequence[HeadScores]) -> float | None:
    """Of the heads that have a first-token score, the share with a score above 0.3."""
    values = [head.scores["first_token"].value for head in heads]
    known = [value for value in values if value is not None]
    return sum(value > SINK for value in known) / len(known) if known else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Stripe:
    """Some query rows of one text, of sites that have the same mask and the same tokens.

    The heads of the sites stand one after another along the head axis.
    """

    sites: Sequence[Site]
    queries: Words
    keys: Words
    one_text: bool  # whether queries and keys are the same tokens
    rows: slice
    counted: Bool[Tensor, " row"]  # the queries that count
    pattern: Float[Tensor, "head row key"]
    allowed: Bool[Tensor, "#head row key"]
    selected: Bool[Tensor, "mass row key"]  # what each of `MASSES` reads, also if it is blocked
    values: Float[Tensor, "metric head row"]
    has_value: Bool[Tensor, "metric _ row"]


def tallies(trace: Trace, text: int, *, specials: bool) -> list[Tally]:
    """The sums and counts of each site over the queries of one text."""
    found: dict[str, Tally] = {}
    for batch in batches(trace):
        for tally in _tallied(batch, stripes(trace, batch, text, specials=specials)):
            found[tally.site] = tally
    return [found[site.name] for site in trace.sites]


def batches(trace: Trace) -> Iterator[list[Site]]:
    """The sites in batches that are read together, each with one mask and one pair of axes.

    For a short text most of the time is the overhead per call.
    """
    groups: dict[tuple[int, TokenAxis, TokenAxis], list[Site]] = {}
    for site in trace.sites:
        key = (id(site.mask), site.query_tokens, site.key_tokens)
        groups.setdefault(key, []).append(site)
    for group in groups.values():
        heads, rows = group[0].n_heads, min(STRIPE, group[0].mask.n_query)
        batch_size = max(1, MAX_CELLS // (heads * rows * group[0].mask.n_key))
        for first in range(0, len(group), batch_size):
            yield group[first : first + batch_size]


def stripes(trace: Trace, sites: Sequence[Site], text: int, *, specials: bool) -> Iterator[Stripe]:
    """One of the `batches`, in stripes of query rows, with what each metric reads there."""
    queries, keys = (
        words_of(_tokens(trace, axis)[text])
        for axis in (sites[0].query_tokens, sites[0].key_tokens)
    )
    one_text = sites[0].query_tokens == sites[0].key_tokens
    counted = queries.counted(specials)
    applies = torch.tensor([one_text or not metric.one_text for metric in METRICS])
    mask = sites[0].mask
    for rows in stripes_of(mask.n_query):
        end_slice()
        patterns = [site.derive(["pattern"], rows=rows, text=text)["pattern"][0] for site in sites]
        allowed = mask.allows(rows)[text]
        if len(allowed) > 1:
            allowed = allowed.repeat(len(sites), 1, 1)
        pattern = torch.cat(patterns)
        selected = _selected_cells(queries, keys, rows, specials, one_text)
        values, has_value = _read_rows(pattern, allowed, selected, rows)
        yield Stripe(
            sites=sites,
            queries=queries,
            keys=keys,
            one_text=one_text,
            rows=rows,
            counted=counted[rows],
            pattern=pattern,
            allowed=allowed,
            selected=selected,
            values=values,
            has_value=has_value & counted[rows] & applies[:, None, None],
        )


def _tallied(sites: Sequence[Site], read: Iterable[Stripe]) -> Iterator[Tally]:
    """The tallies of the sites of one batch."""
    heads = [site.n_heads for site in sites]
    sums = torch.zeros(len(METRICS), sum(heads), dtype=torch.float64)
    over = torch.zeros(len(METRICS), sum(heads), dtype=torch.int64)
    present = torch.zeros(len(MASSES), dtype=torch.bool)  # selects any cell, even if blocked
    any_counted = False
    for stripe in read:
        present |= (stripe.selected.any(-1) & stripe.counted).any(-1)
        any_counted |= bool(stripe.counted.any())
        sums += (stripe.values.double() * stripe.has_value).sum(-1)
        over += stripe.has_value.sum(-1)
    absent = {m.name for m, here in zip(MASSES, present.tolist(), strict=True) if not here}
    reasons = reasons_of(stripe.queries, any_counted, absent, stripe.one_text)
    for site, of_site, n in zip(
        sites, torch.split(sums, heads, dim=1), torch.split(over, heads, dim=1), strict=True
    ):
        yield Tally(site.name, site.layer, of_site, n, reasons)


def _tokens(trace: Trace, axis: TokenAxis) -> Sequence[Sequence[Token]]:
    if axis == "tokens":
        return trace.tokens
    assert trace.target_tokens is not None
    return trace.target_tokens


def reasons_of(
    queries: Words, any_counted: bool, absent: set[MetricName], one_text: bool
) -> tuple[str, ...]:
    """For each metric, the reason if no query has a value."""
    if not queries.real.any():
        return ("the text is only padding",) * len(METRICS)
    if not any_counted:
        return ("the text has only special tokens, which do not count here",) * len(METRICS)
    reasons = []
    for metric in METRICS:
        if metric.one_text and not one_text:
            reasons.append("queries and keys come from two texts")
        elif metric.name in absent or metric.cells is None:
            reasons.append(metric.absent)
        else:
            reasons.append(BLOCKED)
    return tuple(reasons)


def _selected_cells(
    queries: Words, keys: Words, rows: slice, specials: bool, one_text: bool
) -> Bool[Tensor, "mass row key"]:
    """The cells that each of `MASSES` reads, whether or not they are blocked."""
    at = Cells(
        i=torch.arange(rows.start, rows.stop)[:, None],
        j=torch.arange(len(keys.ids)),
        ids=queries.ids[rows][:, None],
        keys=keys,
        counted=keys.counted(specials),
        one_text=one_text,
    )
    nothing = torch.zeros(len(at.i), len(at.j), dtype=torch.bool)
    return torch.stack(
        [
            nothing | metric.cells(at) if one_text or not metric.one_text else nothing
            for metric in MASSES
            if metric.cells is not None
        ]
    )


def _read_rows(
    pattern: Float[Tensor, "head row key"],
    allowed: Bool[Tensor, "#head row key"],
    selected: Bool[Tensor, "mass row key"],
    rows: slice,
) -> tuple[Float[Tensor, "metric head row"], Bool[Tensor, "metric _ row"]]:
    """The value of each metric in each row, and whether it has one."""
    pattern = pattern.float()
    cells = "head row key, mass row key -> mass head row"
    masses = iter(einsum(pattern, selected.float(), cells))
    any_allowed = iter(einsum(allowed.float(), selected.float(), cells) > 0)
    i = torch.arange(rows.start, rows.stop)
    whole = Rows(
        pattern=pattern,
        n_allowed=allowed.sum(-1),
        offset=(i[:, None] - torch.arange(pattern.shape[-1])).float(),
    )
    values, has_value = [], []
    for metric in METRICS:
        if metric.value is None:
            values.append(next(masses))
            has_value.append(next(any_allowed))
        else:
            values.append(metric.value(whole))
            has_value.append(whole.n_allowed >= metric.min_keys)
    return torch.stack(values), torch.stack(has_value)
