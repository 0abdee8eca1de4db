"""Top keys: for each query, the keys to which a head gives the most attention."""

from typing import Annotated, Any, ClassVar

from pydantic import Field, model_validator

from model.analysis.long_texts.top_keys import top_keys
from model.errors import InputError
from model.message import Message
from model.trace.site import Site
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.analyses.chosen import ChosenHeads
from server.api.fields import Index, Response
from server.run.prices import NUMBER_MS, RANK_MS, SOFTMAX_MS

_KEY_BYTES = 29  # in JSON: a weight and a key, the longest that we measured, with some margin
_ROW_BYTES = 6
_HEAD_BYTES = 120
_LISTED_NUMBERS = 6  # float32's worth of memory: a weight and a key in tensors and in lists


class AnalyseTopKeys(ChosenHeads):
    """Which keys to list, and of which heads and rows."""

    top_k: int = Field(default=8, ge=1, le=256, description="At most this many keys per query.")
    rows: Annotated[list[Index], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="Query rows [start, stop); null means all."
    )
    min_distance: Index = Field(
        default=0,
        description="List only keys with |query − key| of at least this many tokens. Above 0 it is "
        "for self-attention only.",
    )

    @model_validator(mode="after")
    def _at_least_one(self) -> "AnalyseTopKeys":
        if self.rows is not None and self.rows[0] >= self.rows[1]:
            raise ValueError("rows are [start, stop) with start < stop: at least one row")
        return self


class TopKeysOfHead(Response):
    """The keys with the largest weights, for each query row of one head."""

    site: str
    layer: int
    head: int
    rows: list[int] = Field(description="The query rows [start, stop).")
    keys: list[list[int]] = Field(
        description="For each row, the keys in descending order of their weights; among equal "
        "weights the smaller key first. Only keys that the masks allow, so there may be fewer than "
        "`top_k`; padding queries have none."
    )
    weights: list[list[float]] = Field(description="The weights of these keys.")


class TopKeys(Analysis):
    name = "top_keys"
    request: ClassVar[Fields] = {
        "top_keys": (
            AnalyseTopKeys | None,
            Field(
                default=None,
                description="List for each query the keys with the largest weights, without the "
                "rest of its row, which for a long text would be thousands of numbers. "
                "Send {} for its defaults.",
            ),
        )
    }
    answer = (
        list[list[TopKeysOfHead]] | None,
        Field(description="For each text, the top keys of every chosen head."),
    )
    needs_server = True
    is_slow = True
    too_slow = (
        Message("the top keys"),
        Message("Ask for fewer heads, rows or layers, or send shorter texts."),
    )
    too_large = Message("Most of it is the top keys: ask for fewer heads, rows or keys per query.")

    def ms(self, analyse: Any, work: Work) -> float:
        asked = analyse.top_keys
        n_rows = self._rows(asked, work)
        listed: int = n_rows * min(asked.top_k, work.tokens)
        return n_rows * work.tokens * (SOFTMAX_MS + RANK_MS) + 2 * listed * NUMBER_MS

    def held(self, analyse: Any, work: Work) -> float:
        asked = analyse.top_keys
        listed: int = self._rows(asked, work) * min(asked.top_k, work.tokens)
        # of one site, with its ranks; and what is listed, as Python's numbers
        return 3 * work.stripe(work.site_heads) + _LISTED_NUMBERS * listed

    def _rows(self, asked: AnalyseTopKeys, work: Work) -> int:
        start, stop = asked.rows or (0, work.tokens)
        n_heads: int = asked.n_heads(work.info)
        return n_heads * work.texts * max(0, min(work.tokens, stop) - start)

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        asked = analyse.top_keys
        total = 0
        for site in _sites(trace, asked):
            n_rows = site.mask.n_query if asked.rows is None else asked.rows[1] - asked.rows[0]
            heads = site.n_heads if asked.heads is None else len(asked.heads)
            row = _ROW_BYTES + _KEY_BYTES * min(asked.top_k, site.mask.n_key)
            total += heads * (_HEAD_BYTES + n_rows * row)
        return len(trace.tokens) * total

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        asked = analyse.top_keys
        sites = _sites(trace, asked)
        return [
            [head for site in sites for head in _of_site(trace, site, text, asked)]
            for text in range(len(trace.tokens))
        ]


def _sites(trace: Trace, asked: AnalyseTopKeys) -> list[Site]:
    sites = trace.pick_sites(asked.layers, asked.kinds, field="analyse.top_keys")
    for site in sites:
        site.pick_heads(asked.heads, "analyse.top_keys.heads")
        if asked.rows is not None and asked.rows[1] > site.mask.n_query:
            raise InputError(
                f"{site.name} has query rows [0, {site.mask.n_query}); got "
                f"[{asked.rows[0]}, {asked.rows[1]}).",
                field="analyse.top_keys.rows",
                limit=site.mask.n_query,
            )
    return sites


def _of_site(trace: Trace, site: Site, text: int, asked: AnalyseTopKeys) -> list[dict[str, Any]]:
    tokens = trace.tokens if site.query_tokens == "tokens" else trace.target_tokens
    assert tokens is not None
    rows = asked.rows or [0, site.mask.n_query]
    queries = tokens[text][slice(*rows)]
    found = top_keys(
        site,
        text=text,
        top_k=asked.top_k,
        heads=asked.heads,
        rows=slice(*rows),
        min_distance=asked.min_distance,
    )
    heads = range(site.n_heads) if asked.heads is None else asked.heads
    each = zip(heads, found.weights.tolist(), found.places.tolist(), found.n.tolist(), strict=True)
    return [
        {
            "site": site.name,
            "layer": site.layer,
            "head": head,
            "rows": rows,
            "keys": [row[:n] for row, n in zip(keys, shown, strict=True)],
            "weights": [row[:n] for row, n in zip(weights, shown, strict=True)],
        }
        for head, weights, keys, counts in each
        for shown in [[0 if query.padding else n for query, n in zip(queries, counts, strict=True)]]
    ]
