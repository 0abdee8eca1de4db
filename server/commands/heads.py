"""`headlight heads`: what every head does by habit."""

import json
from typing import Annotated, Any

import typer

from server.commands import options
from server.commands.common import read_settings, short_errors


def heads(
    model: options.Model = None,
    strongest: Annotated[
        str | None, typer.Option(help="Sort by a metric, such as induction, highest first.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Score every head on rows of random tokens, repeated once, to see what it does by habit."""
    import orjson

    from model.analysis import PROBED, kept_probe
    from server.run.finding import open_model
    from server.run.measurements import Run
    from server.run.probes import document

    names = [metric.name for metric in PROBED]
    if strongest is not None and strongest not in names:
        raise typer.BadParameter(f"expected one of {', '.join(names)}.", param_hint="--strongest")
    settings = read_settings()
    with short_errors():
        source = open_model(model, settings)
        scores = kept_probe(source, dtype=settings.dtype)
        run = Run.ended_with(scores, scores.rows)
    answer = json.loads(orjson.dumps(document(source.info.name, run)))
    if strongest is not None:
        answer["heads"].sort(key=lambda head: _strength(head["scores"][strongest]), reverse=True)
    if as_json:
        typer.echo(json.dumps(answer))
    else:
        _print_heads(answer)


def _strength(score: dict[str, Any]) -> float:
    """The number to sort by; undefined scores come last."""
    return float("-inf") if score["value"] is None else float(score["value"])


def _print_heads(answer: dict[str, Any]) -> None:
    """Print one row per head and one column per metric; · means undefined."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from model.analysis import PROBED

    title = f"{answer['model']}: {answer['probe']['description']}"
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=0)  # fits in 80 columns
    shown = [metric for metric in PROBED if metric.brief]
    for label in ("site", "head", *(metric.brief for metric in shown)):
        table.add_column(label, justify="right", min_width=4)
    for head in answer["heads"]:
        values = (head["scores"][metric.name]["value"] for metric in shown)
        scores = ("·" if value is None else f"{value:.2f}" for value in values)
        table.add_row(head["site"].replace("layers.", ""), str(head["head"]), *scores)
    Console().print(table)
