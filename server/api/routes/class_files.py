"""What the desk of a class reads and writes besides: ready questions, plans, report and file."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Body, Request, Response

from server.api.routes.classes import CLASSES, REFUSALS, RoomDep, TeacherDep
from server.api.routes.dependencies import AnsweredLessonsDep
from server.classes import errors
from server.classes.acts import take
from server.classes.plan import read_plan, workshops
from server.classes.ready import ready_questions
from server.classes.report import as_csv, as_page
from server.classes.room import Member, Room
from server.classes.saved import save
from server.classes.session import Given, Person, Session
from server.classes.study import NAME, study_plan
from server.languages.catalogue import catalogue
from server.languages.choice import accepted, language_of
from server.pages.assets.pages import templates

router = APIRouter(prefix=f"{CLASSES}/{{code}}", tags=["class"], responses=REFUSALS)


@router.get("/ready")
def read_ready(
    request: Request, room: RoomDep, member: TeacherDep, lessons: AnsweredLessonsDep
) -> dict[str, Any]:
    """Read the questions that need no writing. Runs in a thread: the first one computes."""
    ready = ready_questions(lessons.all, room.settings.shipped)
    return {"ready": catalogue(accepted(request.scope)).value(ready)}


@router.get("/plans")
def read_plans(
    request: Request, room: RoomDep, member: TeacherDep, lessons: AnsweredLessonsDep
) -> dict[str, Any]:
    """Read the plans that are there: those of the workshop, and a study."""
    shipped = room.settings.shipped
    votes = [each for each in ready_questions(lessons.all, shipped) if each["kind"] == "vote"]
    said = catalogue(accepted(request.scope))
    study = read_plan(said.value(study_plan(lessons.all)))
    return {"plans": {**workshops(shipped, votes, said), NAME: study}}


@router.put("/plan")
async def set_plan(
    room: RoomDep, member: TeacherDep, document: Annotated[Any, Body()]
) -> dict[str, int]:
    """Set the steps of the class. They begin anew."""
    plan = read_plan(document)
    session = await room.run(lambda store: store.edit(member.code, take(plan)))
    room.live.wake()
    return {"revision": session.revision}


@router.get("/report.html")
async def read_report(request: Request, room: RoomDep, member: TeacherDep) -> Response:
    """Read the report of the class, as one page in the reader's language."""
    session, answers, people = await _all(room, member)
    html = as_page(session, answers, people, templates(language_of(request.scope)))
    return _file(html.encode(), "text/html", f"class-{member.code}.html")


@router.get("/report.csv")
async def read_table(room: RoomDep, member: TeacherDep) -> Response:
    """Read the report of the class, as a table without names."""
    session, answers, _ = await _all(room, member)
    return _file(
        as_csv(session, answers).encode("utf-8-sig"), "text/csv", f"class-{member.code}.csv"
    )


@router.get("/saved")
async def read_saved(room: RoomDep, member: TeacherDep) -> Response:
    """Read the whole class, to reopen it later."""
    session, _, _ = await _all(room, member)
    document = await room.run(lambda store: save(store, session))
    return _file(orjson.dumps(document), "application/json", f"class-{member.code}.json")


async def _all(room: Room, member: Member) -> tuple[Session, list[Given], list[Person]]:
    code = member.code
    session = await room.run(lambda store: store.get(code))
    if session is None:
        raise errors.no_class()
    answers = await room.run(lambda store: store.answers(code))
    people = await room.run(lambda store: store.people(code))
    return session, answers, [each for each in people if not each.removed]


def _file(content: bytes, kind: str, name: str) -> Response:
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
    }
    return Response(content, headers=headers, media_type=kind)
