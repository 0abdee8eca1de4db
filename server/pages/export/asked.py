"""The run that a link of the inspector shows, as a request: what a recorded file records.

The parameters are those of static/js/facts/addresses.json. As in the page, a value that makes no
sense is skipped.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any
from urllib.parse import parse_qsl

from pydantic import ValidationError

from model.errors import InputError
from model.facts import facts, limit
from server.api.schemas import TraceRequest

_MASKS = {row["address"]: name for name, row in facts("masks")["rows"].items()}
_PAINTED = {name for name, row in facts("masks")["rows"].items() if row["default"] == []}
_KINDS = facts("kinds")
_SPAN = re.compile(r"\*|(\d{1,7})(?:-(\d{1,7}))?")
_MAX_CELLS = limit("cells")  # of a parameter

Span = Sequence[int | None]  # the numbers that it covers; [None]: all


def asked(query: str) -> TraceRequest:
    """The request for the run that a query string shows.

    Raises:
        InputError: the link has no text, or asks for something that no model does.
    """
    pairs = parse_qsl(query.removeprefix("?"), keep_blank_values=True)
    every = {key: [value for name, value in pairs if name == key] for key, _ in pairs}
    if not every.get("text"):
        raise InputError("This model is recorded with one text; give it with --text or --link.")
    texts = every["text"]
    found: dict[str, Any] = {"texts": texts, "masks": dict(_masks(every))}
    for key, field in (("target", "targets"), ("pair", "pairs")):
        if key in every:  # a missing one is empty
            found[field] = [*every[key], *[""] * len(texts)][: len(texts)]
    if every.get("special_tokens", [""])[0] == "false":
        found["special_tokens"] = False
    found["muted"] = [head for text in every.get("muted", ()) for head in _muted(text)]
    try:
        return TraceRequest.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {first['msg']}; got {first['input']!r}.", field=where) from None


def _masks(every: dict[str, list[str]]) -> Iterator[tuple[str, Any]]:
    for key, name in _MASKS.items():
        if key not in every:
            continue
        if name in _PAINTED:
            yield name, [cell for text in every[key] for cell in _cells(text)][:_MAX_CELLS]
            continue
        text = every[key][0]
        number = re.fullmatch(r"[0-9]{1,10}|true|false", text)
        yield name, json.loads(text) if number else text


def _cells(text: str) -> Iterator[dict[str, Any]]:
    """Painted cells, such as 0.1.2_4-9.3_5.0-2: a text, layer and head, then boxes of cells."""
    place, *boxes = text.split("_")
    *axes, last = place.split(".")
    kind = last if last in _KINDS else None
    where = [_span(axis) for axis in (axes if kind else [*axes, last])]
    if len(where) != 3 or any(span is None or len(span) != 1 for span in where):
        return
    scope = dict(zip(("text", "layer", "head"), (span[0] for span in where if span), strict=True))
    for box in boxes:
        spans = [_span(axis) for axis in box.split(".")]
        if len(spans) == 2 and spans[0] is not None and spans[1] is not None:
            for query, key in product(*(span for span in spans if span is not None)):
                yield {**scope, "kind": kind, "query": query, "key": key}


def _span(text: str) -> Span | None:
    """A number, a range with both ends, or * for all; None if it is none of them."""
    match = _SPAN.fullmatch(text)
    if match is None:
        return None
    if text == "*":
        return [None]
    start, stop = int(match[1]), int(match[2] or match[1])
    return range(start, stop + 1) if start <= stop < start + _MAX_CELLS else None


def _muted(text: str) -> Iterator[list[int | str]]:
    match = re.fullmatch(rf"(\d{{1,7}})\.(\d{{1,7}})(?:\.({'|'.join(_KINDS)}))?", text)
    if match is not None:
        yield [int(match[1]), int(match[2]), *([match[3]] if match[3] else [])]
