"""The QK and the OV circuit of a head over the vocabulary (Elhage et al. 2021).

    QK: scale · (x[query] W_Q + b_Q) · (x[key] W_K + b_K), above the query's mean over all keys
    OV: x[source] W_V W_O W_U, above the mean over all outputs

x is what the layer's norm makes of a token alone: of its embedding, and after the first layer also
of what the first feed-forward network makes of it (the effective embedding of Wang et al. 2022).
Each token gets a scale of its own there. The gain of the last norm is counted, its scale is not, so
OV values compare with each other and are not logits. Rotary positions turn nothing: QK is for a
query and a key at one position. What the OV circuit adds for every token alike (b_V) is left out.

A head copies if tokens raise their own logit: the copying score is Σ Re λ / Σ |λ| over the
eigenvalues λ of the OV circuit, 1 if all are positive. vocab_size² numbers are never held: both
circuits are read in stripes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import torch
from einops import einsum
from jaxtyping import Float, Int
from torch import Tensor

from model.analysis.weights.decoding import added
from model.analysis.weights.head_weights import HeadWeights, arrived, head_weights, smallest_trace
from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.listing import layers_in_words
from model.slices import end_slice
from model.sources.source import Source
from model.trace.recorded import SiteKind
from model.trace.stream import Read, Renorm, Stream, Write
from model.trace.trace import Trace

STRIPE_CELLS = 4_000_000  # of a circuit that are held at once

Reads = Literal["embedding", "effective embedding"]


@dataclass(frozen=True)
class TokenPair:
    """One cell of a circuit: a query and a key, or a source and an output."""

    first: int
    second: int
    value: float


@dataclass(frozen=True, kw_only=True)
class Partners:
    """What goes with one token, strongest first."""

    token: int
    as_query: tuple[TokenPair, ...]  # the keys that it looks for
    as_key: tuple[TokenPair, ...]  # the queries that look for it
    raises: tuple[TokenPair, ...]  # the outputs that it raises when it is looked at
    lowers: tuple[TokenPair, ...]


@dataclass(frozen=True, kw_only=True)
class Circuits:
    """The circuits of one head; what concerns outputs is None where the stack predicts nothing."""

    site: str
    layer: int
    head: int
    reads: Reads
    n_tokens: int  # of the vocabulary, without special ones
    qk: tuple[TokenPair, ...]  # the strongest pairs of a query and a key; () if not asked for
    ov: tuple[TokenPair, ...]  # the strongest pairs of a source and an output
    copying: float | None  # −1 to 1
    copied: float | None  # the share of tokens that raise their own logit above the mean
    no_outputs: str | None  # why there is no OV circuit
    partners: Partners | None
    texts: dict[int, str]  # of the tokens in pairs

    @property
    def pairs(self) -> Iterator[TokenPair]:
        """All pairs of tokens."""
        yield from (*self.qk, *self.ov)
        if self.partners is not None:
            for each in (self.partners.as_query, self.partners.as_key):
                yield from each
            yield from (*self.partners.raises, *self.partners.lowers)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Factors:
    """The circuits as products of thin matrices: scores = q · kᵀ, outputs = v · o."""

    q: Float[Tensor, "token d_head"]
    k: Float[Tensor, "token d_head"]
    v: Float[Tensor, "token d_head_v"]
    o: Float[Tensor, "d_head_v token"] | None
    no_outputs: str | None


@torch.no_grad()
def circuits(
    source: Source,
    *,
    layer: int,
    head: int,
    kind: SiteKind | None = None,
    token: int | None = None,
    top: int = 10,
    pairs: bool = True,
) -> Circuits:
    """The circuits of a head: their strongest pairs, its copying score, and a token's partners.

    Without a kind, the head is of the layer's first site. Without `pairs`, the strongest pairs,
    which are found among vocab_size² cells, are left out.

    Raises:
        InputError: there is no such head or ordinary token.
        UnavailableError: the source's stream, vocabulary or W_O is not known.
        NumericsError: a number is not finite.
    """
    ids = list(source.ordinary_ids)
    if token is not None and token not in set(ids):
        raise InputError(
            f"{source.info.name} has ordinary tokens from {ids[0]} to {ids[-1]}; got {token}.",
            field="token",
        )
    trace = smallest_trace(source)
    read, stream = _place(source, trace, layer, kind)
    weights = head_weights(read, stream, trace.sites)
    if not 0 <= head < weights.site.n_heads:
        raise InputError(
            f"{weights.site.name} has heads 0 to {weights.site.n_heads - 1}; got {head}.",
            field="head",
        )
    known = torch.tensor(ids)
    factors, reads = _factors(trace, stream, weights, head, known)
    copying = None if factors.o is None else _copying(factors.o, factors.v)
    k, o = factors.k.T, factors.o if pairs else None
    found = Circuits(
        site=weights.site.name,
        layer=weights.site.layer,
        head=head,
        reads=reads,
        n_tokens=len(ids),
        qk=_strongest(factors.q, k, known, top) if pairs else (),
        ov=() if o is None else _strongest(factors.v, o, known, top),
        copying=None if copying is None else copying[0],
        copied=None if copying is None else copying[1],
        no_outputs=factors.no_outputs,
        partners=None if token is None else _partners(factors, known, token, top),
        texts={},
    )
    spell = trace.token_text or str
    texts = {id: spell(id) for pair in found.pairs for id in (pair.first, pair.second)}
    return replace(found, texts=texts)


def _place(source: Source, trace: Trace, layer: int, kind: SiteKind | None) -> tuple[Read, Stream]:
    """Where a site reads its stream."""
    fits = [
        index
        for index, site in enumerate(trace.sites)
        if site.layer == layer and kind in (None, site.kind)
    ]
    if not fits:
        raise _no_site(source, trace, layer, kind)
    name = trace.sites[fits[0]].name
    for stream in trace.streams.values():
        for step in stream.steps:
            if isinstance(step, Read) and step.site == fits[0]:
                if step.reads == "q":
                    raise UnavailableError(
                        "Cross-attention reads its queries from the decoder, and its keys and "
                        "values from the encoder, so its heads have no circuits over one "
                        'vocabulary. Choose a head of kind "encoder" or "decoder".',
                        field="layer",
                    )
                if stream.embed is None:
                    raise UnavailableError(
                        f"The embedding of {source.info.name} is not known, so {name} cannot be "
                        "read over the vocabulary.",
                        field="model",
                    )
                return step, stream
    raise UnavailableError(
        f"The residual stream of {source.info.name} is not known, so its heads cannot be read over "
        "the vocabulary.",
        field="model",
    )


def _no_site(source: Source, trace: Trace, layer: int, kind: SiteKind | None) -> InputError:
    """The error for a layer without a site, or without one of a kind."""
    name = source.info.name
    if kind is not None and all(site.kind != kind for site in trace.sites):
        kinds = ", ".join(dict.fromkeys(site.kind for site in trace.sites))
        return InputError(
            f"{name} has no {kind} sites, only {kinds}. Name another kind, or leave it out.",
            field="kind",
        )
    known = layers_in_words(site.layer for site in trace.sites if kind in (None, site.kind))
    return InputError(
        f"{name} has {known}{'' if kind is None else f' of the kind {kind}'}; got {layer}.",
        field="layer",
    )


def _factors(
    trace: Trace, stream: Stream, weights: HeadWeights, head: int, ids: Int[Tensor, " token"]
) -> tuple[_Factors, Reads]:
    assert weights.w_k is not None and weights.w_v is not None
    assert weights.b_q is not None and weights.b_k is not None
    found: list[list[Tensor]] = [[], [], []]
    reads: Reads = "embedding"
    for some in torch.split(ids, 4_096):
        end_slice()
        x, reads = _alone(stream, weights.read, some)
        for each, w in zip(found, (weights.w_q, weights.w_k, weights.w_v), strict=True):
            each.append(x @ w[head])
    q, k, v = (torch.cat(each) for each in found)
    k = k + weights.b_k[head]
    o, why = _outputs(trace, stream, weights, head, ids)
    factors = _Factors(
        q=(q + weights.b_q[head]) * weights.site.scale,
        k=k - k.mean(0),
        v=v,
        o=o,
        no_outputs=why,
    )
    if not all(all_finite(each) for each in (factors.q, factors.k, v, *([] if o is None else [o]))):
        raise NumericsError(
            f"The circuits of {weights.site.name} head {head} have numbers that are not finite; "
            "expected all finite."
        )
    return factors, reads


def _alone(
    stream: Stream, read: Read, ids: Int[Tensor, " token"]
) -> tuple[Float[Tensor, "token d_model"], Reads]:
    """What the norm before a site makes of tokens alone, without its gain and its bias."""
    assert stream.embed is not None
    x = stream.embed(ids)
    reads: Reads = "embedding"
    for step in stream.steps:
        if step is read:
            break
        if isinstance(step, Renorm):
            x = step.norm.fresh(x)
        elif isinstance(step, Write) and step.function is not None and reads == "embedding":
            x = x + step.function(x if step.reads is None else step.reads.fresh(x))
            reads = "effective embedding"
    return (x if read.norm is None else read.norm.unit(x)), reads


def _outputs(
    trace: Trace, stream: Stream, weights: HeadWeights, head: int, ids: Int[Tensor, " token"]
) -> tuple[Float[Tensor, "d_head token"] | None, str | None]:
    """W_O W_U of a head, above the mean over the vocabulary; or why there is none."""
    logits = added(trace, stream, arrived(weights.w_o[head], stream, weights.read.site, None))
    if isinstance(logits, str):
        return None, logits
    logits = logits[:, ids]
    return logits - logits.mean(dim=1, keepdim=True), None


def _copying(
    o: Float[Tensor, "d_head_v token"], v: Float[Tensor, "token d_head_v"]
) -> tuple[float, float]:
    """Σ Re λ / Σ |λ|, and the share of tokens that raise their own logit.

    The OV circuit v·o has the eigenvalues of the small matrix o·v, besides zeros.
    """
    values = torch.linalg.eigvals(o.double() @ v.double())
    size = values.abs().sum().item()
    own = einsum(v, o, "token d, d token -> token")
    return (values.real.sum().item() / size if size else 0.0), (own > 0).double().mean().item()


def _strongest(
    rows: Float[Tensor, "token d_head"],
    columns: Float[Tensor, "d_head token"],
    ids: Int[Tensor, " token"],
    top: int,
) -> tuple[TokenPair, ...]:
    """The largest cells of rows · columns, read in stripes of rows."""
    n = columns.shape[1]
    stripe = max(1, STRIPE_CELLS // n)
    values, places = torch.zeros(0), torch.zeros(0, dtype=torch.long)
    total = -(-len(rows) // stripe)
    for number, some in enumerate(torch.split(rows, stripe)):
        end_slice(number, total)
        cells = some @ columns
        # the largest cells lie in the rows with the largest maxima; a maximum is quick to find
        likely = cells.amax(dim=1).topk(min(top, len(some))).indices
        best = cells[likely].flatten().topk(min(top, len(likely) * n))
        values = torch.cat([values, best.values])
        rows_of = likely[best.indices // n] + number * stripe
        places = torch.cat([places, rows_of * n + best.indices % n])
        kept = values.topk(min(top, len(values)))
        values, places = kept.values, places[kept.indices]
    return tuple(
        TokenPair(int(ids[place // n]), int(ids[place % n]), value)
        for place, value in zip(places.tolist(), values.tolist(), strict=True)
    )


def _partners(factors: _Factors, ids: Int[Tensor, " token"], token: int, top: int) -> Partners:
    place = int((ids == token).nonzero()[0, 0])
    own = factors.k @ factors.q[place]
    looked = factors.q @ factors.k[place]
    out = None if factors.o is None else factors.v[place] @ factors.o

    def pairs(values: Tensor, *, first: bool, sign: int = 1) -> Iterator[TokenPair]:
        best = (sign * values).topk(min(top, len(values)))
        for at, value in zip(best.indices.tolist(), best.values.tolist(), strict=True):
            two = (token, int(ids[at])) if first else (int(ids[at]), token)
            yield TokenPair(*two, sign * value)

    return Partners(
        token=token,
        as_query=tuple(pairs(own, first=True)),
        as_key=tuple(pairs(looked, first=False)),
        raises=() if out is None else tuple(pairs(out, first=True)),
        lowers=() if out is None else tuple(pairs(out, first=True, sign=-1)),
    )
