"""Tokens for mechanisms without a vocabulary: words, or characters, numbered as they come."""

import re
from collections.abc import Sequence

from model.mechanisms import Unit
from model.tokenizer import Token, check_surrogates

PAD_ID = 0
# A word with what joins its parts (don't, well-known), or one mark. The space before it is left to
# the caller: `\s*` here would try each run of spaces once from every space in it.
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


def tokenize(texts: Sequence[str], unit: Unit) -> tuple[list[list[Token]], list[str]]:
    """The tokens of some texts, and the words that their ids stand for: `words[id]`, padding first.

    Ids count up in the order of first appearance; upper and lower case are one word. The texts of
    the tokens, joined, are the typed text.

    Raises:
        TextError: half of a surrogate pair, which is not a character.
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
    if unit == "characters":
        return list(range(1, len(text) + 1))
    ends = [match.end() for match in _WORD.finditer(text)]
    return [*ends[:-1], len(text)] if ends else []  # space at the end belongs to the last
