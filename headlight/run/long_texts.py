"""The strongest cells of a long text, without the rest of its rows, and maps of it."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from headlight.frames import Table
from headlight.http.steps import Steps, asked
from headlight.request.masks import Kind
from headlight.run.analyses import Analyses
from headlight.run.look import Pooling


class LongTexts(Analyses):
    """The part of a run that lists a few cells of many."""

    @asked
    def top_keys(
        self,
        top_k: int = 8,
        *,
        layers: Sequence[int] | None = None,
        kinds: Sequence[Kind] | None = None,
        heads: Sequence[int] | None = None,
        rows: tuple[int, int] | None = None,
        min_distance: int = 0,
    ) -> Steps[Table]:
        """For each query, the keys with the largest weights: a row each, the largest first.

        `rows` are [start, stop). `min_distance` leaves out keys that are nearer than so many
        tokens. A query that may attend to fewer keys has fewer rows.
        """
        asked_for = _chosen(layers, kinds, heads) | {
            "top_k": top_k,
            "rows": None if rows is None else list(rows),
            "min_distance": min_distance,
        }
        each = yield from self._asked({"analyse": {"top_keys": asked_for}}, "top_keys")
        names = ["text", "site", "layer", "head", "query", "rank", "key", "weight"]
        return Table.of(
            [
                {
                    "text": index,
                    "site": one["site"],
                    "layer": one["layer"],
                    "head": one["head"],
                    "query": one["rows"][0] + row,
                    "rank": rank,
                    "key": key,
                    "weight": weight,
                }
                for index, text in enumerate(each)
                for one in text
                for row, (keys, weights) in enumerate(zip(one["keys"], one["weights"], strict=True))
                for rank, (key, weight) in enumerate(zip(keys, weights, strict=True))
            ],
            names,
        )

    @asked
    def far_links(
        self,
        top_k: int = 50,
        *,
        min_distance: int = 16,
        layers: Sequence[int] | None = None,
        kinds: Sequence[Kind] | None = None,
        heads: Sequence[int] | None = None,
        specials: bool = False,
        first_token: bool = False,
    ) -> Steps[Table]:
        """The strongest attention between tokens at least `min_distance` apart, in all heads.

        `specials` says whether special tokens count, `first_token` whether the first one counts as
        a key: many heads attend to it when they look for nothing.
        """
        asked_for = _chosen(layers, kinds, heads) | {
            "top_k": top_k,
            "min_distance": min_distance,
            "specials": specials,
            "first_token": first_token,
        }
        each = yield from self._asked({"analyse": {"far_links": asked_for}}, "far_links")
        names = ["text", "site", "layer", "head", "query", "key", "weight", "distance"]
        return Table.of(
            [{"text": index, **link} for index, text in enumerate(each) for link in text["links"]],
            names,
        )

    @asked
    def overview(
        self,
        resolution: int = 64,
        *,
        over: Literal["heads", "layers"] = "heads",
        pooling: Pooling = "max",
        layers: Sequence[int] | None = None,
        kinds: Sequence[Kind] | None = None,
        heads: Sequence[int] | None = None,
    ) -> Steps[Any]:
        """Where any head looks: arrays [row, col] of at most `resolution`² blocks.

        A cell is the maximum over the heads of a site, or over those of all layers; `pooling` says
        whether a block has the maximum or the mean of its cells. A dict by the names of sites; over
        layers, by the kinds of sites. In a run of several texts there is a list of them.
        """
        asked_for = _chosen(layers, kinds, heads) | {
            "resolution": resolution,
            "over": over,
            "pooling": pooling,
        }
        each = yield from self._asked({"analyse": {"overview": asked_for}}, "overview")
        found = [
            {
                one["sites"][0] if over == "heads" else one["kind"]: np.array(
                    one["map"], dtype=np.float32
                )
                for one in text
            }
            for text in each
        ]
        return found[0] if self._request.single else found


def _chosen(
    layers: Sequence[int] | None, kinds: Sequence[Kind] | None, heads: Sequence[int] | None
) -> dict[str, Any]:
    given = {"layers": layers, "kinds": kinds, "heads": heads}
    return {name: None if some is None else list(some) for name, some in given.items()}
