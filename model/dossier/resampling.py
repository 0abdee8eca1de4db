"""Confidence intervals over texts, computed while the texts pass by.

The bootstrap draws as many texts as there are, with replacement, many times. How often a text is
drawn is nearly a Poisson number of mean 1, so each text can have its numbers drawn when it comes,
and nothing has to be kept of it (Chamandy et al. 2012, "Estimating Uncertainty for Massive Data
Streams"). The numbers of a text depend on the seed and its place alone.
"""

import torch
from jaxtyping import Float
from torch import Tensor

LEVEL = 0.95
_PRIME = 1_000_003


def times_drawn(seed: int, number: int, replicates: int) -> Float[Tensor, " replicate"]:
    """How often each replicate draws this text."""
    generator = torch.Generator().manual_seed(seed * _PRIME + number)
    return torch.poisson(torch.ones(replicates, dtype=torch.float64), generator)


def interval(
    sums: Float[Tensor, "*any replicate"], drawn: Float[Tensor, "*any replicate"]
) -> tuple[Float[Tensor, "*any"], Float[Tensor, "*any"]]:
    """The 2.5th and 97.5th percentile of the replicates' means.

    Replicates that drew no text are left out; if all did, both ends are 0.
    """
    means = torch.where(drawn > 0, sums / drawn.clamp(min=1), torch.nan)
    tail = (1 - LEVEL) / 2
    low, high = (means.nanquantile(q, dim=-1).nan_to_num(0.0) for q in (tail, 1 - tail))
    return low, high
