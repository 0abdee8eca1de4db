"""Attention by hand: words with short vectors on cards, and the rows that people work out."""

import math
from dataclasses import dataclass

from model.sources.scratch import ScratchSource
from server.pages.learning.workshop.games import Suspect
from server.pages.learning.workshop.pictures import Picture, inputs_of, name_of

DECIMALS = 1  # on the cards


@dataclass(frozen=True)
class Card:
    """One word with its rounded vectors."""

    word: str
    q: tuple[float, ...]
    k: tuple[float, ...]
    v: tuple[float, ...]


@dataclass(frozen=True)
class Line:
    """What one word computes when another asks."""

    word: str
    dot: float
    score: float
    power: float
    weight: float
    given: tuple[float, ...]


@dataclass(frozen=True)
class Worked:
    """One row of attention, worked out from the cards."""

    asks: Card
    lines: tuple[Line, ...]
    total: float
    z: tuple[float, ...]
    masked: tuple[float, ...]  # the weights under a causal mask


def dealt(source: ScratchSource, setup: Suspect) -> tuple[Card, ...]:
    """The cards of a sentence."""
    trace = source.trace(inputs_of(setup))
    vectors = trace.sites[0].derive(["q", "k", "v"], text=0)

    def rounded(name: str, place: int) -> tuple[float, ...]:
        # adding 0 turns -0.0 into 0.0
        row = vectors[name][0, 0, place].tolist()
        return tuple(round(value, DECIMALS) + 0.0 for value in row)

    return tuple(
        Card(name_of(token), *(rounded(name, index) for name in ("q", "k", "v")))
        for index, token in enumerate(trace.tokens[0])
    )


def worked_out(cards: tuple[Card, ...], place: int) -> Worked:
    """The row of the card at a place: what all the cards compute when it asks."""
    asks = cards[place]
    dots = [sum(a * b for a, b in zip(asks.q, card.k, strict=True)) for card in cards]
    scores = [dot / math.sqrt(len(asks.q)) for dot in dots]
    powers = [math.exp(score) for score in scores]
    total = sum(powers)
    lines = tuple(
        Line(card.word, dot, score, power, power / total, tuple(power / total * v for v in card.v))
        for card, dot, score, power in zip(cards, dots, scores, powers, strict=True)
    )
    seen = sum(powers[: place + 1])
    return Worked(
        asks,
        lines,
        total,
        z=tuple(sum(each) for each in zip(*(line.given for line in lines), strict=True)),
        masked=tuple(power / seen if key <= place else 0.0 for key, power in enumerate(powers)),
    )


def masked_picture(rows: tuple[Worked, ...]) -> Picture:
    """The pattern of all the cards under a causal mask."""
    words = tuple(row.asks.word for row in rows)
    return Picture(
        words,
        words,
        tuple(
            tuple(weight if key <= index else None for key, weight in enumerate(row.masked))
            for index, row in enumerate(rows)
        ),
    )
