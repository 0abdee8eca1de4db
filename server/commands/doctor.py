"""`headlight doctor`: what is here, and what to mend."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from server.commands import options
from server.commands.common import override

COLOURS = {"ok": "green", "warning": "yellow", "problem": "red"}


def doctor(
    host: options.Host = None,
    port: options.Port = None,
    model: options.Models = None,
    online: Annotated[
        bool, typer.Option("--online", help="Also ask the hub of checkpoints if it answers.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Say what is installed and what would keep `headlight serve` from working.

    Give it the options of `serve`, and the same HEADLIGHT_* variables. It loads no model, writes
    nothing, and uses the network only with --online. It exits with 1 if there is a problem.
    """
    models = json.dumps(model) if model else None
    override({"HOST": host, "PORT": port, "MODELS": models})
    from server.doctor import examine

    found = []
    for finding in examine(online=online):
        found.append(finding)
        if not as_json:
            typer.secho(f"{finding.state:8}", fg=COLOURS[finding.state], nl=False)
            typer.echo(f" {finding.name:12} {finding.found}")
            if finding.advice:
                typer.echo(f"{'':22}{finding.advice}")
    problems = [finding for finding in found if finding.state == "problem"]
    if as_json:
        typer.echo(json.dumps({"ok": not problems, "findings": [asdict(each) for each in found]}))
    elif problems:
        n = len(problems)
        typer.echo(f"\n{n} problem{'' if n == 1 else 's'} to mend before `headlight serve`.")
    else:
        typer.echo("\n`headlight serve` should work.")
    raise typer.Exit(1 if problems else 0)
