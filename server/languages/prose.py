"""Prose in each language: written as plain English HTML or JSON, and translated block by block.

A lesson or a game would be hard to read, and to write, as a list of messages. So its template stays
as it is, and each of its blocks (a paragraph, a heading, a cell of a table) is the key of its
translation, with the tags and expressions in it. What is said is in course/*.po.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from server.languages.catalogue import FOLDER, catalogue, translations
from server.languages.table import ENGLISH, Language

COURSE = FOLDER / "course"
Say = Callable[[str], str]

_TAGS = "caption|dd|desc|dt|figcaption|h[1-6]|label|legend|li|mtext|p|summary|td|text|th|title"
_INNER = rf"(?:(?!</?(?:{_TAGS})\b).)*?"  # what has no such elements in it
_ATTRIBUTES = r"(?:{{.*?}}|{%.*?%}|[^<>])*"
# Each with what is said in it
_BLOCKS = [
    re.compile(rf"<({_TAGS})\b{_ATTRIBUTES}>(?P<said>{_INNER})</\1>", re.DOTALL),
    re.compile(
        r"{% block (?:title|title_here|description|skip|noscript) %}(?P<said>[^{}]*){% endblock %}"
    ),
    re.compile(rf"{{% call [^%]*%}}(?P<said>{_INNER}){{%-? endcall %}}", re.DOTALL),
    re.compile(r'\bpart\("[^"]*", "(?P<said>[^"]*)"\)'),
    re.compile(r'\bterm\("[^"]*", "(?P<said>[^"]*)"'),
    re.compile(r'\bterm\((?:"[^"]*", ){4}"(?P<said>[^"]*)"'),
    re.compile(r'\b(?:aria-label|alt|data-label)="(?P<said>(?:{{.*?}}|[^"])*)"'),
    re.compile(r"  # (?P<said>[^\n<]*)$", re.MULTILINE),  # comments of a program
]
# What is no word: code, formulas, expressions, tags, character references
_NO_WORDS = re.compile(
    r"<(code|kbd|math|script)\b.*?</\1>|{{.*?}}|{%.*?%}|{#.*?#}|<[^<>]*>|&\w+;", re.DOTALL
)
_IS_SAID = re.compile(r"(?<!\w)(?:_|marked)\(")  # a message of the page's own catalogue
_COMMENT = re.compile(r"(?P<code>^|^.*\s)# (?P<said>.+)$")

# What stands alone in a label, a cell or a formula, if it is no word
_FIGURES = re.compile(r">[^<>{}]*\d[^<>{}]*(?=</(?:text|tspan|td|mn)>)")

# The fields of a lesson's JSON that readers see
WORDS = frozenset(
    "about ask because caption hints label name options order sources summary title wrong".split()
)
CODE = frozenset({"code", "solution"})


class Prose:
    """What the course says in one language."""

    def __init__(self, language: Language) -> None:
        self.say: Say = translations(language, COURSE).gettext
        self._catalogue = catalogue(language)

    def text(self, text: str) -> str:
        """A text with or without words."""
        return self.say(text) if has_words(text) else self.figures(text)

    def figures(self, text: str) -> str:
        """A text without words, with its decimals and percentages as the language writes them."""
        if re.search(r"[^\W\d_]", text):
            return text
        point = self._catalogue.point
        text = re.sub(r"(?<=\d)\.(?=\d)", point, text)
        return re.sub(rf"([\d{point}]+)%", lambda found: self._percent(found[1]), text)

    def _percent(self, share: str) -> str:
        return self._catalogue.say("{share}%", share=share)


def has_words(text: str) -> bool:
    return re.search(r"[^\W\d_]{2}", _NO_WORDS.sub(" ", text)) is not None


def blocks(template: str) -> Iterator[tuple[int, int, str]]:
    """The blocks of a template: where each begins and ends, and what it says, in one line."""
    found = sorted(match.span("said") for each in _BLOCKS for match in each.finditer(template))
    at = 0
    for start, stop in found:
        text = " ".join(template[start:stop].split())
        is_within = start < at  # an attribute of a tag in the block before
        if has_words(text) and not is_within and not _IS_SAID.search(text):
            yield start, stop, text
            at = stop


def reworded(template: str, prose: Prose) -> str:
    """A template in another language: its blocks, and the figures in its drawings and tables."""
    parts, at = [], 0
    for start, stop, text in blocks(template):
        parts += [template[at:start], prose.say(text)]
        at = stop
    whole = "".join([*parts, template[at:]])
    return _FIGURES.sub(lambda found: prose.figures(found[0]), whole)


def reworded_data(value: Any, say: Say, *, is_said: bool = False, key: str = "") -> Any:
    """A lesson's JSON, with what readers see in another language.

    The switches that a question sets (`set`) are named by what they are called.
    """
    if isinstance(value, str):
        if key in CODE:
            return _COMMENT.sub(lambda found: f"{found['code']}# {say(found['said'])}", value)
        return say(value) if is_said else value
    if isinstance(value, list):
        return [reworded_data(each, say, is_said=is_said, key=key) for each in value]
    if isinstance(value, Mapping):
        if key == "set":
            return {say(name): say(label) for name, label in value.items()}
        return {
            name: reworded_data(each, say, is_said=name in WORDS, key=name)
            for name, each in value.items()
        }
    return value


@lru_cache
def prose(language: Language) -> Prose | None:
    """The course in a language; None: it is in English for its readers."""
    return Prose(language) if language.has_course and language != ENGLISH else None
