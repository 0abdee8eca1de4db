"""Runs the checks of the room and prints what they find."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import typer

from model.errors import HeadlightError
from server.classes.check.certificate import certificate, clock
from server.classes.check.load import load
from server.classes.check.network import addresses, phone, streams
from server.classes.check.place import store
from server.classes.check.room import Room, opened
from server.doctor.finding import Check, Finding
from server.doctor.machine import threads
from server.doctor.serving import port
from server.settings import Settings

T = TypeVar("T")
BEFORE: tuple[Check, ...] = (clock, certificate, store, port, threads)
INSIDE: tuple[Callable[[Room], Iterable[Finding]], ...] = (addresses, streams, load, phone)
COLOURS = {"ok": "green", "warning": "yellow", "problem": "red"}


def findings(settings: Settings) -> Iterator[Finding]:
    """Every finding, as soon as it is known."""
    startable = True
    for check in BEFORE:
        for finding in _safely(check, settings):
            startable = startable and finding.state != "problem"
            yield finding
    if not startable:
        advice = "Mend the problems above first, then check again."
        yield Finding("room", "warning", "not tested, since the server would not start", advice)
        return
    try:
        with opened(settings) as room:
            for test in INSIDE:
                yield from _safely(test, room)
    except HeadlightError as error:
        yield Finding("server", "problem", error.message, "Try `headlight doctor`.")


def _safely(check: Callable[[T], Iterable[Finding]], on: T) -> Iterator[Finding]:
    try:
        yield from check(on)
    except Exception as error:  # a check reports what is broken, whatever it is
        message = error.message if isinstance(error, HeadlightError) else repr(error)
        yield Finding(check.__name__, "problem", message)


def check_room(settings: Settings) -> int:
    """Print all findings; the exit status: 1 if there is a problem."""
    n = 0
    for finding in findings(settings):
        n += finding.state == "problem"
        typer.secho(f"{finding.state:8}", fg=COLOURS[finding.state], nl=False)
        typer.echo(f" {finding.name:12} {finding.found}")
        if finding.advice:
            typer.echo(f"{'':22}{finding.advice}")
    if n:
        typer.echo(f"\n{n} problem{'' if n == 1 else 's'} to mend before the class.")
    else:
        typer.echo("\nThe class can come: run the same command without --check.")
    return int(n > 0)
