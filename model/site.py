"""A site, a place where attention happens: it keeps its inputs and derives the rest on demand.

`scores`, `pattern`, `z` and `result` are derived only for the heads and rows that a reader looks
at, by the same function as in the forward pass. So a site takes memory of O(tokens · d_model), and
nothing is computed that nobody looks at.
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
from model.masks import BlockedSlice, stripe_rows
from model.recorded import Recorded
from model.slices import end_slice
from model.tensors import TENSORS, Part, TensorName, given_by, with_reads


@dataclass(frozen=True, kw_only=True, eq=False)
class Site(Recorded):
    """The self-attention or the cross-attention of one layer."""

    @property
    def blocked_slices(self) -> tuple[BlockedSlice, ...]:
        """Slices of the softmax axis with no allowed cell: rows, or columns if over queries."""
        return self.mask.blocked_rows if self.softmax_over == "key" else self.mask.blocked_columns

    @property
    def batch_key(self) -> Hashable:
        """Equal for sites whose patterns can be derived together; unique for one with a bias."""
        if self.q is None or self.k is None or self.bias is not None or self.sink is not None:
            return id(self)
        settings = (self.scale, self.soft_cap, self.softmax_over, self.mask_applied)
        return (id(self.mask), self.q.shape, self.k.shape, *settings)

    @cached_property
    def tensors(self) -> tuple[TensorName, ...]:
        """The names that `derive` accepts for this site."""
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

        The axes of each are batch, head and those of its row in `TENSORS`. If the mask is the same
        for all heads, blocked_by has one head.

        Raises:
            InputError: a head does not exist.
            UnavailableError: this site does not have one of the tensors.
            NumericsError: a number is not finite.
        """
        missing = [name for name in names if name not in self.tensors]
        if missing:
            raise UnavailableError(
                f"{self.name} does not have {', '.join(missing)}; it has "
                f"{', '.join(self.tensors)}.",
                field="select.tensors",
            )
        chosen = self.pick_heads(heads)
        part = Part(
            site=self,
            heads=chosen,
            pick=slice(None) if heads is None else chosen,
            rows=rows,
            texts=slice(None) if text is None else slice(text, text + 1),
            requested=with_reads(names),
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

        Pooling takes the maximum, not the mean, so that one bright cell does not vanish among dark
        neighbours. The bins are those of torch's adaptive_max_pool2d. Bits are 0 if any cell of the
        bin has none, else all bits combined: a bin counts as blocked only if all of it is.
        """
        is_bits = TENSORS[name].is_bits
        if is_bits and resolution >= max(self.mask.n_query, self.mask.n_key):
            return self.derive([name], heads=heads)[name]
        pool, join = (_pooled_bits, _joined_bits) if is_bits else (_pooled_cells, torch.maximum)
        columns = _bins(self.mask.n_key, resolution)
        n_matrices = self.mask.batch * len(self.pick_heads(heads))
        n_rows = stripe_rows(n_matrices, self.mask.n_key)
        whole: Tensor | None = None  # made once: parts kept among the stripes would leave holes
        for rows, bins, place, goes_on in _stripes(self.mask.n_query, resolution, n_rows):
            part = pool(self.derive([name], heads=heads, rows=rows)[name], bins, columns)
            if whole is None:
                n_bins = min(resolution, self.mask.n_query)
                whole = part.new_empty(*part.shape[:2], n_bins, part.shape[3])
            whole[:, :, place] = join(whole[:, :, place], part) if goes_on else part
        assert whole is not None
        return whole

    def pick_heads(self, heads: Sequence[int] | None, field: str = "select.heads") -> list[int]:
        """These heads, or all of them if None.

        Raises:
            InputError: there is no such head.
        """
        if heads is None:
            return list(range(self.n_heads))
        for head in heads:
            if not 0 <= head < self.n_heads:
                raise InputError(
                    f"{self.name} has heads 0 to {self.n_heads - 1}; got {head}.", field=field
                )
        return list(heads)


def derived_together(sites: Sequence[Site]) -> tuple[Site, ...]:
    """The same sites, each with its pattern; sites with equal settings are derived in one batch.

    For a short text the computation itself is tiny, and most of the time is the overhead per call.
    """
    batches: dict[Hashable, list[int]] = {}
    for index, site in enumerate(sites):
        if site.stored_pattern is None:
            batches.setdefault(site.batch_key, []).append(index)
    found = list(sites)
    for indices in batches.values():
        patterns = _patterns([sites[index] for index in indices])
        for index, pattern in zip(indices, patterns, strict=True):
            found[index] = replace(sites[index], stored_pattern=pattern)
    return tuple(found)


def _patterns(alike: Sequence[Site]) -> Sequence[Float[Tensor, "batch head query key"]]:
    """The patterns of sites with equal settings, computed as if their heads were one site's."""
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
            f"{first.name}.pattern, or that of a similar layer, has numbers that are not finite; "
            "expected all finite."
        )
    return torch.chunk(pattern, len(alike), dim=1)


Bins = list[tuple[int, int]]  # the [start, stop) of each bin


def _bins(n: int, maximum: int) -> Bins:
    """At most `maximum` bins over n positions, cut as by torch's adaptive_max_pool2d."""
    size = min(n, maximum)
    return [(index * n // size, -(-(index + 1) * n // size)) for index in range(size)]


def _stripes(n: int, maximum: int, n_rows: int) -> Iterator[tuple[slice, Bins, slice, bool]]:
    """Stripes of at most `n_rows` rows, with the bins in them, and which these are of all bins.

    A stripe has whole bins, or a part of one that has more rows. The last value says whether it
    goes on with the bin of the stripe before. Each stripe is a slice of work.
    """
    bins = _bins(n, maximum)
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


def _pooled_cells(tensor: Tensor, rows: Bins, columns: Bins) -> Tensor:
    return _pooled(_pooled(tensor, 2, rows), 3, columns)


def _pooled_bits(bits: Tensor, rows: Bins, columns: Bins) -> Tensor:
    """All bits of a bin combined if each of its cells has one; else 0."""
    any_open = _pooled_cells((bits == 0).byte(), rows, columns)
    found = torch.zeros_like(any_open)
    for bit in BlockedBy:
        found |= _pooled_cells(bits & bit, rows, columns)
    return found.masked_fill(any_open.bool(), 0)


def _joined_bits(one: Tensor, other: Tensor) -> Tensor:
    """The bits of two parts of a bin together: 0 if either has an open cell."""
    return (one | other).masked_fill_((one == 0) | (other == 0), 0)


def _pooled(tensor: Tensor, dim: int, bins: Bins) -> Tensor:
    """The maximum of each bin, many times quicker than adaptive_max_pool2d, which keeps indices."""
    widths = {stop - start for start, stop in bins}
    if widths == {1}:
        return tensor
    size, widest = len(bins), max(widths)
    if size * widest != tensor.shape[dim] or len(widths) > 1:
        # repeat the last position of narrower bins, so that all are equally wide
        positions = [min(a + i, b - 1) for a, b in bins for i in range(widest)]
        tensor = tensor.index_select(dim, torch.tensor(positions))
    shape = tensor.shape
    return tensor.reshape(*shape[:dim], size, widest, *shape[dim + 1 :]).amax(dim + 1)
