"""One place that attends: what went into it is kept, and everything else is derived on demand.

`scores`, `pattern`, `z` and `result` are derived for the heads and rows that somebody looks at, by
the function that the forward pass used. So a site holds O(tokens · d_model), and only what is
looked at is paid for.
"""

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch
from einops import einsum
from jaxtyping import Float, UInt8
from torch import Tensor

from model.attention import Attention, MaskApplied, SoftmaxOver, attend
from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.mask_rules import BlockedBy
from model.masks import STRIPE, BlockedSlice, Mask
from model.slices import end_slice

Pick = slice | list[int]  # heads, along their axis
SiteKind = Literal["self", "encoder", "decoder", "cross"]
TokenAxis = Literal["tokens", "target_tokens"]
TensorName = Literal[
    "q", "k", "v", "bias", "scores", "pattern", "z", "result", "norms", "blocked_by"
]


@dataclass(frozen=True, kw_only=True, eq=False)
class Site:
    """One place that attends: a layer of a stack, or its cross-attention."""

    name: str  # "layers.2", "decoder.layers.2.cross"
    kind: SiteKind
    layer: int
    mask: Mask
    n_heads: int
    n_kv_heads: int  # fewer than n_heads with grouped queries; k and v below are expanded
    scale: float
    q: Float[Tensor, "batch head query d_head"] | None = None  # as it enters the dot product
    k: Float[Tensor, "batch head key d_head"] | None = None
    v: Float[Tensor, "batch head key d_head"] | None = None
    # where it is known already; all that a source without q, k, v gives
    stored_pattern: Float[Tensor, "batch head query key"] | None = None
    bias: Float[Tensor, "#batch #head query key"] | None = None
    soft_cap: float | None = None
    sink: Float[Tensor, " head"] | None = None
    softmax_over: SoftmaxOver = "key"
    mask_applied: MaskApplied = "before"
    w_o: Float[Tensor, "head d_head d_model"] | None = None  # a parameter, not counted in nbytes
    muted: tuple[int, ...] = ()
    query_tokens: TokenAxis = "tokens"
    key_tokens: TokenAxis = "tokens"

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

    @property
    def tensors(self) -> tuple[TensorName, ...]:
        """The names that `derive` can give here."""
        if self.q is None:
            return ("pattern", "blocked_by")
        known: tuple[TensorName, ...] = ("q", "k", "v", "scores", "pattern", "z", "blocked_by")
        if self.bias is not None:
            known = (*known, "bias")
        return known if self.w_o is None else (*known, "result", "norms")

    def derive(
        self,
        names: Collection[TensorName],
        *,
        heads: Sequence[int] | None = None,
        rows: slice = slice(None),
        text: int | None = None,
    ) -> dict[TensorName, Tensor]:
        """The named tensors for some heads and query rows, of all texts or of one (batch of 1).

        Shapes: q and z (batch head row d_head); k and v (batch head key d_head), for every key;
        bias, scores, pattern and norms (batch head row key); result (batch head row d_model);
        blocked_by (batch, 1 or head, row, key).

        norms = ‖A[i,j] · v[j] · W_O[head]‖₂ (Kobayashi et al. 2020): how much is moved, where the
        pattern says what share. A muted head moves nothing.

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
        pick = slice(None) if heads is None else chosen  # a slice is a view: many times quicker
        texts = slice(None) if text is None else slice(text, text + 1)
        found: dict[TensorName, Tensor] = {}
        if "q" in names and self.q is not None:
            found["q"] = self.q[texts, pick, rows]
        if "k" in names and self.k is not None:
            found["k"] = self.k[texts, pick]
        if {"v", "norms"} & set(names) and self.v is not None:
            found["v"] = self.v[texts, pick]
        if "bias" in names and self.bias is not None:
            bias = self._bias(self.bias, pick, rows, texts)
            found["bias"] = bias.expand(self.mask.batch if text is None else 1, len(chosen), -1, -1)
        if {"scores", "pattern", "z", "result", "norms"} & set(names):
            with_z = bool({"z", "result"} & set(names))
            if self.stored_pattern is not None and not {"scores", "z", "result"} & set(names):
                found["pattern"] = self.stored_pattern[texts, pick, rows]
            else:
                found |= self._attention(chosen, pick, rows, texts, with_z=with_z)
        if "result" in names and self.w_o is not None:
            found["result"] = einsum(
                found["z"],
                self.w_o[chosen],
                "b head row d_head, head d_head d_model -> b head row d_model",
            )
        if "norms" in names:
            found["norms"] = found["pattern"] * self._moved(found["v"], chosen)[:, :, None]
        if "blocked_by" in names:
            reasons = self.mask.blocked_by(rows)[texts]
            found["blocked_by"] = reasons if reasons.shape[1] == 1 else reasons[:, chosen]
        derived = {name: found[name] for name in names}
        for name, tensor in derived.items():
            if not all_finite(tensor):
                raise NumericsError(
                    f"{self.name}.{name} has numbers that are not finite; expected all finite."
                )
        return derived

    def thumbnail(
        self, resolution: int, *, heads: Sequence[int] | None = None
    ) -> Float[Tensor, "batch head row col"]:
        """The pattern max-pooled to at most `resolution`², derived in stripes of rows.

        Maximum, not mean: one bright cell must not vanish because its neighbours are dark. The
        bins are those of torch's adaptive_max_pool2d.
        """
        columns = _bins(self.mask.n_key, resolution)
        stripes = [
            _pooled(_pooled(found["pattern"], 2, bins), 3, columns)
            for rows, bins in _stripes(self.mask.n_query, resolution)
            for found in [self.derive(["pattern"], heads=heads, rows=rows)]
        ]
        return torch.cat(stripes, dim=2)

    def blocked_thumbnail(
        self, resolution: int, *, heads: Sequence[int] | None = None
    ) -> UInt8[Tensor, "batch head row col"]:
        """`blocked_by`, pooled as `thumbnail` is: 0 where some cell is allowed, else all reasons.

        So a blocked cell of it is one in which there is nothing to see.
        """
        if resolution >= max(self.mask.n_query, self.mask.n_key):
            return self.derive(["blocked_by"], heads=heads)["blocked_by"]
        columns = _bins(self.mask.n_key, resolution)
        stripes = []
        for rows, bins in _stripes(self.mask.n_query, resolution):
            blocked = self.derive(["blocked_by"], heads=heads, rows=rows)["blocked_by"]
            allowed = _pooled(_pooled((blocked == 0).byte(), 2, bins), 3, columns)
            reasons = torch.zeros_like(allowed)
            for bit in BlockedBy:
                reasons |= _pooled(_pooled(blocked & bit, 2, bins), 3, columns)
            stripes.append(reasons.masked_fill_(allowed.bool(), 0))
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

    def _attention(
        self, heads: list[int], pick: Pick, rows: slice, texts: slice, *, with_z: bool
    ) -> dict[TensorName, Tensor]:
        assert self.q is not None and self.k is not None and self.v is not None
        # columns are normalised over all rows: those are derived whole, and cut afterwards
        needed = rows if self.softmax_over == "key" else slice(None)
        mask = None if self.mask.is_open else self.mask.allows(needed)[texts]
        bias = self.bias
        attention = attend(
            self.q[texts, pick, needed],
            self.k[texts, pick],
            self.v[texts, pick] if with_z else self.v[texts, pick, :, :0],
            mask=mask if mask is None or mask.shape[1] == 1 else mask[:, pick],
            scale=self.scale,
            bias=None if bias is None else self._bias(bias, pick, needed, texts),
            soft_cap=self.soft_cap,
            sink=None if self.sink is None else self.sink[pick],
            softmax_over=self.softmax_over,
            mask_applied=self.mask_applied,
            need="all",
        )
        if needed != rows:
            attention = Attention(*(tensor[:, :, rows] for tensor in attention))
        silent = [place for place, head in enumerate(heads) if head in self.muted]
        z = attention.z.index_fill(1, torch.tensor(silent), 0.0) if silent else attention.z
        return {"scores": attention.scores, "pattern": attention.pattern, "z": z}

    @staticmethod
    def _bias(
        bias: Float[Tensor, "#batch #head query key"], pick: Pick, rows: slice, texts: slice
    ) -> Float[Tensor, "#text #chosen row key"]:
        """What of the bias is of these heads, rows and texts; one for all of them stays one."""
        bias = bias if bias.shape[0] == 1 else bias[texts]
        return (bias if bias.shape[1] == 1 else bias[:, pick])[:, :, rows]

    def _moved(
        self, v: Float[Tensor, "batch head key d_head"], heads: list[int]
    ) -> Float[Tensor, "batch head key"]:
        """‖v[j] · W_O[head]‖₂, one head at a time: (batch key d_model) is all that it holds."""
        assert self.w_o is not None
        norms = [
            (v[:, place] @ self.w_o[head]).norm(dim=-1) * (head not in self.muted)
            for place, head in enumerate(heads)
        ]
        return torch.stack(norms, dim=1) if norms else v.new_zeros(v.shape[:-1])


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
