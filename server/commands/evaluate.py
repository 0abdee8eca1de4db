"""`headlight evaluate`: the numbers on a model's card."""

from pathlib import Path
from typing import Annotated

import typer

from server.commands import options
from server.commands.common import shipped_folder, short_errors


def evaluate(
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="A folder that `headlight train` wrote; by default the shipped model.",
            show_default=False,
        ),
    ] = None,
    step: Annotated[
        int | None,
        typer.Option(help="What it was after this step, if it has a film.", show_default=False),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure what a model's heads do, and how well it predicts, on sentences it never saw."""
    from model.training.evaluation.evaluate import main

    with short_errors():
        main(shipped_folder() if model is None else model, as_json, step)
