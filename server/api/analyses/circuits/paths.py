"""The path map: the strongest routes from tokens to a logit, each edge cut in a run of its own."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from model.analysis.paths.promises import Node
from model.analysis.paths.search import (
    LIMIT,
    NOTICED,
    SHARE,
    THRESHOLD,
    Verdict,
    VerifiedEdge,
    paths,
)
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import AskedLogit, Candidate, Part, Response
from server.run.prices import MULTIPLY_ADD_MS, SOFTMAX_MS

_EDGE_BYTES = 330  # in JSON: the longest that we measured, with some margin
_TEXT_BYTES = 400
_PART_BYTES = 80


class AnalysePaths(AskedLogit):
    """Which logit to follow back, and how far."""

    threshold: float = Field(
        default=THRESHOLD,
        ge=0.001,
        le=1,
        description="An edge is listed if it promises at least this share of what the strongest "
        "edge into the logit does.",
    )
    limit: int = Field(
        default=LIMIT,
        ge=1,
        le=400,
        description="At most this many edges for each text, a run each.",
    )


class PathNode(Response):
    """A part of the run at a position."""

    part: Part | None = Field(description="null: the logit.")
    position: int


class PathEdge(Response):
    """What one part reads of another, as attribution promises it and as a cut shows it."""

    sender: PathNode
    receiver: PathNode
    through: Literal["logit", "q", "k", "v", "mlp"] = Field(
        description="How it is read: by the model's own head (`logit`), as the query, key or value "
        "of an attention head, or by a feed-forward network."
    )
    promised: float = Field(
        description="What attribution promises that it adds to the logit. For `logit` and `v` an "
        "exact share, with norms frozen; else an estimate."
    )
    moved: float = Field(
        description="By how much the logit falls in a run where only this edge is cut."
    )
    verdict: Verdict = Field(
        description="`confirmed`: the cut moves the logit the same way, by at least "
        f"{SHARE:.2g} of the promise. `stronger`: by more than {1 / SHARE:.2g} times the promise. "
        f"`weaker`: by less, but at least {NOTICED:.2g} of what the strongest edge into the logit "
        "promises. `denied`: by less than that, or the other way; no route is followed behind it."
    )


class Paths(Response):
    """The strongest routes to a logit at one position of one text."""

    position: int
    token: Candidate
    against: Candidate | None
    logit: float = Field(description="The token's logit, or the difference, before a soft cap.")
    least: float = Field(description="The smallest promise of an edge that is listed.")
    edges: list[PathEdge] = Field(description="The largest promise first.")
    left_out: int = Field(
        description="How many more edges promise enough, but are beyond the limit."
    )
    opaque: list[Part] = Field(
        description="Feed-forward networks through which no route could be followed."
    )


class PathMap(Analysis):
    name = "paths"
    request: ClassVar[Fields] = {
        "paths": (
            AnalysePaths | None,
            Field(
                default=None,
                description="Follow a token's logit back to the tokens along the strongest routes: "
                "through the queries, keys and values of heads and through feed-forward networks. "
                "Each edge is verified by a run in which it alone is cut. Send {} for its "
                "defaults.",
            ),
        )
    }
    answer = (
        list[Paths] | None,
        Field(description="The path map of each text."),
    )
    reads_stream = True
    needs_server = True
    is_slow = True
    too_slow = (
        Message("cutting the edges of the path map"),
        Message("Ask for fewer edges (limit), or send fewer or shorter texts."),
    )

    def ms(self, analyse: Any, work: Work) -> float:
        info, asked = work.info, analyse.paths
        parts = work.heads + 2 * work.sites
        projected = 3 * info.d_model * info.n_heads * info.d_head
        back = work.sites * work.tokens * 2 * projected  # the gradient of a whole pass
        nodes = min(asked.limit, work.heads * work.tokens)
        node = 2 * work.tokens * (projected + parts * info.d_model)
        cells = work.heads * work.tokens**2
        written = work.heads * work.tokens * info.d_head * info.d_model
        products = back + nodes * node + written + asked.limit * parts * info.d_model
        once = products * MULTIPLY_ADD_MS + 2 * cells * SOFTMAX_MS
        return float(work.texts * (once + asked.limit * (work.run_ms + 1.0)))

    def kept(self, work: Work) -> int:
        return work.tokens * (work.heads + 2 * work.sites) * 4 * work.info.d_model

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        one = _TEXT_BYTES + _EDGE_BYTES * analyse.paths.limit + _PART_BYTES * len(trace.sites)
        return int(len(trace.tokens) * one)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        asked = analyse.paths
        each = Message("{n} edge", "{n} edges", n=asked.limit)
        what = Message("Cutting each edge of the path map")
        runs.check(asked.limit, each, what, "analyse.paths.limit")

        def compute() -> list[dict[str, Any]]:
            found = paths(trace, runs.runner(runs.inputs), **asked.model_dump())
            return [
                {
                    **vars(one),
                    "edges": [_edge(edge) for edge in one.edges],
                    "opaque": [part._asdict() for part in one.opaque],
                }
                for one in found
            ]

        return runs.cached("paths", asked, compute)


def _edge(one: VerifiedEdge) -> dict[str, Any]:
    return {
        "sender": _node(one.edge.sender),
        "receiver": _node(one.edge.receiver),
        "through": one.edge.through,
        "promised": one.promised,
        "moved": one.moved,
        "verdict": one.verdict,
    }


def _node(node: Node) -> dict[str, Any]:
    part = node.part
    return {"part": None if part is None else part._asdict(), "position": node.position}
