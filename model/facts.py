"""Facts that Python, the page and its engine share, as data: static/js/facts/."""

import json
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent.parent / "static" / "js" / "facts"


@cache
def facts(name: str) -> Any:
    """A table of facts, as its file has it."""
    return json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def limit(name: str) -> int:
    """What a request may ask for at most, here and in the page's engine."""
    most: int = facts("limits")[name]
    return most
