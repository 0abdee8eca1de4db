"""`headlight doctor`: what is here, and what to mend."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from server.commands import options
from server.commands.common import override


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
    from server.doctor.finding import tell

    findings = examine(online=online)
    if not as_json:
        well = "`headlight serve` should work."
        raise typer.Exit(tell(findings, well=well, before="`headlight serve`"))
    found = [asdict(each) for each in findings]
    ok = all(each["state"] != "problem" for each in found)
    typer.echo(json.dumps({"ok": ok, "findings": found}))
    raise typer.Exit(0 if ok else 1)
