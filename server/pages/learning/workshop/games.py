"""The games of the workshop: one row for each thing to find, recognise or bet on.

The rows hold words and settings. Every number and every answer is computed from the models
(`measured.py`).
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote_plus

from model.masks.rules import MaskSettings
from model.message import Message
from model.scratch.mechanisms import MechanismId

Word = tuple[str, int]  # which occurrence of it in a text, from 1


@dataclass(frozen=True)
class Habit:
    """Something that some heads do, for the head hunt."""

    does: str
    text: str
    query: Word | None = None  # whose row shows it; None: every row
    key: Word | None = None  # what that row looks at
    offset: int | None = None  # for every row: how far back it looks; None: at the first token


@dataclass(frozen=True)
class Suspect:
    """A picture for the mask detective."""

    letter: str
    done: str  # what was done to the mask
    evidence: str
    fix: str  # where the page puts it right
    texts: tuple[str, ...] = ("we saw you leave early",)
    mechanism: MechanismId = "single-head"
    settings: Mapping[str, str | int] = field(default_factory=dict)
    masks: MaskSettings = field(default_factory=MaskSettings)


@dataclass(frozen=True)
class Bet:
    """A prediction for the muting bets."""

    text: str
    query: Word  # after which the prediction is made
    key: Word  # what the likely bets look at
    lesson: str  # what to say after the answer


_PLAIN = "The teacher sang loudly in the garden."
_ANNA = "Anna beside the old men saw herself in the water."
_BOYS = "The boys behind the tall tree are in the garden."
_LIST = "window tea slowly green nine story window tea slowly green nine story"

HABITS = (
    Habit(Message("looks at the token before"), _PLAIN, offset=1),
    Habit(Message("looks at the first token, [BOS], most of the time"), _PLAIN),
    Habit(
        Message("looks back at the subject when the verb comes next"),
        _BOYS,
        ("tree", 1),
        ("boys", 1),
    ),
    Habit(
        Message("looks back at the person when “herself” comes next"),
        _ANNA,
        ("saw", 1),
        ("Anna", 1),
    ),
    Habit(
        Message("looks, when a list repeats, at the word that came next the first time"),
        _LIST,
        ("tea", 2),
        ("slowly", 1),
    ),
)

SUSPECTS = (
    Suspect(
        "A",
        Message("The mask is one step too wide: each word may also look at the next one."),
        Message("One cell to the right of the diagonal is open in each row."),
        Message("Settings, causal mask: as it should be"),
        settings={"causal_diagonal": 1},
    ),
    Suspect(
        "B",
        Message("The softmax runs over the queries instead of the keys."),
        Message(
            "The columns sum to 1, but the rows do not. The last column has only one open cell, "
            "and it is 1."
        ),
        Message("Settings, softmax over: keys"),
        settings={"softmax_over": "query"},
    ),
    Suspect(
        "C",
        Message("The padding mask is missing."),
        Message("The [PAD] columns get some weight. In each row of a word, both get the same."),
        Message("Masks, padding: on"),
        texts=("we saw you", "they had all left early"),
        mechanism="padded-batch",
        # on the left, where the causal mask does not hide it
        masks=MaskSettings(causal=True, padding=False, padding_side="left"),
    ),
    Suspect(
        "D",
        Message("Nothing is wrong: this is a correct causal mask."),
        Message(
            "Everything above the diagonal is hatched, and each row sums to 1. The first row has "
            "only one open cell, and it is 1."
        ),
        Message("nothing to fix"),
    ),
    Suspect(
        "E",
        Message("The mask is applied after the softmax."),
        Message(
            "The only open cell of the first row is less than 1. Every row except the last sums to "
            "less than 1."
        ),
        Message("Settings, masks: before the softmax"),
        settings={"mask_applied": "after"},
    ),
    Suspect(
        "F",
        Message("There is no causal mask."),
        Message("Nothing is hatched: each word also looks at the words after it."),
        Message("Masks, causal: on"),
        masks=MaskSettings(causal=False),
    ),
    Suspect(
        "G",
        Message("The mask is one step too narrow: no word may look at itself."),
        Message("The diagonal is hatched too. The first row has no open cell, so it sums to 0."),
        Message("Settings, causal mask: as it should be"),
        settings={"causal_diagonal": -1},
    ),
)

BETS = (
    Bet(
        _ANNA,
        ("saw", 1),
        ("Anna", 1),
        Message(
            "This time the pattern pointed to the right head. But another head looks at her just "
            "as strongly, and muting that one changes almost nothing."
        ),
    ),
    Bet(
        "The apples near the old cabinet are on the table.",
        ("cabinet", 1),
        ("apples", 1),
        Message(
            "Two heads look at the subject equally strongly, and only one of them matters for this "
            "word."
        ),
    ),
    Bet(
        "The boy (the girl [a cat] and the dog) is here.",
        ("dog", 1),
        ("(", 1),
        Message("The head that matters most does not look at the bracket at all."),
    ),
    Bet(
        _LIST,
        ("tea", 2),
        ("slowly", 1),
        Message(
            "The head that matters most sits in the first layer. It looks one token back, and the "
            "copying heads build on what it writes."
        ),
    ),
)

# The cards of “human attention”. The seed was chosen because it makes a nice example.
CARDS = Suspect(
    "",
    "",
    "",
    "",
    texts=("grey cat chases mouse",),
    settings={"d_model": 2, "d_head": 2, "seed": 3362},
    masks=MaskSettings(causal=False),
)
ASKS = "chases"  # who asks first

# The batch of “padding pairs”, and the four cases: is the causal mask on, and where is the padding?
PAIR = ("The cat sat", "The dog ran after the cat")
CASES = tuple((causal, side) for side in ("right", "left") for causal in (False, True))


def inspector(query: str) -> str:
    """The address of a state of the inspector."""
    return f"/?{query}"


def quiz(query: str) -> str:
    """The same, but hiding what gives the answer away: as `sealed` in static/js/state/quiz.js."""
    seal = base64.urlsafe_b64encode(query.encode("ascii")).decode().rstrip("=")
    return f"/?quiz={seal}"


def written(**parts: object) -> str:
    """A query string; a list gives its key several times."""
    pairs = [
        (key.replace("__", "."), value)
        for key, values in parts.items()
        for value in (values if isinstance(values, list | tuple) else [values])
    ]
    return "&".join(f"{key}={quote_plus(str(value))}" for key, value in pairs)


def query_of(one: Suspect, **more: object) -> str:
    """A mechanism's state as a query string."""
    masks = {
        name: str(value).lower()
        for name in ("causal", "padding", "padding_side")
        if (value := getattr(one.masks, name)) != getattr(MaskSettings(), name)
    }
    settings = {f"scratch__{name}": value for name, value in one.settings.items()}
    return written(
        model="scratch",
        scratch__mechanism=one.mechanism,
        **settings,
        **masks,
        text=list(one.texts),
        **more,
    )


# What people open first, and when the heads come up: nothing of a game, so that clicking around
# gives no answer away. Its head is not an answer, either.
ARRIVAL = written(
    text="The doctor carried a small blue basket to the market.",
    layer=1,
    head=7,
    query=9,
    depth="start",
    closed=1,
)
