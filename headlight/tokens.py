"""Tokens, and how a request names them: by position or by text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from headlight.errors import RequestError

Place: TypeAlias = "int | str | Iterable[int | str] | None"  # tokens; None means all


class Token(str):
    """A token: its text, which also knows the rest.

    Attributes:
        id: in the model's vocabulary.
        start, end: the characters of the text that it covers, [start, end).
        special: whether it is a special token, such as [BOS], which typed text never has.
        padding: whether it was added to make all texts equally long.
        segment: 1 in the second segment, else 0.
        generated: whether the model generated it.
        piece: how the vocabulary of a checkpoint writes it, such as `Ġthe`; None where that is
            the text.
    """

    __slots__ = ("end", "generated", "id", "padding", "piece", "segment", "special", "start")

    id: int
    start: int
    end: int
    special: bool
    padding: bool
    segment: int
    generated: bool
    piece: str | None

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Token":
        """A token of an answer."""
        token = cls(document["text"])
        for name in cls.__slots__:
            setattr(token, name, document[name])
        return token


class Word(str):
    """A word: the tokens [start, stop) of a text, read together."""

    __slots__ = ("start", "stop")

    start: int
    stop: int

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Word":
        """A word of an answer."""
        word = cls(document["text"])
        word.start, word.stop = document["start"], document["stop"]
        return word


def places(
    named: Iterable[int | str | None], tokens: Sequence[str] | None, field: str
) -> list[int | None]:
    """The positions of the named tokens; None, for all, stays as it is.

    A token is named by its position, or by its text. Without a space in the name, the space before
    a token does not count: "saw" also names " saw".

    Raises:
        RequestError: no token, or more than one, has the text.
    """
    return [None if one is None else _place(one, tokens, field) for one in named]


def _place(named: int | str, tokens: Sequence[str] | None, field: str) -> int:
    if not isinstance(named, str):
        return int(named)
    if tokens is None:
        raise RequestError(
            f"Expected a position; got {named!r}. A request knows its tokens once it was traced: "
            "name them from a run, as in `hl.trace(text).block(query=…)`.",
            code="unknown_tokens",
            field=field,
        )
    spaced = named != named.strip()
    texts = [token if spaced else token.strip() for token in tokens]
    found = [index for index, text in enumerate(texts) if text == named]
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(map(str, found))
        raise RequestError(
            f"{named!r} is the text of {len(found)} tokens, at {listed}. Give a position.",
            code="ambiguous_token",
            field=field,
        )
    raise RequestError(
        f"No token is {named!r}. The tokens are {', '.join(map(repr, map(str, tokens)))}.",
        code="no_such_token",
        field=field,
    )
