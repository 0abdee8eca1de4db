"""A look at a trace: which tensors, of which heads, in what form. Too large ones are cut in two."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from headlight.application import facts
from headlight.errors import RequestError
from headlight.http.answer import Answer, Array
from headlight.http.connection import Connection
from headlight.http.limits import TOO_LARGE
from headlight.http.steps import Steps
from headlight.request.masks import Kind

Pooling: TypeAlias = Literal["max", "mean"]  # of the cells of a block, where tensors are pooled
Units: TypeAlias = Literal["pieces", "words"]  # what rows and columns stand for
DType: TypeAlias = Literal["float32", "float16", "uint8"]
Site: TypeAlias = Mapping[str, Any]  # the JSON of a site
Arrays: TypeAlias = dict[tuple[str, str], Array]  # by site and tensor

PART = "asked"  # the name of a look in a request
# Each tensor, with its axes after the head's.
TENSORS: Mapping[str, tuple[str, ...]] = {
    name: tuple("query" if axis == "row" else axis for axis in row["axes"])
    for name, row in facts("tensors").items()
}
_AXES = {"heads": 1, "rows": 2}  # of a tensor (batch head query …)


@dataclass(frozen=True, kw_only=True)
class Look:
    """The API's selection of tensors. None means all."""

    tensors: tuple[str, ...] = ()
    layers: tuple[int, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    heads: tuple[int, ...] | None = None
    rows: tuple[int, int] | None = None  # [start, stop)
    resolution: int | None = None
    pooling: Pooling = "max"
    units: Units = "pieces"
    dtype: DType = "float32"

    def document(self) -> dict[str, Any]:
        """As the API takes it; without tensors, nothing but the document is sent."""
        if not self.tensors:
            return {"layers": []}
        return {name: value for name, value in asdict(self).items() if value is not None}

    def sites(self, sites: Sequence[Site]) -> list[Site]:
        """The sites that it selects."""
        return [
            site
            for site in sites
            if (self.layers is None or site["layer"] in self.layers)
            and (self.kinds is None or site["kind"] in self.kinds)
        ]

    def halves(self, sites: Sequence[Site], n_rows: int) -> "tuple[str, Look, Look] | None":
        """What is cut, and both halves; None if nothing is left to cut."""
        chosen = self.sites(sites)
        for name in ("layer", "kind"):
            each = tuple(dict.fromkeys(site[name] for site in chosen))
            if len(each) > 1:
                return f"{name}s", *self._halved(f"{name}s", each)
        heads = self.heads or tuple(range(len(chosen[0]["heads"])))
        if len(heads) > 1:
            return "heads", *self._halved("heads", heads)
        start, stop = self.rows or (0, n_rows)
        is_whole = self.resolution is not None or self.units == "words"
        if stop - start > 1 and not is_whole and any(map(has_rows, self.tensors)):
            middle = (start + stop) // 2
            return "rows", replace(self, rows=(start, middle)), replace(self, rows=(middle, stop))
        return None

    def _halved(self, name: str, each: tuple[Any, ...]) -> "tuple[Look, Look]":
        middle = len(each) // 2
        changes: list[dict[str, Any]] = [{name: each[:middle]}, {name: each[middle:]}]
        return replace(self, **changes[0]), replace(self, **changes[1])


def looked(
    connection: Connection, body: Mapping[str, Any], look: Look, sites: Sequence[Site], n_rows: int
) -> Steps[Arrays]:
    """The tensors of one batch of texts; in several requests if one answer would be too large."""
    try:
        asked = {**body, "parts": {PART: look.document()}, "predict": None}
        answer = yield from connection.trace(asked)
    except RequestError as error:
        halves = look.halves(sites, n_rows) if error.code in TOO_LARGE else None
        if halves is None:
            error.field = (error.field or "").replace(f"parts.{PART}", "select") or None
            raise
        cut, one, other = halves
        first = yield from looked(connection, body, one, sites, n_rows)
        second = yield from looked(connection, body, other, sites, n_rows)
        return _joined(cut, first, second)
    return arrays_of(answer, look)


def arrays_of(answer: Answer, look: Look) -> Arrays:
    """The tensors of a look, whose names are such as `asked/layers.0.pattern`."""
    sites = {site["name"]: site for site in answer.document["sites"]}
    found: Arrays = {}
    for name, array in answer.tensors.items():
        site, _, tensor = name.removeprefix(f"{PART}/").rpartition(".")
        n_heads = len(look.heads or sites[site]["heads"])
        if array.shape[1] != n_heads:  # the same for all heads, as `blocked_by` may be
            array = np.broadcast_to(array, (len(array), n_heads, *array.shape[2:]))
        found[site, tensor] = array
    return found


def has_rows(tensor: str) -> bool:
    """Whether it has a row for each query."""
    return TENSORS[tensor][0] == "query"


def _joined(cut: str, first: Arrays, second: Arrays) -> Arrays:
    if cut not in _AXES:
        return first | second
    return {
        (site, name): first[site, name]
        if cut == "rows" and not has_rows(name)
        else np.concatenate([first[site, name], second[site, name]], axis=_AXES[cut])
        for site, name in first
    }
