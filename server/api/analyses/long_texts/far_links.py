"""Far links: the strongest attention between tokens that are far apart."""

from dataclasses import asdict
from typing import Any, ClassVar

from pydantic import Field

from model.analysis.long_texts.far_links import far_links
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.analyses.chosen import ChosenHeads
from server.api.fields import MAX_INDEX, Response
from server.run.prices import NUMBER_MS, RANK_MS, SOFTMAX_MS

_LINK_BYTES = 135  # in JSON: the longest that we measured, with some margin


class AnalyseFarLinks(ChosenHeads):
    """Which links to look for. Cross-attention is left out: its links have no distance."""

    top_k: int = Field(default=50, ge=1, le=1_000, description="At most this many per text.")
    min_distance: int = Field(
        default=16,
        ge=1,
        le=MAX_INDEX,
        description="Only links with |query − key| of at least this many tokens.",
    )
    specials: bool = Field(
        default=False, description="Whether special tokens count, as queries and as keys."
    )
    first_token: bool = Field(
        default=False,
        description="Whether the first token counts as a key: many heads attend to it when they "
        "look for nothing (Xiao et al. 2024).",
    )


class Link(Response):
    """One cell of one head's pattern."""

    site: str
    layer: int
    head: int
    query: int
    key: int
    weight: float
    distance: int = Field(description="|query − key|, in tokens.")


class FarLinksOfText(Response):
    """The strongest far links of one text."""

    links: list[Link] = Field(
        description="In descending order of their weights. Equal weights are in the order of "
        "layer, head, query and key."
    )
    searched: int = Field(description="The number of cells that could have been listed.")


class FarLinks(Analysis):
    name = "far_links"
    request: ClassVar[Fields] = {
        "far_links": (
            AnalyseFarLinks | None,
            Field(
                default=None,
                description="List the largest weights between tokens that are far apart, in all "
                "heads together. Blocked cells and padding are left out. Send {} for its defaults.",
            ),
        )
    }
    answer = (
        list[FarLinksOfText] | None,
        Field(description="The strongest far links of each text."),
    )
    needs_server = True
    is_slow = True
    too_slow = (
        Message("the far links"),
        Message("Ask for fewer layers or heads, or send shorter texts."),
    )

    def ms(self, analyse: Any, work: Work) -> float:
        asked = analyse.far_links
        cells: int = asked.n_heads(work.info) * work.cells
        listed: int = 7 * asked.top_k * work.texts
        return cells * (SOFTMAX_MS + RANK_MS) + listed * NUMBER_MS

    def held(self, analyse: Any, work: Work) -> float:
        return 4 * work.stripe(work.site_heads)  # of one site, and where its candidates are

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        heads = sum(site.n_heads for site in trace.sites)
        real = [sum(not token.padding for token in row) for row in trace.read_tokens]
        most = analyse.far_links.top_k
        return sum(_LINK_BYTES * (1 + min(most, heads * n * (n - 1))) for n in real)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        return [
            {"links": [asdict(link) for link in text.links], "searched": text.searched}
            for text in far_links(trace, **analyse.far_links.model_dump())
        ]
