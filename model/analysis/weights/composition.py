"""Composition: how much a later head reads what an earlier one wrote.

From weights (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"), with
W_OV = W_V W_O and W_QK = W_Q W_Kᵀ, vectors as rows, and ‖·‖ the Frobenius norm:

    q: ‖W_OV W_QK‖ / ‖W_OV‖ ‖W_QK‖      k: ‖W_OV W_QKᵀ‖ / ‖W_OV‖ ‖W_QK‖
    v: ‖W_OV W_OV'‖ / ‖W_OV‖ ‖W_OV'‖

The gains of norms are folded into the matrices that read, and the mean that a norm subtracts is
taken from what is written. Two matrices of these sizes that know
nothing of each other give 1/√d on average (as a root mean square), with d the width of the stream.

On a text, nothing is estimated: q, k and v are sums over what was written to the stream before,
with the scale of the norm frozen, so the part of an earlier head is one summand.

    q, k: by how much that summand lifts the scores that the later head goes by. With s' the part of
          the scores that comes from it: the mean over queries i of Σ_j A[i,j] s'[i,j] minus the
          mean of s'[i,j] over the keys that i may attend to. Over all parts it sums to the whole
          lift. In units of the scores, before a soft cap.
    v:    the share of the later head's output that is that summand: Σ_i r'[i]·r[i] / Σ_i |r[i]|².
          Over all parts it sums to 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from einops import einsum
from jaxtyping import Float
from torch import Tensor

from model.analysis.weights.head_weights import (
    HeadWeights,
    arrived,
    head_weights,
    reads_after,
    stream_read,
    writes_of,
)
from model.errors import NumericsError, UnavailableError
from model.finite import all_finite
from model.masks.mask import stripes_of
from model.slices import end_slice
from model.trace.site import Site
from model.trace.stream import Part, Read, Stream, walk
from model.trace.trace import Trace


@dataclass(frozen=True, kw_only=True, eq=False)
class SitePair:
    """How much the heads of a later site read what those of an earlier one wrote.

    k and v are None if the later site makes them from another stream; q is then of W_Q alone.
    """

    earlier: str
    later: str
    q: Float[Tensor, "earlier later"]
    k: Float[Tensor, "earlier later"] | None
    v: Float[Tensor, "earlier later"] | None


@dataclass(frozen=True, kw_only=True, eq=False)
class WeightComposition:
    """The composition of all pairs of heads by weights, with what chance would give."""

    pairs: tuple[SitePair, ...]
    baseline: float


@dataclass(frozen=True)
class Whole:
    """What the shares of a head on a text are shares of."""

    site: str
    head: int
    lift: float  # by how much attended keys score more than others, in units of the scores
    output: float  # the mean over queries of |r|²


@dataclass(frozen=True, kw_only=True, eq=False)
class TextComposition:
    """The composition of all pairs of heads on one text."""

    pairs: tuple[SitePair, ...]
    wholes: tuple[Whole, ...]  # of the heads that read


@torch.no_grad()
def weight_composition(trace: Trace, field: str = "analyse.composition") -> WeightComposition:
    """The composition of every pair of heads, an earlier one and a later one, from weights.

    Any trace of the model will do, if its stream was recorded.

    Raises:
        UnavailableError: the stream was not recorded, or a W_O is not known.
    """
    stream = stream_read(trace, field)
    reads = [step for step in stream.steps if isinstance(step, Read)]
    weights = {read.site: head_weights(read, stream, trace.sites) for read in reads}
    pairs, d = [], 0.0
    for written in writes_of(stream):
        if weights[written].w_v is None:  # what it writes comes from another stream
            continue
        later = reads_after(stream, written)
        for read in later:
            end_slice()
            pairs.append(_by_weights(weights[written], weights[read.site], stream))
            centred = read.norm is not None and read.norm.centres
            d = weights[written].w_o.shape[-1] - (1 if centred else 0)
    return WeightComposition(pairs=tuple(pairs), baseline=d**-0.5 if d else 0.0)


def _by_weights(one: HeadWeights, other: HeadWeights, stream: Stream) -> SitePair:
    """‖A B‖ of matrices of low rank: only their triangular factors are multiplied."""
    assert one.w_v is not None
    w_o = arrived(one.w_o, stream, one.read.site, other.read)
    written = _triangle(one.w_v) @ w_o  # head d_head d_model
    q, k, v = other.w_q, None, None
    if other.w_k is not None and other.w_v is not None:
        q = q @ _triangle(other.w_k).mT
        k = other.w_k @ _triangle(other.w_q).mT
        reads = other.read.norm
        w_o = other.w_o if reads is None else reads.centred(other.w_o)
        v = other.w_v @ _triangle(w_o.mT).mT
    return SitePair(
        earlier=one.site.name,
        later=other.site.name,
        q=_ratios(written, q),
        k=None if k is None else _ratios(written, k),
        v=None if v is None else _ratios(written, v),
    )


def _triangle(w: Float[Tensor, "head d_model d_head"]) -> Float[Tensor, "head rank d_head"]:
    """R of w = Q R, with which ‖w m‖ = ‖R m‖ for every m."""
    found: Tensor = torch.linalg.qr(w, mode="r").R
    return found


def _ratios(
    a: Float[Tensor, "earlier rank d_model"], b: Float[Tensor, "later d_model rank2"]
) -> Float[Tensor, "earlier later"]:
    """‖A B‖ / ‖A‖ ‖B‖ of each pair."""
    both = einsum(a, b, "earlier i d, later d j -> earlier later i j")
    whole = a.flatten(1).norm(dim=1)[:, None] * b.flatten(1).norm(dim=1)
    ratios: Tensor = both.flatten(2).norm(dim=2) / whole.clamp(min=1e-30)
    return ratios


@torch.no_grad()
def text_composition(trace: Trace) -> list[TextComposition]:
    """How much every head reads what each earlier one wrote, on each text of a trace.

    Raises:
        UnavailableError: the stream was not recorded, or a W_O is not known.
        NumericsError: a number is not finite.
    """
    stream = stream_read(trace, "analyse.composition")
    rows = trace.read_tokens
    found = []
    for text, row in enumerate(rows):
        real = torch.tensor([not token.padding for token in row])
        found.append(_of_text(trace, stream, text, real))
    return found


def _of_text(trace: Trace, stream: Stream, text: int, real: Tensor) -> TextComposition:
    pairs: list[SitePair] = []
    wholes: list[Whole] = []
    positions = range(len(real))
    for step, before in walk(stream, trace.sites, text=text, positions=positions):
        if not isinstance(step, Read):
            continue
        end_slice()
        site = trace.sites[step.site]
        reading = _reading(site, text, real)
        wholes += reading.wholes
        parts, vectors = before.summands()
        if step.norm is not None:
            vectors = step.norm.push(vectors, text, torch.tensor(positions))
        for earlier, of_site in _heads_by_site(parts).items():
            q, k, v = _linear(step, vectors[of_site], text)
            pairs.append(
                SitePair(
                    earlier=earlier,
                    later=site.name,
                    q=reading.through(q, reading.q),
                    k=None if k is None else reading.through(k, reading.k),
                    v=None if v is None else reading.through(v, reading.v),
                )
            )
    for pair in pairs:
        for one in (pair.q, pair.k, pair.v):
            if one is not None and not all_finite(one):
                raise NumericsError(
                    f"What {pair.later} reads of {pair.earlier} is not finite; expected all finite."
                )
    return TextComposition(pairs=tuple(pairs), wholes=tuple(wholes))


def _heads_by_site(parts: Sequence[Part]) -> dict[str, list[int]]:
    """Where the summands of each site's heads stand among the parts."""
    found: dict[str, list[int]] = {}
    for index, part in enumerate(parts):
        if part.kind == "head" and part.site is not None:
            found.setdefault(part.site, []).append(index)
    return found


def _linear(
    read: Read, vectors: Float[Tensor, "part pos d_model"], text: int
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """q, k and v of summands, without the biases of the projections."""
    if read.lacks:
        raise UnavailableError(
            f"What its heads read from each other cannot be told: {read.lacks}.",
            field="analyse.composition",
        )
    nothing = read.project(torch.zeros_like(vectors[:1]), text)
    each = [one - zero for one, zero in zip(read.project(vectors, text), nothing, strict=True)]
    return (each[0], None, None) if read.reads == "q" else (each[0], each[1], each[2])


@dataclass(frozen=True, kw_only=True, eq=False)
class _Reading:
    """The directions along which a part of q, k or v counts, at each position of each head."""

    q: Float[Tensor, "head query d_head"]
    k: Float[Tensor, "head key d_head"]
    v: Float[Tensor, "head key d_head_v"]
    wholes: tuple[Whole, ...]

    def through(
        self, part: Float[Tensor, "part head pos d_head"], along: Float[Tensor, "head pos d_head"]
    ) -> Float[Tensor, "part head"]:
        found: Tensor = einsum(part, along, "part head pos d, head pos d -> part head")
        return found


def _reading(site: Site, text: int, real: Tensor) -> _Reading:
    """The lift is Σ_i q_i · along_q[i], and so on: see the formulas at the top."""
    if site.q is None or site.k is None or site.v is None or site.w_o is None:
        raise UnavailableError(
            f"{site.name} has no q, k and v, so what it reads cannot be told apart.",
            field="analyse.composition",
        )
    q, k, v = site.q[text], site.k[text], site.v[text]
    w_o = site.w_o.clone()
    w_o[list(site.muted)] = 0.0
    along_q, along_k, along_v = (torch.zeros_like(each) for each in (q, k, v))
    lift, output = torch.zeros(site.n_heads), torch.zeros(site.n_heads)
    n = max(1, int(real.sum()))
    for rows in stripes_of(site.mask.n_query):
        pattern = site.derive(["pattern"], text=text, rows=rows)["pattern"][0]
        pattern = pattern * real[rows, None]
        allowed = site.mask.allows(rows)[text].float()
        even = allowed / allowed.sum(-1, keepdim=True).clamp(min=1)
        above = (pattern - even * pattern.sum(-1, keepdim=True)) * (site.scale / n)
        along_q[:, rows] = einsum(above, k, "head query key, head key d -> head query d")
        along_k += einsum(above, q[:, rows], "head query key, head query d -> head key d")
        lift += einsum(along_q[:, rows], q[:, rows], "head query d, head query d -> head")
        z, z_scale = einsum(pattern, v, "head query key, head key d -> head query d"), None
        if site.z_factor is not None:
            z_scale = site.z_factor[text, :, rows]
            z = z * z_scale
        if site.z_shift is not None:  # of real queries only, as everything here
            z = z + site.z_shift[text, :, rows] * real[rows, None]
        result = einsum(z, w_o, "head query d, head d m -> head query m")
        output += result.square().sum((1, 2)) / n
        back = einsum(result, w_o, "head query m, head d m -> head query d")
        back = back if z_scale is None else back * z_scale
        along_v += einsum(pattern, back, "head query key, head query d -> head key d") / n
    along_v /= output.clamp(min=1e-30)[:, None, None]
    along = {"q": along_q, "k": along_k, "v": along_v}
    for name, factors in site.follows.items():  # what is frozen is read from no part
        along[name] *= factors[text]
    numbers = zip(lift.tolist(), output.tolist(), strict=True)
    wholes = tuple(Whole(site.name, head, *two) for head, two in enumerate(numbers))
    return _Reading(q=along_q, k=along_k, v=along_v, wholes=wholes)
