"""The plans of the workshop, and what to bring: one row for each step and for each thing.

The page for teachers shows them; when a step begins, how long a game takes and how much to print
for how many people are computed from these rows.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from model.message import Message
from server.pages.learning.workshop.deck import number, slides


@dataclass(frozen=True)
class Step:
    """Something that happens in a workshop."""

    minutes: int
    title: str
    what: str = ""
    about: str = ""  # the part of the page for teachers that says more: its id
    slides: tuple[str, ...] = ()  # their ids
    late: str = ""  # what to do when you are late
    saves: int = 0  # minutes, by doing that
    shows: str = ""  # the name of a look at the model without labels, if there is one
    rounds: int | None = None  # of its game; None: all that there are


@dataclass(frozen=True)
class Timed:
    """A step with the minutes at which it begins and ends."""

    step: Step
    start: int
    stop: int


@dataclass(frozen=True)
class Plan:
    """A workshop, step by step."""

    steps: tuple[Step, ...]

    @property
    def minutes(self) -> int:
        return sum(step.minutes for step in self.steps)

    @property
    def slack(self) -> int:
        return sum(step.minutes for step in self.steps if step.title.startswith(SLACK))

    @property
    def saves(self) -> int:
        """How many minutes there are to save, beside the slack."""
        return sum(step.saves for step in self.steps)

    def __iter__(self) -> Iterator[Timed]:
        stops = accumulate(step.minutes for step in self.steps)
        return (
            Timed(step, stop - step.minutes, stop)
            for step, stop in zip(self.steps, stops, strict=True)
        )


SLACK = Message("Slack")
_BASICS = Message("You explain weights, q, k and v, scores, and softmax.")
_FASTER = Message(
    "Go through slides {first} and {second} in one minute.",
    first=number("predicting"),
    second=number("averaging"),
)

LONG = Plan(
    (
        Step(
            6,
            Message("Arrival"),
            Message(
                "The address is on the door and the first slide on the wall. People open the page, "
                "click on heads, and type sentences."
            ),
            slides=slides("welcome"),
            late=Message("Start at minute 6, whoever is missing."),
            shows=Message("The page itself"),
        ),
        Step(
            11,
            Message("What attention computes"),
            _BASICS,
            about="start",
            slides=slides("predicting", "softmax"),
            late=_FASTER,
            saves=2,
        ),
        Step(
            4,
            Message("Vote and reveal"),
            Message("The first question of lesson 1, for everyone."),
            about="vote",
            late=Message("Leave it out."),
            saves=4,
        ),
        Step(
            17,
            Message("Human attention"),
            Message("In groups of four: compute one row by hand."),
            about="cards",
            slides=slides("human", "human-mask"),
            late=Message("Leave out the round with a mask."),
            saves=5,
        ),
        Step(3, SLACK, Message("Let the last groups finish.")),
        Step(
            4,
            Message("What masks do"),
            Message("You explain masks, and what can go wrong with them."),
            about="masks",
            slides=slides("mask", "over"),
            late=Message("Keep this: the next game needs it."),
        ),
        Step(
            12,
            Message("Mask detective"),
            Message("In pairs: which mask is broken?"),
            about="detective",
            slides=slides("detective"),
            late=Message(
                "Leave out pictures B and E, the two hardest. Cross out the two suspects that say "
                "“softmax”."
            ),
            saves=4,
        ),
        Step(
            3,
            Message("Many heads"),
            Message(
                "You explain layers and heads. Then show all heads of the model, and open two or "
                "three that differ."
            ),
            about="heads",
            slides=slides("heads"),
            late=Message("Keep this."),
            shows=Message("All heads of the model"),
        ),
        Step(
            11,
            Message("Head hunt"),
            Message("The groups are teams now: find heads by what they do."),
            about="hunt",
            slides=slides("hunt"),
            late=Message("Look for three habits instead of five."),
            saves=4,
        ),
        Step(
            11,
            Message("Muting bets"),
            Message("In the same teams: does a head that looks also matter?"),
            about="bets",
            slides=slides("found", "bets"),
            late=Message("Play rounds 1 and 3 only."),
            saves=5,
        ),
        Step(
            4,
            Message("Closing"),
            Message("People take turns to say one thing that a pattern does not show."),
            slides=slides("cause", "end"),
            late=Message("Ask five people."),
            saves=2,
        ),
        Step(4, Message("Slack and questions")),
    )
)

SHORT = Plan(
    (
        Step(
            4,
            Message("Arrival"),
            Message(
                "The address is on the door and the first slide on the wall. People open the page, "
                "click on heads, and type sentences."
            ),
            slides=slides("welcome"),
            late=Message("Start at minute 4."),
            shows=Message("The page itself"),
        ),
        Step(
            10,
            Message("What attention computes"),
            _BASICS,
            about="start",
            slides=slides("predicting", "softmax"),
            late=_FASTER,
            saves=2,
        ),
        Step(
            12,
            Message("Human attention"),
            Message("One round, without a mask: “chases” asks."),
            about="cards",
            slides=slides("human"),
            late=Message("Stop at the weights, and leave out v."),
            saves=3,
        ),
        Step(
            4,
            Message("Masks and heads"),
            Message(
                "Two slides, then all heads of the model. Say that a causal mask blocks what comes "
                "later, that blocked cells are hatched, that each head has a pattern of its own, "
                "and that the row to read is the one before the word that is predicted."
            ),
            slides=("mask", "heads"),
            late=Message("Keep this."),
            shows=Message("All heads of the model"),
        ),
        Step(
            9,
            Message("Muting bets"),
            Message("Rounds 1, 2 and 3."),
            about="bets",
            rounds=3,
            slides=slides("found", "bets"),
            late=Message("Play rounds 1 and 3 only."),
            saves=3,
        ),
        Step(
            3,
            Message("Closing"),
            Message("People take turns to say one thing that a pattern does not show."),
            slides=slides("cause", "end"),
            late=Message("Show slide {number} only.", number=number("cause")),
            saves=1,
        ),
        Step(3, Message("Slack and questions")),
    )
)

PAIRS = 15  # minutes of padding pairs, which need a longer workshop

# How long each game takes, by its part of the page for teachers.
MINUTES: Mapping[str, int] = {
    **{step.about: step.minutes for step in LONG.steps if step.about},
    "pairs": PAIRS,
}
# The same in the short workshop.
BRIEF: Mapping[str, int] = {step.about: step.minutes for step in SHORT.steps if step.about}


@dataclass(frozen=True)
class Supply:
    """Something to print or to bring."""

    name: str
    shared_by: int  # how many people have it together
    each: int = 1  # how many they have together
    long_only: bool = False  # whether the short plan does without it

    def number(self, people: int) -> int:
        return math.ceil(people / self.shared_by) * self.each


MIN_PEOPLE, MAX_PEOPLE = 8, 40  # people
PEOPLE = (MIN_PEOPLE, 16, 24, 32, MAX_PEOPLE)
GROUP, PAIR = 4, 2  # people; the groups are the teams of the later games, too
BEADS = 10  # that a team has at the start

SUPPLIES = (
    Supply(Message("Sets of cards, both pages"), GROUP),
    Supply(Message("Detective sheets"), PAIR, long_only=True),
    Supply(Message("Hunt sheets"), GROUP, long_only=True),
    Supply(Message("Bet sheets"), GROUP),
    Supply(
        Message("Beads, coins or beans: half for the teams, half for the bank"), GROUP, 2 * BEADS
    ),
    Supply(Message("Devices, at least"), GROUP, 2),
    Supply(Message("Calculators with eˣ, at least (phones will do)"), GROUP),
    Supply(Message("Scissors, unless the cards are cut"), GROUP),
    Supply(Message("Join sheets (one for each door)"), MAX_PEOPLE),
    Supply(Message("Pages of answers, for you"), MAX_PEOPLE),
)
