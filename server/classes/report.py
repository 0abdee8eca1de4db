"""What is left after a class, if the teacher saves it: a report in sentences, pictures, numbers.

It holds no names, unless the class was told that it does.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from jinja2 import Environment

from model.facts import facts
from model.message import Message
from server.classes.activities import KINDS
from server.classes.activities.kind import Row
from server.classes.documents import results
from server.classes.session import ALWAYS, QUESTIONS, Activity, Given, Person, Session
from server.classes.study import gains

COLUMNS = ("activity", "kind", "started", "question", "people", "round", "what", "value")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that spreadsheets would run


@dataclass(frozen=True)
class Part:
    """An activity in the report."""

    activity: Activity
    text: str
    started: str  # UTC
    people: int  # who answered
    found: dict[str, Any]  # the results, as their kind has them
    told: list[str]  # in sentences; last, why the answer is right
    rows: list[Row]


def parts(session: Session, answers: Sequence[Given]) -> list[Part]:
    """Every activity of the class, in order, and the marks last."""
    marks = session.activity(QUESTIONS)
    return [
        _part(each, [given for given in answers if given.activity == each.id])
        for each in (*session.activities, *([marks] if marks else []))
    ]


def _part(activity: Activity, given: list[Given]) -> Part:
    kind = KINDS[activity.kind]
    question = kind.Question.model_validate(activity.question)
    found = results(activity, given)
    text = activity.question.get("text", Message("What people did not understand"))
    people = len({each.person for each in given})
    why = activity.question.get("why")
    told = [*(kind.told(question, found) if given else ()), *([why] if why else [])]
    rows = list(kind.rows(question, found))
    return Part(activity, text, _time(activity.started), people, found, told, rows)


def as_csv(session: Session, answers: Sequence[Given]) -> str:
    """One row for each number, for a spreadsheet or a data frame."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows([_safe(cell) for cell in line] for line in _lines(session, answers))
    return out.getvalue()


def _lines(session: Session, answers: Sequence[Given]) -> Iterator[tuple[object, ...]]:
    for part in parts(session, answers):
        one = part.activity
        for row in part.rows:
            number = "" if one.id in ALWAYS else one.id.removeprefix("a")
            head = (number, one.kind, part.started, part.text, part.people)
            yield (*head, row.round or "", row.what, row.value)


def _safe(cell: object) -> object:
    """Text that a spreadsheet shows instead of running it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def as_page(
    session: Session, answers: Sequence[Given], people: Sequence[Person], templates: Environment
) -> str:
    """The report as one HTML file that fetches nothing. It names people if the class was told."""
    context: dict[str, Any] = {
        "code": session.code,
        "began": _time(session.created),
        "people": len(people),
        "named": session.named,
        "persons": _persons(session, answers, people) if session.named else None,
        "gains": gains(session, answers, people),
        "title": (session.plan or {}).get("title", Message("A class with Headlight")),
        "parts": parts(session, answers),
        "names": {name: Message(row["name"]) for name, row in facts("class")["activities"].items()},
    }
    return templates.get_template("class/report.html").render(context)


def _persons(
    session: Session, answers: Sequence[Given], people: Sequence[Person]
) -> dict[str, Any]:
    """Who answered what: a line for each person, and a column for each question."""
    said: dict[tuple[str, str], dict[int, list[str]]] = {}
    for given in answers:
        activity = session.activity(given.activity)
        if activity is not None and activity.id not in ALWAYS and not given.hidden:
            kind = KINDS[activity.kind]
            question = kind.Question.model_validate(activity.question)
            words = kind.says(question, kind.Answer.model_validate(given.answer))
            rounds = said.setdefault((given.person, given.activity), {})
            rounds.setdefault(given.round, []).append(words)
    lines = [
        (
            each.nickname
            if each.nickname and not each.hidden
            else Message("no name ({number})", number=number),
            [_then(said.get((each.id, one.id), {})) for one in session.activities],
        )
        for number, each in enumerate(people, 1)
    ]
    return {"columns": [one.question["text"] for one in session.activities], "lines": lines}


def _then(rounds: dict[int, list[str]]) -> str:
    """What somebody said in each round."""
    told = ["; ".join(rounds[number]) for number in sorted(rounds)]
    if len(told) == 2:
        return Message("{first}, then {second}", first=told[0], second=told[1])
    return ", ".join(told)


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1_000, UTC).strftime("%Y-%m-%d %H:%M UTC")
