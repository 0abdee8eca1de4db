"""What pages may see of a class: the document of everybody, one's own answers, the desk's part."""

from collections.abc import Callable, Sequence
from typing import Any

from server.classes.activities import KINDS, Said
from server.classes.session import QUESTIONS, Activity, Given, Session

AWAY_MS = 25_000  # who has not been heard of for this long is not here
Answers = Callable[[str], list[Given]]  # those of an activity


def everybodys(session: Session, answers: Answers, now: int) -> dict[str, Any]:
    """The document that everybody may see, but for what changes without a revision.

    `answers` is asked for those of the current activity, and only if people may see them.
    """
    current = session.activity(session.current) if session.current else None
    return {
        "code": session.code,
        "revision": session.revision,
        "mode": session.mode,
        "choice": session.choice,
        "frozen": session.frozen,
        "locked": session.locked,
        "timer": session.timer and session.timer.model_dump(),
        "step": session.step and session.step.model_dump(exclude_none=True),
        "shows": session.shows.model_dump(),
        "address": session.address,
        "checks": session.checks,
        "named": session.named,
        "activity": _shown(current, answers) if current else None,
        "teacher": "here" if now - session.seen < AWAY_MS else "away",
        "ended": False,
    }


def _shown(activity: Activity, answers: Answers) -> dict[str, Any]:
    kind = KINDS[activity.kind]
    question = kind.Question.model_validate(activity.question)
    revealed = activity.phase == "revealed"
    return {
        "id": activity.id,
        "kind": activity.kind,
        "phase": activity.phase,
        "round": activity.round,
        "question": kind.public(question, revealed=revealed),
        "results": results(activity, answers(activity.id)) if revealed or kind.live else None,
    }


def results(activity: Activity, given: Sequence[Given], *, whole: bool = False) -> dict[str, Any]:
    """The results of an activity; `whole`: with what is hidden, for the teacher."""
    kind = KINDS[activity.kind]
    rounds: list[list[Said]] = [[] for _ in range(activity.round)]
    for each in given:
        if each.round <= activity.round and (whole or not each.hidden):
            answer = kind.Answer.model_validate(each.answer)
            said = Said(answer, each.person, each.item, each.at, each.hidden)
            rounds[each.round - 1].append(said)
    question = kind.Question.model_validate(activity.question) if activity.question else None
    return kind.results(question, rounds, activity.started)


def mine(own: Sequence[Given]) -> dict[str, dict[str, dict[str, Any]]]:
    """One's own answers: by activity, round and item."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for each in own:
        found.setdefault(each.activity, {}).setdefault(str(each.round), {})[each.item] = each.answer
    return found


def desk(session: Session, answers: Answers) -> dict[str, Any]:
    """What only the teacher's desk shows: the results so far, and what was asked before."""
    current = session.activity(session.current) if session.current else None
    given = answers(current.id) if current else []
    now = [each for each in given if current and each.round == current.round]
    marks = session.activity(QUESTIONS) if QUESTIONS in KINDS else None
    return {
        "results": results(current, given, whole=True) if current else None,
        "answered": len({each.person for each in now}),
        "activities": [
            {"id": each.id, "kind": each.kind, "phase": each.phase, "title": each.question["text"]}
            for each in session.activities
        ],
        "questions": results(marks, answers(QUESTIONS)) if marks else None,
        "plan": session.plan,
        "reached": session.reached,
    }
