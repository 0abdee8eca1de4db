"""Generation: append tokens to texts one by one, with a full run of the model for each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from model.core.tokenizer import Token
from model.errors import InputError, NumericsError
from model.slices import end_slice
from model.trace.predictions import nucleus


@dataclass(frozen=True, slots=True)
class Generate:
    """How many tokens to append, and how each is chosen."""

    n_tokens: int
    sampled: bool = False  # draw from softmax(logits / temperature); otherwise take the likeliest
    temperature: float = 1.0
    seed: int = 0  # for each text separately, whatever other texts are traced with it
    # draw only from the top_k likeliest tokens, and only from the nucleus of top_p
    top_k: int | None = None
    top_p: float | None = None
    # the ids to append to each row, if they are already known; then the model does not run
    known: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        if self.n_tokens < 1:
            raise InputError(
                f"Expected at least 1 token to append; got {self.n_tokens}.", field="generate"
            )
        if not 0 < self.temperature < float("inf"):
            raise InputError(
                f"Expected a temperature above 0; got {self.temperature}.",
                field="generate.temperature",
            )
        if self.top_k is not None and self.top_k < 1:
            raise InputError(
                f"Expected at least 1 token to draw from; got {self.top_k}.", field="generate.top_k"
            )
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise InputError(
                f"Expected top_p to be above 0 and at most 1; got {self.top_p}.",
                field="generate.top_p",
            )


def generate(
    rows: Sequence[list[Token]],
    settings: Generate,
    logits_after: Callable[[list[list[Token]]], Float[Tensor, "row vocab_size"]],
    *,
    spell: Callable[[int], str],
    ends: frozenset[int] = frozenset(),
) -> list[list[Token]]:
    """The rows with the tokens that the model appends; a row is finished after one of `ends`.

    `logits_after` runs the model on all rows, even finished ones: masks may refer to a row by its
    index.

    Raises:
        NumericsError: a logit that is not finite.
    """
    extended = [list(row) for row in rows]

    def append(row: int, id: int) -> None:
        offset = extended[row][-1].end
        extended[row].append(Token(id, spell(id), offset, offset, id in ends, generated=True))

    if settings.known is not None:
        for row, ids in enumerate(settings.known):
            for id in ids:
                append(row, id)
        return extended
    generators = [torch.Generator().manual_seed(settings.seed) for _ in rows]
    unfinished = list(range(len(rows)))
    for step in range(settings.n_tokens):
        end_slice(step, settings.n_tokens)
        logits = logits_after(extended)
        if not bool(logits.isfinite().all()):
            raise NumericsError("A logit is not finite; expected all finite.")
        for row in tuple(unfinished):
            id = _choose(logits[row], settings, generators[row])
            append(row, id)
            if id in ends:
                unfinished.remove(row)
        if not unfinished:
            break
    return extended


def _choose(
    logits: Float[Tensor, " vocab_size"], settings: Generate, generator: torch.Generator
) -> int:
    if not settings.sampled:
        return int(logits.argmax())
    p = ((logits.double() - logits.max()) / settings.temperature).softmax(-1)
    n = len(p) if settings.top_k is None else min(settings.top_k, len(p))
    if settings.top_p is not None:
        n = min(n, nucleus(p.log(), settings.top_p).tokens)
    if n < len(p):
        kept = p.topk(n).indices
        p = torch.zeros_like(p).scatter(0, kept, p[kept])
    return int(torch.multinomial(p, 1, generator=generator))
