"""A site, a place where attention happens: it keeps its inputs and derives the rest on demand.

`scores`, `pattern`, `z` and `result` are derived only for the heads and rows that a reader looks
at, by the same function as in the forward pass. So a site takes memory of O(tokens · d_model), and
nothing is computed that nobody looks at.
"""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

import torch
from jaxtyping import Float, UInt8
from torch import Tensor
from torch.nn.functional import pad

from model.core.attention import attend
from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.lazy import lazy
from model.masks.mask import BlockedSlice, stripe_rows
from model.trace.pooling import BITS, POOLINGS, SHARES, PoolingName, bins_of, pooled
from model.trace.recorded import Recorded
from model.trace.tensors import TENSORS, Part, TensorName, given_by, with_reads
from model.trace.words import Word


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
        if self.q is None or self.k is None or self.has_bias or self.sink is not None:
            return id(self)
        return (id(self.mask), self.q.shape, self.k.shape, *self.rule.values())

    @lazy
    def tensors(self) -> tuple[TensorName, ...]:
        """The names that `derive` accepts for this site."""
        names = (each.name for each in fields(self))
        recorded = [name for name in names if getattr(self, name) is not None]
        recorded += ["bias"] * self.has_bias + ["product"] * self.tells_hidden
        return given_by([*recorded, self.kernel])

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
        pooling: PoolingName = "max",
    ) -> Float[Tensor, "batch head row col"] | UInt8[Tensor, "batch head row col"]:
        """A tensor of rows and keys, pooled to at most `resolution`², derived in stripes of rows.

        By default a block has its largest cell, so that a bright one does not vanish among dark
        neighbours. Bits are 0 if any cell of the block has none, else all bits combined: a block
        counts as blocked only if all of it is.
        """
        n_query, n_key = self.mask.n_query, self.mask.n_key
        is_bits = TENSORS[name].is_bits
        if is_bits and resolution >= max(n_query, n_key):
            return self.derive([name], heads=heads)[name]
        n_matrices = self.mask.batch * len(self.pick_heads(heads))
        return pooled(
            lambda rows: self.derive([name], heads=heads, rows=rows)[name],
            rows=bins_of(n_query, resolution),
            columns=bins_of(n_key, resolution),
            n_rows=stripe_rows(n_matrices, n_key),
            pooling=BITS if is_bits else POOLINGS[pooling],
        )

    def in_words(
        self,
        queries: Sequence[Sequence[Word]],
        keys: Sequence[Sequence[Word]],
        *,
        name: TensorName = "pattern",
        heads: Sequence[int] | None = None,
        resolution: int | None = None,
        pooling: PoolingName = "max",
    ) -> Float[Tensor, "batch head row col"] | UInt8[Tensor, "batch head row col"]:
        """A tensor of rows and keys from word to word (model/trace/words.py), pooled like a
        thumbnail if there is a `resolution`.

        Args:
            queries, keys: the words of each text along both axes.
        """
        is_bits = TENSORS[name].is_bits
        n_rows = stripe_rows(len(self.pick_heads(heads)), self.mask.n_key)
        n_words = [max(map(len, rows)) for rows in (queries, keys)]
        found = []
        for text, axes in enumerate(zip(queries, keys, strict=True)):
            rows, columns = ([(word.start, word.stop) for word in words] for words in axes)
            words = pooled(
                partial(self._rows_of, name, heads, text),
                rows=rows,
                columns=columns,
                n_rows=n_rows,
                pooling=BITS if is_bits else SHARES,
            )
            missing = [most - size for most, size in zip(n_words, words.shape[2:], strict=True)]
            found.append(pad(words, (0, missing[1], 0, missing[0])))
        whole = torch.cat(found)
        if resolution is None or resolution >= max(n_words):
            return whole
        return pooled(
            lambda rows: whole[:, :, rows],
            rows=bins_of(n_words[0], resolution),
            columns=bins_of(n_words[1], resolution),
            n_rows=n_words[0],
            pooling=BITS if is_bits else POOLINGS[pooling],
        )

    def _rows_of(
        self, name: TensorName, heads: Sequence[int] | None, text: int, rows: slice
    ) -> Tensor:
        return self.derive([name], heads=heads, rows=rows, text=text)[name]

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
        need="all",
        **first.rule,
    ).pattern
    if not all_finite(pattern):
        raise NumericsError(
            f"{first.name}.pattern, or that of a similar layer, has numbers that are not finite; "
            "expected all finite."
        )
    return torch.chunk(pattern, len(alike), dim=1)
