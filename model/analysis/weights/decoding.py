"""Directions of the residual stream in words: which tokens they speak for and against.

A vector that is added at the end of the stream moves the logits by W_U · (gain · vector), up to the
scale of the last norm, which a text sets; and W_U's mean row moves all logits alike, so that a
softmax does not see it (nostalgebraist 2020; Elhage et al. 2021). The tokens near it are those
whose embeddings have the same direction.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.kinds import SiteKind
from model.slices import end_slice
from model.trace.stream import Stream, Write
from model.trace.trace import Trace

FIELD = "analyse.decode"
STRIPE = 4_096  # embeddings that are compared at once


@dataclass(frozen=True)
class Spoken:
    """A token, and how much a direction speaks for it, or how near it is."""

    id: int
    text: str
    value: float


@dataclass(frozen=True)
class Decoded:
    """One direction in words, each list strongest first."""

    raises: tuple[Spoken, ...]  # by logits above the mean over the vocabulary, before the scale
    lowers: tuple[Spoken, ...]
    near: tuple[Spoken, ...] | None  # by the cosine with embeddings; None: of another width


def decode(
    trace: Trace,
    vectors: Float[Tensor, "vector d"],
    *,
    vocab_size: int,
    top_k: int,
    layer: int | None = None,
    head: int | None = None,
    kind: SiteKind | None = None,
) -> list[Decoded]:
    """Vectors of the stream where the model predicts, or with a head, what its W_O makes of them.

    Raises:
        InputError: there is no such head, or the vectors have another width.
        UnavailableError: nothing is predicted, or not by one matrix; or the W_O is not known.
        NumericsError: a number is not finite.
    """
    stream = trace.stream_to_read("no direction of it can be put in words", field=FIELD)
    if layer is not None or head is not None:
        vectors = _written(trace, vectors, layer, head, kind)
    n = next(step.out.shape[-1] for step in stream.steps if isinstance(step, Write))
    if vectors.shape[-1] != n:
        raise InputError(
            f"The stream of {trace.model} has {n} numbers for each token; got {vectors.shape[-1]}.",
            field=f"{FIELD}.vectors",
        )
    logits = added(trace, stream, vectors)
    if isinstance(logits, str):
        raise UnavailableError(
            f"Directions of {trace.model} cannot be put in words: {logits}.", field=FIELD
        )
    if not all_finite(logits):
        raise NumericsError("A direction's logits are not finite; expected all finite.")
    values = logits - logits.mean(dim=1, keepdim=True)
    near = _near(stream, vectors, vocab_size, top_k)
    spell = trace.token_text or str
    return [
        Decoded(*spoken(row, top_k, spell), near=None if near is None else _spelt(*near[n], spell))
        for n, row in enumerate(values)
    ]


def added(
    trace: Trace, stream: Stream, written: Float[Tensor, "row d_model"]
) -> Float[Tensor, "row vocab_size"] | str:
    """What vectors at the end of the stream add to the logits, but for a scale; or why nothing."""
    unembed = stream.raw_unembed
    if unembed is None:
        return "this stack has no language-model head"
    if trace.classes:
        return "the model predicts a class, not tokens"
    if stream.final is not None:
        written = stream.final.folded(written)
    nothing = unembed(torch.zeros_like(written[:1]))
    logits = unembed(written) - nothing
    twice = unembed(2 * written) - nothing
    if not torch.allclose(twice, 2 * logits, rtol=1e-3, atol=1e-3 * float(logits.abs().max())):
        return "the language-model head is more than one matrix"
    return logits


def spoken(
    values: Float[Tensor, " vocab_size"], top_k: int, spell: Callable[[int], str]
) -> tuple[tuple[Spoken, ...], tuple[Spoken, ...]]:
    """The tokens that are raised most, and those that are lowered most."""
    n = min(top_k, len(values))
    best, worst = values.topk(n), values.topk(n, largest=False)
    return (
        _spelt(best.indices, best.values, spell),
        _spelt(worst.indices, worst.values, spell),
    )


def _spelt(ids: Tensor, values: Tensor, spell: Callable[[int], str]) -> tuple[Spoken, ...]:
    pairs = zip(ids.tolist(), values.tolist(), strict=True)
    return tuple(Spoken(id, spell(id), value) for id, value in pairs)


def _written(
    trace: Trace,
    vectors: Float[Tensor, "vector d_head"],
    layer: int | None,
    head: int | None,
    kind: SiteKind | None,
) -> Float[Tensor, "vector d_model"]:
    """What a head writes to the stream where its z is each of the vectors."""
    if layer is None or head is None:
        missing = "layer" if layer is None else "head"
        raise InputError(
            f"A head is named by its layer and its number; {missing} is missing.",
            field=f"{FIELD}.{missing}",
        )
    site = trace.site_of(layer, kind, FIELD)
    if head >= site.n_heads:
        raise InputError(
            f"{site.name} has heads 0 to {site.n_heads - 1}; got {head}.", field=f"{FIELD}.head"
        )
    if site.w_o is None:
        raise UnavailableError(f"{site.name} has no known W_O.", field=FIELD)
    w_o = site.w_o[head].float().cpu()
    if vectors.shape[-1] != len(w_o):
        raise InputError(
            f"A head of {site.name} gives {len(w_o)} numbers for each token; got "
            f"{vectors.shape[-1]}.",
            field=f"{FIELD}.vectors",
        )
    return vectors @ w_o


def _near(
    stream: Stream, vectors: Float[Tensor, "vector d_model"], vocab_size: int, top_k: int
) -> list[tuple[Tensor, Tensor]] | None:
    """The ids of the embeddings that are nearest to each vector, and their cosines."""
    if stream.embed is None or stream.embed(torch.arange(1)).shape[-1] != vectors.shape[-1]:
        return None
    unit = torch.nn.functional.normalize(vectors, dim=-1)
    cosines = []
    for ids in torch.split(torch.arange(vocab_size), STRIPE):
        end_slice()
        cosines.append(
            unit @ torch.nn.functional.normalize(stream.embed(ids).float().cpu(), dim=-1).T
        )
    best = torch.cat(cosines, dim=1).topk(min(top_k, vocab_size))
    return list(zip(best.indices, best.values, strict=True))
