"""`headlight doctor`: looks for what would keep the server from working. A row adds a check.

Checks import torch, and what imports it, in their bodies: one that is broken is then a finding.
"""

from collections.abc import Iterator

from server.doctor.checkpoints import models, shipped
from server.doctor.finding import Check, Finding
from server.doctor.machine import device, memory, threads
from server.doctor.network import hub, network
from server.doctor.serving import certificate, packed_page, port
from server.doctor.software import extras, headlight, packages, python, torch_build
from server.doctor.variables import read, unknown

CHECKS: tuple[Check, ...] = (
    *(python, headlight, packages, torch_build, extras),
    *(threads, memory, device),
    *(unknown, port, certificate, packed_page),
    *(shipped, models, network),
)


def examine(*, online: bool = False) -> Iterator[Finding]:
    """Every finding, as soon as it is known. A check that fails is a problem of its own.

    Args:
        online: also asks the hub whether it answers; otherwise nothing is sent.
    """
    settings, wrong = read()
    yield from wrong
    for check in (*CHECKS, hub) if online else CHECKS:
        try:
            yield from check(settings)
        except Exception as error:  # a doctor reports what is broken, whatever it is
            message = f"{type(error).__name__}: {error}"
            yield Finding(check.__name__, "problem", message, "Install Headlight again.")
