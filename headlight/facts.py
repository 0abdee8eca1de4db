"""Facts that the application and this package share, as data: static/js/facts/."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from headlight.application import folder


@cache
def facts(name: str) -> Any:
    """A table of facts, as its file has it."""
    path = folder() / "static" / "js" / "facts" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def said(words: Mapping[str, str], value: Any) -> str:
    """The words for a value, or those for any other; `{n}` stands for the number."""
    n = len(value) if isinstance(value, tuple) else value
    key = n if isinstance(n, str) else json.dumps(n)
    return words.get(key, words.get("other", "")).replace("{n}", key)
