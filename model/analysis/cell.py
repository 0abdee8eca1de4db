"""One cell taken apart: the score of a query and a key as a table of query part × key part.

The score is scale · q·k, and q and k are sums over what was written to the stream before: by the
embedding, the positions, each earlier head and each feed-forward network, and biases (Elhage et
al. 2021, "QK circuit"). So the score is a sum over all pairs of a query part and a key part. It is
exact, with the scale of the norm frozen. What a soft cap changes and what a bias adds are rows of
their own, as is a remainder, which is only what rounding leaves where everything is known.

Parts can be switched off: they are taken out of the stream that q, k or both are made of, with the
scale of the norm frozen, and the pattern is computed anew by `attend`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from jaxtyping import Float
from torch import Tensor

from model.analysis.sides import Side, sides_of
from model.errors import InputError, NumericsError
from model.finite import all_finite
from model.trace.recorded import SiteKind
from model.trace.site import Site
from model.trace.stream import Part
from model.trace.trace import Trace

FIELD = "analyse.cell"
SideName = Literal["query", "key", "both"]


class Without(NamedTuple):
    """A part to switch off, and where: in what queries are made of, in keys, or in both."""

    part: Part
    side: SideName = "both"


@dataclass(frozen=True, kw_only=True, eq=False)
class Switched:
    """What the head would do without some parts, with the scale of the norm frozen."""

    score: float
    scores: Float[Tensor, " key"]
    pattern: Float[Tensor, " key"]  # the row of the query
    head_pattern: Float[Tensor, "query key"] | None  # only if the whole head was asked for


@dataclass(frozen=True, kw_only=True, eq=False)
class CellScore:
    """The score of one query and one key in one head, as a sum.

    `values`, `soft_cap`, `bias` and `remainder` sum to `score`.
    """

    text: int
    site: str
    layer: int
    head: int
    query: int
    key: int
    score: float
    query_parts: tuple[Part, ...]
    key_parts: tuple[Part, ...]
    values: Float[Tensor, "query_part key_part"]  # scale · q_part · k_part
    soft_cap: float | None  # what the cap changes: c · tanh(x / c) − x; None: there is no cap
    bias: float | None  # None: there is no bias
    remainder: float
    scores: Float[Tensor, " key"]  # the row of the query
    pattern: Float[Tensor, " key"]
    switched: Switched | None


def cell(
    trace: Trace,
    *,
    layer: int,
    head: int,
    query: int,
    key: int,
    kind: SiteKind | None = None,
    text: int | None = None,
    without: Sequence[Without] = (),
    whole_head: bool = False,
) -> list[CellScore]:
    """Take one cell of one head apart, in each text, or in one if `text` says which.

    Args:
        kind: which site of the layer, in an encoder–decoder; None where there is only one.
        query, key: positions in the padded sequences.
        without: parts to switch off.
        whole_head: whether the pattern without them is computed for all queries, too.

    Raises:
        UnavailableError: the stream was not recorded, or the head has no known q and k.
        InputError: there is no such site, head, position, text or part.
        NumericsError: a number is not finite.
    """
    site = trace.site_of(layer, kind, FIELD)
    _check(trace, site, {"head": head, "query": query, "key": key, "text": text})
    query_side, key_side = sides_of(trace, site, FIELD)
    found = []
    for each in range(len(trace.tokens)) if text is None else [text]:
        of_query = query_side.summands(head, each, [query])
        of_key = key_side.summands(head, each, [key])
        removed = _removed(without, of_query.parts, of_key.parts)
        derived = site.derive(
            ["scores", "pattern"], heads=[head], rows=slice(query, query + 1), text=each
        )
        scores, pattern = derived["scores"][0, 0, 0], derived["pattern"][0, 0, 0]
        q, k = of_query.vectors[:, 0].double(), of_key.vectors[:, 0].double()
        values = (q @ k.T) * site.scale
        values = values.float().double()  # as they are sent: the remainder is that of these numbers
        if not all_finite(values):
            raise NumericsError(
                f"A part of a score of {site.name} is not finite; expected all finite."
            )
        product = values.sum().item()
        capped = _capped(site, product)
        bias = None if site.bias is None else _bias(site, head, each, query, key)
        score = scores[key].item()
        switched = None
        if removed is not None:
            switched = _switched(
                site, query_side, key_side, removed, head, each, query, key, whole_head
            )
        found.append(
            CellScore(
                text=each,
                site=site.name,
                layer=layer,
                head=head,
                query=query,
                key=key,
                score=score,
                query_parts=of_query.parts,
                key_parts=of_key.parts,
                values=values,
                soft_cap=None if site.soft_cap is None else capped - product,
                bias=bias,
                remainder=score - capped - (bias or 0.0),
                scores=scores,
                pattern=pattern,
                switched=switched,
            )
        )
    return found


class TableSize(NamedTuple):
    """How large the answer for one text is, at most."""

    query_parts: int
    key_parts: int
    queries: int
    keys: int


def table_size(trace: Trace, layer: int, kind: SiteKind | None) -> TableSize:
    """How large the table of a cell would be.

    Raises:
        The same errors as `cell`.
    """
    site = trace.site_of(layer, kind, FIELD)
    query, key = sides_of(trace, site, FIELD)
    return TableSize(query.n_parts, key.n_parts, site.mask.n_query, site.mask.n_key)


class _Removed(NamedTuple):
    query: frozenset[Part]
    key: frozenset[Part]


def _removed(
    without: Sequence[Without], query_parts: Sequence[Part], key_parts: Sequence[Part]
) -> _Removed | None:
    """The parts to take out of each side; None if none are."""
    query: set[Part] = set()
    key: set[Part] = set()
    for index, (part, side) in enumerate(without):
        wanted = [
            (chosen, known, name)
            for chosen, known, name in ((query, query_parts, "query"), (key, key_parts, "key"))
            if side in (name, "both")
        ]
        if not any(part in known for _, known, _ in wanted):
            raise InputError(
                f"What the {wanted[0][2]} is made of has no part {_named(part)}. The answer "
                "without `without` lists the parts.",
                field=f"{FIELD}.without.{index}",
            )
        for chosen, known, _ in wanted:
            if part in known:
                chosen.add(part)
    return _Removed(frozenset(query), frozenset(key)) if without else None


def _switched(
    site: Site,
    query_side: Side,
    key_side: Side,
    removed: _Removed,
    head: int,
    text: int,
    query: int,
    key: int,
    whole_head: bool,
) -> Switched:
    assert site.q is not None and site.k is not None
    # a softmax over queries mixes all rows
    all_rows = whole_head or site.softmax_over == "query"
    queries = list(range(site.mask.n_query)) if all_rows else [query]
    q, k = site.q, site.k
    if removed.query:
        q = q.clone()
        q[text, head, queries] -= query_side.total(head, text, queries, removed.query)
    if removed.key:
        k = k.clone()
        keys = list(range(site.mask.n_key))
        k[text, head] -= key_side.total(head, text, keys, removed.key)
    changed = replace(site, q=q, k=k, stored_pattern=None)
    rows = slice(None) if all_rows else slice(query, query + 1)
    derived = changed.derive(["scores", "pattern"], heads=[head], rows=rows, text=text)
    scores, pattern = derived["scores"][0, 0], derived["pattern"][0, 0]
    row = query if all_rows else 0
    return Switched(
        score=scores[row, key].item(),
        scores=scores[row],
        pattern=pattern[row],
        head_pattern=pattern if whole_head else None,
    )


def _capped(site: Site, score: float) -> float:
    """soft_cap · tanh(score / soft_cap), as `attend` caps a score; the score if there is no cap."""
    return score if site.soft_cap is None else site.soft_cap * math.tanh(score / site.soft_cap)


def _bias(site: Site, head: int, text: int, query: int, key: int) -> float:
    rows = slice(query, query + 1)
    return site.derive(["bias"], heads=[head], rows=rows, text=text)["bias"][0, 0, 0, key].item()


def _check(trace: Trace, site: Site, given: dict[str, int | None]) -> None:
    limits = {
        "head": (site.n_heads, f"{site.name} has heads"),
        "query": (site.mask.n_query, f"{site.name} has queries"),
        "key": (site.mask.n_key, f"{site.name} has keys"),
        "text": (len(trace.tokens), "This trace has texts"),
    }
    for name, value in given.items():
        n, what = limits[name]
        if value is not None and not 0 <= value < n:
            raise InputError(f"{what} 0 to {n - 1}; got {value}.", field=f"{FIELD}.{name}")


def _named(part: Part) -> str:
    """A part in a message: `head of layers.0, head 2`."""
    of_head = "" if part.head is None else f", head {part.head}"
    place = part.site or (None if part.layer is None else f"layer {part.layer}")
    return part.kind + ("" if place is None else f" of {place}") + of_head
