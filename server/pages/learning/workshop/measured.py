"""The numbers and pictures of the workshop, computed when a page first shows them."""

import math
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

from model.core.checkpoint import SHIPPED
from model.masks.rules import MaskSettings
from model.scratch.mechanisms import configure
from model.sources.native import NativeSource
from model.sources.scratch import ScratchSource
from model.sources.source import Inputs
from model.trace.trace import Trace
from server.pages.learning.workshop.cards import Card, Worked, dealt, worked_out
from server.pages.learning.workshop.games import (
    ASKS,
    BETS,
    CARDS,
    CASES,
    HABITS,
    PAIR,
    SUSPECTS,
    Bet,
    Habit,
    Suspect,
    query_of,
    written,
)
from server.pages.learning.workshop.pictures import (
    Picture,
    inputs_of,
    name_of,
    patterns,
    picture,
    token_of,
    traced,
)
from server.pages.learning.workshop.slides import Shown, shown
from server.pages.learning.workshop.words import Vocabulary, vocabulary

ENOUGH = 0.5  # of the attention: then a head has a habit
MAX_HEADS = 4  # that are listed
NOTHING = 1e-6  # a smaller change of z is none
# What students open has few controls, and only the teacher's links reveal it.
SIMPLE = {"depth": "start", "closed": 1}

_lock = threading.Lock()


@dataclass(frozen=True)
class Place:
    """A head, and the weight that it gives, or the probability that muting it leaves."""

    layer: int
    head: int
    share: float


@dataclass(frozen=True)
class Found:
    """A habit with the heads that have it, the strongest first."""

    habit: Habit
    row: str  # the token whose row shows it; "" if every row does
    heads: tuple[Place, ...]
    cells: tuple[tuple[int, int], ...]  # queries and keys at which it shows
    game: str  # the query string that students open
    answer: str  # the one that shows the first head


@dataclass(frozen=True)
class Exhibit:
    """A suspect with its picture."""

    suspect: Suspect
    picture: Picture
    query: str


@dataclass(frozen=True)
class Round:
    """A prediction, the heads that look where people look, and the heads whose muting lowers it."""

    bet: Bet
    after: str  # the last word of the text so far
    token: str  # that is predicted
    share: float  # its probability
    likely: tuple[Place, ...]  # with the weights that they give
    spared: tuple[Place, ...]  # the same heads, with the probability after muting each
    lowest: tuple[Place, ...]
    game: str
    answer: str


@dataclass(frozen=True)
class Case:
    """Whether a sentence's z changes when the padding mask is switched off."""

    causal: bool
    side: str
    changed: tuple[float, ...]  # the largest change for real words, for each text
    query: str


@dataclass(frozen=True)
class Workshop:
    """Everything that the pages show of the models."""

    hunt: tuple[Found, ...]
    detective: tuple[Exhibit, ...]
    rounds: tuple[Round, ...]
    cards: tuple[Card, ...]
    asks: str  # whose card asks first
    worked: tuple[Worked, ...]
    pair: tuple[str, str]  # the batch of the padding pairs
    pairs: tuple[Case, ...]
    slides: Shown
    words: Vocabulary
    first: str  # the row of “human attention” that is worked out first, in the inspector
    n_layers: int
    n_heads: int


def workshop(shipped: Path | None) -> Workshop:
    """The workshop with the shipped model in that folder; None: the one in this package.

    Raises:
        HeadlightError: the model could not be loaded, or cannot read the sentences.
    """
    with _lock:  # once, however many ask at the same time
        return _workshop(shipped or SHIPPED)


@cache
def _workshop(folder: Path) -> Workshop:
    with torch.inference_mode():
        source, scratch = NativeSource("shipped", folder), ScratchSource("scratch")
        cards = dealt(scratch, CARDS)
        return Workshop(
            hunt=tuple(_found(source, habit) for habit in HABITS),
            detective=tuple(_exhibit(scratch, suspect) for suspect in SUSPECTS),
            rounds=tuple(_round(source, bet) for bet in BETS),
            cards=cards,
            asks=ASKS,
            worked=tuple(worked_out(cards, place) for place in range(len(cards))),
            pair=PAIR,
            pairs=tuple(_case(scratch, causal, side) for causal, side in CASES),
            first=query_of(CARDS, query=[card.word for card in cards].index(ASKS), view="inside"),
            n_layers=source.info.n_layers,
            n_heads=source.info.n_heads,
            slides=shown(source, scratch),
            words=vocabulary(source.tokenizer),
        )


def _found(source: NativeSource, habit: Habit) -> Found:
    trace = traced(source, habit.text)
    row, key = 4, 0  # of a habit that every row shows, somewhere in the middle
    if habit.query is not None and habit.key is not None:
        row, key = (token_of(trace, habit.text, word) for word in (habit.query, habit.key))
    places = [
        Place(layer, head, float(_weight(pattern[head], habit, row, key)))
        for layer, pattern in enumerate(patterns(trace))
        for head in range(len(pattern))
    ]
    places.sort(key=lambda place: -place.share)
    heads = tuple(place for place in places if place.share >= ENOUGH)[:MAX_HEADS] or (places[0],)
    best = heads[0]
    return Found(
        habit,
        row=name_of(trace.tokens[0][row]) if habit.query else "",
        heads=heads,
        cells=_cells(habit, row, key, len(trace.tokens[0])),
        game=written(text=habit.text, layer=0, head=0, query=row, **SIMPLE),
        answer=written(text=habit.text, layer=best.layer, head=best.head, query=row),
    )


def _weight(pattern: Tensor, habit: Habit, row: int, key: int) -> Tensor:
    """How much a head has the habit, from 0 to 1."""
    if habit.query is not None:
        return pattern[row, key]
    if habit.offset is not None:
        return pattern.diagonal(-habit.offset).mean()
    return pattern[1:, 0].mean()


def _cells(habit: Habit, row: int, key: int, n: int) -> tuple[tuple[int, int], ...]:
    """Where a head shows that it has the habit, in a text of `n` tokens."""
    if habit.query is not None:
        return ((row, key),)
    return tuple(
        (query, query - habit.offset if habit.offset is not None else 0)
        for query in range(habit.offset or 1, n)
    )


def _exhibit(source: ScratchSource, suspect: Suspect) -> Exhibit:
    return Exhibit(suspect, picture(source.trace(inputs_of(suspect)), 0, 0), query_of(suspect))


def _round(source: NativeSource, bet: Bet) -> Round:
    trace = traced(source, bet.text)
    row, key = (token_of(trace, bet.text, word) for word in (bet.query, bet.key))
    looking = [
        Place(layer, head, float(pattern[head, row, key]))
        for layer, pattern in enumerate(patterns(trace))
        for head in range(len(pattern))
    ]
    looking.sort(key=lambda place: -place.share)
    effects = source.mute_effects(Inputs(texts=(bet.text,)), position=row)[0]
    before = effects.token.probability
    after = {
        (one.layer, one.head): before * math.exp(one.change)
        for one in effects.effects
        if one.change is not None
    }
    lowest = sorted(
        (Place(*head, share) for head, share in after.items()), key=lambda place: place.share
    )
    likely = tuple(place for place in looking[:2] if place.share >= ENOUGH) or (looking[0],)
    return Round(
        bet,
        after=name_of(trace.tokens[0][row]),
        token=effects.token.text.strip(),
        share=before,
        likely=likely,
        spared=tuple(
            Place(one.layer, one.head, after[one.layer, one.head])
            for one in likely
            if (one.layer, one.head) in after
        ),
        lowest=tuple(lowest[:3]),
        game=written(text=bet.text, layer=0, head=0, query=row, **SIMPLE),
        answer=written(
            text=bet.text, layer=lowest[0].layer, head=lowest[0].head, query=row, right="effects"
        ),
    )


def _case(source: ScratchSource, causal: bool, side: str) -> Case:
    def z(padding: bool) -> tuple[Trace, Tensor]:
        masks = MaskSettings(causal=causal, padding=padding, padding_side=side)  # type: ignore[arg-type]
        settings = configure("padded-batch")
        trace = source.trace(Inputs(texts=PAIR, settings=settings, masks=masks))
        return trace, torch.stack(
            [trace.sites[0].derive(["z"], text=text)["z"][0] for text in range(len(PAIR))]
        )

    trace, masked = z(True)
    _, open_ = z(False)
    moved = (masked - open_).abs().amax(dim=(1, 3))  # text × token, over heads and channels
    real = torch.tensor([[not token.padding for token in row] for row in trace.tokens])
    largest = [float(row[kept].max()) for row, kept in zip(moved, real, strict=True)]
    return Case(
        causal,
        side,
        tuple(0.0 if each < NOTHING else each for each in largest),
        written(
            model="scratch",
            scratch__mechanism="padded-batch",
            causal=str(causal).lower(),
            padding_side=side,
            text=list(PAIR),
            query=int(real[0].nonzero()[-1]),
        ),
    )
