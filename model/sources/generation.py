"""Tokens appended to texts, one after another, each from a whole run over those before it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from model.errors import InputError, NumericsError
from model.predictions import nucleus
from model.slices import end_slice
from model.tokenizer import Token


@dataclass(frozen=True, slots=True)
class Generate:
    """How many tokens to append, and how each is chosen."""

    n_tokens: int
    sampled: bool = False  # from softmax(logits / temperature); else the likeliest
    temperature: float = 1.0
    seed: int = 0  # of each text by itself, whatever others are traced with it
    # drawn tokens are among the top_k likeliest, and in the nucleus of top_p
    top_k: int | None = None
    top_p: float | None = None
    # the ids to append to each row, if they are known already: then nothing runs
    known: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        if self.n_tokens < 1:
            raise InputError(
                f"Expected at least 1 token to append; got {self.n_tokens}.", field="generate"
            )
        if not 0 < self.temperature < float("inf"):
            raise InputError(
                f"A temperature is a number above 0; got {self.temperature}.",
                field="generate.temperature",
            )
        if self.top_k is not None and self.top_k < 1:
            raise InputError(
                f"Expected at least 1 token to draw from; got {self.top_k}.", field="generate.top_k"
            )
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise InputError(
                f"A nucleus holds a share above 0, up to 1; got {self.top_p}.",
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
    """Append what the model predicts to each row; a row ends with an `ends` token.

    `logits_after` runs the model on all rows, because masks may refer to them by index.

    Raises:
        NumericsError: a logit that is not finite.
    """
    grown = [list(row) for row in rows]

    def append(row: int, id: int) -> None:
        place = grown[row][-1].end
        grown[row].append(Token(id, spell(id), place, place, id in ends, generated=True))

    if settings.known is not None:
        for row, ids in enumerate(settings.known):
            for id in ids:
                append(row, id)
        return grown
    chances = [torch.Generator().manual_seed(settings.seed) for _ in rows]
    open_rows = list(range(len(rows)))
    for step in range(settings.n_tokens):
        end_slice(step, settings.n_tokens)
        logits = logits_after(grown)
        if not bool(logits.isfinite().all()):
            raise NumericsError("A logit is not finite; expected all finite.")
        for row in tuple(open_rows):
            id = _choose(logits[row], settings, chances[row])
            append(row, id)
            if id in ends:
                open_rows.remove(row)
        if not open_rows:
            break
    return grown


def _choose(
    logits: Float[Tensor, " vocab_size"], settings: Generate, chance: torch.Generator
) -> int:
    if not settings.sampled:
        return int(logits.argmax())
    shares = ((logits.double() - logits.max()) / settings.temperature).softmax(-1)
    n = len(shares) if settings.top_k is None else min(settings.top_k, len(shares))
    if settings.top_p is not None:
        n = min(n, nucleus(shares.log(), settings.top_p).tokens)
    if n < len(shares):
        kept = shares.topk(n).indices
        shares = torch.zeros_like(shares).scatter(0, kept, shares[kept])
    return int(torch.multinomial(shares, 1, generator=chance))
