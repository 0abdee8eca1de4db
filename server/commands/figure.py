"""`headlight figure`: what a head looks at, as a figure for a paper."""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from model.errors import InputError
from server.commands import options
from server.commands.charts import CHARTS, Asked, View, draw
from server.commands.common import read_settings, short_errors
from server.languages.table import LANGUAGES

if TYPE_CHECKING:
    from headlight import Run

LANGUAGE_CODES = ", ".join(each.code for each in LANGUAGES)


def figure(
    text: options.Text,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The file: .pdf, .svg, .png or .pgf.")
    ],
    layer: Annotated[int | None, typer.Option(help="By default all layers.", min=0)] = None,
    head: Annotated[
        int | None, typer.Option(help="By default all heads of the layer.", min=0)
    ] = None,
    view: Annotated[
        View,
        typer.Option(
            help="Cells, or lines between the tokens; or what an analysis finds: attribution, "
            "mutes, patching, paths, curves (of explanations), space (of queries and keys), film."
        ),
    ] = "heatmap",
    token: Annotated[
        str | None, typer.Option(help="The answer that an analysis is about, as in “ Mary”.")
    ] = None,
    against: Annotated[str | None, typer.Option(help="The token that it is compared with.")] = None,
    clean: Annotated[
        str | None, typer.Option(help="The sentence that --view patching patches from.")
    ] = None,
    overlay: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LAYER.HEAD",
            help="Another head, in a colour of its own, with --view lines. Can be given several "
            "times.",
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The decoder's text, in an encoder–decoder.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="Of attention: encoder, decoder or cross.")
    ] = None,
    model: options.Model = None,
    mask: options.Mask = None,
    mute: options.Mute = None,
    tensor: Annotated[
        str, typer.Option(help="pattern, scores, norms or value_weighted.")
    ] = "pattern",
    language: Annotated[
        str, typer.Option(help=f"Of what the figure says: {LANGUAGE_CODES}.")
    ] = "en",
    values: Annotated[
        bool, typer.Option("--values", help="Write the numbers in the cells.")
    ] = False,
    caption: Annotated[
        bool, typer.Option("--caption", help="Write the text, the model and its edits below.")
    ] = False,
    dark: Annotated[bool, typer.Option("--dark", help="Draw on a dark ground.")] = False,
    transparent: Annotated[bool, typer.Option("--transparent", help="Draw on no ground.")] = False,
    fontsize: Annotated[float, typer.Option(help="In points.", min=1)] = 8.0,
    width: Annotated[float | None, typer.Option(help="In inches.", min=1)] = None,
    dpi: Annotated[float, typer.Option(help="Pixels per inch, in .png.", min=20, max=2400)] = 300.0,
) -> None:
    """Draw a head as the page does: text as text, cells as vectors. Needs the extra `figures`."""
    from headlight.errors import HeadlightError as ClientError

    with short_errors():
        try:
            masks, muted = options.masks_of(mask), options.heads_of(mute)
            if view in CHARTS:
                of_heads: dict[str, object] = {
                    **{"--values": values, "--caption": caption, "--dark": dark},
                    **{"--overlay": overlay, "--kind": kind, "--tensor": tensor != "pattern"},
                    "--language": language != "en",
                }
                _has_none(view, of_heads, "heatmap and lines")
                asked = Asked(token=token, against=against, clean=clean, layer=layer, head=head)
                request = {"masks": masks, "muted": muted, "targets": target}
                sizes: dict[str, Any] = {"fontsize": fontsize, "width": width, "dpi": dpi}
                sizes["transparent"] = transparent
                draw(view, options.text_of(text), model, request, asked, output, **sizes)
                typer.echo(f"{output}: {output.stat().st_size / 1e3:.0f} kB")
                return
            of_charts = {"--token": token, "--against": against, "--clean": clean}
            _has_none(view, of_charts, "what an analysis finds")
            assert view in ("heatmap", "lines")
            run = _traced(options.text_of(text), target, masks, muted, model)
            with warnings.catch_warnings(record=True, action="default") as said:
                run.save(
                    output,
                    view=view,
                    overlay=_others(overlay),
                    layer=layer,
                    head=head,
                    kind=kind,
                    tensor=tensor,
                    language=language,
                    values=values,
                    caption=caption,
                    dark=dark,
                    transparent=transparent,
                    fontsize=fontsize,
                    width=width,
                    dpi=dpi,
                )
        except ClientError as error:
            typer.secho(error.message, err=True, fg="red")
            raise typer.Exit(1) from None
    for message in dict.fromkeys(str(each.message) for each in said):
        typer.secho(message, err=True, fg="yellow")
    typer.echo(f"{output}: {output.stat().st_size / 1e3:.0f} kB")


def _has_none(view: str, options: Mapping[str, object], has: str) -> None:
    """
    Raises:
        InputError: an option is given that this view does not have.
    """
    for option, value in options.items():
        if value:
            raise InputError(f"--view {view} has no {option}: that is of {has}.")


def _others(named: list[str] | None) -> list[tuple[int, int]]:
    return [(head[0], head[1]) for head in options.heads_of(named, "--overlay")]


def _traced(
    text: str, target: str | None, masks: dict[str, Any], muted: list[list[Any]], model: str | None
) -> "Run":
    """A run of a model in this process, as the client has it of a server's."""
    from headlight.http.connection import Connection
    from headlight.request import Request
    from headlight.run import Run
    from headlight.run.batches import traced
    from headlight.run.look import Look
    from server.api.in_process import InProcess
    from server.api.schemas import Masks, TraceRequest
    from server.run.finding import open_model

    TraceRequest(texts=[text], masks=Masks(**masks), muted=muted)  # says what is wrong with them
    settings = read_settings()
    inside = InProcess(open_model(model, settings), settings)
    request = Request.of(text, masks=masks, muted=muted, targets=target)
    connection = Connection("http://localhost", "headlight.start()")
    return Run(inside, connection, request, inside.do(traced(connection, request, Look())))
