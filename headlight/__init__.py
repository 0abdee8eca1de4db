"""Headlight in Python: what every attention head of a model looks at, as arrays and pictures.

This package talks to a server over HTTP. It imports neither torch nor the server.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"  # CHANGELOG.md says what each has

if TYPE_CHECKING:
    from headlight.client import AsyncClient, Client
    from headlight.errors import (
        BusyError,
        HeadlightError,
        RequestError,
        ServerError,
        StartError,
        UnknownNameError,
        UnreachableError,
    )
    from headlight.frames import Table
    from headlight.graph import Graph
    from headlight.kept import load
    from headlight.own import show
    from headlight.request import Cell, Intervention, Masks, Request
    from headlight.run import AsyncRun, Run
    from headlight.starting import connect, start
    from headlight.study.find import find_heads
    from headlight.tokens import Token

# Each name, with its module, which is imported when the name is first used. So the command line,
# which is part of this package, sets up the process before numpy is imported.
_MODULES = {
    "AsyncClient": "client",
    "AsyncRun": "run",
    "BusyError": "errors",
    "Cell": "request",
    "Client": "client",
    "Graph": "graph",
    "HeadlightError": "errors",
    "Intervention": "request",
    "Masks": "request",
    "Request": "request",
    "RequestError": "errors",
    "Run": "run",
    "ServerError": "errors",
    "StartError": "errors",
    "Table": "frames",
    "Token": "tokens",
    "UnknownNameError": "errors",
    "UnreachableError": "errors",
    "connect": "starting",
    "find_heads": "study.find",
    "load": "kept",
    "show": "own",
    "start": "starting",
}

__all__ = [
    "AsyncClient",
    "AsyncRun",
    "BusyError",
    "Cell",
    "Client",
    "Graph",
    "HeadlightError",
    "Intervention",
    "Masks",
    "Request",
    "RequestError",
    "Run",
    "ServerError",
    "StartError",
    "Table",
    "Token",
    "UnknownNameError",
    "UnreachableError",
    "connect",
    "find_heads",
    "load",
    "show",
    "start",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
