"""Generation: append tokens to texts one by one, with a full run of the model for each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from model.core.tokenizer import Token
from model.errors import InputError, NumericsError
from model.slices import end_slice
from model.trace.predictions import nucleus


class Start(NamedTuple):
    """Where rows are cut, and the first token that each gets there instead of its own."""

    after: int  # the position that is the last to stay
    ids: tuple[int, ...]  # one for each row


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
    start: Start | None = None  # the first of the tokens to append, if it is not the model's choice

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

    def more(self, length: int) -> int:
        """How many tokens longer a row may become."""
        return self.n_tokens - (0 if self.start is None else length - 1 - self.start.after)


class Generated(NamedTuple):
    """Rows with what the model appended to them."""

    rows: list[list[Token]]
    # ln p of each token that it chose, by row, whatever the temperature; none of those given to it
    log_p: list[list[float]]


def generate(
    rows: Sequence[list[Token]],
    settings: Generate,
    logits_after: Callable[[list[list[Token]]], Float[Tensor, "row vocab_size"]],
    *,
    spell: Callable[[int], str],
    ends: frozenset[int] = frozenset(),
) -> Generated:
    """The rows with the tokens that the model appends; a row is finished after one of `ends`.

    `logits_after` runs the model on all rows, even finished ones: masks may refer to a row by its
    index.

    Raises:
        NumericsError: a logit that is not finite.
    """
    start = settings.start
    extended = [list(row if start is None else row[: start.after + 1]) for row in rows]
    log_p: list[list[float]] = [[] for _ in rows]

    def append(row: int, id: int) -> None:
        offset = extended[row][-1].end
        extended[row].append(Token(id, spell(id), offset, offset, id in ends, generated=True))

    given = settings.known if start is None else [(id,) for id in start.ids]
    for row, ids in enumerate(given or ()):
        for id in ids:
            append(row, id)
    if settings.known is not None:
        return Generated(extended, log_p)
    generators = [torch.Generator().manual_seed(settings.seed) for _ in rows]
    unfinished = [row for row, tokens in enumerate(extended) if not _is_over(tokens, ends)]
    for step in range(0 if start is None else 1, settings.n_tokens):
        if not unfinished:
            break
        end_slice(step, settings.n_tokens)
        logits = logits_after(extended)
        if not bool(logits.isfinite().all()):
            raise NumericsError("A logit is not finite; expected all finite.")
        for row in tuple(unfinished):
            id = _choose(logits[row], settings, generators[row])
            append(row, id)
            log_p[row].append(float(logits[row].double().log_softmax(-1)[id]))
            if id in ends:
                unfinished.remove(row)
    return Generated(extended, log_p)


def _is_over(row: Sequence[Token], ends: frozenset[int]) -> bool:
    return row[-1].generated and row[-1].id in ends


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
