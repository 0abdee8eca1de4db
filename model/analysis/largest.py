"""The largest weights of rows, derived stripe by stripe, so that no whole pattern is ever there.

Equal weights are ordered by their position: the smaller key comes first. That makes the result
independent of how the rows are cut into stripes.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.masks.mask import stripe_rows
from model.slices import end_slice
from model.trace.site import Site


class Largest(NamedTuple):
    """The largest weights along the last axis, in descending order."""

    weights: Float[Tensor, "*rows k"]  # 0 past the number that there are
    places: Int[Tensor, "*rows k"]
    n: Int[Tensor, "*rows"]  # how many of the k are there


class Stripe(NamedTuple):
    """Some query rows of some heads of one text."""

    heads: Sequence[int]
    rows: slice
    weights: Float[Tensor, "head row key"]
    allowed: Bool[Tensor, "#head row key"]  # by the masks


def largest(
    weights: Float[Tensor, "*rows cell"], allowed: Bool[Tensor, "*#rows cell"], k: int
) -> Largest:
    """The k largest of the allowed weights, none of which is negative, in each row.

    Among equal weights, the one whose place is smaller comes first.
    """
    n_cells = weights.shape[-1]
    k = min(k, n_cells)
    # bits of non-negative floats are ordered as the floats are, so weight and place fit in one
    # number, in which no two cells are equal
    bits = (weights.float() + 0.0).contiguous().view(torch.int32).long() << 32  # −0 becomes 0
    ranks = (bits + torch.arange(n_cells - 1, -1, -1)).masked_fill_(~allowed, -1)
    best = ranks.topk(k, dim=-1).values
    found = best >= 0
    places = (n_cells - 1 - (best & 0xFFFF_FFFF)).masked_fill_(~found, 0)
    return Largest(weights.gather(-1, places).masked_fill_(~found, 0.0), places, found.sum(-1))


def stripes(site: Site, text: int, heads: Sequence[int], rows: slice) -> Iterator[Stripe]:
    """The patterns of some heads and rows of one text, stripe by stripe.

    Each stripe is a slice of work. Where the softmax runs over queries, a stripe is one head with
    all its rows, since no part of its columns can be normalised alone.
    """
    start, stop, _ = rows.indices(site.mask.n_query)
    whole_columns = site.softmax_over == "query" and site.stored_pattern is None
    if whole_columns:
        chunks, n_rows = [[head] for head in heads], stop - start
    else:
        chunks, n_rows = [list(heads)], stripe_rows(len(heads), site.mask.n_key)
    for chunk in chunks:
        for first in range(start, stop, max(1, n_rows)):
            end_slice()
            here = slice(first, min(first + n_rows, stop))
            allowed = site.mask.allows(here)[text]
            yield Stripe(
                heads=chunk,
                rows=here,
                weights=site.derive(["pattern"], heads=chunk, rows=here, text=text)["pattern"][0],
                allowed=allowed if len(allowed) == 1 else allowed[chunk],
            )


def distances(rows: slice, n_key: int) -> Int[Tensor, "row key"]:
    """|query − key| of the cells of some rows."""
    return (torch.arange(rows.start, rows.stop)[:, None] - torch.arange(n_key)).abs()
