"""The HEADLIGHT_* variables: whether they are settings, and valid."""

import os
from collections.abc import Iterator
from difflib import get_close_matches

from pydantic import ValidationError

from server.commands.common import wrong_settings
from server.doctor.finding import Finding
from server.settings import Settings

PREFIX = "HEADLIGHT_"


def read() -> tuple[Settings, list[Finding]]:
    """The settings, with defaults for those that are wrong, and what is wrong with them."""
    try:
        return Settings(), []
    except ValidationError as error:
        advice = "Below, its default is used."
        wrong = [Finding("settings", "problem", line, advice) for line in wrong_settings(error)]
        names = {str(problem["loc"][0]) for problem in error.errors() if problem["loc"]}
    try:
        return Settings(**{name: Settings.model_fields[name].default for name in names}), wrong
    except ValidationError:  # settings that do not fit together
        return Settings.model_construct(), wrong


def unknown(settings: Settings) -> Iterator[Finding]:
    """Variables that look like settings, perhaps misspelt."""
    names = {f"{PREFIX}{name}".upper() for name in Settings.model_fields}
    given = {name for name in os.environ if name.upper().startswith(PREFIX)}
    for name in sorted(given):
        if name.upper() not in names:
            near = get_close_matches(name.upper(), names, n=1)
            advice = f"Did you mean {near[0]}?" if near else "docs/settings.md lists all settings."
            yield Finding("settings", "warning", f"{name} is not a setting.", advice)
    n = len([name for name in given if name.upper() in names])
    yield Finding("settings", "ok", f"{n} {'variable is' if n == 1 else 'variables are'} set")
