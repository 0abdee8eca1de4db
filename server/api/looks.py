"""One look at a trace, a selection of tensors to send back: its sites, its size and its arrays.

A request has one look, `select`, or several with names, `parts`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.errors import InputError, UnavailableError
from model.trace.site import Site
from model.trace.tensors import TENSORS, TensorName
from model.trace.trace import Trace
from server.api.schemas import DType, Select, TraceRequest

Array = NDArray[Any]

ITEM_BYTES: Mapping[DType, int] = {"float32": 4, "float16": 2, "uint8": 1}
# per number in JSON: measured, with some margin
JSON_BYTES: Mapping[DType, int] = {"float32": 13, "float16": 9, "uint8": 4}


@dataclass(frozen=True)
class Look:
    """A selection from a trace, with its name in the request."""

    select: Select
    part: str | None = None  # its name in `parts`; None if it is the request's `select`

    @property
    def field(self) -> str:
        return "select" if self.part is None else f"parts.{self.part}"

    @property
    def prefix(self) -> str:
        """The start of its tensors' names in safetensors."""
        return "" if self.part is None else f"{self.part}/"

    def choose(self, trace: Trace) -> list[Site]:
        """The selected sites, which are known to have everything that is selected.

        Raises:
            InputError: this trace does not have a layer, head or row.
            UnavailableError: a site does not have a tensor.
        """
        sites = trace.pick_sites(self.select.layers, self.select.kinds, field=self.field)
        for site in sites:
            self._check(site)
        return sites

    def _check(self, site: Site) -> None:
        select = self.select
        if select.rows is not None and select.rows[1] > site.mask.n_query:
            raise InputError(
                f"{site.name} has query rows [0, {site.mask.n_query}); got "
                f"[{select.rows[0]}, {select.rows[1]}).",
                field=f"{self.field}.rows",
                limit=site.mask.n_query,
            )
        site.pick_heads(select.heads, f"{self.field}.heads")
        missing = [name for name in select.tensors if name not in site.tensors]
        if missing:
            raise UnavailableError(
                f"{site.name} does not have {', '.join(missing)}; it has "
                f"{', '.join(site.tensors)}.",
                field=f"{self.field}.tensors",
            )

    def nbytes(self, sites: Sequence[Site], batch: int, *, safetensors: bool) -> int:
        """The approximate size of its arrays in a response, before deriving anything."""
        number_bytes = ITEM_BYTES if safetensors else JSON_BYTES
        total = 0
        for site in sites:
            heads = site.n_heads if self.select.heads is None else len(self.select.heads)
            for name in self.select.tensors:
                nbytes = number_bytes[_dtype(name, self.select)]
                total += batch * heads * _cells(site, name, self.select) * nbytes
        return total

    def arrays(self, site: Site, trace: Trace) -> Iterator[tuple[str, Array]]:
        """The tensors of one site of a trace, by name."""
        select = self.select
        if select.units == "words":
            queries, keys = trace.words[site.query_tokens], trace.words[site.key_tokens]
            for name in select.tensors:
                merged = site.in_words(
                    queries,
                    keys,
                    name=name,
                    heads=select.heads,
                    resolution=select.resolution,
                    pooling=select.pooling,
                )
                yield name, to_array(merged, _dtype(name, select), self.field)
            return
        if select.resolution is not None:
            for name in select.tensors:
                small = site.thumbnail(
                    select.resolution, name=name, heads=select.heads, pooling=select.pooling
                )
                yield name, to_array(small, _dtype(name, select), self.field)
            return
        rows = slice(None) if select.rows is None else slice(*select.rows)
        for name, tensor in site.derive(select.tensors, heads=select.heads, rows=rows).items():
            yield name, to_array(tensor, _dtype(name, select), self.field)


def looks_of(request: TraceRequest) -> list[Look]:
    """The looks of a request: its `select`, or its `parts`."""
    if request.parts is None:
        return [Look(request.select)]
    return [Look(select, part) for part, select in request.parts.items()]


def to_array(tensor: Tensor, dtype: DType, field: str) -> Array:
    """The numbers in the requested type, as a contiguous array, which both encodings need.

    Raises:
        InputError: a number is too large for float16 (code "dtype_overflow").
    """
    if dtype == "uint8" and tensor.is_floating_point():
        tensor = (255 * tensor).round().to(torch.uint8)
    elif dtype == "float16":
        tensor = tensor.half()
        if not bool(tensor.isfinite().all()):
            raise InputError(
                "float16 holds numbers up to 65,504, and some here are larger. Ask for float32.",
                code="dtype_overflow",
                field=f"{field}.dtype",
            )
    return np.ascontiguousarray(tensor.numpy())


def _dtype(name: TensorName, select: Select) -> DType:
    return "uint8" if TENSORS[name].is_bits else select.dtype


def _cells(site: Site, name: TensorName, select: Select) -> int:
    """The number of numbers per head and text."""
    sizes = site.sizes
    if select.rows is not None:
        sizes["row"] = select.rows[1] - select.rows[0]
    if select.resolution is not None:
        sizes |= {axis: min(select.resolution, sizes[axis]) for axis in ("row", "key")}
    return math.prod(sizes[axis] for axis in TENSORS[name].axes)
