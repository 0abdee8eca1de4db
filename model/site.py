"""One place that attends: what went into it is kept, and everything else is derived on demand.

`scores`, `pattern`, `z` and `result` are derived for the heads and rows that somebody looks at, by
the function that the forward pass used. So a site holds O(tokens · d_model), and only what is
looked at is paid for.
"""

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import torch
from jaxtyping import Float, UInt8
from torch import Tensor

from model.attention import attend
from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.mask_rules import BlockedBy
from model.masks import STRIPE, BlockedSlice
from model.recorded import Recorded
from model.slices import end_slice
from model.tensors import TENSORS, Part, TensorName, given_by, with_reads


@dataclass(frozen=True, kw_only=True, eq=False)
class Site(Recorded):
    """One place that attends: a layer of a stack, or its cross-attention."""

    @property
    def blocked_slices(self) -> tuple[BlockedSlice, ...]:
        """Slices of the softmax axis with no allowed cell: rows, or columns (over queries)."""
        return self.mask.blocked_rows if self.softmax_over == "key" else self.mask.blocked_columns

    @property
    def likeness(self) -> Hashable:
        """Equal for sites whose patterns can be derived together; a site with a bias is alone."""
        if self.q is None or self.k is None or self.bias is not None or self.sink is not None:
            return id(self)
        settings = (self.scale, self.soft_cap, self.softmax_over, self.mask_applied)
        return (id(self.mask), self.q.shape, self.k.shape, *settings)

    @cached_property
    def tensors(self) -> tuple[TensorName, ...]:
        """The names that `derive` can give here."""
        names = (each.name for each in fields(self))
        return given_by(name for name in names if getattr(self, name) is not None)

    def derive(
        self,
        names: Collection[TensorName],
        *,
        heads: Sequence[int] | None = None,
        rows: slice = slice(None),
        text: int | None = None,
    ) -> dict[TensorName, Tensor]:
        """The named tensors for some heads and query rows, of all texts or of one (batch of 1).

        The axes of each are those of its row in `TENSORS`, after batch and head; where no rule of
        the mask tells heads apart, blocked_by has one head.

        Raises:
            InputError: a head that is not there.
            UnavailableError: a tensor that this site does not have.
            NumericsError: a number that is not finite.
        """
        missing = [name for name in names if name not in self.tensors]
        if missing:
            raise UnavailableError(
                f"{self.name} cannot give {', '.join(missing)}; it has {', '.join(self.tensors)}.",
                field="select.tensors",
            )
        chosen = self._heads(heads)
        part = Part(
            site=self,
            heads=chosen,
            pick=slice(None) if heads is None else chosen,
            rows=rows,
            texts=slice(None) if text is None else slice(text, text + 1),
            asked=with_reads(names),
        )
        derived = {name: TENSORS[name].derive(part) for name in names}
        for name, tensor in derived.items():
            if not all_finite(tensor):
                raise NumericsError(
                    f"{self.name}.{name} has numbers that are not finite; expected all finite."
                )
        return derived

    def thumbnail(
        self,
        resolution: int,
        *,
        name: TensorName = "pattern",
        heads: Sequence[int] | None = None,
    ) -> Float[Tensor, "batch head row col"] | UInt8[Tensor, "batch head row col"]:
        """A tensor of rows and keys, pooled to at most `resolution`², derived in stripes of rows.

        Maximum, not mean: one bright cell must not vanish because its neighbours are dark. The
        bins are those of torch's adaptive_max_pool2d. Of bits: 0 where some cell has none, else
        all, so that a blocked cell is one in which there is nothing to see.
        """
        is_bits = TENSORS[name].is_bits
        if is_bits and resolution >= max(self.mask.n_query, self.mask.n_key):
            return self.derive([name], heads=heads)[name]
        pool = _pooled_bits if is_bits else _pooled_cells
        columns = _bins(self.mask.n_key, resolution)
        stripes = [
            pool(self.derive([name], heads=heads, rows=rows)[name], bins, columns)
            for rows, bins in _stripes(self.mask.n_query, resolution)
        ]
        return torch.cat(stripes, dim=2)

    def _heads(self, heads: Sequence[int] | None) -> list[int]:
        if heads is None:
            return list(range(self.n_heads))
        for head in heads:
            if not 0 <= head < self.n_heads:
                raise InputError(
                    f"{self.name} has heads 0 to {self.n_heads - 1}; got {head}.",
                    field="select.heads",
                )
        return list(heads)


def derived_together(sites: Sequence[Site]) -> tuple[Site, ...]:
    """The same sites, each with its pattern, which those that are alike derive at once.

    A layer of a short text takes so little that asking for it takes most of the time.
    """
    alike: dict[Hashable, list[int]] = {}
    for place, site in enumerate(sites):
        if site.stored_pattern is None:
            alike.setdefault(site.likeness, []).append(place)
    found = list(sites)
    for places in alike.values():
        patterns = _patterns([sites[place] for place in places])
        for place, pattern in zip(places, patterns, strict=True):
            found[place] = replace(sites[place], stored_pattern=pattern)
    return tuple(found)


def _patterns(alike: Sequence[Site]) -> Sequence[Float[Tensor, "batch head query key"]]:
    """The patterns of sites that are alike: their heads as the heads of one."""
    first = alike[0]
    if len(alike) == 1 or first.q is None or first.k is None:
        return [site.derive(["pattern"])["pattern"] for site in alike]
    q = torch.cat([site.q for site in alike if site.q is not None], dim=1)
    k = torch.cat([site.k for site in alike if site.k is not None], dim=1)
    mask = None if first.mask.is_open else first.mask.allows()
    pattern = attend(
        q,
        k,
        k[..., :0],
        mask=mask if mask is None or mask.shape[1] == 1 else mask.repeat(1, len(alike), 1, 1),
        scale=first.scale,
        soft_cap=first.soft_cap,
        softmax_over=first.softmax_over,
        mask_applied=first.mask_applied,
        need="all",
    ).pattern
    if not all_finite(pattern):
        raise NumericsError(
            f"{first.name}.pattern, or that of a layer like it, has numbers that are not finite; "
            "expected all finite."
        )
    return torch.chunk(pattern, len(alike), dim=1)


Bins = list[tuple[int, int]]  # [start, stop) of each


def _bins(n: int, most: int) -> Bins:
    """At most `most` bins over n places, as torch's adaptive_max_pool2d cuts them."""
    size = min(n, most)
    return [(place * n // size, -(-(place + 1) * n // size)) for place in range(size)]


def _stripes(n: int, most: int) -> Iterator[tuple[slice, Bins]]:
    """Rows that are looked at together, and the bins within them, which are whole; in slices."""
    bins = _bins(n, most)
    at_once = max(1, STRIPE * len(bins) // n)
    for first in range(0, len(bins), at_once):
        end_slice()
        here = bins[first : first + at_once]
        start = here[0][0]
        yield slice(start, here[-1][1]), [(a - start, b - start) for a, b in here]


def _pooled_cells(tensor: Tensor, rows: Bins, columns: Bins) -> Tensor:
    return _pooled(_pooled(tensor, 2, rows), 3, columns)


def _pooled_bits(bits: Tensor, rows: Bins, columns: Bins) -> Tensor:
    """All bits of a bin, where each of its cells has one; else 0."""
    none = _pooled_cells((bits == 0).byte(), rows, columns)
    found = torch.zeros_like(none)
    for bit in BlockedBy:
        found |= _pooled_cells(bits & bit, rows, columns)
    return found.masked_fill(none.bool(), 0)


def _pooled(tensor: Tensor, dim: int, bins: Bins) -> Tensor:
    """The maximum of each bin: many times quicker than adaptive_max_pool2d, which keeps places."""
    widths = {stop - start for start, stop in bins}
    if widths == {1}:
        return tensor
    size, widest = len(bins), max(widths)
    if size * widest != tensor.shape[dim] or len(widths) > 1:
        # a narrower bin has its last place twice
        places = [min(a + i, b - 1) for a, b in bins for i in range(widest)]
        tensor = tensor.index_select(dim, torch.tensor(places))
    shape = tensor.shape
    return tensor.reshape(*shape[:dim], size, widest, *shape[dim + 1 :]).amax(dim + 1)
