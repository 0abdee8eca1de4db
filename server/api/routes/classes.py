"""A live class: opening it, joining it, following it, answering in it. docs/class.md."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Body, Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from server.api.routes.dependencies import MetricsDep
from server.api.schemas import ErrorResponse
from server.api.schemas.classes import Change, Item, Joining, Moderation, Opening, Phase, Starting
from server.classes import acts, errors
from server.classes.plan import read_plan
from server.classes.room import Member, Room, open_class
from server.classes.saved import reopen
from server.http.events import event, streamed
from server.run.participants import participant_of

CLASSES = "/api/classes"
HEADER = "x-headlight-class"

REFUSALS: dict[int | str, dict[str, Any]] = {
    422: {"model": ErrorResponse, "description": "The request is invalid."}
}

router = APIRouter(prefix=CLASSES, tags=["class"], responses=REFUSALS)


async def _room(request: Request) -> Room:
    room: Room | None = request.app.state.room
    if room is None:
        raise errors.ClassError(
            "This server holds no classes. `headlight class` starts one that does, and so does "
            "HEADLIGHT_CLASSES=on.",
            code="no_classes",
            status=404,
        )
    return room


RoomDep = Annotated[Room, Depends(_room)]


async def _member(
    room: RoomDep, code: str, token: Annotated[str | None, Header(alias=HEADER)] = None
) -> Member:
    return await room.member(code, token)


MemberDep = Annotated[Member, Depends(_member)]


async def _teacher(member: MemberDep) -> Member:
    if member.person is not None:
        raise errors.not_teacher()
    return member


TeacherDep = Annotated[Member, Depends(_teacher)]
NO_CONTENT = 204


@router.post("", status_code=201)
async def open_new_class(request: Request, room: RoomDep, opening: Opening) -> dict[str, str]:
    """Open a class. The secret is the teacher's; it is sent this once."""
    if room.settings.classes != "on":
        raise errors.not_allowed()
    plan = read_plan(opening.plan) if opening.plan is not None else None
    code, token = await room.open(
        partial(reopen, document=opening.saved)
        if opening.saved is not None
        else partial(open_class, plan=plan),
        participant_of(request.scope),
    )
    return {"code": code, "secret": token, "join": f"/join/{code}", "desk": f"/class/{code}/desk"}


@router.post("/{code}/participants", status_code=201)
async def join_class(room: RoomDep, code: str, joining: Joining) -> dict[str, str | None]:
    """Join a class by its code, or come back to it."""
    person, token = await room.join(code, joining.nickname, joining.again)
    return {"token": token, "id": person.id, "nickname": person.nickname}


@router.get("/{code}")
async def read_class(
    room: RoomDep,
    member: MemberDep,
    after: Annotated[int | None, Query(ge=0)] = None,
    desk: bool = False,
) -> Response:
    """The whole document; 204 if there is nothing after that revision."""
    found = await room.document(member, with_desk=desk)
    if after is not None and found["revision"] <= after:
        return Response(
            status_code=NO_CONTENT, headers={"X-Headlight-People": str(found["people"])}
        )
    return Response(
        orjson.dumps(found),
        headers={"Cache-Control": "no-store"},
        media_type="application/json",
    )


@router.get("/{code}/events", response_class=StreamingResponse)
async def follow_class(
    room: RoomDep, member: MemberDep, metrics: MetricsDep, desk: bool = False
) -> StreamingResponse:
    """The document, then every change of it, as server-sent events, with a beat every 2 s."""
    with_desk = desk and member.person is None
    first = await room.document(member, with_desk=with_desk)
    person = member.person.id if member.person else None

    async def stream() -> AsyncIterator[bytes]:
        async with room.live.listen(member.code, person, with_desk, first) as listener:
            with metrics.class_streams.track_inprogress():
                yield event("state", first)
                while (message := await listener.messages.get()) is not None:
                    yield message

    return streamed(stream())


@router.patch("/{code}")
async def change_class(room: RoomDep, member: TeacherDep, asked: Change) -> dict[str, int]:
    """What the teacher shows, and how people may move."""
    edit = acts.change(asked)
    session = await room.run(lambda store: store.edit(member.code, edit))
    room.live.wake()
    return {"revision": session.revision}


@router.delete("/{code}", status_code=NO_CONTENT)
async def end_class(room: RoomDep, member: TeacherDep) -> None:
    """End the class. Everything in it is deleted."""
    await room.run(lambda store: store.end(member.code))
    room.live.wake()


# ── activities


@router.post("/{code}/activities", status_code=201)
async def start_activity(room: RoomDep, member: TeacherDep, asked: Starting) -> dict[str, Any]:
    """Ask everybody something."""
    edit, activity = acts.start(asked.kind, asked.question)
    session = await room.run(lambda store: store.edit(member.code, edit))
    room.live.wake()
    return {"id": activity.id, "revision": session.revision}


@router.patch("/{code}/activities/{name}")
async def advance_activity(
    room: RoomDep, member: TeacherDep, name: str, asked: Phase
) -> dict[str, int]:
    """Close an activity, reveal it, or go on to its second round."""
    edit = acts.advance(name, asked.phase, asked.round)
    session = await room.run(lambda store: store.edit(member.code, edit))
    room.live.wake()
    return {"revision": session.revision}


@router.delete("/{code}/activities/{name}", status_code=NO_CONTENT)
async def put_activity_away(room: RoomDep, member: TeacherDep, name: str) -> None:
    """Show an activity no longer; its answers stay in the report."""
    edit = acts.put_away(name)
    await room.run(lambda store: store.edit(member.code, edit))
    room.live.wake()


@router.put("/{code}/answers/{name}/{item}", status_code=NO_CONTENT)
async def answer(
    room: RoomDep, member: MemberDep, name: str, item: Item, said: Annotated[dict[str, Any], Body()]
) -> None:
    """Answer. Sending the same again changes nothing."""
    await _give(room, member, name, item, said)


@router.delete("/{code}/answers/{name}/{item}", status_code=NO_CONTENT)
async def take_answer_back(room: RoomDep, member: MemberDep, name: str, item: Item) -> None:
    """Take an answer back."""
    await _give(room, member, name, item, None)


async def _give(
    room: Room, member: Member, name: str, item: str, said: dict[str, Any] | None
) -> None:
    person = member.person
    if person is None:
        raise errors.teacher_asks()
    session = await room.find(member.code)
    given, allow = acts.answer(session, name, item, said, person.id, room.words)
    await room.run(
        lambda store: (store.take_back if said is None else store.put)(member.code, given, allow)
    )
    room.live.wake()


# ── people


@router.get("/{code}/people")
async def list_people(room: RoomDep, member: TeacherDep) -> dict[str, Any]:
    """Everybody in the class, for the teacher who asks."""
    return {"people": await room.people(member.code)}


@router.get("/{code}/work")
async def list_work(room: RoomDep, member: TeacherDep) -> dict[str, Any]:
    """What people show the teacher of their own pages, for as long as they do."""
    return {"work": await room.work(member.code)}


@router.delete("/{code}/people")
async def take_absent_people_out(room: RoomDep, member: TeacherDep) -> dict[str, int]:
    """Give back the seats of all who are away. Their answers stay, and they may join again."""
    left = await room.send_away(member.code)
    room.live.wake()
    return {"left": left}


@router.patch("/{code}/people/{person}", status_code=NO_CONTENT)
async def moderate_person(
    room: RoomDep, member: TeacherDep, person: str, asked: Moderation
) -> None:
    """Hide a nickname, or take somebody out."""
    hidden, gone = asked.hidden, asked.removed
    await room.run(
        lambda store: store.edit_person(member.code, person, hidden=hidden, removed=gone)
    )
    if gone:
        room.live.dismiss(member.code, person)
    room.live.wake()


@router.patch("/{code}/answers/{name}/{person}/{item}", status_code=NO_CONTENT)
async def hide_answer(
    room: RoomDep, member: TeacherDep, name: str, person: str, item: Item, asked: Moderation
) -> None:
    """Hide an answer from everybody, or show it again."""
    hidden = bool(asked.hidden)
    await room.run(lambda store: store.hide(member.code, name, person, item, hidden))
    room.live.wake()
