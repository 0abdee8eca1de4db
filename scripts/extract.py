"""Finds the messages of the page's scripts and tables, and of lessons, for `scripts.messages`."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Set
from functools import cache
from pathlib import PurePath
from typing import BinaryIO

from server.languages.prose import blocks, has_words, reworded_data
from server.pages.assets.folders import STATIC

Found = tuple[int, str, str | tuple[str, ...], list[str]]  # as Babel has it
FACTS = STATIC / "js" / "facts"
ABOUT = frozenset({"description", "trained_on"})
EXAMPLES = frozenset({"title", "look", "next", "label", "does"})
_STRING = r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
# A call with the strings that it begins with; a comment; any other string
_PARTS = re.compile(
    rf"\b(\w+)\(\s*{_STRING}(?:,\s*{_STRING})?|//[^\n]*|/\*.*?\*/|{_STRING}", re.DOTALL
)


def javascript(
    file: BinaryIO, keywords: Collection[str], comments: object, options: Mapping[str, object]
) -> Iterator[Found]:
    """Calls of `keywords` with the strings that they begin with, also those within other calls.

    Babel's own extractor does not look within a call.
    """
    for found in _PARTS.finditer(file.read().decode()):
        if found[1] in keywords:
            strings = tuple(_unquoted(each) for each in found.group(2, 3) if each)
            yield 0, found[1], strings, []


def _unquoted(string: str) -> str:
    inner = string[1:-1].replace('"', r"\"") if string[0] == "'" else string[1:-1]
    said: str = json.loads(f'"{inner}"')
    return said


def facts(
    file: BinaryIO, keywords: object, comments: object, options: Mapping[str, object]
) -> Iterator[Found]:
    """The words of a table: those under the keys that facts/words.json names.

    Words by number, under "1" and "other", are one message with its plural.
    """
    table = PurePath(file.name).stem
    keys = {key for lists in _keys().values() for key in lists.get(table, ())}
    if keys:
        yield from _words(json.load(file), keys, is_words=False, parent="")


def gallery(
    file: BinaryIO, keywords: object, comments: object, options: Mapping[str, object]
) -> Iterator[Found]:
    """The words of a model's examples."""
    yield from _words(json.load(file), EXAMPLES, is_words=False, parent="")


def checkpoint(
    file: BinaryIO, keywords: object, comments: object, options: Mapping[str, object]
) -> Iterator[Found]:
    """What a model of the package says of itself."""
    yield from _words(json.load(file), ABOUT, is_words=False, parent="")


def prose(
    file: BinaryIO, keywords: object, comments: object, options: Mapping[str, object]
) -> Iterator[Found]:
    """The blocks of a template that is plain English."""
    for _, _, text in blocks(file.read().decode()):
        yield 0, "gettext", (text,), []


def lesson(
    file: BinaryIO, keywords: object, comments: object, options: Mapping[str, object]
) -> Iterator[Found]:
    """What readers see of a lesson's JSON."""
    found: list[str] = []

    def note(text: str) -> str:
        if has_words(text):
            found.append(text)
        return text

    reworded_data(json.load(file), note)
    for text in found:
        yield 0, "gettext", (text,), []


@cache
def _keys() -> Mapping[str, Mapping[str, list[str]]]:
    found: Mapping[str, Mapping[str, list[str]]] = json.loads((FACTS / "words.json").read_text())
    return found


def _words(value: object, keys: Set[str], *, is_words: bool, parent: str) -> Iterator[Found]:
    if isinstance(value, str):
        if is_words and value:
            yield 0, "gettext", (value,), []
    elif isinstance(value, list):
        is_pair = len(value) == 2 and all(isinstance(each, str) for each in value)
        for each in value[1:] if is_pair else value:
            yield from _words(each, keys, is_words=is_words, parent=parent)
    elif isinstance(value, dict):
        rest = dict(value)
        if is_words and {"1", "other"} <= rest.keys():
            yield 0, "ngettext", (rest.pop("1"), rest.pop("other")), []
        for key, each in rest.items():
            said = is_words or key in keys or f"{parent}.{key}" in keys
            yield from _words(each, keys, is_words=said, parent=key)
