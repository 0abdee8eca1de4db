"""`headlight dossier`: what every head does over many texts."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands import options
from server.commands.common import read_settings, short_errors

if TYPE_CHECKING:
    from server.settings import Settings

LINE_EVERY_S = 10.0  # of a log; a terminal gets a bar


def dossier(
    model: options.Model = None,
    texts: Annotated[
        Path | None,
        typer.Option(
            help="A UTF-8 file with one text on each line. Without it: sentences of the shipped "
            "model's grammar for checkpoints of Headlight, everyday English for others.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="The file to write. Without it: dossier.json in the checkpoint's folder, where "
            "the server finds it; of a model from a hub, NAME.dossier.json here.",
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="[NAME=]LOCATION",
            help="Another checkpoint, to find heads like each head there, too.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the draws: positions, resampling.", min=0)] = 0,
    mute_positions: Annotated[
        int, typer.Option(help="How many positions of each text to mute heads at.", min=0)
    ] = 1,
) -> None:
    """Measure what every head of a model does over many texts, and write it to a file.

    What is done is saved every few seconds. Stop it with Ctrl-C, or let it be killed: the same
    command goes on from there. In the background (`nohup … &`) it writes its progress as lines.
    """
    with short_errors():
        from model.dossier import (
            Settings,
            everyday_corpus,
            make_dossier,
            own_corpus,
            read_corpus,
        )
        from model.sources.native import NativeSource
        from server.run.finding import open_model

        settings = read_settings()
        given = None if texts is None else read_corpus(texts)
        source = open_model(model, settings)
        usual = own_corpus if isinstance(source, NativeSource) else everyday_corpus
        corpus = given or usual()
        place = output or _default(model, settings)
        other = None if against is None else open_model(against, settings)
        with _stopped_by_signals() as stopped, _progress(source.info.name) as progress:
            made = make_dossier(
                source,
                corpus,
                place,
                Settings(seed=seed, mute_positions=mute_positions),
                other=other,
                progress=progress,
                stop=stopped,
            )
    if made is None:
        typer.echo("Stopped. What is done is saved. The same command goes on from there.", err=True)
        raise typer.Exit(130)
    n = len(made["heads"])
    typer.echo(f"{place}: {n} heads over {corpus.description}.")


def _default(model: str | None, settings: "Settings") -> Path:
    """Next to the checkpoint, where the server looks for it."""
    from model.core.checkpoint import SHIPPED
    from model.dossier.document import DOSSIER
    from model.sources.known import located
    from server.pages.assets.folders import IS_CHECKOUT
    from server.run.finding import named

    if model is None:
        if settings.shipped is not None or IS_CHECKOUT:
            return (settings.shipped or SHIPPED) / DOSSIER
        return Path(f"shipped.{DOSSIER}")
    name, location = named(model)
    folder = Path(located(location)).expanduser()
    return folder / DOSSIER if folder.is_dir() else Path(f"{name}.{DOSSIER}")


@contextmanager
def _stopped_by_signals() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C or a plain kill came. A second one ends the process at once."""
    came = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        for each, handler in before.items():
            signal.signal(each, handler)

    before = {}
    for each in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(each) != signal.SIG_IGN:  # as the shell sets it for `nohup … &`
            before[each] = signal.signal(each, note)
    try:
        yield lambda: came
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def _progress(name: str) -> Iterator[Callable[[int, int], None]]:
    """A bar in a terminal; in a log, a line now and then."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(name)
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task(f"texts through {name}", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _lines(name: str) -> Callable[[int, int], None]:
    began = said = time.monotonic()
    first: int | None = None

    def at(done: int, total: int) -> None:
        nonlocal first, said
        now = time.monotonic()
        begins = first is None
        first = done if first is None else first
        if not begins and done < total and now - said < LINE_EVERY_S:
            return
        said = now
        left = ""
        if first < done < total:
            left = f", about {(now - began) / (done - first) * (total - done):,.0f} s left"
        resumed = " (going on)" if begins and done else ""
        typer.echo(f"{name}: {done:,} of {total:,} texts{left}{resumed}", err=True)

    return at
