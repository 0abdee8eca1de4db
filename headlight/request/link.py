"""A request as an address of the page. The names are those of static/js/facts/addresses.json."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any
from urllib.parse import parse_qsl, quote_plus, urlencode

from headlight.application import facts
from headlight.errors import RequestError
from headlight.request.answers import text_form
from headlight.request.masks import PAINTED, Cell
from headlight.request.request import Request

_MASKS = {name: row["address"] for name, row in facts("masks")["rows"].items()}
_OF_REQUEST = (
    *(
        name
        for row in facts("addresses")
        if row.get("part") in ("input", "edit") and "of" not in row
        for name in row.get("names", [row["key"]])
    ),
    *("weights", "answer", *_MASKS.values()),
)
_SHORT = 8  # digits of a hash in an address
VIEWS = tuple(view["name"] for view in facts("views"))
[_WAS] = (row["was"] for row in facts("addresses") if row["key"] == "view")


def link(request: Request, model: str, view: Mapping[str, Any], weights: str | None = None) -> str:
    """The path and query of the page that shows a request; `view` says what it shows.

    Args:
        weights: their hash. The page says if it has others.

    Raises:
        RequestError: an address cannot hold something of the request, or there is no such view.
    """
    check_view(view)
    pairs = [("model", model), *_pairs(request)]
    pairs += [(name, _text(value)) for name, value in {"layer": 0, "head": 0, **view}.items()]
    if weights is not None:
        pairs.append(("weights", weights[:_SHORT]))
    return "/?" + urlencode(pairs, quote_via=quote_plus)


def check_view(view: Mapping[str, Any]) -> None:
    """Refuse a view that the page does not have, which it would show as a heatmap.

    Raises:
        RequestError: it names those that there are.
    """
    if view.get("view", "heatmap") not in (*VIEWS, *_WAS):
        raise RequestError(f"The views are {', '.join(VIEWS)}; got {view['view']!r}.", field="view")


def relinked(query: str, request: Request, model: str, place: Mapping[str, Any]) -> str:
    """The query of another request or place. How `query` shows things stays as it is.

    `place` names the parameters that are replaced; None leaves one out.
    """
    replaced = {*_OF_REQUEST, *place}
    kept = [
        (name, value)
        for name, value in parse_qsl(query.removeprefix("?"), keep_blank_values=True)
        if name not in replaced and not name.startswith("scratch.")
    ]
    there = {name: value for name, value in place.items() if value is not None}
    _, _, written = link(request, model, there).partition("?")
    return "&".join(filter(None, (written, urlencode(kept, quote_via=quote_plus))))


def _pairs(request: Request) -> Iterator[tuple[str, str]]:
    if request.generate is not None:
        raise RequestError(
            "An address holds no generated tokens. Make them part of the text.", field="generate"
        )
    if request.ids is not None:
        raise RequestError(
            "An address holds texts, not token ids. In a notebook, "
            "headlight.show(run.pattern, run.tokens) shows such a run.",
            field="ids",
        )
    for name, value in (request.scratch or {}).items():
        if name == "weights":
            raise RequestError("An address holds no weights.", field="scratch.weights")
        yield f"scratch.{name}", _text(value)
    for name, texts in (
        ("text", request.texts),
        ("target", request.targets),
        ("pair", request.pairs),
    ):
        for text in texts or ():
            yield name, text
    if request.special_tokens is False:
        yield "special_tokens", "false"
    for name, value in request.masks.changed().items():
        for text in _painted(value) if name in PAINTED else [_text(value)]:
            yield _MASKS[name], text
    for head in request.muted:
        yield "muted", ".".join(map(str, head))
    for one in request.interventions:
        yield "intervention", one.text_form
    if request.answer is not None:
        yield "answer", text_form(request.answer)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _painted(cells: Iterable[Cell]) -> Iterator[str]:
    """Cells such as `0.1.2_4.0-9`: a text, layer and head, then runs of keys of a query."""

    def place(cell: Cell) -> str:
        axes = (cell.text, cell.layer, cell.head)
        return ".".join([*map(_index, axes), *([cell.kind] if cell.kind else [])])

    for scope, group in groupby(sorted(cells, key=place), key=place):
        boxes = []
        for query, row in groupby(sorted(group, key=_by_query), key=lambda cell: cell.query):
            boxes += [f"{_index(query)}.{keys}" for keys in _runs(cell.key for cell in row)]
        yield "_".join([scope, *boxes])


def _by_query(cell: Cell) -> tuple[int, int]:
    return (
        -1 if cell.query is None else cell.query,
        -1 if cell.key is None else cell.key,
    )


def _runs(keys: Iterable[int | None]) -> Iterator[str]:
    """Ascending keys as runs, such as `2-4`."""
    runs: list[list[int]] = []
    for key in keys:
        if key is None:
            yield "*"
        elif runs and key == runs[-1][1] + 1:
            runs[-1][1] = key
        else:
            runs.append([key, key])
    for start, stop in runs:
        yield str(start) if start == stop else f"{start}-{stop}"


def _index(value: int | None) -> str:
    return "*" if value is None else str(value)
