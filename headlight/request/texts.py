"""Texts, as a user gives them: one, or several."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from headlight.errors import RequestError

Texts: TypeAlias = str | Sequence[str]
# One conversation, [{"role": "user", "content": "Hi"}], or several.
Messages: TypeAlias = Sequence[Mapping[str, str]] | Sequence[Sequence[Mapping[str, str]]]


def several(given: Texts) -> tuple[str, ...]:
    """The texts; a string is one text.

    Raises:
        RequestError: it is neither.
    """
    if not isinstance(given, Iterable):
        raise RequestError(
            f"Expected a text, or a list of texts; got {given!r}.",
            code="invalid_value",
            field="texts",
        )
    return (given,) if isinstance(given, str) else tuple(given)
