"""What the teacher and the people of a class do: each a change of the stored class."""

from typing import Any

from pydantic import BaseModel, ValidationError

from server.api.schemas.classes import Change
from server.classes import errors
from server.classes.activities import KINDS
from server.classes.errors import ClassError
from server.classes.names import refuse_words
from server.classes.session import (
    ALWAYS,
    MAX_REACHED,
    Activity,
    Given,
    Phase,
    Round,
    Session,
    Shows,
    StepNow,
    Timer,
    now_ms,
)
from server.classes.stores.store import Allow, Edit

MAX_ACTIVITIES = 100
NEVER = -1  # earlier than any time


def change(asked: Change) -> Edit:
    """What the teacher asks for, all of it at once."""

    def edit(session: Session) -> bool:
        before = session.model_dump()
        # a browser may send the same request twice, when its connection breaks
        if asked.over is not None and session.choice not in (asked.over, asked.choice):
            raise errors.overtaken()
        if asked.choice is not None:
            session.choice = asked.choice
        if asked.mode is not None:
            session.mode = asked.mode
        if asked.frozen is not None:
            session.frozen = asked.frozen
        if asked.locked is not None:
            session.locked = asked.locked
        if asked.named is not None:
            session.named = asked.named
        if asked.checks is not None:
            session.checks = asked.checks
        if asked.timer is not None:
            session.timer = _timer(asked.timer)
        if asked.step is not None:
            session.step = StepNow(**asked.step.model_dump())
            session.shows.slide = True
        if asked.address is not None:
            session.address = asked.address
        if asked.shows is not None:
            said = asked.shows.model_dump(exclude_none=True)
            session.shows = Shows(**{**session.shows.model_dump(), **said})
        return session.model_dump() != before

    return edit


def reached(host: str) -> Edit:
    """Somebody has opened the page to join under this address, so that others can."""

    def edit(session: Session) -> bool:
        if host in session.reached or len(session.reached) >= MAX_REACHED:
            return False
        session.reached.append(host)
        return True

    return edit


def _timer(minutes: float) -> Timer | None:
    return Timer(ends=now_ms() + round(minutes * 60_000), minutes=minutes) if minutes else None


def start(kind: str, question: dict[str, Any]) -> tuple[Edit, Activity]:
    """An activity, open for answers. The one before it is closed and kept.

    What a step of the plan has asked already is shown again, with its answers.
    """
    row = KINDS.get(kind)
    if row is None or kind in ALWAYS:
        kinds = ", ".join(name for name in KINDS if name not in ALWAYS)
        raise ClassError(
            f"kind: expected one of {kinds}; got {kind}.",
            code="invalid_value",
            status=422,
            field="kind",
        )
    asked = checked(row.Question, question, "question")
    activity = Activity(id="", kind=kind, question=asked.model_dump(), started=now_ms())

    def edit(session: Session) -> None:
        last = session.activity(session.current) if session.current else None
        if last is not None and last.phase == "open":
            last.phase = "closed"
        step = _step_of(session, kind, asked)
        asked_here = (one for one in session.activities if step is not None and one.step == step)
        again = next(asked_here, None)
        if again is not None:  # the teacher has gone back in the plan
            activity.id = again.id
            advance(again.id, "open" if again.phase == "closed" else None, None)(session)
            return
        if len(session.activities) >= MAX_ACTIVITIES:
            raise errors.too_many_items(MAX_ACTIVITIES)
        activity.id, activity.step = f"a{len(session.activities) + 1}", step
        session.activities.append(activity)
        session.current = activity.id
        if activity.question.get("choice"):  # everybody sees what they are asked about
            session.choice, session.mode = activity.question["choice"], "follow"

    return edit, activity


def _step_of(session: Session, kind: str, asked: BaseModel) -> int | None:
    """The step of the plan at which the class is, if that asks this."""
    if session.plan is None or session.step is None:
        return None
    steps = session.plan["steps"]
    planned = steps[session.step.index].get("activity") if session.step.index < len(steps) else None
    if planned is None or planned["kind"] != kind:
        return None
    same = checked(KINDS[kind].Question, planned["question"], "question") == asked
    return session.step.index if same else None


def take(plan: dict[str, Any]) -> Edit:
    """Another plan, which begins anew. Before anything is asked, all see what it begins with."""

    def edit(session: Session) -> None:
        session.plan, session.step = plan, None
        for activity in session.activities:
            activity.step = None
        if not session.activities:
            begin(session)

    return edit


def begin(session: Session) -> None:
    """Show what the plan begins with, so that nobody who is early sees an answer."""
    if session.plan is None:
        return
    state = session.plan["steps"][0].get("state")
    if state is not None:
        session.choice, session.mode = state, "follow"


def advance(name: str, phase: Phase | None, round: Round | None) -> Edit:
    """Move an activity on, and show it again if another one was shown."""

    def edit(session: Session) -> None:
        activity = _found(session, name)
        if round is not None and round != activity.round:
            activity.round, activity.phase = round, "open"
        if phase == "revealed" and activity.question.get("study"):
            raise errors.study()
        was = activity.phase == "revealed"
        activity.phase = phase or activity.phase
        now = activity.phase == "revealed"
        shows = activity.question.get("reveals" if now else "choice")
        if shows and (was != now or session.current != activity.id):
            session.choice, session.mode = shows, "follow"
        session.current = activity.id

    return edit


def put_away(name: str) -> Edit:
    """Show an activity no longer. Its answers are kept for the report."""

    def edit(session: Session) -> None:
        activity = _found(session, name)
        if activity.phase == "open":
            activity.phase = "closed"
        if session.current == name:
            session.current = None

    return edit


def answer(
    session: Session,
    name: str,
    item: str,
    said: dict[str, Any] | None,
    person: str,
    words: frozenset[str],
) -> tuple[Given, Allow]:
    """An answer (None: to take one back), and what decides, in the store, whether it counts."""
    activity = _found(session, name)
    kind = KINDS[activity.kind]
    read = read_answer(activity, said, words) if said is not None else None
    written = read.model_dump() if read else {}
    given = Given(
        activity=name, round=activity.round, person=person, item=item, answer=written, at=now_ms()
    )

    def allow(now: Session, own: list[Given]) -> bool:
        """Whether others see it. The class may have gone on since it was read."""
        here = _found(now, name)
        if now.frozen:
            raise errors.frozen()
        if here.phase != "open" or here.round != given.round:
            raise errors.closed()
        items = {each.item for each in own if (each.activity, each.round) == (name, given.round)}
        if said is not None and len(items | {item}) > kind.many:
            raise errors.too_many_items(kind.many)
        given.hidden = kind.live and now.checks and said is not None and kind.waits(read)
        return kind.live and now.current == name

    return given, allow


def read_answer(activity: Activity, said: dict[str, Any], words: frozenset[str]) -> BaseModel:
    """An answer, if that activity allows it."""
    kind = KINDS[activity.kind]
    read = checked(kind.Answer, said, None)
    question = kind.Question.model_validate(activity.question) if activity.question else None
    try:
        kind.check(question, read)
    except ValueError as error:
        raise ClassError(f"{error}.", code="invalid_value", status=422) from None
    for field, text in read.model_dump().items():
        if isinstance(text, str):
            refuse_words(text, words, field)
    return read


def checked(schema: type[BaseModel], value: dict[str, Any], within: str | None) -> BaseModel:
    """A question or an answer that its schema allows. A refusal names the field, never a value."""
    try:
        return schema.model_validate(value)
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False)[0]
        parts = map(str, problem["loc"])
        names = (each if each.isidentifier() or each.isdecimal() else "?" for each in parts)
        field = ".".join([within, *names] if within else names)
        said = problem["msg"].removeprefix("Value error, ")
        raise ClassError(
            f"{field or 'The body'}: {said[:1].lower()}{said[1:]}.",
            code="invalid_value",
            status=422,
            field=field or None,
        ) from None


def _found(session: Session, name: str) -> Activity:
    activity = session.activity(name)
    if activity is None or activity.kind not in KINDS:
        raise errors.no_activity()
    return activity
