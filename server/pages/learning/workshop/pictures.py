"""Patterns of the models, as the pages of the workshop draw them."""

from dataclasses import dataclass

from torch import Tensor

from model.core.tokenizer import Token
from model.scratch.mechanisms import configure
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.trace.trace import Trace
from server.pages.learning.workshop.games import Suspect, Word


@dataclass(frozen=True)
class Picture:
    """A pattern as drawn: weights by row, None where the cell is blocked."""

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    rows: tuple[tuple[float | None, ...], ...]
    padding: bool = False  # whether some of the keys are padding


def traced(source: NativeSource, text: str) -> Trace:
    """The trace of one text."""
    return source.trace(Inputs(texts=(text,)))


def inputs_of(one: Suspect) -> Inputs:
    """The inputs of the model "From scratch" that show a setup."""
    return Inputs(
        texts=one.texts,
        settings=configure(one.mechanism, dict(one.settings)),
        masks=one.masks,
    )


def patterns(trace: Trace) -> list[Tensor]:
    """The patterns of the first text, by layer: head × query × key."""
    return [site.derive(["pattern"], text=0)["pattern"][0] for site in trace.sites]


def token_of(trace: Trace, text: str, word: Word) -> int:
    """The token that the last letter of a word belongs to."""
    name, nth = word
    at = -1
    for _ in range(nth):
        at = text.index(name, at + 1)
    last = at + len(name) - 1
    return next(n for n, token in enumerate(trace.tokens[0]) if token.start <= last < token.end)


def name_of(token: Token) -> str:
    """A token without the space before it."""
    return token.text.strip() or token.text


def picture(trace: Trace, layer: int, head: int) -> Picture:
    """The pattern of a head, for the first text."""
    site = trace.sites[layer]
    found = site.derive(["pattern", "blocked_by"], heads=[head], text=0)
    pattern, blocked = found["pattern"][0, 0], found["blocked_by"][0, 0]
    names = tuple(name_of(token) for token in trace.tokens[0])
    rows = tuple(
        tuple(None if blocked[q, k] else float(pattern[q, k]) for k in range(len(names)))
        for q in range(len(names))
    )
    return Picture(names, names, rows, any(token.padding for token in trace.tokens[0]))
