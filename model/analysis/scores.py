"""Scores that name heads: means of the pattern over the queries that they speak of.

A query counts where it is real (not padding), and where the mask allows it at least one of the
cells that the score asks about: else it says nothing, which is not the same as 0. A score over no
query at all is None, with the reason. Patterns are derived in stripes of query rows, so that a long
text never holds heads · tokens² numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from einops import einsum
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.analysis.metrics import BLOCKED, METRICS, SINK, Cells, MetricName, Rows
from model.analysis.words import Words, words_of
from model.errors import InputError
from model.masks import STRIPE, stripes_of
from model.recorded import TokenAxis
from model.site import Site
from model.slices import end_slice
from model.tokenizer import Token
from model.trace import Trace

CELLS = 4_000_000  # of the patterns that are read together, at most
_MASSES = tuple(metric for metric in METRICS if metric.cells is not None)


@dataclass(slots=True)  # not frozen, which takes three times as long: an answer has hundreds
class Score:
    """A mean over `over` queries; None over none, with the reason. Never NaN."""

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
    """Sums and counts of one site over one text, which add up over many."""

    site: str
    layer: int
    sums: Float[Tensor, "metric head"]
    over: Int[Tensor, "metric head"]
    reasons: tuple[str, ...]  # for each metric, where it is over nothing

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

    `specials` says whether special tokens count: as queries, and as the keys that previous_token,
    same_token and induction look for. The other metrics always read every key.

    Raises:
        InputError: a text that is not there.
        NumericsError: a number that is not finite.
    """
    if not 0 <= text < len(trace.tokens):
        raise InputError(f"This trace has texts 0 to {len(trace.tokens) - 1}; got {text}.")
    return [
        scores for tally in tallies(trace, text, specials=specials) for scores in tally.scores()
    ]


def sink_share(heads: Sequence[HeadScores]) -> float | None:
    """The share of heads whose first-token score is above 0.3, of those that have one."""
    values = [head.scores["first_token"].value for head in heads]
    known = [value for value in values if value is not None]
    return sum(value > SINK for value in known) / len(known) if known else None


def tallies(trace: Trace, text: int, *, specials: bool) -> list[Tally]:
    """Sums and counts of each site over the queries of one text.

    Sites of one mask are read together: of a short text the asking takes most of the time.
    """
    together: dict[tuple[int, TokenAxis, TokenAxis], list[Site]] = {}
    for site in trace.sites:
        key = (id(site.mask), site.query_tokens, site.key_tokens)
        together.setdefault(key, []).append(site)
    found: dict[str, Tally] = {}
    for alike in together.values():
        heads, rows = alike[0].n_heads, min(STRIPE, alike[0].mask.n_query)
        at_once = max(1, CELLS // (heads * rows * alike[0].mask.n_key))
        for first in range(0, len(alike), at_once):
            some = alike[first : first + at_once]
            for tally in _read_together(trace, some, text, specials=specials):
                found[tally.site] = tally
    return [found[site.name] for site in trace.sites]


def _read_together(
    trace: Trace, sites: Sequence[Site], text: int, *, specials: bool
) -> Iterator[Tally]:
    """The tallies of sites that have one mask and the same tokens."""
    queries, keys = (
        words_of(_tokens(trace, axis)[text])
        for axis in (sites[0].query_tokens, sites[0].key_tokens)
    )
    one_text = sites[0].query_tokens == sites[0].key_tokens
    counted = queries.counted(specials)
    speaks = torch.tensor([one_text or not metric.one_text for metric in METRICS])
    heads, mask = [site.n_heads for site in sites], sites[0].mask
    sums = torch.zeros(len(METRICS), sum(heads), dtype=torch.float64)
    over = torch.zeros(len(METRICS), sum(heads), dtype=torch.int64)
    present = torch.zeros(len(_MASSES), dtype=torch.bool)  # asked about at all, mask or no mask
    for rows in stripes_of(mask.n_query):
        end_slice()
        patterns = [site.derive(["pattern"], rows=rows, text=text)["pattern"][0] for site in sites]
        allowed = mask.allows(rows)[text]
        if len(allowed) > 1:
            allowed = allowed.repeat(len(sites), 1, 1)
        sought = _sought(queries, keys, rows, specials, one_text)
        present |= (sought.any(-1) & counted[rows]).any(-1)
        values, says = _read_rows(torch.cat(patterns), allowed, sought, rows)
        says = says & counted[rows] & speaks[:, None, None]
        sums += (values.double() * says).sum(-1)
        over += says.sum(-1)
    absent = {m.name for m, here in zip(_MASSES, present.tolist(), strict=True) if not here}
    reasons = _reasons(queries, counted, absent, one_text)
    for site, of_site, n in zip(
        sites, torch.split(sums, heads, dim=1), torch.split(over, heads, dim=1), strict=True
    ):
        yield Tally(site.name, site.layer, of_site, n, reasons)


def _tokens(trace: Trace, axis: TokenAxis) -> Sequence[Sequence[Token]]:
    if axis == "tokens":
        return trace.tokens
    assert trace.target_tokens is not None
    return trace.target_tokens


def _reasons(
    queries: Words, counted: Bool[Tensor, " query"], absent: set[MetricName], one_text: bool
) -> tuple[str, ...]:
    """Why each metric would be over nothing."""
    if not queries.real.any():
        return ("the text is only padding",) * len(METRICS)
    if not counted.any():
        return ("the text has only special tokens, which do not count here",) * len(METRICS)
    reasons = []
    for metric in METRICS:
        if metric.one_text and not one_text:
            reasons.append("queries and keys are of two texts")
        elif metric.name in absent or metric.cells is None:
            reasons.append(metric.absent)
        else:
            reasons.append(BLOCKED)
    return tuple(reasons)


def _sought(
    queries: Words, keys: Words, rows: slice, specials: bool, one_text: bool
) -> Bool[Tensor, "mass row key"]:
    """The cells that each of `_MASSES` asks about, mask or no mask."""
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
            for metric in _MASSES
            if metric.cells is not None
        ]
    )


def _read_rows(
    pattern: Float[Tensor, "head row key"],
    allowed: Bool[Tensor, "#head row key"],
    sought: Bool[Tensor, "mass row key"],
    rows: slice,
) -> tuple[Float[Tensor, "metric head row"], Bool[Tensor, "metric _ row"]]:
    """What each metric reads in each row, and whether that row says anything."""
    pattern = pattern.float()
    cells = "head row key, mass row key -> mass head row"
    masses = iter(einsum(pattern, sought.float(), cells))
    asked = iter(einsum(allowed.float(), sought.float(), cells) > 0)
    i = torch.arange(rows.start, rows.stop)
    whole = Rows(
        pattern=pattern,
        n_allowed=allowed.sum(-1),
        offset=(i[:, None] - torch.arange(pattern.shape[-1])).float(),
    )
    values, says = [], []
    for metric in METRICS:
        read = metric.value
        values.append(next(masses) if read is None else read(whole))
        says.append(next(asked) if read is None else whole.n_allowed >= metric.least_keys)
    return torch.stack(values), torch.stack(says)
