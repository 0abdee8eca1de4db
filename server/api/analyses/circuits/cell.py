"""One cell taken apart: a score as a table of query part × key part, and parts switched off."""

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from torch import Tensor

from model.analysis.cell import CellScore, Switched, Without, cell, table_size
from model.kinds import SiteKind as Kind
from model.message import Message
from model.trace.stream import Part as StreamPart
from model.trace.stream import PartKind
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Index, Part, Request, Response
from server.run.prices import MULTIPLY_ADD_MS, NUMBER_MS, SOFTMAX_MS

_PART_BYTES = 64  # in JSON: about what we measured
_NUMBER_BYTES = 14
_WRITES = 3  # parts of a layer besides its heads: the bias of W_O, the feed-forward, a norm
_MAX_WITHOUT = 5_000


class NamedPart(Request):
    """A part of a query or of a key, as the answer names it."""

    kind: PartKind
    layer: Index | None = None
    site: str | None = Field(default=None, max_length=100, pattern=r"^[a-z]+(\.[a-z0-9]+)*$")
    head: Index | None = None


class WithoutPart(Request):
    """A part to switch off."""

    part: NamedPart
    side: Literal["query", "key", "both"] = Field(
        default="both",
        description="Whether it is taken out of what queries are made of, keys, or both.",
    )


class AnalyseCell(Request):
    """Which cell to take apart, and what to switch off."""

    layer: Index
    head: Index
    query: Index = Field(description="The query's position, counted in the padded text.")
    key: Index = Field(description="The key's position, counted in the padded text.")
    kind: Kind | None = Field(
        default=None, description="For an encoder–decoder: which site of the layer."
    )
    text: Index | None = Field(default=None, description="Which text; null means every text.")
    without: list[WithoutPart] = Field(
        default=[],
        max_length=_MAX_WITHOUT,
        description="Parts to take out of the stream that queries or keys are made of, with the "
        "scale of the norm frozen; `switched` then says what the head does without them.",
    )
    whole_head: bool = Field(
        default=False,
        description="Also give the whole head's pattern without these parts, for all queries.",
    )


class CellSwitched(Response):
    """What the head does without some parts, with the scale of the norm frozen."""

    score: float
    scores: list[float] = Field(description="The row of the query, one per key.")
    pattern: list[float] = Field(description="The row of the query, one per key.")
    head_pattern: list[list[float]] | None = Field(description="Of all queries, if asked for.")


class CellTable(Response):
    """The score of one query and one key as a sum: values, soft_cap, bias and remainder."""

    text: int
    site: str
    layer: int
    head: int
    query: int
    key: int
    score: float = Field(description="As in the tensor `scores`: before the mask.")
    query_parts: list[Part] = Field(
        description="What the query is the sum of. The last ones may be the `norm` of this site, "
        "the bias of the norm that it reads through, and its `bias`, that of its projection."
    )
    key_parts: list[Part] = Field(description="What the key is the sum of, in the same way.")
    values: list[list[float]] = Field(
        description="scale · q_part · k_part, by query part and key part."
    )
    soft_cap: float | None = Field(
        description="What the soft cap changes; null: the site has none."
    )
    bias: float | None = Field(description="What is added to the score; null: the site has none.")
    remainder: float = Field(
        description="The score less all of the above: what rounding leaves, where every part is "
        "known."
    )
    scores: list[float] = Field(description="The row of the query, one per key.")
    pattern: list[float] = Field(description="The row of the query, one per key.")
    switched: CellSwitched | None = Field(description="null unless parts are switched off.")


class Cell(Analysis):
    name = "cell"
    request: ClassVar[Fields] = {
        "cell": (
            AnalyseCell | None,
            Field(
                default=None,
                description="Take one score apart: a table of what each part of the query and each "
                "part of the key contribute to it (Elhage et al. 2021). Parts are what was written "
                "to the residual stream before: by the embedding, the positions, each earlier "
                "head, each feed-forward network, and biases.",
            ),
        )
    }
    answer = (
        list[CellTable] | None,
        Field(description="The cell taken apart, for each text or the one asked for."),
    )
    reads_stream = True
    needs_server = True
    too_slow = (
        Message("taking the cell apart"),
        Message("Ask for one text, or switch off fewer parts, or send fewer or shorter texts."),
    )
    too_large = Message(
        "Most of it is the cell taken apart: ask for one text, or for an earlier layer."
    )

    def ms(self, analyse: Any, work: Work) -> float:
        asked, info = analyse.cell, work.info
        below = min(1.0, (asked.layer + 1) / max(1, info.n_layers))
        parts = below * (work.heads + _WRITES * work.sites)
        one_head = info.d_head * (info.d_model + work.tokens)  # its result at one position
        projected = 3 * info.d_model * info.n_heads * info.d_head
        # the attention modules of checkpoints project whole texts
        at_once = 1 if info.library_class is None else work.tokens
        products: float = 2 * parts * (one_head + at_once * projected) + parts**2 * info.d_head
        removed = min(len(asked.without), parts)
        products += work.tokens * (removed * one_head + 2 * projected)
        listed = parts**2 + 4 * work.tokens
        cells = work.tokens * (1 + work.tokens * asked.whole_head)
        each = products * MULTIPLY_ADD_MS + (listed + cells) * NUMBER_MS + cells * SOFTMAX_MS
        return float(each * (work.texts if asked.text is None else 1))

    def kept(self, work: Work) -> int:
        info = work.info
        recorded = work.texts * work.tokens * (work.sites + 1) * (info.d_model + 2)
        parts = work.heads + _WRITES * work.sites
        # the summands at two positions; q and k of the site without some parts; the table
        changed = 2 * work.texts * work.tokens * info.n_heads * info.d_head
        return recorded + 6 * parts * info.d_model + changed + 2 * parts**2

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        asked = analyse.cell
        size = table_size(trace, asked.layer, asked.kind)
        numbers = size.query_parts * size.key_parts + 2 * size.keys
        if asked.without:
            numbers += size.keys * (2 + size.queries * asked.whole_head)
        one = _PART_BYTES * (size.query_parts + size.key_parts) + _NUMBER_BYTES * numbers
        return one * (len(trace.tokens) if asked.text is None else 1)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        asked = analyse.cell
        without = [Without(StreamPart(**one.part.model_dump()), one.side) for one in asked.without]
        chosen = asked.model_dump(exclude={"without"})
        return [_told(one) for one in cell(trace, **chosen, without=without)]


def _told(found: CellScore) -> dict[str, Any]:
    """For orjson: parts by their names, and numbers with the digits that float32 has."""
    return {
        **vars(found),
        "query_parts": [part._asdict() for part in found.query_parts],
        "key_parts": [part._asdict() for part in found.key_parts],
        **{name: _numbers(getattr(found, name)) for name in ("values", "scores", "pattern")},
        "switched": None if found.switched is None else _told_switched(found.switched),
    }


def _told_switched(found: Switched) -> dict[str, Any]:
    whole = found.head_pattern
    return {
        "score": found.score,
        "scores": _numbers(found.scores),
        "pattern": _numbers(found.pattern),
        "head_pattern": None if whole is None else _numbers(whole),
    }


def _numbers(tensor: Tensor) -> NDArray[np.float32]:
    return np.ascontiguousarray(tensor.float().numpy())
