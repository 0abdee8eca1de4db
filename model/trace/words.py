"""Words in place of pieces: a pattern from token to token as one from word to word.

A word is a run of letters and digits, or one mark. Where a script has no spaces (the rows of
static/js/facts/spaceless.json) each character with its combining marks is one. Special tokens and
padding stand alone. A token that holds parts of two words belongs to the first. Words are cut by
what was typed, so they are the same for every tokenizer that can tell them apart.

The weight from a word to another is the sum over the tokens of the other, in the mean over its own:
rows still sum to one where the tokens' rows do (as ecco and inseq merge sub-words).
"""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from model.core.tokenizer import Token
from model.facts import facts

SPACELESS = [range(row["first"], row["last"] + 1) for row in facts("spaceless")]


class Word(NamedTuple):
    """A word of a text: its tokens [start, stop), and how they read together."""

    text: str
    start: int
    stop: int


def words_of_row(tokens: Sequence[Token]) -> list[Word]:
    """The words of one padded row, in order; together they have every token."""
    words: list[Word] = []
    last = ""  # the character that a word may go on after
    for index, token in enumerate(tokens):
        if token.special or token.padding:
            words.append(Word(token.text, index, index + 1))
            last = ""
            continue
        # several tokens may be one character, and share its place or have none
        before = tokens[index - 1] if last else token
        shared = before.end - token.start if last else 0  # below 0: something stands between them
        typed = token.text[max(0, shared) : token.end - token.start]
        if last and shared >= 0 and _same(before, token) and _goes_on(last, typed):
            words[-1] = Word(words[-1].text + typed, words[-1].start, index + 1)
        else:
            words.append(Word(typed or token.text, index, index + 1))
        last = typed[-1:] or last
    return words


def _same(before: Token, token: Token) -> bool:
    """Whether two tokens are of the same text."""
    return (before.segment, before.generated) == (token.segment, token.generated)


def _goes_on(last: str, typed: str) -> bool:
    """Whether a word goes on with what was typed next; "": more of the same character."""
    if not typed:
        return True
    if unicodedata.category(typed[0])[0] == "M":
        return unicodedata.category(last) not in ("Zs", "Zl", "Zp", "Cc")
    return all(_is_in_word(one) and not _is_spaceless(one) for one in (last, typed[0]))


def _is_in_word(character: str) -> bool:
    return character == "_" or unicodedata.category(character)[0] in "LMN"


def _is_spaceless(character: str) -> bool:
    return any(ord(character) in script for script in SPACELESS)
