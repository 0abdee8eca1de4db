"""`headlight export`: the inspector as one file, or the course as a folder."""

import logging
from pathlib import Path
from typing import Annotated, Literal

import typer

from server.commands.common import read_settings, short_errors
from server.languages.table import BY_CODE, ENGLISH, LANGUAGES


def one_of_ours(code: str) -> str:
    """Refuse the code of a language that there is not."""
    known = [each.code for each in LANGUAGES]
    if code not in known:
        raise typer.BadParameter(f"expected one of {', '.join(known)}; got {code!r}.")
    return code


def export(
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", help="The file to write, such as page.html; or a folder, as course/."
        ),
    ],
    text: Annotated[
        list[str] | None, typer.Option(help="A text to open it with. Can be given several times.")
    ] = None,
    link: Annotated[
        str | None, typer.Option(help="A link to the inspector: the file opens with its view.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="[NAME=]LOCATION",
            help="A folder or a hub id; by default the shipped model. Small models of our own "
            "format are in the file; of others, the one run that it shows.",
        ),
    ] = None,
    dtype: Annotated[
        Literal["float16", "float32"], typer.Option(help="The numbers of a recorded run.")
    ] = "float16",
    lms: Annotated[
        bool,
        typer.Option(
            "--lms",
            help="With the course: its lessons as SCORM 1.2 and its questions as QTI 2.1, for "
            "Moodle, ILIAS and other learning platforms.",
        ),
    ] = False,
    language: Annotated[
        str,
        typer.Option(
            callback=one_of_ours,
            help=f"Of the file: {', '.join(each.code for each in LANGUAGES)}; or of the course: "
            f"{', '.join(each.code for each in LANGUAGES if each.has_course)}.",
        ),
    ] = ENGLISH.code,
    force: Annotated[
        bool, typer.Option(help="Write the course into a folder that holds other files, too.")
    ] = False,
) -> None:
    """Write the inspector as one HTML file, or the course as a folder of them.

    They work without a server or a network.
    """
    from model.errors import InputError
    from server.pages.export.command import export as run
    from server.pages.export.command import export_course, is_folder

    # the errors say what failed; without a handler, Python would print the log as well
    logging.getLogger("headlight").addHandler(logging.NullHandler())
    settings = read_settings()
    with short_errors():
        if is_folder(output):
            if text or link or model:
                raise InputError("A course has no --text, --link or --model; an HTML file does.")
            size, left_out = export_course(
                Path(output), settings, lms=lms, force=force, language=BY_CODE[language]
            )
            for reason in left_out:
                typer.secho(f"A lesson was left out. {reason}", err=True, fg="yellow")
        elif lms:
            raise InputError("--lms belongs to the course: expected a folder, such as course/.")
        else:
            size = run(
                Path(output),
                settings,
                texts=text or (),
                link=link,
                model=model,
                dtype=dtype,
                language=BY_CODE[language],
            )
    typer.echo(f"{output}: {size / 1e6:.1f} MB")
