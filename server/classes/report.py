"""What is left after a class, if the teacher saves it: a report without names, as a page or CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from jinja2 import Environment

from server.classes.activities import KINDS
from server.classes.activities.kind import Row
from server.classes.documents import results
from server.classes.session import QUESTIONS, Activity, Given, Session

COLUMNS = ("activity", "kind", "started", "question", "people", "round", "what", "value")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that spreadsheets would run


@dataclass(frozen=True)
class Part:
    """An activity in the report."""

    activity: Activity
    text: str
    started: str  # UTC
    people: int  # who answered
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
    text = activity.question.get("text", "What people did not understand")
    people = len({each.person for each in given})
    return Part(activity, text, _time(activity.started), people, list(kind.rows(question, found)))


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
            head = (one.id, one.kind, part.started, part.text, part.people)
            yield (*head, row.round or "", row.what, row.value)


def _safe(cell: object) -> object:
    """Text that a spreadsheet shows instead of running it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def as_page(session: Session, answers: Sequence[Given], people: int, templates: Environment) -> str:
    """The report as one HTML file that fetches nothing."""
    context: dict[str, Any] = {
        "code": session.code,
        "began": _time(session.created),
        "people": people,
        "title": (session.plan or {}).get("title", "A class with Headlight"),
        "parts": parts(session, answers),
        "names": {name: name.capitalize() for name in KINDS},
    }
    return templates.get_template("class/report.html").render(context)


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1_000, UTC).strftime("%Y-%m-%d %H:%M UTC")
