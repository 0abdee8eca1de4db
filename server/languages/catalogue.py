"""What is said in each language: gettext catalogues (*.po), read by Babel when they are first used.

English is the key of each message and stands where it is used; what a catalogue does not have is
said in English. `python -m scripts.messages` keeps the catalogues up to date.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, get_decimal_symbol
from markupsafe import Markup

import headlight.languages
from model.message import Message, Value, filled, grouped
from server.languages.pseudo import PseudoTranslations
from server.languages.table import ENGLISH, LANGUAGES, PSEUDO, Language

FOLDER = Path(__file__).parent
# A number of each plural category that any of our languages has
ISOLATE = "\u2068{}\u2069"  # a run whose direction is its own
NUMBERS = (*range(25), 100, 101, 102, 103, 111, 1000, 1_000_000)


class Catalogue:
    """The messages of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._locale = Locale.parse("en" if language == PSEUDO else language.code, sep="-")
        self._said = translations(language)

    @property
    def point(self) -> str:
        """What stands between a whole number and its decimals."""
        return get_decimal_symbol(self._locale)

    def say(self, template: str, plural: str | None = None, **values: Value) -> str:
        """A message with its values, as plain text."""
        return filled(self._chosen(template, plural, values), values, self._number)

    def text(self, message: str) -> str:
        """A message of Python, and those among its values, in this language; else the text."""
        if not isinstance(message, Message):
            return message
        values = {
            name: self._value(value) if isinstance(value, str) else value
            for name, value in message.values.items()
        }
        return self.say(message.template, message.plural, **values)

    def value(self, value: Any) -> Any:
        """Anything, with the messages in it in this language."""
        if isinstance(value, Message):
            return self.text(value)
        if isinstance(value, Mapping):
            return {key: self.value(each) for key, each in value.items()}
        return [self.value(each) for each in value] if isinstance(value, list) else value

    def _value(self, value: str) -> str:
        """A value; what is not translated would else turn its neighbours round in Arabic."""
        is_isolated = self.language.direction == "rtl" and not isinstance(value, Message)
        return ISOLATE.format(value) if is_isolated else self.text(value)

    def html(self, template: str, plural: str | None = None, **values: Any) -> Markup:
        """`_` of the templates: all is escaped, except values that are markup themselves."""
        words = Markup.escape(self._chosen(template, plural, values))
        return filled(words, self.value(values), self._number)

    def marked(self, template: str, **values: Any) -> Markup:
        """`_` of a message that has tags, such as <b>: all is escaped, except the message."""
        return filled(Markup(self._said.gettext(template)), values, self._number)

    def decimal(self, value: float, digits: int) -> str:
        """A number with so many digits after its point or comma."""
        return f"{value:.{digits}f}".replace("-", "−").replace(".", self.point)

    def scripts(self, paths: Iterable[str]) -> Mapping[str, str | dict[str, str]]:
        """What files of the project say, by the English: words, or words by plural category."""
        wanted = set(paths)
        found: dict[str, str | dict[str, str]] = {}
        for english, files in _said_where() if self.language != ENGLISH else ():
            if wanted.isdisjoint(files):
                continue
            if isinstance(english, str):
                found[english] = self._said.gettext(english)
            else:
                one, many = english
                said = {
                    self._locale.plural_form(n): self._said.ngettext(one, many, n) for n in NUMBERS
                }
                found[one] = said
        return found

    def _chosen(self, template: str, plural: str | None, values: Mapping[str, Value]) -> str:
        if plural is None:
            return self._said.gettext(template)
        return self._said.ngettext(template, plural, int(values["n"]))

    def _number(self, number: int) -> str:
        is_ours = self.language in (ENGLISH, PSEUDO)
        return grouped(number) if is_ours else format_decimal(number, locale=self._locale)


@lru_cache
def catalogue(language: Language) -> Catalogue:
    """The catalogue of a language, read once."""
    return Catalogue(language)


@cache
def _said_where() -> list[tuple[Any, frozenset[str]]]:
    """All messages, each with the files that say it: every catalogue lists the same."""
    entries = read(LANGUAGES[-1])
    return [(each.id, frozenset(path for path, _ in each.locations)) for each in entries]


def read(language: Language, folder: Path = FOLDER) -> Catalog:
    """The catalogue's file of any language but English."""
    with (folder / f"{language.code}.po").open("rb") as file:
        return read_po(file, locale=language.code.replace("-", "_"))


def translations(language: Language, folder: Path = FOLDER) -> NullTranslations:
    """What a catalogue of this folder says."""
    if language == ENGLISH:
        return NullTranslations()
    if language == PSEUDO:
        return PseudoTranslations()
    return headlight.languages.read(folder / f"{language.code}.po")
