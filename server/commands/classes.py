"""`headlight class`: the page and the API, with a live class in it."""

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands import options
from server.commands.common import override, read_settings, short_errors

if TYPE_CHECKING:
    from server.classes.session import Session
    from server.settings import Settings


def class_(
    host: options.Host = "0.0.0.0",
    port: options.Port = None,
    workers: Annotated[int | None, typer.Option(help="The number of processes.")] = None,
    model: options.Models = None,
    plan: Annotated[
        Path | None,
        typer.Option(help="A file with the steps of the class (docs/class.md)."),
    ] = None,
    study: Annotated[
        bool,
        typer.Option("--study", help="Begin with seven questions, to be asked again at the end."),
    ] = False,
    saved: Annotated[
        Path | None,
        typer.Option("--open", help="A class that was saved, to go on with it."),
    ] = None,
    new: Annotated[
        bool,
        typer.Option("--new", help="Start another class, even if one is still going on."),
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Test the room instead: network, load, clock; then stop."),
    ] = False,
) -> None:
    """Start a live class: a server, a code to join it, and the teacher's desk.

    After a restart it goes on with the class that was there, for as long as that lasts without its
    teacher.
    """
    from model.files import read_json
    from server.classes.acts import NEVER
    from server.classes.plan import read_plan
    from server.classes.room import of_command, open_class, resume
    from server.classes.saved import reopen
    from server.classes.stores import explaining, open_store
    from server.classes.study import study_plan
    from server.http.serving.listening import check_free
    from server.http.serving.local import serve_locally
    from server.pages.assets.pages import templates
    from server.pages.export.file import LIVE
    from server.pages.learning.lessons import Lessons

    override(
        {
            "HOST": host,
            "PORT": port,
            "WORKERS": workers,
            "MODELS": json.dumps(model) if model else None,
        }
    )
    settings = read_settings()
    if settings.classes == "off":
        override({"CLASSES": "given"})
        settings = read_settings()
    if check:
        from server.doctor import examine_room
        from server.doctor.finding import tell

        well = "The class can come: run the same command without --check."
        raise typer.Exit(tell(examine_room(settings), well=well, before="the class"))
    with short_errors():
        check_free(settings.host, settings.port)  # before there is a class that nobody can join
        steps = read_plan(read_json(plan)) if plan else None
        if study:
            lessons = Lessons(None, templates(), LIVE)
            steps = read_plan(study_plan(lessons.all))
        with explaining():
            store = open_store(settings)
            goes_on = None if new or saved else resume(store, settings, steps)
            if goes_on:
                session, token = goes_on
                code = session.code
                _say_on(session, store.count(code, NEVER))
            elif saved:
                code, token = reopen(store, settings, read_json(saved))
            else:
                code, token = open_class(store, settings, steps)
            if not goes_on:
                of_command(store, code)
            store.close()
        _say(settings, code, token)
        serve_locally(settings)


def _say_on(session: "Session", people: int) -> None:
    """That a class goes on, and how to start another one."""
    from server.classes.codes import shown_code

    began = datetime.fromtimestamp(session.created / 1_000).strftime("%H:%M")
    who = "1 person" if people == 1 else f"{people} people"
    typer.echo(
        f"\nThis goes on with the class {shown_code(session.code)}, begun at {began}, with {who} "
        "and all answers. To start another one: headlight class --new"
    )


def _say(settings: "Settings", code: str, token: str) -> None:
    """How to join, and the link to the desk; never logged, since whoever has it is the teacher."""
    import segno

    from server.classes.codes import shown_code
    from server.pages.learning.workshop.reach import EVERYWHERE, local_addresses

    scheme = "https" if settings.certfile else "http"
    at = local_addresses() if settings.host in EVERYWHERE else [settings.host]
    bases = [f"{scheme}://{address}:{settings.port}" for address in at or ["127.0.0.1"]]
    join = f"{bases[0]}/join/{code}"
    typer.echo(f"\nJoin:  {bases[0]}/join   with the code   {shown_code(code)}")
    segno.make_qr(join, error="m").terminal(compact=True)
    for base in bases[1:3]:
        typer.echo(f"Or:    {base}/join")
    typer.echo(
        f"\nYour desk (keep this link to yourself):\n  {bases[0]}/class/{code}/desk#{token}\n"
    )
