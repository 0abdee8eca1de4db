"""Matrices of rows and keys pooled to a few blocks, made in stripes of rows.

The blocks of a thumbnail are those of torch's adaptive pooling: where positions do not divide
evenly, neighbours share one. A kind of pooling is a row of `POOLINGS`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, UInt8
from torch import Tensor

from model.masks.rules import BlockedBy
from model.slices import end_slice

PoolingName = Literal["max", "mean"]
Bins = list[tuple[int, int]]  # the [start, stop) of each bin
Matrices = Float[Tensor, "batch head row col"] | UInt8[Tensor, "batch head row col"]


@dataclass(frozen=True)
class Pooling:
    """How the cells of a block become one, also where the block is cut into stripes."""

    pool: Callable[[Tensor, Bins, Bins], Tensor]  # the bins of rows and columns of a stripe
    join: Callable[[Tensor, Tensor], Tensor]  # two parts of the same blocks
    finish: Callable[[Tensor, Bins], Tensor]  # when all is there, by the bins of all rows


def pooled(
    read: Callable[[slice], Tensor],
    *,
    rows: Bins,
    columns: Bins,
    n_rows: int,
    pooling: Pooling,
) -> Matrices:
    """Matrices pooled to one number for each block of some rows and columns.

    Args:
        read: gives some query rows of them: batch head row key.
        n_rows: about so many are read at a time.
    """
    whole: Tensor | None = None  # made once: parts kept among the stripes would leave holes
    for stripe, bins, place, goes_on in _stripes(rows[-1][1], rows, n_rows):
        part = pooling.pool(read(stripe), bins, columns)
        if whole is None:
            whole = part.new_empty(*part.shape[:2], len(rows), part.shape[3])
        whole[:, :, place] = pooling.join(whole[:, :, place], part) if goes_on else part
    assert whole is not None
    return pooling.finish(whole, rows)


def bins_of(n: int, maximum: int) -> Bins:
    """At most `maximum` bins over n positions, cut as by torch's adaptive pooling."""
    size = min(n, maximum)
    return [(index * n // size, -(-(index + 1) * n // size)) for index in range(size)]


def _stripes(n: int, bins: Bins, n_rows: int) -> Iterator[tuple[slice, Bins, slice, bool]]:
    """Stripes of `n_rows` rows, with the bins in them, and which these are of all bins.

    A stripe has whole bins, or a part of one that has more rows. Where neighbouring bins share a
    row, a stripe may have one row more. The last value says whether it goes on with the bin of the
    stripe before. Each stripe is a slice of work.
    """
    per_stripe = max(1, n_rows * len(bins) // n)
    for first in range(0, len(bins), per_stripe):
        here = bins[first : first + per_stripe]
        start, stop = here[0][0], here[-1][1]
        if len(here) > 1 or stop - start <= n_rows:
            end_slice()
            cut = [(a - start, b - start) for a, b in here]
            yield slice(start, stop), cut, slice(first, first + len(here)), False
            continue
        for row in range(start, stop, n_rows):
            end_slice()
            end = min(row + n_rows, stop)
            yield slice(row, end), [(0, end - row)], slice(first, first + 1), row > start


def _unchanged(whole: Tensor, rows: Bins) -> Tensor:
    return whole


def _maxima(cells: Tensor, rows: Bins, columns: Bins) -> Tensor:
    return _largest(_largest(cells, 2, rows), 3, columns)


def _largest(tensor: Tensor, dim: int, bins: Bins) -> Tensor:
    """The maximum of each bin, many times quicker than adaptive_max_pool2d, which keeps indices."""
    if _widths(bins) == {1}:
        return tensor
    return _cut(tensor, dim, bins).amax(dim + 1)


def _row_sums(cells: Tensor, rows: Bins, columns: Bins) -> Tensor:
    """For each block its sum over rows, in the mean over columns: a block may have more rows."""
    return _sums(_sums(cells, 2, rows), 3, columns) / _sizes(columns)


def _both_sums(cells: Tensor, rows: Bins, columns: Bins) -> Tensor:
    return _sums(_sums(cells, 2, rows), 3, columns)


def _divided(whole: Tensor, rows: Bins) -> Tensor:
    return whole / _sizes(rows)[:, None]


def _sums(tensor: Tensor, dim: int, bins: Bins) -> Tensor:
    """The sum of each bin."""
    widths = _widths(bins)
    if widths == {1}:
        return tensor
    cut = _cut(tensor, dim, bins)
    if len(widths) > 1:  # a copy, so that the repeated positions can be removed in place
        own = torch.arange(max(widths)) < _sizes(bins)[:, None]
        cut.mul_(own.view(*own.shape, *(1 for _ in cut.shape[dim + 2 :])))
    return cut.sum(dim + 1)


def _bits(bits: Tensor, rows: Bins, columns: Bins) -> Tensor:
    """All bits of a block combined if each of its cells has one; else 0."""
    any_open = _maxima((bits == 0).byte(), rows, columns)
    found = torch.zeros_like(any_open)
    for bit in BlockedBy:
        found |= _maxima(bits & bit, rows, columns)
    return found.masked_fill(any_open.bool(), 0)


def _joined_bits(one: Tensor, other: Tensor) -> Tensor:
    """The bits of two parts of a block together: 0 if either has an open cell."""
    return (one | other).masked_fill_((one == 0) | (other == 0), 0)


def _cut(tensor: Tensor, dim: int, bins: Bins) -> Tensor:
    """The axis as two: bin and position in it. Narrower bins repeat their last position."""
    widths, size = _widths(bins), len(bins)
    widest = max(widths)
    if size * widest != tensor.shape[dim] or len(widths) > 1:
        positions = [min(a + i, b - 1) for a, b in bins for i in range(widest)]
        tensor = tensor.index_select(dim, torch.tensor(positions))
    shape = tensor.shape
    return tensor.reshape(*shape[:dim], size, widest, *shape[dim + 1 :])


def _widths(bins: Bins) -> set[int]:
    return {stop - start for start, stop in bins}


def _sizes(bins: Bins) -> Tensor:
    return torch.tensor([stop - start for start, stop in bins])


POOLINGS: Mapping[PoolingName, Pooling] = {
    # one bright cell does not vanish among dark neighbours
    "max": Pooling(_maxima, torch.maximum, _unchanged),
    # how much attention a block gets: a blocked cell counts as 0
    "mean": Pooling(_row_sums, torch.add, _divided),
}
# attention of several tokens to several: all that they give, in their mean
SHARES = Pooling(_both_sums, torch.add, _divided)
# a block counts as blocked only if all of it is
BITS = Pooling(_bits, _joined_bits, _unchanged)
