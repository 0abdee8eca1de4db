"""Parses JSON and records the line number of each part."""

import json
import re
from typing import Any

Path = tuple[str | int, ...]  # ("figures", "past", "switches", 0): from the outside in

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


class Repeated(ValueError):
    """An object has the same key twice; Python's JSON parser would silently use the last."""

    def __init__(self, key: str, line: int) -> None:
        self.key, self.line = key, line
        super().__init__(f"the key {key!r} appears twice")


def read(text: str) -> tuple[Any, dict[Path, int]]:
    """The parsed value, and the line number (from 1) of each member and element.

    Raises:
        json.JSONDecodeError: the text is not JSON; includes the line.
        Repeated: an object has the same key twice.
        ValueError, RecursionError: excessively large numbers or deep nesting.
    """
    value = json.loads(text)  # so the code below may assume valid JSON
    lines: dict[Path, int] = {}
    _walk(text, _skip(text, 0), (), lines)
    return value, lines


def _walk(text: str, at: int, path: Path, lines: dict[Path, int]) -> int:
    """Record the lines of the value that starts at `at`; return the index where it ends."""
    lines.setdefault(path, _line(text, at))
    if text[at] not in "{[":
        return _DECODER.raw_decode(text, at)[1]
    opening, index = text[at], 0
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        step: str | int = index
        if opening == "{":
            line = _line(text, at)
            step, at = _DECODER.raw_decode(text, at)
            if (*path, step) in lines:
                raise Repeated(str(step), line)
            lines[*path, step] = line
            at = _skip(text, _skip(text, at) + 1)  # the colon
        at = _skip(text, _walk(text, at, (*path, step), lines))
        if text[at] == ",":
            at = _skip(text, at + 1)
        index += 1
    return at + 1


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
