"""`headlight`: serve, trace, heads, train, evaluate.

Heavy imports happen inside the commands, so that --help is quick.
"""

import json
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

Folder = Annotated[Path, typer.Argument(help="Folder of a native checkpoint.")]


@app.callback()
def _before() -> None:
    # before torch is imported: threads that spin while they wait stop each other on a busy machine
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    # before numpy is: nobody uses these threads, and workers are forks of a process without any
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # some virtual machines announce matrix tiles (AMX) that they cannot run: training dies of them
    os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes.")] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]PLACE",
            help="A checkpoint to serve beside the shipped one: a folder, or a hub id, which is "
            "downloaded once. May be given several times.",
        ),
    ] = None,
    certfile: Annotated[
        Path | None, typer.Option(help="Certificate (PEM): serve https instead of http.")
    ] = None,
    keyfile: Annotated[
        Path | None, typer.Option(help="Its key (PEM), if that has a file of its own.")
    ] = None,
    engine: Annotated[
        Literal["local", "ray"],
        typer.Option(help="Processes of this machine, or a Ray cluster (docs/scale.md)."),
    ] = "local",
) -> None:
    """Serve the page and the API.

    Every setting is a HEADLIGHT_* variable; these options win over it.
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
    with _errors_in_words():
        build_registry(settings)  # two models of one name
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
def _errors_in_words() -> Iterator[None]:
    """What went wrong in one line and exit status 1, where a traceback would help nobody."""
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
        int | None, typer.Option(help="Show one layer; with --head, a table.", min=0)
    ] = None,
    head: Annotated[int | None, typer.Option(help="Show one head.", min=0)] = None,
    top: Annotated[int, typer.Option(help="Predictions of the next token.", min=1, max=100)] = 10,
    model: Annotated[
        str | None, typer.Option(metavar="PLACE", help="A folder or a hub id; else the shipped.")
    ] = None,
    mask: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="One of the `masks` of a request: causal=false, window=3. May be given several "
            "times.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what the API answers.")] = False,
) -> None:
    """Run a model on a text; print what a head looks at, or what the API answers."""
    from model.sources.opening import open_source
    from server import wire
    from server.looks import looks_of
    from server.models import build_registry, named
    from server.schemas import Masks, Predict, Select, TraceRequest

    settings = _settings()
    table = layer is not None and head is not None and not as_json
    with _errors_in_words():
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
    """Each NAME=VALUE as a field of a request: the value is JSON, or a word."""
    found = {}
    for each in named:
        name, equals, value = each.partition("=")
        if not equals:
            raise typer.BadParameter(
                f"expected NAME=VALUE, as in window=3; got {each!r}.", param_hint="--mask"
            )
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def _print_head(answer: bytes, top: int) -> None:
    """Queries down the side, keys along the top, and the predictions below."""
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
    place: Annotated[str, typer.Argument(help="A folder or a hub id.")] = "model/shipped",
    strongest: Annotated[
        str | None, typer.Option(help="Sort by a metric, such as induction; the strongest first.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what the API answers.")] = False,
) -> None:
    """Score every head on random tokens, twice in a row: what each does by habit."""
    import orjson

    from model.analysis import METRICS, probe
    from model.sources.opening import open_source
    from server.models import named
    from server.probes import Run, document

    names = [metric.name for metric in METRICS]
    if strongest is not None and strongest not in names:
        raise typer.BadParameter(f"expected one of {', '.join(names)}.", param_hint="--strongest")
    name, place = named(place)
    with _errors_in_words():
        run = Run.ended_with(probe(open_source(name, place)))
    answer = json.loads(orjson.dumps(document(name, run)))
    if strongest is not None:
        answer["heads"].sort(key=lambda head: _strength(head["scores"][strongest]), reverse=True)
    if as_json:
        typer.echo(json.dumps(answer))
    else:
        _print_heads(answer)


def _strength(score: dict[str, Any]) -> float:
    """What to sort by: a score that is not defined is below all others."""
    return float("-inf") if score["value"] is None else float(score["value"])


def _print_heads(answer: dict[str, Any]) -> None:
    """One row a head, one column a metric; · is not defined. --json has the full names."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from model.analysis import METRICS

    title = f"{answer['model']}: {answer['probe']['description']}"
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=0)  # within 80 columns
    shown = [metric for metric in METRICS if metric.brief]
    for label in ("site", "head", *(metric.brief for metric in shown)):
        table.add_column(label, justify="right", min_width=5)
    for head in answer["heads"]:
        values = (head["scores"][metric.name]["value"] for metric in shown)
        scores = ("·" if value is None else f"{value:.2f}" for value in values)
        table.add_row(head["site"].replace("layers.", ""), str(head["head"]), *scores)
    Console().print(table)


@app.command()
def train(
    folder: Folder = Path("model/shipped"),
    seed: Annotated[int, typer.Option(help="Same seed, same weights.")] = 1,
    steps: Annotated[int | None, typer.Option(help="Fewer, to try it out.", min=1)] = None,
) -> None:
    """Make the shipped model again, over the old one: half an hour or so on two cores.

    A run that was interrupted goes on where it stopped when the same command is given again.
    """
    from model.training.recipe.train import train as run

    with _errors_in_words():
        run(folder, seed=seed, steps=steps)


@app.command()
def evaluate(
    folder: Folder = Path("model/shipped"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure a model's heads and predictions."""
    from model.training.evaluation.evaluate import main

    with _errors_in_words():
        main(folder, as_json)


if __name__ == "__main__":
    app()
