"""How well each head matches a picture: a set of cells [query, key] that a reader has painted.

For a query with paint, `share` is its attention on the painted keys, and `chance` is what a head
would give them that looks at all allowed keys alike. Both are means over the queries at which heads
can differ: the masks allow a painted key and one that is not painted. `lift` is share − chance.
"""

from collections.abc import Collection
from dataclasses import dataclass

import torch
from einops import reduce
from jaxtyping import Bool, Int
from torch import Tensor

from model.analysis.largest import stripes
from model.analysis.words import words_of
from model.core.tokenizer import Token
from model.errors import InputError
from model.trace.recorded import SiteKind, TokenAxis
from model.trace.site import Site
from model.trace.trace import Trace

BLOCKED = "the masks block every painted cell"
NOTHING_ELSE = "where a query has paint, every key that it may look at is painted"


@dataclass(frozen=True, slots=True)
class HeadMatch:
    """How much one head looks at the painted cells. Without a query to measure, a reason."""

    site: str
    layer: int
    head: int
    share: float | None  # of the attention, 0 to 1
    chance: float | None  # of a head that looks at all allowed keys alike
    lift: float | None  # share − chance
    over: int  # queries
    reason: str | None


def match(
    trace: Trace,
    cells: Collection[tuple[int, int]],
    *,
    text: int = 0,
    kind: SiteKind | None = None,
) -> list[HeadMatch]:
    """How much each head of one kind of site looks at the painted cells (query, key) of a text.

    None means the kind of the first site. Heads are in the order of the sites. Padding is not a
    query.

    Raises:
        InputError: there is no such text, kind or cell.
        NumericsError: a number is not finite.
    """
    if not 0 <= text < len(trace.tokens):
        raise InputError(
            f"This trace has texts 0 to {len(trace.tokens) - 1}; got {text}.",
            field="analyse.match.text",
        )
    kinds = list(dict.fromkeys(site.kind for site in trace.sites))
    if kind is not None and kind not in kinds:
        raise InputError(
            f"{trace.model} has these kinds of attention: {', '.join(kinds)}; got {kind}.",
            field="analyse.match.kind",
        )
    sites = [site for site in trace.sites if site.kind == (kind or kinds[0])]
    return [one for site in sites for one in _of_site(trace, site, cells, text)]


def _of_site(
    trace: Trace, site: Site, cells: Collection[tuple[int, int]], text: int
) -> list[HeadMatch]:
    real = words_of(_tokens(trace, site.query_tokens)[text]).real
    painted = _places(site, cells)
    rows = slice(int(painted[:, 0].min()), int(painted[:, 0].max()) + 1)
    share, chance = torch.zeros(2, site.n_heads, dtype=torch.float64)
    over = torch.zeros(site.n_heads, dtype=torch.int64)
    is_allowed = torch.zeros(site.n_heads, dtype=torch.bool)
    for stripe in stripes(site, text, range(site.n_heads), rows):
        heads = list(stripe.heads)
        here = _marked(painted, stripe.rows, site.mask.n_key) & real[stripe.rows, None]
        hit = stripe.allowed & here
        counts = hit.any(-1) & (stripe.allowed & ~here).any(-1)
        found = reduce(stripe.weights.double() * here, "head row key -> head row", "sum")
        equal = hit.sum(-1).double() / stripe.allowed.sum(-1).clamp(min=1)
        share[heads] += reduce(found * counts, "head row -> head", "sum")
        chance[heads] += reduce(equal * counts, "head row -> head", "sum")
        over[heads] += counts.sum(-1)
        is_allowed[heads] |= hit.any(-1).any(-1)
    return [
        _counted(site, head, *sums, reason=NOTHING_ELSE if allowed else BLOCKED)
        for head, (*sums, allowed) in enumerate(
            zip(share.tolist(), chance.tolist(), over.tolist(), is_allowed.tolist(), strict=True)
        )
    ]


def _counted(
    site: Site, head: int, share: float, chance: float, over: int, *, reason: str
) -> HeadMatch:
    if over == 0:
        return HeadMatch(site.name, site.layer, head, None, None, None, 0, reason)
    means = share / over, chance / over, (share - chance) / over
    return HeadMatch(site.name, site.layer, head, *means, over, None)


def _places(site: Site, cells: Collection[tuple[int, int]]) -> Int[Tensor, "cell 2"]:
    """The cells as rows of query and key."""
    n_query, n_key = site.mask.n_query, site.mask.n_key
    for query, key in cells:
        if not (0 <= query < n_query and 0 <= key < n_key):
            raise InputError(
                f"{site.name} has queries 0 to {n_query - 1} and keys 0 to {n_key - 1}; got the "
                f"cell [{query}, {key}]. Paint cells that the text has.",
                field="analyse.match.cells",
            )
    return torch.tensor(list(cells), dtype=torch.int64)


def _marked(painted: Int[Tensor, "cell 2"], rows: slice, n_key: int) -> Bool[Tensor, "row key"]:
    """Which cells of some rows are painted; all rows of a long text would be tokens² numbers."""
    queries = painted[:, 0]
    here = painted[(queries >= rows.start) & (queries < rows.stop)]
    marked = torch.zeros(rows.stop - rows.start, n_key, dtype=torch.bool)
    marked[here[:, 0] - rows.start, here[:, 1]] = True
    return marked


def _tokens(trace: Trace, axis: TokenAxis) -> tuple[tuple[Token, ...], ...]:
    tokens = trace.tokens if axis == "tokens" else trace.target_tokens
    assert tokens is not None
    return tokens
