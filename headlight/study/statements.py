"""Statements of what heads do, to hold against all heads of a model."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headlight.errors import RequestError
from headlight.frames import Table
from headlight.run.run import Run
from headlight.study.find import Pattern, find_heads
from headlight.study.hypothesis import hypothesis
from headlight.tokens import Token

ALSO = 0.2  # explained of the queries of which a second statement speaks, at least
PUNCTUATION = frozenset(".,;:!?…")
Marked = NDArray[np.bool_]


def _words(tokens: Sequence[Token]) -> list[str]:
    """The tokens without case and spaces; special ones are like no other."""
    return [
        f"special {at}" if token.special or token.padding else token.strip().casefold()
        for at, token in enumerate(tokens)
    ]


def _same(tokens: Sequence[Token]) -> Marked:
    words = np.array(_words(tokens), dtype=object)
    return np.tril(words[:, None] == words[None, :], k=-1)


def _after_same(tokens: Sequence[Token]) -> Marked:
    found = np.zeros((len(tokens), len(tokens)), dtype=bool)
    found[:, 1:] = _same(tokens)[:, :-1]
    return found


def _first(tokens: Sequence[Token]) -> Marked:
    found = np.zeros((len(tokens), len(tokens)), dtype=bool)
    found[:, 0] = True
    return found


def _last_of(is_one: Callable[[Token], bool]) -> Pattern:
    """The last key of a kind before a query, or the query itself."""

    def wanted(tokens: Sequence[Token]) -> Marked:
        found = np.zeros((len(tokens), len(tokens)), dtype=bool)
        last = None
        for at, token in enumerate(tokens):
            last = at if is_one(token) else last
            if last is not None:
                found[at, last] = True
        return found

    return wanted


def _is_mark(token: Token) -> bool:
    return not token.special and token.strip() in PUNCTUATION and token.strip() != ""


STATEMENTS: Mapping[str, Pattern] = {
    "itself": frozenset({0}),
    "the token before": frozenset({-1}),
    "the token before that": frozenset({-2}),
    "one of the three tokens before": frozenset({-1, -2, -3}),
    "the first token": _first,
    "the same token earlier": _same,
    "what followed the same token earlier": _after_same,
    "the last punctuation mark": _last_of(_is_mark),
}
"""Where a head looks, by name, as `find_heads` and `hypothesis` take it."""


def statements(run: Run, held_out: Run, given: Mapping[str, Pattern] = STATEMENTS, /) -> Table:
    """For each head of a model, the statement that fits it best, held against other texts.

    The statement is chosen on the texts of `run`: it explains most, over all queries, of those of
    which it does not speak as well. Its numbers are of the texts of `held_out`: a wrong statement
    is then at chance, where `explained` is 0. `few` and `much` are the shares in the lowest and the
    highest three deciles of what the head does: a statement that only holds where the head does
    much describes examples, not the head. `also` is the statement that explains most of the queries
    of which it speaks, among the others, if that is at least a fifth: what a head does that rests
    elsewhere.

    Raises:
        RequestError: no text tells whether any of the statements holds.
    """
    found = {name: _found(run, wanted) for name, wanted in given.items()}
    most = max((row["over"] for rows in found.values() for row in rows), default=0)
    ranked: dict[tuple[int, int], list[tuple[float, float, str]]] = {}
    for name, rows in found.items():
        for row in rows:
            explains = row["lift"] / (1 - row["chance"])
            head = row["layer"], row["head"]
            of_all = explains * row["over"] / most
            ranked.setdefault(head, []).append((of_all, explains, name))
    held_out.fetch("pattern", "blocked_by")
    return Table.of([_held(held_out, given, head, each) for head, each in sorted(ranked.items())])


def _found(run: Run, wanted: Pattern) -> Sequence[Mapping[str, Any]]:
    try:
        return find_heads(run, wanted)
    except RequestError as error:
        if error.code != "nothing_marked":
            raise
        return ()  # these texts have no such tokens


def _held(
    run: Run,
    given: Mapping[str, Pattern],
    place: tuple[int, int],
    ranked: list[tuple[float, float, str]],
) -> dict[str, Any]:
    layer, head = place
    (_, _, name), *others = sorted(ranked, reverse=True)
    told = hypothesis(run, given[name], layer=layer, head=head)
    deciles = told.deciles.columns["share"]
    also = max(others, key=lambda one: one[1], default=None)
    row = {
        "layer": layer,
        "head": head,
        "looks_at": name,
        "explained": told.explained.value,
        "low": told.explained.low,
        "high": told.explained.high,
        "chance": told.chance,
        "speaks": told.speaks,
        "few": float(np.mean(deciles[:3])),
        "much": float(np.mean(deciles[-3:])),
        **dict.fromkeys(("also", "also_explained", "also_speaks")),
    }
    if also is None or also[1] < ALSO:
        return row
    second = hypothesis(run, given[also[2]], layer=layer, head=head)
    return row | {
        "also": also[2],
        "also_explained": second.explained.value,
        "also_speaks": second.speaks,
    }
