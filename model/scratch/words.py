"""Tokens for mechanisms without a vocabulary: words or characters, numbered as they appear.

A character is what a reader sees as one: a letter with its marks, a syllable of Devanagari, a
family of emoji (extended grapheme clusters, UAX #29).
"""

import re
from collections.abc import Sequence
from itertools import accumulate

import regex

from model.core.tokenizer import Token, check_surrogates
from model.scratch.mechanisms import Unit

PAD_ID = 0
_CHARACTER = regex.compile(r"\X")
# Scripts that put no space between words
_UNSPACED = regex.compile(
    r"[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]"
)
# Over the kinds of characters, of which `_kind` tells the letters: a word, including inner
# apostrophes and hyphens (don't, well-known), or one other mark. The caller adds the space before
# it: `s*` here would take quadratic time on long runs of spaces.
_WORD = re.compile("w+(?:jw+)*|[^s]")
_TYPED_SPACE = re.compile("us+u")


def tokenize(texts: Sequence[str], unit: Unit) -> tuple[list[list[Token]], list[str]]:
    """The tokens of each text, and the word for each id: `words[id]`, starting with padding.

    Ids are assigned in order of first appearance, ignoring case. The texts of the tokens, joined,
    give the typed text. In scripts that put no space between words, each character is a token,
    unless the text has spaces there.

    Raises:
        TextError: the text holds half of a surrogate pair, which is not a character.
    """
    ids: dict[str, int] = {"": PAD_ID}
    rows = []
    for text in texts:
        check_surrogates(text)
        row, start = [], 0
        for end in _ends(text, unit):
            piece = text[start:end]
            word = piece if unit == "characters" else piece.strip()
            id = ids.setdefault(word.casefold(), len(ids))
            row.append(Token(id, piece, start, end, special=False))
            start = end
        rows.append(row)
    return rows, list(ids)


def _ends(text: str, unit: Unit) -> list[int]:
    characters = _CHARACTER.findall(text)
    ends = list(accumulate(map(len, characters)))
    if unit == "characters":
        return ends
    kinds = "".join(map(_kind, characters))
    if _TYPED_SPACE.search(kinds):
        kinds = kinds.replace("u", "w")
    words = [ends[match.end() - 1] for match in _WORD.finditer(kinds)]
    return [*words[:-1], len(text)] if words else []  # trailing space belongs to the last token


def _kind(character: str) -> str:
    """`s`pace, `u`nspaced letter, other letter or digit of a `w`ord, `j`oiner of words, `m`ark."""
    if character.isspace():
        return "s"
    first = character[0]
    if first.isalnum() or first == "_":
        return "u" if _UNSPACED.match(first) else "w"
    return "j" if character in ("'", "’", "-") else "m"
