"""A class as one file: what the teacher saves, and reopens later."""

import re
from typing import Any, Literal

from pydantic import ConfigDict

from server.api.schemas.classes import ITEM
from server.classes.activities import KINDS
from server.classes.activities.kind import is_state
from server.classes.acts import MAX_ACTIVITIES, checked, read_answer
from server.classes.codes import TEACHER, digest, new_code, new_token, read_code
from server.classes.errors import ClassError, full
from server.classes.names import clean, words_in
from server.classes.plan import read_plan
from server.classes.session import (
    ALWAYS,
    ID_LENGTH,
    Given,
    Person,
    Session,
    Stored,
    now_ms,
)
from server.classes.stores.store import Store
from server.settings import Settings

ID = rf"[0-9a-f]{{{ID_LENGTH}}}"  # of a person, who may have left since


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
        ClassError: it is no such file, or no class could have become what it holds.
    """
    if not isinstance(document, dict):
        raise _no_file("expected a JSON object")
    saved = checked(SavedClass, document, "saved")
    assert isinstance(saved, SavedClass)
    words = words_in(settings.class_words)
    _check_session(saved.session)
    _check_people(saved.people, words)
    _check_answers(saved, words)
    if len(saved.people) > settings.class_people:
        raise full(settings.class_people)
    session, now, token = saved.session, now_ms(), new_token(TEACHER)
    while read_code(session.code) is None or store.get(session.code) is not None:
        session.code = new_code()
    session.again = ""
    session.secret, session.created, session.seen = digest(token), now, now
    session.revision += 1
    store.restore(session, saved.people, saved.answers, settings.classes_max)
    return session.code, token


def _check_session(session: Session) -> None:
    if len(session.activities) > MAX_ACTIVITIES:
        raise _no_file(f"more than {MAX_ACTIVITIES} activities")
    for number, activity in enumerate(session.activities, 1):
        if activity.kind not in KINDS or activity.kind in ALWAYS:
            raise _no_file("an activity of a kind that this version does not know")
        if activity.id != f"a{number}":
            raise _no_file("activities that are not numbered a1, a2 and so on")
        question = KINDS[activity.kind].Question
        activity.question = checked(
            question, activity.question, "saved.session.activities"
        ).model_dump()
    if session.current is not None and session.activity(session.current) is None:
        raise _no_file("a current activity that is not there")
    try:
        is_state(session.choice)
    except ValueError as error:
        raise _no_file(f"a state that no link could hold ({error})") from None
    if session.plan is not None:
        try:
            session.plan = read_plan(session.plan)
        except ClassError as error:
            raise _no_file(error.message.rstrip(".")) from None


def _check_people(people: list[Person], words: frozenset[str]) -> None:
    for part in ("id", "token"):
        if len({getattr(each, part) for each in people}) < len(people):
            raise _no_file(f"two people with one {part}")
    for person in people:
        if not re.fullmatch(ID, person.id):
            raise _no_file("an id of a person that is not 12 hexadecimal digits")
        if not re.fullmatch(r"[0-9a-f]{64}", person.token):
            raise _no_file("a token of a person that is not a SHA-256 digest")
        if clean(person.nickname, words) != person.nickname:
            raise _no_file("a nickname that nobody could have chosen")


def _check_answers(saved: SavedClass, words: frozenset[str]) -> None:
    """Every answer is one that somebody in the class could have given, and there once."""
    items: dict[tuple[str, int, str], set[str]] = {}
    for given in saved.answers:
        activity = saved.session.activity(given.activity)
        if activity is None:
            raise _no_file("an answer to an activity that is not there")
        places = ((ID, given.person), (ITEM, given.item))
        if given.round > activity.round or not all(re.fullmatch(*each) for each in places):
            raise _no_file("an answer at a place that the activity does not have")
        try:
            given.answer = read_answer(activity, given.answer, words).model_dump()
        except ClassError as error:
            raise _no_file(f"an answer that was none ({error.message.rstrip('.')})") from None
        own = items.setdefault((given.activity, given.round, given.person), set())
        if given.item in own or len(own) == KINDS[activity.kind].many:
            raise _no_file("more answers of a person than the activity takes")
        own.add(given.item)


def _no_file(problem: str) -> ClassError:
    return ClassError(
        f"saved: {problem}. Choose a file that the desk of a class saved.",
        code="not_a_saved_class",
        status=422,
        field="saved",
    )
