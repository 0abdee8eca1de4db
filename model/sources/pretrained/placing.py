"""Places what a family gives as its patterns on the tokens of a text, as far as its form allows."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

Pattern = Float[Tensor, "batch head query key"]


class Placed(NamedTuple):
    """The patterns of one kind of site, by layer; a layer without one has no ordinary attention."""

    patterns: dict[int, Pattern]
    n_layers: int = 0  # of all that were given
    strange: tuple[int, ...] = ()  # the shape of the first that has no place


def place(
    given: Sequence[object] | None, n_query: int, n_key: int, windows: Sequence[int]
) -> Placed:
    """Those of all layers; `windows` are the widths of their bands, if they have any."""
    patterns, strange = dict[int, Tensor](), tuple[int, ...]()
    for layer, one in enumerate(given or ()):
        if not isinstance(one, Tensor):  # PegasusX gives something else for its blocks
            continue
        found = _on_tokens(one, n_query, n_key, windows[layer] if layer < len(windows) else None)
        if found is not None:
            patterns[layer] = found
        else:
            strange = strange or tuple(one.shape)
    return Placed(patterns, len(given or ()), strange)


def _on_tokens(one: Tensor, n_query: int, n_key: int, window: int | None) -> Pattern | None:
    if window is not None:  # first, since a text may be as long as the band is wide
        band = 2 * (window // 2) + 1
        if tuple(one.shape[2:]) == (n_query, band):
            return _from_distances(one, band // 2)
    if tuple(one.shape[2:]) == (n_query, n_key):
        return one
    if one.dim() == 5 and n_query == n_key and one.shape[4] == 3 * one.shape[3]:
        return _from_blocks(one, n_query)
    return None


def _from_distances(
    one: Float[Tensor, "batch head query distance"], farthest: int
) -> Float[Tensor, "batch head query query"]:
    """Column j is of the key that is j - farthest away (Longformer, LED).

    Beltagy et al. 2020 (2004.05150), section 3: sliding windows, here without global tokens.
    """
    n = one.shape[2]
    distance = torch.arange(n)[None, :] - torch.arange(n)[:, None]  # from query to key
    column = (distance + farthest).clamp(0, 2 * farthest).to(one.device)
    near = (distance.abs() <= farthest).to(one.device)
    return one.gather(3, column.expand(*one.shape[:2], n, n)) * near


def _from_blocks(
    one: Float[Tensor, "batch block head query key"], n: int
) -> Float[Tensor, "batch head token token"]:
    """Each block of queries has the keys of its own block and of its two neighbours (LongT5).

    Guo et al. 2022 (2112.07916), section 3.1.1: local attention.
    """
    n_batch, n_blocks, n_heads, size, _ = one.shape
    # with a block more at each end
    dense = one.new_zeros(n_batch, n_heads, n_blocks * size, (n_blocks + 2) * size)
    for block in range(n_blocks):
        start = block * size
        dense[:, :, start : start + size, start : start + 3 * size] = one[:, block]
    return dense[:, :, :n, size : size + n]
