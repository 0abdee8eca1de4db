"""What several commands use: settings, the shipped model's folder, errors in one line."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pydantic import ValidationError

    from server.settings import Settings


def override(options: Mapping[str, object]) -> None:
    """Set the variables of settings, here and for child processes; an option of None sets none."""
    os.environ |= {f"HEADLIGHT_{k}": str(v) for k, v in options.items() if v is not None}


def read_settings() -> "Settings":
    """The settings in HEADLIGHT_* variables; if one is wrong, says so and exits with status 2."""
    from pydantic import ValidationError

    from server.settings import Settings

    try:
        return Settings()
    except ValidationError as error:
        for line in wrong_settings(error):
            typer.secho(line, err=True, fg="red")
        raise typer.Exit(2) from None


def wrong_settings(error: "ValidationError") -> list[str]:
    """A sentence for each wrong setting. It never contains the password."""
    lines = []
    for problem in error.errors():
        if not problem["loc"]:  # settings that do not fit together
            lines.append(f"{problem['msg'].removeprefix('Value error, ')}.")
            continue
        name = f"HEADLIGHT_{problem['loc'][0]}".upper()
        got = "" if problem["loc"][0] == "password" else f"; got {problem['input']!r}"
        lines.append(f"{name}: {problem['msg']}{got}.")
    return lines


@contextmanager
def short_errors() -> Iterator[None]:
    """Report expected errors in one line, with exit status 1, instead of a traceback."""
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


def shipped_folder() -> Path:
    """The folder of the model that the server calls `shipped`, wherever this is installed."""
    from model.core.checkpoint import SHIPPED

    return read_settings().shipped or SHIPPED
