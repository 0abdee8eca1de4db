"""How far heads look: the share of attention in buckets of query − key, each twice as wide.

The buckets are …, −4 to −3, −2, −1, 0, 1, 2, 3 to 4, 5 to 8, …; below 0 the head looks ahead.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

SIDE = 20  # buckets on each side: up to 2**19 tokens away


class Bucket(NamedTuple):
    """Distances query − key, both ends included."""

    first: int
    last: int


def _behind(n: int) -> Bucket:
    return Bucket(1, 1) if n == 0 else Bucket(2 ** (n - 1) + 1, 2**n)


_BEHIND = [_behind(n) for n in range(SIDE)]
BUCKETS = (
    *(Bucket(-last, -first) for first, last in reversed(_BEHIND)),
    Bucket(0, 0),
    *_BEHIND,
)
_ENDS = torch.tensor([bucket.last for bucket in BUCKETS])


def bucket_of(offset: Int[Tensor, "*any"]) -> Int[Tensor, "*any"]:
    """The bucket of each distance."""
    found: Tensor = torch.bucketize(offset, _ENDS)  # the first bucket whose end is not below it
    return found


def profile(pattern: Float[Tensor, "head row key"], rows: slice) -> Float[Tensor, "head bucket"]:
    """The attention of these rows in each bucket, summed over the rows."""
    offset = torch.arange(rows.start, rows.stop)[:, None] - torch.arange(pattern.shape[-1])
    sums = torch.zeros(len(pattern), len(BUCKETS), dtype=torch.float64)
    return sums.index_add_(1, bucket_of(offset).flatten(), pattern.double().flatten(1))
