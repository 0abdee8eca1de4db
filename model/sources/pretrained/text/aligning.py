"""Finds the place of each piece of a text for tokenizers that do not tell it (slow ones)."""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

Place = tuple[int, int]  # start and end, in code points

# What tokenizers write around the pieces of a word: before it, within it, after it.
BEFORE = ("▁", "Ġ", "##")
AFTER = ("</w>", "@@")


def places_of(pieces: Sequence[str | None], text: str) -> list[Place]:
    """Where each piece of the vocabulary stands in the text; None is an unknown token.

    Pieces may be in lower case, without accents, or bytes. What cannot be found is empty, where the
    piece before it ends; what nothing else stands for belongs to the unknown tokens there.
    """
    if (of_bytes := _of_bytes(pieces, text)) is not None:
        return of_bytes
    folded, places, at = _folded(text), list[Place](), 0
    waiting = list[int]()  # unknown tokens, for what is before the next piece
    for piece in pieces:
        word = None if piece is None else _folded(_bare(piece)).text
        found = -1 if not word else folded.text.find(word, at)
        is_next = found >= 0 and (bool(waiting) or not folded.text[at:found].strip())
        if word is None or not is_next or word == "":
            if word is None:
                waiting.append(len(places))
            here = folded.places[at - 1] + 1 if at else 0
            places.append((here, here))
            continue
        _settle(places, waiting, text, folded.span(at, found))
        at = found + len(word)
        places.append(folded.span(found, at))
    _settle(places, waiting, text, folded.span(at, len(folded.text)))
    return places


class _Folded(NamedTuple):
    """A text without case and accents, and the place in the text of each of its characters."""

    text: str
    places: list[int]

    def span(self, start: int, end: int) -> Place:
        first = self.places[start] if start < len(self.places) else self._length
        return (first, first) if end <= start else (first, self.places[end - 1] + 1)

    @property
    def _length(self) -> int:
        return self.places[-1] + 1 if self.places else 0


def _folded(text: str) -> _Folded:
    folded, places = list[str](), list[int]()
    for index, letter in enumerate(text):
        for each in unicodedata.normalize("NFKD", letter).lower():
            if not unicodedata.combining(each):
                folded.append(each)
                places.append(index)
    return _Folded("".join(folded), places)


def _bare(piece: str) -> str:
    for mark in BEFORE:
        piece = piece.removeprefix(mark)
    for mark in AFTER:
        piece = piece.removesuffix(mark)
    return piece.replace("▁", " ").strip()


def _settle(places: list[Place], waiting: list[int], text: str, gap: Place) -> None:
    """Give what is in a gap to the unknown tokens that wait for it: all of it to the first."""
    start, end = gap
    inner = text[start:end]
    start, end = start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())
    for number, place in enumerate(waiting):
        places[place] = (start, max(start, end)) if number == 0 else (max(start, end),) * 2
    waiting.clear()


def _of_bytes(pieces: Sequence[str | None], text: str) -> list[Place] | None:
    """Where each byte stands, if the pieces are the bytes of the text (ByT5)."""
    codes = [ord(piece) if piece and len(piece) == 1 else 256 for piece in pieces]
    if max(codes, default=256) > 255 or bytes(codes) != text.encode():
        return None
    return [(index, index + 1) for index, letter in enumerate(text) for _ in letter.encode("utf-8")]
