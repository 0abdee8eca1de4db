"""Recognises a model's own mask: causal, a window, both, or neither."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.masks.mask import Mask, stripes_of
from model.masks.rules import MaskSettings

Cells = Bool[Tensor, "#batch #head query key"]


class Rules(NamedTuple):
    """A model's own mask. `cells` (True may attend) holds what the other two do not describe."""

    causal: bool = False
    window: int | None = None
    cells: Cells | None = None


def recognise(
    allowed: Callable[[slice], Cells],
    n_query: int,
    n_key: int,
    real: Bool[Tensor, "batch key"],
) -> Rules:
    """The rules that allow exactly the cells in `allowed`, which returns some query rows at a time.

    Blocked padding (known from `real`) is left out, because readers can toggle it. A mask that no
    rule describes is kept cell by cell, which takes quadratic memory.
    """
    rules = _guess(allowed, n_query, n_key, real)
    if _is_same(allowed, rules, n_query, n_key, real):
        return rules
    cells = torch.cat([allowed(rows) for rows in stripes_of(n_query)], dim=2)
    if n_query != n_key:
        return Rules(cells=cells)
    future = torch.ones(n_query, n_key, dtype=torch.bool).triu(1)
    causal = not bool((cells & future).any())
    return Rules(causal=causal, cells=cells | future if causal else cells)


def split(mask: Tensor) -> tuple[Cells, Float[Tensor, "#batch #head query key"] | None]:
    """Split a model's own mask into the cells that it allows and a bias added to the scores."""
    if mask.dtype == torch.bool:
        return mask, None
    allowed = mask > torch.finfo(mask.dtype).min / 2
    bias = mask.masked_fill(~allowed, 0.0)
    return allowed, bias if bool(bias.any()) else None


def _guess(
    allowed: Callable[[slice], Cells], n_query: int, n_key: int, real: Bool[Tensor, "batch key"]
) -> Rules:
    """Guess from the first row, and from how far back the last one looks, in the longest text."""
    if n_query != n_key or n_key < 2:
        return Rules()
    whole = int(real.sum(1).argmax())
    first, last = (_of_text(allowed(rows), whole) for rows in (slice(0, 1), slice(-1, None)))
    back = int((~last.flip(0)).int().argmax()) if not bool(last.all()) else n_key
    return Rules(causal=not bool(first[1:].any()), window=back if 0 < back < n_key else None)


def _of_text(row: Cells, text: int) -> Bool[Tensor, " key"]:
    return row[min(text, row.shape[0] - 1), 0, 0]


def _is_same(
    allowed: Callable[[slice], Cells],
    rules: Rules,
    n_query: int,
    n_key: int,
    real: Bool[Tensor, "batch key"],
) -> bool:
    """Whether the rules allow the same cells, if padding is blocked everywhere or nowhere."""
    mask = Mask(n_query, n_key, MaskSettings(causal=rules.causal, window=rules.window))
    with_padding = without = True
    for rows in stripes_of(n_query):
        expected, found = mask.allows(rows), allowed(rows)
        without = without and bool((expected == found).all())
        with_padding = with_padding and bool(((expected & real[:, None, None]) == found).all())
        if not without and not with_padding:
            return False
    return True
