"""Facts that the application and this package share, as data: static/js/facts/."""

import json
from functools import cache
from typing import Any

from headlight.application import folder


@cache
def facts(name: str) -> Any:
    """A table of facts, as its file has it."""
    path = folder() / "static" / "js" / "facts" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))
