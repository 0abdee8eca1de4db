"""The pages of a live class: where people join, and the inspector of somebody in it."""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from server.api.routes.dependencies import ModelsDep, PagesDep, SettingsDep
from server.api.routes.engine import engine_boot
from server.api.routes.pages import limits
from server.api.routes.teachers import JOIN, SLIDES_PAGE, printed
from server.classes.acts import reached
from server.classes.codes import read_code
from server.classes.errors import ClassError
from server.classes.room import Room
from server.classes.session import HOST
from server.pages.learning.workshop.games import ARRIVAL, quiz
from server.pages.learning.workshop.reach import Reach, qr, reach_of
from server.run.finding import SISTER_NAME

CLASS = "/class"
router = APIRouter(include_in_schema=False)


async def _room(request: Request) -> Room | None:
    room: Room | None = request.app.state.room
    return room


MaybeRoom = Annotated[Room | None, Depends(_room)]


@dataclass(frozen=True)
class JoinPage:
    """The context of templates/class/join.html."""

    code: str  # in the form; maybe none yet
    alone: str  # where to go on without a class
    may_start: bool  # whether anyone may start a class here
    page: str = "class"


@dataclass(frozen=True)
class DeskPage:
    """The context of templates/class/desk.html."""

    # {models, limits, engine: as for the inspector, join: where people join, offered: the addresses
    # of this machine, closed: whether the server listens to it alone}
    boot: dict[str, Any]
    page: str = "class"


def join_address(reach: Reach, request: Request, code: str = "") -> str:
    """Where people join, as they type it or as a QR code holds it."""
    base = reach.best or str(request.base_url).rstrip("/")
    return f"{base}{JOIN}{f'/{code}' if code else ''}"


@router.get(JOIN)
async def join(request: Request, room: MaybeRoom, pages: PagesDep) -> Response:
    """Where people join; without classes the inspector without labels, on no game's sentence."""
    if room is None:
        return RedirectResponse(quiz(ARRIVAL))
    return _form(request, room, pages, "")


@router.get(JOIN + "/{code}")
async def join_with(request: Request, code: str, room: MaybeRoom, pages: PagesDep) -> Response:
    """The same, with the code filled in. The desk is told under which address it was opened."""
    if room is None:
        return RedirectResponse(JOIN)
    host = request.headers.get("host", "")
    with suppress(ClassError):  # a code of no class
        session = await room.find(code)
        if re.fullmatch(HOST, host) and host not in session.reached:
            await room.run(lambda store: store.edit(session.code, reached(host)))
            room.live.wake()
    return _form(request, room, pages, read_code(code) or "")


def _form(request: Request, room: Room, pages: PagesDep, code: str) -> Response:
    may_start = room.settings.classes == "on" and not code

    def page() -> JoinPage:
        return JoinPage(code, quiz(ARRIVAL), may_start)

    return pages.answer(request, "class/join.html", page, shows=(code,))


@router.get(CLASS + "/{code}/desk")
async def desk(
    request: Request, room: MaybeRoom, models: ModelsDep, settings: SettingsDep, pages: PagesDep
) -> Response:
    """The teacher's desk. The page itself holds nothing of the class."""
    if room is None:
        return RedirectResponse("/")
    described, reach = models.describe(SISTER_NAME), reach_of(request, settings)
    joins = join_address(reach, request)

    def page() -> DeskPage:
        return DeskPage(
            {
                "models": [model.model_dump() for model in described],
                "limits": limits(settings),
                "engine": engine_boot(models.names, settings),
                "join": joins,
                "offered": reach.addresses,
                "closed": reach.closed,
            }
        )

    return pages.answer(request, "class/desk.html", page, shows=(described, joins, reach))


@router.get(CLASS + "/{code}/slides")
def slides(request: Request, room: MaybeRoom, settings: SettingsDep, pages: PagesDep) -> Response:
    """The slides of the workshop, which the projector frames.

    Pages that people open do not name the address of the pages for teachers.
    """
    if room is None:
        return RedirectResponse("/")
    return printed(SLIDES_PAGE, request, settings, pages, in_class=True)


@router.get(CLASS + "/{code}/qr.svg")
async def qr_code(request: Request, code: str, room: MaybeRoom, settings: SettingsDep) -> Response:
    """The QR code of the page on which people join this class."""
    reach = reach_of(request, settings)
    if room is not None:
        with suppress(ClassError):
            session = await room.find(code)
            if session.address:
                reach = replace(reach, addresses=(session.address,))
    address = join_address(reach, request, read_code(code) or "")
    svg = str(qr(address)).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "no-cache"})
