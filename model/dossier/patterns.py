"""What the patterns of one text say about each head, read in stripes of query rows."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.analysis.metrics import METRICS
from model.analysis.scores import MASSES, Stripe, batches, reasons_of, stripes
from model.core.tokenizer import Token
from model.dossier.distances import BUCKETS, profile
from model.dossier.examples import STRONGEST, Example
from model.dossier.heads import heads_of, places
from model.trace.recorded import TokenAxis
from model.trace.trace import Trace


@dataclass(kw_only=True, eq=False)
class PatternSums:
    """Sums over the queries of one text that count; the heads of all sites in one row."""

    values: Float[Tensor, "metric head"]
    over: Int[Tensor, "metric head"]  # queries
    peak: Float[Tensor, " head"]  # the largest weight of each query that may look at two keys
    peak_over: Int[Tensor, " head"]
    profile: Float[Tensor, "head bucket"]
    profile_over: Int[Tensor, " head"]  # 0 where queries and keys are of two texts
    reasons: list[list[str]]  # by metric and head, for those without a value
    # by kind of example and head: the best cell of this text
    examples: dict[str, dict[int, Example]] = field(default_factory=dict)


def read_patterns(trace: Trace, number: int, text: int = 0) -> PatternSums:
    """Read the patterns of one text of a trace; `number` is its place among all texts.

    Special tokens do not count as queries, as in the scores of heads.
    """
    n = len(heads_of(trace.sites))
    found = PatternSums(
        values=torch.zeros(len(METRICS), n, dtype=torch.float64),
        over=torch.zeros(len(METRICS), n, dtype=torch.int64),
        peak=torch.zeros(n, dtype=torch.float64),
        peak_over=torch.zeros(n, dtype=torch.int64),
        profile=torch.zeros(n, len(BUCKETS), dtype=torch.float64),
        profile_over=torch.zeros(n, dtype=torch.int64),
        reasons=[[""] * n for _ in METRICS],
    )
    for batch in batches(trace):
        at = places(trace.sites, batch)
        queries, keys = (
            _tokens(trace, axis)[text] for axis in (batch[0].query_tokens, batch[0].key_tokens)
        )
        present = torch.zeros(len(MASSES), dtype=torch.bool)
        any_counted = False
        for stripe in stripes(trace, batch, text, specials=False):
            _add(found, at, stripe)
            present |= (stripe.selected.any(-1) & stripe.counted).any(-1)
            any_counted |= bool(stripe.counted.any())
            for kind, cells in _candidates(stripe):
                for head, value, query, key in cells:
                    one = Example(
                        value=value,
                        weight=stripe.pattern[head, query - stripe.rows.start, key].item(),
                        text=number,
                        query=query,
                        key=key,
                        query_token=queries[query].text,
                        key_token=keys[key].text,
                    )
                    best = found.examples.setdefault(kind, {})
                    place = int(at[head])
                    if place not in best or value > best[place].value:
                        best[place] = one
        absent = {m.name for m, here in zip(MASSES, present.tolist(), strict=True) if not here}
        reasons = reasons_of(stripe.queries, any_counted, absent, stripe.one_text)
        for metric, reason in enumerate(reasons):
            for head in at.tolist():
                found.reasons[metric][head] = reason
    return found


def _tokens(trace: Trace, axis: TokenAxis) -> tuple[tuple[Token, ...], ...]:
    if axis == "tokens":
        return trace.tokens
    assert trace.target_tokens is not None
    return trace.target_tokens


def _add(found: PatternSums, at: Int[Tensor, " head"], stripe: Stripe) -> None:
    found.values[:, at] += (stripe.values.double() * stripe.has_value).sum(-1)
    found.over[:, at] += stripe.has_value.sum(-1).expand(-1, len(at))
    choosing = _choosing(stripe)
    found.peak[at] += (stripe.pattern.amax(-1).double() * choosing).sum(-1)
    found.peak_over[at] += choosing.sum(-1).expand(len(at))
    if stripe.one_text:
        counted = stripe.pattern * stripe.counted[:, None]
        found.profile[at] += profile(counted, stripe.rows)
        found.profile_over[at] += int(stripe.counted.sum())


def _choosing(stripe: Stripe) -> Bool[Tensor, "#head row"]:
    """The queries that count and may look at two keys or more."""
    return stripe.counted & (stripe.allowed.sum(-1) >= 2)


Cells = list[tuple[int, float, int, int]]  # head of the stripe, value, query, key


def _candidates(stripe: Stripe) -> Iterator[tuple[str, Cells]]:
    """The best cell of each head in these rows, for each kind of example."""
    names = [metric.name for metric in METRICS]
    for mass, metric in enumerate(MASSES):
        index = names.index(metric.name)
        has_value = stripe.has_value[index].expand(len(stripe.pattern), -1)
        values = stripe.values[index].masked_fill(~has_value, -1.0)
        rows = values.argmax(-1)
        yield metric.name, list(_best(stripe, values, rows, stripe.selected[mass]))
    # by how much a weight exceeds an equal share; a special token is not an example of anything
    n_allowed = stripe.allowed.sum(-1, keepdim=True).clamp(min=1)
    excess = stripe.pattern - 1 / n_allowed
    open_cells = stripe.allowed & _choosing(stripe)[..., None] & ~stripe.keys.special
    excess = excess.masked_fill(~open_cells, -1.0)
    values = excess.amax(-1)
    rows = values.argmax(-1)
    ordinary = (~stripe.keys.special).expand(excess.shape[1:])
    yield STRONGEST, list(_best(stripe, values, rows, ordinary))


def _best(
    stripe: Stripe,
    values: Float[Tensor, "head row"],
    rows: Int[Tensor, " head"],
    cells: Bool[Tensor, "row key"],
) -> Iterator[tuple[int, float, int, int]]:
    """In each head's best row, the cell among `cells` with the largest weight."""
    for head, row in enumerate(rows.tolist()):
        value = values[head, row].item()
        if value <= 0:
            continue
        weights = stripe.pattern[head, row].masked_fill(~cells[row], -1.0)
        yield head, value, stripe.rows.start + row, int(weights.argmax())
