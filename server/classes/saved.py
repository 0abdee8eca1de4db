"""A class as one file: what the teacher saves, and reopens later."""

from typing import Any, Literal

from pydantic import ConfigDict

from server.classes.activities import KINDS
from server.classes.acts import checked
from server.classes.codes import TEACHER, digest, new_code, new_token, read_code
from server.classes.errors import ClassError
from server.classes.session import Given, Person, Session, Stored, now_ms
from server.classes.store import Store
from server.settings import Settings


class SavedClass(Stored):
    """The contents of the file. It holds no token, only their digests."""

    model_config = ConfigDict(extra="forbid")

    headlight_class: Literal[1] = 1  # the version of this format
    session: Session
    people: list[Person]
    answers: list[Given]


def save(store: Store, session: Session) -> dict[str, Any]:
    """A class as JSON."""
    people, answers = store.people(session.code), store.answers(session.code)
    return SavedClass(session=session, people=people, answers=answers).model_dump()


def reopen(store: Store, settings: Settings, document: Any) -> tuple[str, str]:
    """Open a saved class again: its code, and a new token for the teacher.

    The code is the old one if no other class has it by now. People who come back are who they were.

    Raises:
        ClassError: it is no such file, or it does not hold together.
    """
    if not isinstance(document, dict):
        raise _no_file("expected a JSON object")
    saved = checked(SavedClass, document, "saved")
    assert isinstance(saved, SavedClass)
    session, now, token = saved.session, now_ms(), new_token(TEACHER)
    _check(saved)
    while read_code(session.code) is None or store.get(session.code) is not None:
        session.code = new_code()
    session.secret, session.created, session.seen = digest(token), now, now
    session.revision += 1
    people = [person for person in saved.people if person.id][: settings.class_people]
    store.restore(session, people, saved.answers, settings.classes_max)
    return session.code, token


def _check(saved: SavedClass) -> None:
    """Every activity and every answer is one that the class could have had."""
    known = {}
    for activity in saved.session.activities:
        if activity.kind not in KINDS or activity.id in known:
            raise _no_file("an activity of a kind that this version does not know, or one twice")
        checked(KINDS[activity.kind].Question, activity.question, "saved.session.activities")
        known[activity.id] = activity
    for given in saved.answers:
        found = saved.session.activity(given.activity)
        if found is None:
            raise _no_file("an answer to an activity that is not there")
        checked(KINDS[found.kind].Answer, given.answer, "saved.answers")


def _no_file(problem: str) -> ClassError:
    return ClassError(
        f"saved: {problem}. Choose a file that the desk of a class saved.",
        code="not_a_saved_class",
        status=422,
        field="saved",
    )
