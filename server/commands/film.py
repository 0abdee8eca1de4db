"""`headlight film`: what was measured of a model at each kept step of its training."""

from pathlib import Path
from typing import Annotated

import typer

from server.commands.common import short_errors


def film(
    folder: Annotated[Path, typer.Argument(help="A folder that `headlight train --film` wrote.")],
    last: Annotated[
        int, typer.Option(help="The step of the checkpoint itself, which ends the film.", min=1)
    ] = 3_600,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="STEPS",
            help="Measure nothing; copy these steps to --output, at 8 bits a weight: 0,100,400.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The folder for --keep.", show_default=False),
    ] = None,
) -> None:
    """Measure the film of a model: its loss, and what its heads do, at every step.

    It takes some seconds a step, and is done already after `headlight train --film`.
    """
    from model.errors import InputError
    from model.training.evaluation.filmed import main, pack

    with short_errors():
        if keep is None:
            main(folder, last)
            return
        if output is None:
            raise InputError("Name the folder to copy to: --output FOLDER.")
        try:
            steps = sorted({int(step) for step in keep.split(",")})
        except ValueError as error:
            raise InputError(f"--keep: expected steps such as 0,100,400; got {keep!r}.") from error
        made = pack(folder, output, steps)
        typer.echo(
            f"{output} has {len(made.steps)} steps. 8 bits move a weight of attention by at most "
            f"{made.rounding}."
        )
