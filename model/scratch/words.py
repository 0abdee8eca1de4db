"""Tokens for mechanisms without a vocabulary: words or characters, numbered as they appear."""

import re
from collections.abc import Sequence

from model.mechanisms import Unit
from model.tokenizer import Token, check_surrogates

PAD_ID = 0
# A word, including inner apostrophes and hyphens (don't, well-known), or one punctuation mark. The
# caller adds the space before it: `\s*` here would take quadratic time on long runs of spaces.
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


def tokenize(texts: Sequence[str], unit: Unit) -> tuple[list[list[Token]], list[str]]:
    """The tokens of each text, and the word for each id: `words[id]`, starting with padding.

    Ids are assigned in order of first appearance, ignoring case. The texts of the tokens, joined,
    give the typed text.

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
    if unit == "characters":
        return list(range(1, len(text) + 1))
    ends = [match.end() for match in _WORD.finditer(text)]
    return [*ends[:-1], len(text)] if ends else []  # trailing space belongs to the last token
