"""Where the application is: `model`, `server`, `static` and `templates`.

In the repository they are beside this package. A wheel has them in `headlight/application/`, since
`model` and `server` are names that a user's own files have, too. They are importable only in the
processes of the command line.
"""

import json
import os
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent


def folder() -> Path:
    """The folder that contains the application's packages."""
    installed = PACKAGE / "application"
    return installed if installed.is_dir() else PACKAGE.parent


@cache
def facts(name: str) -> Any:
    """A table that the application and this package share (static/js/facts), as its file has it."""
    path = folder() / "static" / "js" / "facts" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def enter() -> None:
    """Make the application importable, here and in child processes, before all else."""
    place = str(folder())
    sys.path.insert(0, place)
    paths = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([place, paths] if paths else [place])


def enter_and_import() -> None:
    """Enter, in a process whose path gets another folder at its front later.

    Ray's workers do: it puts the working directory there, which may hold a `server.py`.
    """
    enter()
    for name in ("model", "server"):
        import_module(name)
