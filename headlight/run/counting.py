"""Errors of a request for some texts, with the numbers that the whole request gives things."""

import re

from headlight.errors import RequestError
from headlight.request import Request

_TEXTS = ("texts", "ids", "targets", "pairs")


def counted(error: RequestError, whole: Request, part: range) -> RequestError:
    """The error of a request for a part of the texts, as the whole request counts.

    A field counts its texts, painted cells and interventions; the message may begin with the field,
    or with "Text 3", which counts from 1.
    """
    old = error.field
    if old is not None:
        error.field = _whole(old, whole, part)
        if error.message.startswith(f"{old}:"):
            error.message = f"{error.field}:{error.message.removeprefix(f'{old}:')}"
    error.message = re.sub(
        r"^Text (\d+)\b", lambda found: f"Text {int(found[1]) + part.start}", error.message
    )
    return error


def _whole(field: str, whole: Request, part: range) -> str:
    lists: dict[str, list[int]] = {
        **{name: list(part) for name in _TEXTS},
        **{
            name: [n for n, one in enumerate(edits) if one.text is None or one.text in part]
            for name, edits in whole.edits_of_texts().items()
        },
    }
    for name, places in lists.items():
        index, dot, rest = field.removeprefix(f"{name}.").partition(".")
        if field.startswith(f"{name}.") and index.isdigit() and int(index) < len(places):
            return f"{name}.{places[int(index)]}{dot}{rest}"
    return field
