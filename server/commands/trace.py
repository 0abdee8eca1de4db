"""`headlight trace`: run a model on a text."""

import json
from typing import Annotated

import typer

from server.commands import options
from server.commands.common import read_settings, short_errors


def trace(
    text: options.Text,
    layer: Annotated[
        int | None, typer.Option(help="Show only this layer; with --head, as a table.", min=0)
    ] = None,
    head: Annotated[int | None, typer.Option(help="Show only this head.", min=0)] = None,
    top: Annotated[
        int, typer.Option(help="How many predictions of the next token to list.", min=1, max=100)
    ] = 10,
    model: options.Model = None,
    mask: options.Mask = None,
    mute: options.Mute = None,
    as_json: options.AsJson = False,
) -> None:
    """Run a model on a text, and print what a head looks at, or the API's response."""
    from server.api import wire
    from server.api.looks import looks_of
    from server.api.schemas import Masks, Predict, Select, TraceRequest
    from server.run.finding import open_model

    settings = read_settings()
    table = layer is not None and head is not None and not as_json
    with short_errors():
        request = TraceRequest(
            texts=[options.text_of(text)],
            masks=Masks(**options.masks_of(mask)),
            muted=options.heads_of(mute),
            select=Select(
                layers=None if layer is None else [layer], heads=None if head is None else [head]
            ),
            predict=Predict(top_k=top),
        )
        source = open_model(model, settings)
        found = source.trace(request.to_inputs(settings), max_tokens=settings.max_tokens)
        answer = wire.encode(
            found,
            looks_of(request),
            request.predict if source.info.predicts else None,
            request.analyse,
            safetensors=False,
            max_bytes=settings.max_answer_bytes,
        )
    if table:
        _print_head(answer, top)
    else:
        typer.echo(answer)


def _print_head(answer: bytes, top: int) -> None:
    """Print a table with queries down the side and keys along the top, then the predictions."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    document = json.loads(answer)
    site, tokens = document["sites"][0], document["tokens"][0]
    labels = [Text(token["text"].strip() or repr(token["text"])) for token in tokens]
    table = Table(title=f"{site['name']}, head {site['heads'][0]}: query ↓, key →")
    table.add_column()
    for label in labels:
        table.add_column(label, justify="right")
    for label, row in zip(labels, site["tensors"]["pattern"][0][0], strict=True):
        table.add_row(label, *(f"{value:.2f}" if value >= 0.005 else "·" for value in row))
    console = Console()
    console.print(table)
    for candidate in (document["predictions"] or [()])[0]:
        console.print(Text(f"{candidate['probability']:7.3f}  {candidate['text']}"))
