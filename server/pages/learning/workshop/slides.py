"""What the slides show: sentences, numbers and pictures of the models that no game uses.

A slide that comes before a game must not show what people are to find in it.
"""

from dataclasses import dataclass, replace

from model.masks.rules import MaskSettings
from model.message import Message
from model.sources.native import NativeSource
from model.sources.scratch import ScratchSource
from server.pages.learning.workshop.cards import Card, Worked, dealt, masked_picture, worked_out
from server.pages.learning.workshop.games import Suspect, Word
from server.pages.learning.workshop.pictures import (
    Picture,
    inputs_of,
    name_of,
    patterns,
    picture,
    token_of,
    traced,
)

# What the model continues on the second slide. Its answer stands in the text.
TASK = "Ben chose milk, Lucy chose rice and Tom chose soup. Ben chose"

# The vectors of the slides on q, k, v and softmax. The seed was chosen because it makes a nice
# example. The last word asks: its row is the same with and without a causal mask.
EXAMPLE = Suspect(
    "",
    "",
    "",
    "",
    texts=("we hear birds sing",),
    settings={"d_model": 2, "d_head": 2, "seed": 591},
    masks=MaskSettings(causal=False),
)
MASKED = replace(EXAMPLE, masks=MaskSettings(causal=True))
LATE = replace(MASKED, settings={**EXAMPLE.settings, "mask_applied": "after"})
OVER = replace(MASKED, settings={**EXAMPLE.settings, "softmax_over": "query"})
# Its end is the shorter text of a batch. Without a causal mask only padding is hatched.
PADDED = replace(EXAMPLE, mechanism="padded-batch", texts=("birds sing", *EXAMPLE.texts))
ORDERS = 1  # the place of the word whose row shows whether the mask comes before the softmax


@dataclass(frozen=True)
class Look:
    """A word that a head finds."""

    text: str
    query: Word  # whose row shows it
    key: Word  # what that row looks at


OWNER = Look("The king lost his hat.", ("lost", 1), ("king", 1))


@dataclass(frozen=True)
class Predicted:
    """What the model says comes next."""

    text: str
    token: str
    share: float  # its probability


@dataclass(frozen=True)
class Owner:
    """The head that gives a word the most attention, and what the model predicts there."""

    look: Look
    picture: Picture
    row: str
    key: str
    share: float  # the weight that it gives
    token: str  # predicted after the row


@dataclass(frozen=True)
class Shown:
    """Everything on the slides that comes out of a model."""

    task: Predicted
    cards: tuple[Card, ...]
    worked: Worked  # the row of the last card
    match: int  # the place of the card that it matches best
    mask: Picture  # the same cards under a causal mask
    padding: Picture  # a padding mask
    orders: Picture  # one row twice: the mask before the softmax, and after it
    asks: str  # whose row that is
    over: Picture  # the softmax over the queries
    owner: Owner


def shown(source: NativeSource, scratch: ScratchSource) -> Shown:
    """What the slides show of the models."""
    cards = dealt(scratch, EXAMPLE)
    rows = tuple(worked_out(cards, place) for place in range(len(cards)))
    return Shown(
        task=_predicted(source, TASK),
        cards=cards,
        worked=rows[-1],
        match=max(range(len(cards)), key=lambda place: rows[-1].lines[place].score),
        mask=masked_picture(rows),
        padding=_pattern(scratch, PADDED),
        orders=_orders(scratch),
        asks=cards[ORDERS].word,
        over=_pattern(scratch, OVER),
        owner=_owner(source, OWNER),
    )


def _pattern(source: ScratchSource, setup: Suspect) -> Picture:
    return picture(source.trace(inputs_of(setup)), 0, 0)


def _orders(source: ScratchSource) -> Picture:
    before, after = (_pattern(source, setup) for setup in (MASKED, LATE))
    return Picture(
        (Message("before"), Message("after")),
        before.keys,
        tuple(each.rows[ORDERS] for each in (before, after)),
    )


def _predicted(source: NativeSource, text: str) -> Predicted:
    best = traced(source, text).predict(top_k=1)[0][0]
    return Predicted(text, best.text.strip(), best.probability)


def _owner(source: NativeSource, look: Look) -> Owner:
    trace = traced(source, look.text)
    row, key = (token_of(trace, look.text, word) for word in (look.query, look.key))
    found = [
        (float(pattern[head, row, key]), layer, head)
        for layer, pattern in enumerate(patterns(trace))
        for head in range(len(pattern))
    ]
    share, layer, head = max(found)
    return Owner(
        look,
        picture(trace, layer, head),
        row=name_of(trace.tokens[0][row]),
        key=name_of(trace.tokens[0][key]),
        share=share,
        token=trace.predict(top_k=1, position=row)[0][0].text.strip(),
    )
