"""`headlight doctor` and `headlight class --check`: what is in the way of a server or class.

A row adds a check. Checks import torch, and what imports it, in their bodies: one that is broken is
then a finding. Those of a room (`room/`) start a server with a class in it, and try that.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from model.errors import HeadlightError
from server.doctor.certificate import certificate, clock
from server.doctor.checkpoints import models, shipped
from server.doctor.finding import Check, Finding
from server.doctor.machine import device, memory, threads
from server.doctor.network import hub, network
from server.doctor.serving import packed_page, port
from server.doctor.software import extras, headlight, packages, python, torch_build
from server.doctor.variables import read, unknown
from server.settings import Settings

CHECKS: tuple[Check, ...] = (
    python,
    headlight,
    packages,
    torch_build,
    extras,
    threads,
    memory,
    device,
    unknown,
    port,
    certificate,
    packed_page,
    shipped,
    models,
    network,
)
T = TypeVar("T")


def examine(*, online: bool = False) -> Iterator[Finding]:
    """Every finding, as soon as it is known. A check that fails is a problem of its own.

    Args:
        online: also asks the hub whether it answers; otherwise nothing is sent.
    """
    settings, wrong = read()
    yield from wrong
    for check in (*CHECKS, hub) if online else CHECKS:
        yield from _safely(check, settings, "Install Headlight again.")


def examine_room(settings: Settings) -> Iterator[Finding]:
    """Every finding about a class to come: network, load, clock and store."""
    from server.doctor.room.load import load
    from server.doctor.room.network import addresses, phone, streams
    from server.doctor.room.opened import opened
    from server.doctor.room.store import store

    startable = True
    for check in (clock, certificate, store, port, threads):
        for finding in _safely(check, settings):
            startable = startable and finding.state != "problem"
            yield finding
    if not startable:
        advice = "Mend the problems above first, then check again."
        yield Finding("room", "warning", "not tested, since the server would not start", advice)
        return
    try:
        with opened(settings) as room:
            for test in (addresses, streams, load, phone):
                yield from _safely(test, room)
    except HeadlightError as error:
        yield Finding("server", "problem", error.message, "Try `headlight doctor`.")


def _safely(check: Callable[[T], Iterable[Finding]], on: T, advice: str = "") -> Iterator[Finding]:
    try:
        yield from check(on)
    except HeadlightError as error:
        yield Finding(check.__name__, "problem", error.message)
    except Exception as error:  # a check reports what is broken, whatever it is
        yield Finding(check.__name__, "problem", f"{type(error).__name__}: {error}", advice)
