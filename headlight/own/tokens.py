"""The tokens of a reader's own arrays, which are only strings; as static/js/own/tokens.js does."""

import re
from collections.abc import Sequence
from typing import Any

from headlight.errors import RequestError

_SPECIAL = re.compile(r"<[^<>\s]+>|\[[A-Z]{2,}\d*\]")  # "</s>", "<|endoftext|>", "[CLS]"
_SPACES = ("Ġ", "▁", " ")  # how tokens begin that follow a space
_CONTINUES = "##"  # how WordPiece tokens begin that do not


def rows_of(tokens: Any, texts: int, n: int, field: str) -> list[list[str]]:
    """The tokens of each text; their places, if none are given."""
    if tokens is None:
        return [[str(place) for place in range(n)]] * texts
    rows = (
        [list(tokens)] if tokens and isinstance(tokens[0], str) else [list(row) for row in tokens]
    )
    if len(rows) != texts:
        raise RequestError(
            f"The arrays have {texts} text{'s' * (texts != 1)}, but there are {field} for "
            f"{len(rows)}.",
            field=field,
        )
    for row in rows:
        if len(row) != n:
            raise RequestError(
                f"There are {len(row)} {field}, but the arrays have {n} places for them. Give one "
                "token for each place, with special tokens such as [CLS] and padding.",
                field=field,
            )
    return [[str(token) for token in row] for row in rows]


def documents(rows: Sequence[Sequence[str]]) -> tuple[list[list[dict[str, Any]]], list[str]]:
    """The tokens as the page takes them, and the texts that they spell."""
    ids: dict[str, int] = {}
    spaced = any(
        token.startswith(_SPACES) and not _SPECIAL.fullmatch(token) for row in rows for token in row
    )
    found, texts = [], []
    for row in rows:
        written, tokens = "", []
        for token in row:
            special = _SPECIAL.fullmatch(token) is not None
            text = token if special else _piece(token, spaced, not written)
            start = len(written)
            written += "" if special else text
            padding = special and "pad" in token.lower()
            tokens.append(
                {"id": ids.setdefault(token, len(ids)), "text": text, "start": start}
                | {"end": len(written), "special": special, "padding": padding}
                | {"segment": 0, "generated": False, "piece": None if token == text else token}
            )
        found.append(tokens)
        texts.append(written)
    return found, texts


def _piece(token: str, spaced: bool, first: bool) -> str:
    """What a token is in the text. `spaced`: tokens say themselves where a space is."""
    if spaced:
        piece = token.replace("Ġ", " ").replace("▁", " ").replace("Ċ", "\n")
        return piece.removeprefix(" ") if first and len(piece) > 1 else piece
    if token.startswith(_CONTINUES) and len(token) > len(_CONTINUES):
        return token.removeprefix(_CONTINUES)
    return token if first else f" {token}"
