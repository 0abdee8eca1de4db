"""The tokens of a reader's own arrays, which are only strings; as static/js/own/tokens.js does."""

import codecs
import re
from collections.abc import Sequence
from typing import Any

from headlight.errors import RequestError

_SPECIAL = re.compile(r"<(?!0x[0-9A-F]{2}>)[^<>\s]+>|\[[A-Z]{2,}\d*\]")  # "</s>", "[CLS]"
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")  # of SentencePiece
_SPACES = ("Ġ", "▁", " ")  # how tokens begin that follow a space
_CONTINUES = "##"  # how WordPiece tokens begin that do not
# The characters that byte-level tokens have for bytes: printable ones for themselves, then others
_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTABLE]
_BYTES = {chr(byte): byte for byte in _PRINTABLE}
_BYTES |= {chr(256 + index): byte for index, byte in enumerate(_OTHERS)}
_CHARACTERS = {byte: character for character, byte in _BYTES.items()}
_BYTE_LEVEL = re.compile("[ĠĊ]")  # a space, a line break


def rows_of(
    tokens: Any, texts: int, n: int, field: str, tokenizer: Any = None, *, spare: bool = False
) -> list[list[str]]:
    """The tokens of each text; their places, if none are given.

    `spare`: one more than `n` are taken, of which the last is left out.
    """
    if tokens is None:
        return [[str(place) for place in range(n)]] * texts
    rows = [_strings(row, field, tokenizer) for row in _rows(tokens, field)]
    if len(rows) != texts:
        raise RequestError(
            f"The arrays have {texts} text{'s' * (texts != 1)}, but there are {field} for "
            f"{len(rows)}.",
            field=field,
        )
    for row in rows:
        if spare and len(row) == n + 1:
            row.pop()
        if len(row) != n:
            raise RequestError(
                f"There are {len(row)} {field}, but the arrays have {n} places for them. Give one "
                "token for each place, with special tokens such as [CLS] and padding.",
                field=field,
            )
    return rows


def _rows(tokens: Any, field: str) -> list[list[Any]]:
    """The tokens of each text, from a sequence of any kind."""
    if isinstance(tokens, (str, bytes)):
        raise RequestError(
            f"{field} is one string. Expected a list with a string for each token, such as "
            "tokenizer.tokenize(text) gives.",
            field=field,
        )
    tokens = getattr(tokens, "input_ids", tokens)  # what a tokenizer of Transformers gives
    listed = list(_listed(tokens))
    single = not listed or not hasattr(listed[0], "__iter__") or isinstance(listed[0], (str, bytes))
    return [listed] if single else [list(_listed(row)) for row in listed]


def _listed(given: Any) -> Any:
    """Plain values of numpy, torch or pandas."""
    return given.tolist() if hasattr(given, "tolist") else given


def _strings(row: Sequence[Any], field: str, tokenizer: Any) -> list[str]:
    values = [each.item() if getattr(each, "shape", None) == () else each for each in row]
    if values and all(isinstance(each, int) for each in values):
        if tokenizer is None:
            raise RequestError(
                f"{field} are numbers. Give the tokenizer that they are ids of, too "
                "(tokenizer=tokenizer), or strings (tokenizer.convert_ids_to_tokens(ids)).",
                field=field,
            )
        values = list(tokenizer.convert_ids_to_tokens(values))
    return [_written(each) if isinstance(each, bytes) else str(each) for each in values]


def _written(token: bytes) -> str:
    """Bytes as byte-level tokens have them."""
    return "".join(_CHARACTERS[byte] for byte in token)


def documents(rows: Sequence[Sequence[str]]) -> tuple[list[list[dict[str, Any]]], list[str]]:
    """The tokens as the page takes them, and the texts that they spell."""
    ids: dict[str, int] = {}
    ordinary = [token for row in rows for token in row if not _SPECIAL.fullmatch(token)]
    spaced = any(token.startswith(_SPACES) for token in ordinary)
    byte_level = any(map(_BYTE_LEVEL.search, ordinary))
    found, texts = [], []
    for row in rows:
        written, tokens = "", []
        for token, decoded in zip(row, _decoded(row, byte_level=byte_level), strict=True):
            special = _SPECIAL.fullmatch(token) is not None
            text = token if special else _piece(decoded, spaced or byte_level, not written)
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


def _decoded(row: Sequence[str], *, byte_level: bool) -> list[str]:
    """The tokens, with characters for bytes. One that ends within a character does not have it."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    found: list[str] = []
    for token in row:
        code = _bytes_of(token, byte_level=byte_level)
        if code is None and found:
            found[-1] += decoder.decode(b"", final=True)
        found.append(token if code is None else decoder.decode(code))
    if found:
        found[-1] += decoder.decode(b"", final=True)
    return found


def _bytes_of(token: str, *, byte_level: bool) -> bytes | None:
    """What a token stands for; None: for its characters."""
    if byte := _BYTE.fullmatch(token):
        return bytes([int(byte[1], 16)])
    if byte_level and not _SPECIAL.fullmatch(token) and all(each in _BYTES for each in token):
        return bytes(_BYTES[each] for each in token)
    return None


def _piece(token: str, spaced: bool, first: bool) -> str:
    """What a token is in the text. `spaced`: tokens say themselves where a space is."""
    if spaced:
        piece = token.replace("▁", " ")
        return piece.removeprefix(" ") if first and len(piece) > 1 else piece
    if token.startswith(_CONTINUES) and len(token) > len(_CONTINUES):
        return token.removeprefix(_CONTINUES)
    return token if first else f" {token}"
