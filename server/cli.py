"""`headlight`: serve, trace, heads, export, train, evaluate.

Heavy imports happen inside the commands, so that --help is quick.
"""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from server.settings import Settings

app = typer.Typer(
    help="See what every attention head of a real transformer looks at.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)

Folder = Annotated[Path, typer.Argument(help="The folder of a native checkpoint.")]


@app.callback()
def _before() -> None:
    # before importing torch: threads that spin while waiting block each other on a busy machine
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    # before importing numpy: its threads are not needed, and workers must be forked without threads
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # some virtual machines report matrix tiles (AMX) that they cannot run, and training crashes
    os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on.")] = None,
    workers: Annotated[int | None, typer.Option(help="The number of processes.")] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]LOCATION",
            help="A checkpoint to serve besides the shipped one: a folder, or a hub id, which is "
            "downloaded once. Can be given several times.",
        ),
    ] = None,
    certfile: Annotated[
        Path | None,
        typer.Option(help="A certificate (PEM), to serve over https instead of http."),
    ] = None,
    keyfile: Annotated[
        Path | None,
        typer.Option(help="The certificate's key (PEM), if it is in a separate file."),
    ] = None,
    engine: Annotated[
        Literal["local", "ray"],
        typer.Option(help="Run on this machine, or on a Ray cluster (docs/scale.md)."),
    ] = "local",
) -> None:
    """Serve the page and the API.

    Every setting is also a HEADLIGHT_* variable; these options override the variables.
    """
    from server.models import build_registry
    from server.serving.local import serve_locally

    models = json.dumps(model) if model else None
    options = {
        "HOST": host,
        "PORT": port,
        "WORKERS": workers,
        "MODELS": models,
        "CERTFILE": certfile,
        "KEYFILE": keyfile,
    }
    os.environ |= {f"HEADLIGHT_{k}": str(v) for k, v in options.items() if v is not None}
    settings = _settings()
    with _short_errors():
        build_registry(settings)  # to report two models with the same name
        if engine == "ray":
            from server.cluster.engine import serve_with_ray

            serve_with_ray(settings)
        else:
            serve_locally(settings)


def _settings() -> "Settings":
    from pydantic import ValidationError

    from server.settings import Settings

    try:
        return Settings()
    except ValidationError as error:
        for problem in error.errors():
            name = f"HEADLIGHT_{problem['loc'][0]}".upper()
            got = "" if problem["loc"][0] == "password" else f"; got {problem['input']!r}"
            typer.secho(f"{name}: {problem['msg']}{got}.", err=True, fg="red")
        raise typer.Exit(2) from None


@contextmanager
def _short_errors() -> Iterator[None]:
    """Report expected errors in one line, with exit status 1, instead of a traceback."""
    from pydantic import ValidationError

    from model.errors import HeadlightError

    try:
        yield
    except HeadlightError as error:
        typer.secho(error.message, err=True, fg="red")
        raise typer.Exit(1) from None
    except ValidationError as error:
        for problem in error.errors(include_input=False, include_url=False):
            where = ".".join(str(part) for part in problem["loc"])
            typer.secho(f"{where}: {problem['msg']}.", err=True, fg="red")
        raise typer.Exit(1) from None


@app.command()
def trace(
    text: Annotated[str, typer.Argument(help="The text to trace.")],
    layer: Annotated[
        int | None, typer.Option(help="Show only this layer; with --head, as a table.", min=0)
    ] = None,
    head: Annotated[int | None, typer.Option(help="Show only this head.", min=0)] = None,
    top: Annotated[
        int, typer.Option(help="How many predictions of the next token to list.", min=1, max=100)
    ] = 10,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="LOCATION", help="A folder or a hub id; by default the shipped model."
        ),
    ] = None,
    mask: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="One of the `masks` of a request, such as causal=false or window=3. Can be given "
            "several times.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the API's response as JSON.")
    ] = False,
) -> None:
    """Run a model on a text, and print what a head looks at, or the API's response."""
    from model.sources.opening import open_source
    from server import wire
    from server.looks import looks_of
    from server.models import build_registry, named
    from server.schemas import Masks, Predict, Select, TraceRequest

    settings = _settings()
    table = layer is not None and head is not None and not as_json
    with _short_errors():
        request = TraceRequest(
            texts=[text],
            masks=Masks(**_masks(mask or [])),
            select=Select(
                layers=None if layer is None else [layer], heads=None if head is None else [head]
            ),
            predict=Predict(top_k=top),
        )
        source = build_registry(settings).get() if model is None else open_source(*named(model))
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


def _masks(named: list[str]) -> dict[str, Any]:
    """Each NAME=VALUE as a field of a request; a value that is not JSON is a plain word."""
    found = {}
    for each in named:
        name, equals, value = each.partition("=")
        if not equals:
            raise typer.BadParameter(
                f"expected NAME=VALUE, such as window=3; got {each!r}.", param_hint="--mask"
            )
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


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


@app.command()
def heads(
    location: Annotated[str, typer.Argument(help="A folder or a hub id.")] = "model/shipped",
    strongest: Annotated[
        str | None, typer.Option(help="Sort by a metric, such as induction, highest first.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the API's response as JSON.")
    ] = False,
) -> None:
    """Score every head on rows of random tokens, repeated once, to see what it does by habit."""
    import orjson

    from model.analysis import METRICS, probe
    from model.sources.opening import open_source
    from server.models import named
    from server.probes import Run, document

    names = [metric.name for metric in METRICS]
    if strongest is not None and strongest not in names:
        raise typer.BadParameter(f"expected one of {', '.join(names)}.", param_hint="--strongest")
    name, location = named(location)
    with _short_errors():
        run = Run.ended_with(probe(open_source(name, location)))
    answer = json.loads(orjson.dumps(document(name, run)))
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

    from model.analysis import METRICS

    title = f"{answer['model']}: {answer['probe']['description']}"
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=0)  # fits in 80 columns
    shown = [metric for metric in METRICS if metric.brief]
    for label in ("site", "head", *(metric.brief for metric in shown)):
        table.add_column(label, justify="right", min_width=5)
    for head in answer["heads"]:
        values = (head["scores"][metric.name]["value"] for metric in shown)
        scores = ("·" if value is None else f"{value:.2f}" for value in values)
        table.add_row(head["site"].replace("layers.", ""), str(head["head"]), *scores)
    Console().print(table)


@app.command()
def export(
    target: Annotated[
        str, typer.Argument(help="The file to write, such as page.html; or a folder, as course/.")
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
            help="A folder or a hub id; by default the shipped model. Of other models, the file "
            "holds the one run that it shows.",
        ),
    ] = None,
    dtype: Annotated[
        Literal["float16", "float32"], typer.Option(help="The numbers of a recorded run.")
    ] = "float16",
    force: Annotated[
        bool, typer.Option(help="Write the course into a folder that holds other files, too.")
    ] = False,
) -> None:
    """Write the inspector as one HTML file, or the course as a folder of them.

    They work without a server or a network.
    """
    from model.errors import InputError
    from server.export.command import export as run
    from server.export.command import export_course, is_folder

    # the errors say what failed; without a handler, Python would print the log as well
    logging.getLogger("headlight").addHandler(logging.NullHandler())
    settings = _settings()
    with _short_errors():
        if is_folder(target):
            if text or link or model:
                raise InputError("A course has no --text, --link or --model; an HTML file does.")
            size, problems = export_course(Path(target), settings, force=force)
            for problem in problems:
                typer.secho(f"A lesson was left out. {problem}", err=True, fg="yellow")
        else:
            size = run(
                Path(target), settings, texts=text or (), link=link, model=model, dtype=dtype
            )
    typer.echo(f"{target}: {size / 1e6:.1f} MB")


@app.command()
def train(
    folder: Folder = Path("model/shipped"),
    seed: Annotated[int, typer.Option(help="The same seed gives the same weights.")] = 1,
    steps: Annotated[
        int | None, typer.Option(help="The number of steps; fewer to try it out.", min=1)
    ] = None,
) -> None:
    """Train the shipped model again and replace it; takes about half an hour on two cores.

    To continue an interrupted run, give the same command again.
    """
    from model.training.recipe.train import train as run

    with _short_errors():
        run(folder, seed=seed, steps=steps)


@app.command()
def evaluate(
    folder: Folder = Path("model/shipped"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure a model's heads and predictions."""
    from model.training.evaluation.evaluate import main

    with _short_errors():
        main(folder, as_json)


if __name__ == "__main__":
    app()
