"""A study of what a class learns: the same seven questions before, after, and a week later.

Nothing is revealed in between. What was gained is the class's average normalised gain,
⟨g⟩ = (after − before) / (1 − before), of those who answered all questions both times. Source: Hake,
Interactive-engagement versus traditional methods, American Journal of Physics 66, 1998. Its
interval comes from resampling people (Efron, Bootstrap methods, Annals of Statistics 7, 1979).

People are matched by the code word that each of them chooses as a name, in any case, and else by
their browser. The words are kept with the class, and only the teacher's file outlives it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.message import Message
from server.classes.ready import sealed
from server.classes.session import Given, Person, Session
from server.pages.learning.lessons import Lesson
from server.pages.learning.workshop.games import ARRIVAL

NAME = "study"  # of the plan
TITLE = Message("A study: seven questions before and after")
# What each lesson asks, by its address and the place of the question: none needs a picture.
ASKED = (
    ("similarity", 2),
    ("query-key-value", 2),
    ("scale", 2),
    ("masks", 1),
    ("masks", 2),
    ("heads", 0),
    ("find-the-bug", 0),
)
OCCASIONS = {
    "before": Message("Before the lesson"),
    "after": Message("After the lesson"),
    "later": Message("A week later"),
}
_NOTES = {
    "before": Message(
        "Ask people to choose a code word as their name, and to remember it. Reveal nothing: close "
        "each question, and go on."
    ),
    "after": Message(
        "The same questions again. Save the class at the end: the file has the code words."
    ),
    "later": Message(
        "headlight class --open FILE goes on with the class that you saved. People join with their "
        "code words."
    ),
}
FEWEST = 5  # people, for an interval
RESAMPLED = 2_000  # times
MINUTES = 1.0  # for a question


def study_plan(lessons: Sequence[Lesson]) -> dict[str, Any]:
    """The plan of a study: its questions for each occasion, with your lesson in between."""
    steps: list[dict[str, Any]] = []
    for occasion, part in OCCASIONS.items():
        for number, question in enumerate(_questions(lessons), 1):
            asked = {**question, "study": occasion, "choice": sealed(ARRIVAL)}
            steps.append(
                {
                    "title": Message(
                        "{part}: question {n} of {all}", part=part, n=number, all=len(ASKED)
                    ),
                    "minutes": MINUTES,
                    "activity": {"kind": "vote", "question": asked},
                    **({"part": part, "notes": _NOTES[occasion]} if number == 1 else {}),
                }
            )
        if occasion == "before":
            title, part = Message("Your lesson"), Message("The lesson")
            steps.append({"title": title, "part": part, "state": sealed(ARRIVAL)})
    return {"title": TITLE, "steps": steps}


def _questions(lessons: Sequence[Lesson]) -> list[dict[str, Any]]:
    by_slug = {lesson.slug: lesson.content.questions for lesson in lessons if lesson.ours}
    found = [by_slug[slug][place] for slug, place in ASKED]
    return [
        {"text": each.ask, "choices": list(each.options), "correct": each.answer} for each in found
    ]


@dataclass(frozen=True)
class Gain:
    """What was gained from before to another occasion."""

    occasion: str  # as people call it
    people: int  # who answered everything both times
    before: float  # the share of answers that were right
    after: float
    gain: float | None  # None: everything was right before
    interval: tuple[float, float] | None  # of 95%; None: too few people


def gains(session: Session, answers: Sequence[Given], people: Sequence[Person]) -> list[Gain]:
    """The gains of a class; none where nobody answered the questions both times."""
    scores = _scores(session, answers, people)
    found = []
    for occasion, name in OCCASIONS.items():
        both = sorted(scores["before"].keys() & scores[occasion].keys())
        if occasion == "before" or not both:
            continue
        before, after = (
            np.array([scores[one][who] for who in both]) for one in ("before", occasion)
        )
        interval = _interval(before, after) if len(both) >= FEWEST else None
        gain = _gain(before, after)
        means = float(before.mean()), float(after.mean())
        found.append(Gain(name, len(both), *means, gain, interval))
    return found


def _scores(
    session: Session, answers: Sequence[Given], people: Sequence[Person]
) -> dict[str, dict[str, float]]:
    """The share that each person had right, on each occasion on which they answered everything."""
    words = {each.id: (each.nickname or "").casefold() or each.id for each in people}
    asked = {each.id: each.question for each in session.activities if each.question.get("study")}
    right: dict[str, dict[str, dict[str, bool]]] = {name: {} for name in OCCASIONS}
    for given in answers:
        if question := asked.get(given.activity):
            who = words.get(given.person, given.person)
            own = right[question["study"]].setdefault(who, {})
            own[question["text"]] = given.answer["choice"] == question["correct"]
    return {
        occasion: {
            who: sum(own.values()) / len(ASKED)
            for who, own in each.items()
            if len(own) == len(ASKED)
        }
        for occasion, each in right.items()
    }


def _gain(before: np.ndarray, after: np.ndarray) -> float | None:
    room = 1 - before.mean()
    return None if room <= 0 else float((after.mean() - before.mean()) / room)


def _interval(before: np.ndarray, after: np.ndarray) -> tuple[float, float] | None:
    """Between the 2.5th and the 97.5th percentile of the gains of resampled classes."""
    drawn = np.random.default_rng(0).integers(0, len(before), (RESAMPLED, len(before)))
    means = before[drawn].mean(axis=1), after[drawn].mean(axis=1)
    room = 1 - means[0]
    if (room <= 0).any():
        return None
    low, high = np.percentile((means[1] - means[0]) / room, [2.5, 97.5])
    return float(low), float(high)
