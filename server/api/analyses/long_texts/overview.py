"""Overview: where any head looks, as a map of a few blocks."""

from math import prod
from typing import Any, ClassVar

from pydantic import Field

from model.analysis.long_texts.overview import Over, overview
from model.kinds import SiteKind as Kind
from model.message import Message
from model.trace.pooling import PoolingName
from model.trace.site import Site
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.analyses.chosen import ChosenHeads
from server.api.fields import Response
from server.run.prices import NUMBER_MS, SOFTMAX_MS

_NUMBER_BYTES = 13  # in JSON: measured, with some margin
_MAP_BYTES, _SITE_BYTES = 80, 40


class AnalyseOverview(ChosenHeads):
    """How to draw the map, and of which heads."""

    resolution: int = Field(
        default=64, ge=1, le=256, description="At most this many rows and columns."
    )
    over: Over = Field(
        default="heads",
        description="heads: each site has a map, the maximum over its heads. layers: each kind of "
        "sites has one, the maximum over the heads of all its layers.",
    )
    pooling: PoolingName = Field(
        default="max",
        description="What a block is of its cells: the maximum, or the mean (a blocked cell counts "
        "as 0).",
    )


class OverviewMap(Response):
    """The largest weights of some sites of one kind."""

    sites: list[str]
    kind: Kind
    layers: list[int]
    map: list[list[float]] = Field(
        description="A row for each block of queries, a number for each block of keys. Padding is "
        "left out."
    )


class Overview(Analysis):
    name = "overview"
    request: ClassVar[Fields] = {
        "overview": (
            AnalyseOverview | None,
            Field(
                default=None,
                description="Map where any head looks: the maximum over heads, or over layers too, "
                "pooled to a few blocks. Send {} for its defaults.",
            ),
        )
    }
    answer = (
        list[list[OverviewMap]] | None,
        Field(description="For each text, its maps."),
    )
    needs_server = True
    is_slow = True
    too_slow = (
        Message("the overview"),
        Message("Ask for fewer layers or heads, or send shorter texts."),
    )
    too_large = Message("Most of it is the overview: ask for fewer layers or a lower resolution.")

    def ms(self, analyse: Any, work: Work) -> float:
        asked = analyse.overview
        cells: int = asked.n_heads(work.info) * work.cells
        numbers: int = work.texts * work.sites * asked.resolution**2
        return cells * SOFTMAX_MS + numbers * NUMBER_MS

    def held(self, analyse: Any, work: Work) -> float:
        return 2 * work.stripe(work.site_heads)  # scores and pattern of one site at a time

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        asked = analyse.overview
        sites = trace.pick_sites(asked.layers, asked.kinds, field="analyse.overview")
        maps = {site.name if asked.over == "heads" else site.kind: site for site in sites}
        one_text = _SITE_BYTES * len(sites)
        for site in maps.values():
            one_text += _MAP_BYTES + _NUMBER_BYTES * _blocks(site, asked.resolution)
        return len(trace.tokens) * one_text

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        return [
            [
                {
                    "sites": one.sites,
                    "kind": one.kind,
                    "layers": one.layers,
                    "map": one.map.tolist(),
                }
                for one in text
            ]
            for text in overview(trace, **analyse.overview.model_dump())
        ]


def _blocks(site: Site, resolution: int) -> int:
    return prod(min(resolution, n) for n in (site.mask.n_query, site.mask.n_key))
