"""The tensors that can be derived at a site: one row each in static/js/facts/tensors.json, with its
axes, what a site must have recorded and what its numbers mean; here is how it is derived from a
`Part`. Sites, the estimate of a response's size, the request's schema, the sources and the client
read the rows.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import torch
from einops import einsum
from jaxtyping import Float, UInt8
from torch import Tensor

from model.core.attention import Attention, AttentionConfig, added, attend, fading
from model.facts import facts
from model.lazy import lazy
from model.trace.recorded import Recorded

Pick = slice | list[int]  # an index of heads
Axis = Literal["row", "key", "d_head", "d_model"]
TensorName = str  # one of TENSORS


@dataclass(frozen=True, eq=False)
class Part:
    """Some heads and query rows of a site, for some texts."""

    site: Recorded
    heads: list[int]
    pick: Pick  # the same as an index; for all heads a slice, which is much quicker (a view)
    rows: slice
    texts: slice
    requested: frozenset[TensorName]  # including the tensors that they are derived from

    @lazy
    def attention(self) -> Attention:
        """Derived from q, k and v; z only if it is requested."""
        site = self.site
        assert site.q is not None and site.k is not None and site.v is not None
        # columns are normalised over all rows, so all rows are derived, and cut afterwards
        needed = self.rows if site.softmax_over == "key" else slice(None)
        mask = None if site.mask.is_open else site.mask.allows(needed)[self.texts]
        v = site.v[self.texts, self.pick]
        attention = attend(
            site.q[self.texts, self.pick, needed],
            site.k[self.texts, self.pick],
            v if "z" in self.requested else v[..., :0],
            mask=mask if mask is None or mask.shape[1] == 1 else mask[:, self.pick],
            bias=self.bias_of(needed) if site.has_bias else None,
            sink=None if site.sink is None else site.sink[self.pick],
            **site.rule,
            need="all",
        )
        if needed != self.rows:
            attention = Attention(*(tensor[:, :, self.rows] for tensor in attention))
        return attention

    @lazy
    def pattern(self) -> Float[Tensor, "batch head row key"]:
        stored = self.site.stored_pattern
        if stored is None or self.requested & {"scores", "z"}:
            return self.attention.pattern
        return stored[self.texts, self.pick, self.rows]

    @property
    def weights(self) -> Float[Tensor, "batch head row key"]:
        """What v is multiplied by."""
        return self.attention.weights if self.site.kernel == "product" else self.pattern

    @lazy
    def z(self) -> Float[Tensor, "batch head row d_head_v"]:
        muted = [index for index, head in enumerate(self.heads) if head in self.site.muted]
        z, site = self.attention.z, self.site
        if site.z_factor is not None:
            z = z * site.z_factor[self.texts, self.pick, self.rows]
        if site.z_shift is not None:
            z = z + site.z_shift[self.texts, self.pick, self.rows]
        return z.index_fill(1, torch.tensor(muted), 0.0) if muted else z

    @lazy
    def v(self) -> Float[Tensor, "batch head key d_head_v"]:
        assert self.site.v is not None
        return self.site.v[self.texts, self.pick]

    def bias_of(self, rows: slice) -> Float[Tensor, "#text #chosen row key"]:
        """The bias of these heads, rows and texts. An axis of size 1 stays so."""
        bias, decay = self.site.bias, self.site.decay
        if bias is not None:
            bias = bias if bias.shape[0] == 1 else bias[self.texts]
            bias = (bias if bias.shape[1] == 1 else bias[:, self.pick])[:, :, rows]
        faded = None if decay is None else fading(decay[self.texts, self.pick], rows)
        both = added(bias, faded)
        assert both is not None
        return both


def _q(part: Part) -> Tensor:
    assert part.site.q is not None
    return part.site.q[part.texts, part.pick, part.rows]


def _k(part: Part) -> Tensor:
    assert part.site.k is not None
    return part.site.k[part.texts, part.pick]


def _gate(part: Part) -> Float[Tensor, "batch head row"]:
    assert part.site.gate is not None
    return part.site.gate[part.texts, part.pick, part.rows, 0]


def _net(part: Part) -> Float[Tensor, "batch head row key"]:
    """The pattern of each head's pair: of its first head, less λ times that of its second."""
    assert part.site.minus is not None
    first, second = (
        replace(part, heads=heads, pick=heads).pattern
        for heads in ([head - head % 2 + at for head in part.heads] for at in (0, 1))
    )
    return first - part.site.minus * second


def _bias(part: Part) -> Tensor:
    texts = range(part.site.mask.batch)[part.texts]
    return part.bias_of(part.rows).expand(len(texts), len(part.heads), -1, -1)


def _result(part: Part) -> Tensor:
    assert part.site.w_o is not None
    result: Tensor = einsum(
        part.z,
        part.site.w_o[part.heads],
        "b head row d_head, head d_head d_model -> b head row d_model",
    )
    return result


def _norms(part: Part) -> Tensor:
    """‖v[j] · W_O[head]‖₂ one head at a time, to hold only (batch key d_model) in memory.

    Where a gate or an intervention scales z, what is moved is scaled; where one sets z, nothing is
    moved.
    """
    site, v = part.site, part.v
    assert site.w_o is not None
    norms = [
        (v[:, index] @ site.w_o[head]).norm(dim=-1) * (head not in site.muted)
        for index, head in enumerate(part.heads)
    ]
    sizes = torch.stack(norms, dim=1) if norms else v.new_zeros(v.shape[:-1])
    moved = part.weights.abs() * sizes[:, :, None]
    if site.z_factor is None:
        return moved
    return moved * site.z_factor[part.texts, part.pick, part.rows].abs()


def _value_weighted(part: Part) -> Float[Tensor, "batch head row key"]:
    v = part.v
    # shares do not depend on the scale of v, so divide by it to keep the squares within float32
    largest = v.abs().amax(dim=(2, 3), keepdim=True)
    norms = (v / largest.masked_fill(largest == 0, 1.0)).norm(dim=-1)
    weighted = part.pattern * norms[:, :, None]
    total = weighted.sum(dim=-1, keepdim=True)
    shares: Tensor = weighted / total.masked_fill(total == 0, 1.0)
    return shares


def _blocked_by(part: Part) -> UInt8[Tensor, "batch head row key"]:
    reasons = part.site.mask.blocked_by(part.rows)[part.texts]
    return reasons if reasons.shape[1] == 1 else reasons[:, part.heads]


@dataclass(frozen=True, kw_only=True)
class Row:
    """Everything about one tensor. All have the axes batch and head before `axes`."""

    axes: tuple[Axis, ...]
    derive: Callable[[Part], Tensor]
    needs: tuple[str, ...] = ()  # fields that a site must have recorded
    reads: tuple[TensorName, ...] = ()  # tensors that it is derived from
    is_bits: bool = False  # `BlockedBy` bits as uint8; otherwise it is float32
    # from 0 to 1, or bits: uint8 can hold it, and it can be max-pooled
    is_share: bool = False
    unit: str = ""
    about: str = ""  # its description in the API, if the name is not enough


QKV = ("q", "k", "v")  # fields of a site that was recorded whole


def recorded_by(attention: AttentionConfig) -> tuple[str, ...]:
    """The fields of a site of our own attention."""
    has = {
        "w_o": attention.output,
        "gate": attention.gate,
        "minus": attention.minus is not None,
        "bias": attention.selective,
    }
    return (*QKV, attention.kernel, *(name for name, is_there in has.items() if is_there))


# How each is derived. Muting comes after the values, so it leaves `value_weighted` as it is.
_DERIVE: Mapping[TensorName, Callable[[Part], Tensor]] = {
    "q": _q,
    "k": _k,
    "v": lambda part: part.v,
    "scores": lambda part: part.attention.scores,
    "pattern": lambda part: part.pattern,
    "z": lambda part: part.z,
    "blocked_by": _blocked_by,
    "bias": _bias,
    "gate": _gate,
    "net": _net,
    "hidden": lambda part: part.weights,
    "result": _result,
    "norms": _norms,
    "value_weighted": _value_weighted,
}


def _row(name: TensorName, told: Mapping[str, Any]) -> Row:
    lists = {key: tuple(value) for key, value in told.items() if isinstance(value, list)}
    return Row(derive=_DERIVE[name], **{**told, **lists})


TENSORS: Mapping[TensorName, Row] = {
    name: _row(name, told) for name, told in facts("tensors").items()
}


def given_by(recorded: Iterable[str]) -> tuple[TensorName, ...]:
    """The tensors that can be derived at a site with these fields recorded."""
    has = set(recorded)
    return tuple(name for name, row in TENSORS.items() if has.issuperset(row.needs))


def with_reads(names: Iterable[TensorName]) -> frozenset[TensorName]:
    """The tensors, and those that they are derived from."""
    return frozenset(read for name in names for read in (name, *TENSORS[name].reads))
