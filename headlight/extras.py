"""The distribution that this package comes in, and how to install what its optional parts need.

It is not called `headlight`, as the package and the command are: on PyPI that is another project.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, requires

from headlight.errors import HeadlightError

DISTRIBUTION = "headlight-attention"


def requirements(extra: str | None = None) -> list[str]:
    """What pyproject.toml lists, always or for an extra, such as `redis<9,>=5.2`."""
    lines = requires(DISTRIBUTION) or []
    if extra is None:
        listed = [line.partition(";") for line in lines if "extra ==" not in line]
        return [name for name, _, marker in listed if not marker or sys.platform != "win32"]
    found = []
    for line in lines:
        requirement, _, marker = (part.strip() for part in line.partition(";"))
        if not re.search(rf"extra == ['\"]{extra}['\"]", marker):
            continue
        own = re.fullmatch(rf"{DISTRIBUTION}\[(.*)\]", requirement)
        found += (
            [each for part in own[1].split(",") for each in requirements(part.strip())]
            if own
            else [requirement]
        )
    return found


def install(extra: str) -> str:
    """The command that installs an optional part: its requirements, by name."""
    try:
        return "pip install " + " ".join(f'"{each}"' for each in requirements(extra))
    except PackageNotFoundError:  # a checkout that is not installed
        return f'pip install -e ".[{extra}]"'


class MissingLibraryError(HeadlightError, ImportError):
    """A library that draws is not installed."""


@contextmanager
def needs(library: str, extra: str) -> Iterator[None]:
    """Say how to install what an extra needs if importing a library of it fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        raise MissingLibraryError(
            f"This needs {library}, which is not installed. Run: {install(extra)}",
            code="missing_library",
        ) from None
