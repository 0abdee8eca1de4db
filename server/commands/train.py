"""`headlight train`: the shipped model, trained again, or a small network that learns a task."""

from pathlib import Path
from typing import Annotated

import typer

from server.commands.common import short_errors


def train(
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="The folder to write, such as runs/mine. Only in a checkout of Headlight can you "
            "leave it out: this replaces the checkout's own model.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same weights.")] = 1,
    steps: Annotated[
        int | None, typer.Option(help="The number of steps; fewer to try it out.", min=1)
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            help="The language of its sentences: en, de or zh; zh-x-chars reads by characters."
        ),
    ] = "en",
    film: Annotated[
        bool,
        typer.Option(
            "--film", help="Keep the weights at 40 steps, 2.8 MB each, to watch the training."
        ),
    ] = False,
    task: Annotated[
        str | None,
        typer.Option(
            help="Train a small network for a task instead, in about a minute: copy, reverse, "
            "previous, induction, brackets, addition, sorting or majority.",
            show_default=False,
        ),
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(
            help="Train it on the lines of this file instead, character by character.",
            show_default=False,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting of the small network, such as n_layers=1 or positions=rotary.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Train the shipped model again, or one of another language; takes half an hour on two cores.

    To continue an interrupted run, give the same command again.
    """
    with short_errors():
        if task is not None or text is not None:
            from server.commands.practise import practise

            practise(output, task, text, settings or [], {"seed": seed, "steps": steps})
            return
        from model.training.grammar.grammar import grammar_of
        from model.training.recipe.train import train as run

        grammar_of(language)  # there is one
        place = _in_checkout(language) if output is None else output
        run(place, seed=seed, steps=steps, film=film, language=language)


def _in_checkout(language: str) -> Path:
    """The shipped model of the checkout that we are in, or the one of another language.

    Raises:
        InputError: this is an installed Headlight, or another working directory.
    """
    from model.errors import InputError
    from server.pages.assets.folders import IS_CHECKOUT, ROOT

    if not (IS_CHECKOUT and Path.cwd().is_relative_to(ROOT)):
        raise InputError(
            "Name the folder to write the model to, such as: headlight train -o runs/mine. Only in "
            "a checkout of Headlight does the command replace the shipped model."
        )
    from model.core.checkpoint import LANGUAGES, OTHERS, SHIPPED

    return LANGUAGES / OTHERS[language] if language in OTHERS else SHIPPED
