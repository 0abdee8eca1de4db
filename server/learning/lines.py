"""JSON that knows on which line each of its parts stands."""

import json
import re
from typing import Any

Path = tuple[str | int, ...]  # ("figures", "past", "switches", 0): from the outside in

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


class Repeated(ValueError):
    """An object that has one key twice; JSON's own reader would quietly take the last."""

    def __init__(self, key: str, line: int) -> None:
        self.key, self.line = key, line
        super().__init__(f"the key {key!r} stands there twice")


def read(text: str) -> tuple[Any, dict[Path, int]]:
    """What the JSON says, and the line of each member and element of it, counted from 1.

    Raises:
        json.JSONDecodeError: it is no JSON; it has the line.
        Repeated: an object has one key twice.
        ValueError, RecursionError: numbers or nesting beyond all reason.
    """
    value = json.loads(text)  # from here on it is known to be JSON
    lines: dict[Path, int] = {}
    _walk(text, _skip(text, 0), (), lines)
    return value, lines


def _walk(text: str, at: int, path: Path, lines: dict[Path, int]) -> int:
    """Note the lines of what starts at `at`; returns where it ends."""
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
