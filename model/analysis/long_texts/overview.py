"""Overview: where any head looks, of one layer or of all, as a map of a few blocks.

Cell by cell it takes the maximum over heads, and then pools the cells of each block. It is made in
stripes of rows, one site at a time, so it takes O(resolution²) numbers and never a whole pattern.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from model.errors import InputError
from model.masks.mask import stripe_rows
from model.trace.pooling import POOLINGS, PoolingName, bins_of, pooled
from model.trace.recorded import SiteKind, TokenAxis
from model.trace.site import Site
from model.trace.trace import Trace

Over = Literal["heads", "layers"]


@dataclass(frozen=True, eq=False)
class OverviewMap:
    """The largest weights of some sites of one kind."""

    sites: tuple[str, ...]
    kind: SiteKind
    layers: tuple[int, ...]
    map: Float[Tensor, "row col"]  # at most `resolution`²: blocks of queries and of keys


def overview(
    trace: Trace,
    *,
    resolution: int = 64,
    over: Over = "heads",
    pooling: PoolingName = "max",
    layers: Collection[int] | None = None,
    kinds: Collection[SiteKind] | None = None,
    heads: Sequence[int] | None = None,
) -> list[list[OverviewMap]]:
    """For each text the maximum over heads of each cell's weight, pooled to `resolution`² blocks.

    Over "heads", each site has a map; over "layers", each kind of sites has one, the maximum over
    all of them. A map leaves padding out, and a blocked cell has the weight 0. None means all
    layers, kinds or heads.

    Raises:
        InputError: there is no such layer or head, or `resolution` is below 1.
        NumericsError: a number is not finite.
    """
    if resolution < 1:
        raise InputError(
            f"Expected `resolution` to be at least 1; got {resolution}.",
            field="analyse.overview.resolution",
        )
    sites = trace.pick_sites(layers, kinds, field="analyse.overview")
    groups: dict[str, list[Site]] = {}
    for site in sites:
        site.pick_heads(heads, "analyse.overview.heads")
        groups.setdefault(site.name if over == "heads" else site.kind, []).append(site)
    return [
        [_map(trace, group, text, heads, resolution, pooling) for group in groups.values()]
        for text in range(len(trace.tokens))
    ]


def _map(
    trace: Trace,
    sites: Sequence[Site],
    text: int,
    heads: Sequence[int] | None,
    resolution: int,
    pooling: PoolingName,
) -> OverviewMap:
    first = sites[0]
    queries = _real(trace, first.query_tokens, text)
    keys = _real(trace, first.key_tokens, text)

    def largest(rows: slice) -> Float[Tensor, "1 1 row key"]:
        here = slice(queries.start + rows.start, queries.start + rows.stop)
        found: Tensor | None = None
        for site in sites:
            patterns = site.derive(["pattern"], heads=heads, rows=here, text=text)["pattern"]
            most = patterns[..., keys].amax(dim=1, keepdim=True)
            found = most if found is None else torch.maximum(found, most)
        assert found is not None
        return found

    n_heads = max(len(site.pick_heads(heads)) for site in sites)
    blocks = pooled(
        largest,
        rows=bins_of(queries.stop - queries.start, resolution),
        columns=bins_of(keys.stop - keys.start, resolution),
        n_rows=stripe_rows(n_heads, first.mask.n_key),
        pooling=POOLINGS[pooling],
    )
    return OverviewMap(
        sites=tuple(site.name for site in sites),
        kind=first.kind,
        layers=tuple(site.layer for site in sites),
        map=blocks[0, 0],
    )


def _real(trace: Trace, axis: TokenAxis, text: int) -> slice:
    """The positions without padding, which is all on one side."""
    tokens = trace.tokens if axis == "tokens" else trace.target_tokens
    assert tokens is not None
    real = [index for index, token in enumerate(tokens[text]) if not token.padding]
    return slice(real[0], real[-1] + 1)
