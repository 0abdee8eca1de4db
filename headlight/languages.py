"""What figures say in another language: the application's catalogues, server/languages/*.po.

English is the key of each sentence and stands where it is used.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Any

from headlight.application import folder
from headlight.errors import RequestError

Value = str | int
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_DIRECTIONS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ISOLATED = "\u2068"  # what begins a run whose direction is its own (UAX #9)


class Language:
    """A language, with its sentences and numbers, as the page has them (static/js/language)."""

    def __init__(self, code: str) -> None:
        from babel import Locale
        from babel.numbers import get_decimal_symbol, get_group_symbol

        self.code = code
        # English numbers and lists are written as in Britain, on the page, too
        self._locale = Locale.parse("en-GB" if code == "en" else code, sep="-")
        # what stands before decimals, and between thousands
        self.separators = get_decimal_symbol(self._locale) + get_group_symbol(self._locale)
        self.is_turned = self._locale.text_direction == "rtl"
        self._isolates = True
        self._said = read(_catalogues() / f"{code}.po") if code != "en" else NullTranslations()
        self._beside, self._after = (
            re.split(r"\{\w+\}", self._said.gettext(both))[1]
            for both in ("{first}, {next}", "{first} {next}")
        )

    def plain(self) -> "Language":
        """The same without marks of direction, for what draws them as boxes."""
        other = copy(self)
        other._isolates = False
        return other

    def gettext(self, english: str, **values: Value) -> str:
        """A sentence with its values: `{name}` in it stands for one."""
        return self._filled(self._said.gettext(english), values)

    def ngettext(self, one: str, many: str, n: int, **values: Value) -> str:
        """A sentence about a number of things, which is its value `n`."""
        return self._filled(self._said.ngettext(one, many, n), {"n": n, **values})

    def of_value(self, words: Mapping[str, str], value: Any) -> str:
        """A fact's words for a value, or for a number of things (`saidOf` in facts.js)."""
        n = len(value) if isinstance(value, tuple) else value
        key = n if isinstance(n, str) else json.dumps(n)
        if key in words and not ("other" in words and key == "1"):
            return self.gettext(words[key])
        if "other" not in words:
            return ""
        if "1" in words:
            return self.ngettext(words["1"], words["other"], n)
        return self.gettext(words["other"], n=n)

    def commas(self, items: Iterable[str]) -> str:
        """A list without an “and”."""
        return self._beside.join(items)

    def sentences(self, each: Iterable[str]) -> str:
        """Sentences, one after the other."""
        return self._after.join(each)

    def enumerated(self, items: Sequence[str]) -> str:
        """A list with an “and”."""
        from babel.lists import format_list

        return format_list(items, locale=self._locale)

    def pointed(self, number: str) -> str:
        """A number that Python wrote, with the language's decimal point."""
        return number.replace(".", self.separators[0])

    def _filled(self, template: str, values: Mapping[str, Value]) -> str:
        return template.format(**{name: self._written(each) for name, each in values.items()})

    def _written(self, value: Value) -> str:
        if isinstance(value, int):
            return self._number(value)
        if not self.is_turned and (value.isascii() or not _RIGHT_TO_LEFT.search(value)):
            return value
        # a sentence that has a token is left, since the token is isolated
        if _ISOLATED in value or not self._isolates:
            return value
        return f"{_ISOLATED}{_DIRECTIONS.sub('', value)}\u2069"

    def _number(self, value: int) -> str:
        from babel.numbers import format_decimal

        return format_decimal(value, locale=self._locale)


def language(code: str) -> Language:
    """One that the application speaks, by its tag (BCP 47).

    Raises:
        RequestError: Headlight does not speak it.
    """
    known = ["en", *sorted(path.stem for path in _catalogues().glob("*.po"))]
    if code not in known:
        raise RequestError(f"Expected one of {', '.join(known)}; got {code!r}.", field="language")
    return _spoken(code)


@cache
def _spoken(code: str) -> Language:
    return Language(code)


def read(catalogue: Path) -> GNUTranslations:
    """A catalogue's file, as Babel reads it."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with catalogue.open("rb") as file:
        write_mo(compiled, read_po(file, locale=catalogue.stem.replace("-", "_")))
    compiled.seek(0)
    return GNUTranslations(compiled)


def _catalogues() -> Path:
    return folder() / "server" / "languages"
