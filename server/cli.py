"""`headlight`: its commands are those of server/commands/."""

import os
from typing import Annotated

import typer

from headlight import __version__
from server.commands import COMMANDS

app = typer.Typer(
    help="See what every attention head of a real transformer looks at.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)
for name, command in COMMANDS.items():
    app.command(name)(command)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"headlight {__version__}")
        raise typer.Exit


@app.callback()
def _before(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    # before importing torch: threads that spin while waiting block each other on a busy machine
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    # before importing numpy: its threads are not needed, and workers must be forked without threads
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # some virtual machines report matrix tiles (AMX) that they cannot run, and training crashes
    os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")
    # oneDNN keeps what it compiles for 1,024 shapes, 45 to 300 kB each: memory would grow for hours
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")


if __name__ == "__main__":
    app()
