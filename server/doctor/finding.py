"""One thing that `headlight doctor` found, and how it is told."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import typer

from server.settings import Settings

State = Literal["ok", "warning", "problem"]


@dataclass(frozen=True)
class Finding:
    """A line of the report. A problem keeps `headlight serve` from doing what it was asked to."""

    name: str
    state: State
    found: str  # a sentence or a part of one
    advice: str = ""  # what to do, in a sentence


Check = Callable[[Settings], Iterable[Finding]]
COLOURS = {"ok": "green", "warning": "yellow", "problem": "red"}


def tell(findings: Iterable[Finding], *, well: str, before: str) -> int:
    """Print all findings as they come, and a last line; the exit status: 1 if there is a problem.

    Args:
        well: the last line if there is none.
        before: what the problems are to be mended before.
    """
    n = 0
    for finding in findings:
        n += finding.state == "problem"
        typer.secho(f"{finding.state:8}", fg=COLOURS[finding.state], nl=False)
        typer.echo(f" {finding.name:12} {finding.found}")
        if finding.advice:
            typer.echo(f"{'':22}{finding.advice}")
    problems = f"{n} problem{'' if n == 1 else 's'} to mend before {before}."
    typer.echo(f"\n{problems if n else well}")
    return int(n > 0)
