"""`headlight class`: the page and the API, with a live class in it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands import options
from server.commands.common import override, read_settings, short_errors

if TYPE_CHECKING:
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
    saved: Annotated[
        Path | None,
        typer.Option("--open", help="A class that was saved, to go on with it."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Test the room instead: network, load, clock; then stop."),
    ] = False,
) -> None:
    """Start a live class: a server, a code to join it, and the teacher's desk."""
    from model.files import read_json
    from server.classes.plan import read_plan
    from server.classes.room import open_class
    from server.classes.saved import reopen
    from server.classes.stores import explaining, open_store
    from server.http.serving.listening import check_free
    from server.http.serving.local import serve_locally

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
        with explaining():
            store = open_store(settings)
            if saved:
                code, token = reopen(store, settings, read_json(saved))
            else:
                code, token = open_class(store, settings, steps)
            store.close()
        _say(settings, code, token)
        serve_locally(settings)


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
