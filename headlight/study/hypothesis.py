"""What a head is said to do, held against what it does, over whole texts and not only examples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headlight.errors import RequestError
from headlight.frames import Table
from headlight.run.run import Run
from headlight.study.find import Pattern, matrix_of, painted
from headlight.study.intervals import Interval, interval
from headlight.tokens import Token

DECILES = 10
MOST = 50  # misses that are listed


class _Row(NamedTuple):
    """One query of one text."""

    text: int
    query: int
    share: float  # of attention on marked keys
    chance: float  # of marked keys among those that it may look at
    active: float  # the attention that is not on special tokens, nor on the first one


@dataclass(frozen=True)
class Hypothesis:
    """How well a statement about a head holds.

    Attributes:
        share: of attention on the marked keys, over the queries of which the statement speaks.
        chance: the same for a head that looks at all allowed keys alike.
        explained: Σ (share − chance) / Σ (1 − chance) over the texts: 0 at chance, 1 if nothing is
            left.
        speaks: the share of all queries of which the statement speaks; of the others it says
            nothing, whatever the head does there.
        deciles: all queries of which it speaks, from those where the head does least to those where
            it does most, in ten equal parts. A statement that only holds in the last ones describes
            examples, not the head.
        misses: the queries at which most attention is elsewhere, and on which key.
    """

    share: Interval
    chance: float
    explained: Interval
    speaks: float
    n: int  # queries of which it speaks
    deciles: Table
    misses: Table

    def __repr__(self) -> str:
        return (
            f"<hypothesis: share {self.share}, chance {self.chance:.2f}, explained "
            f"{self.explained}; it speaks of {self.speaks:.0%} of the queries>"
        )


def hypothesis(run: Run, wanted: Pattern, *, layer: int, head: int) -> Hypothesis:
    """Hold a statement about a head against all queries of a run's texts.

    `wanted` says where the head should look, as in `find_heads`: a function of the tokens that
    gives a matrix [query, key], such a matrix, or a set of offsets key − query. To test a statement
    that was made of some texts, give a run of others. A query counts if the masks allow it a
    marked key and one that is not marked; special tokens are no queries.

    Raises:
        RequestError: there is no such head, or no query tells whether the statement holds.
    """
    site = run.site(f"layers.{layer}")
    if not 0 <= head < site.n_heads:
        raise RequestError(
            f"Layer {layer} has heads 0 to {site.n_heads - 1}; got {head}.", field="head"
        )
    texts: Any = (run.tokens, site.pattern, site.blocked_by)  # of all heads, which stay fetched
    if run.request.single:
        texts = tuple([each] for each in texts)
    rows: list[_Row] = []
    misses: list[dict[str, Any]] = []
    queries = 0
    for n, (tokens, patterns, blocked) in enumerate(zip(*texts, strict=True)):
        marked = matrix_of(painted(wanted, tokens), len(tokens))
        found, missed, of_text = _of_text(
            n, tokens, patterns[head], blocked[head if len(blocked) > 1 else 0] == 0, marked
        )
        rows += found
        misses += missed
        queries += of_text
    if not rows:
        raise RequestError(
            "Expected a statement that marks a key which some query may look at, but not all of "
            "them; it marks none, or all. Mark other cells, or give other texts.",
            code="nothing_marked",
        )
    shares, chances = (_by_text(rows, of) for of in ("share", "chance"))
    gaps = 1 - chances  # what a head at chance leaves to be explained
    misses.sort(key=lambda row: -row["elsewhere"])
    return Hypothesis(
        interval(shares, np.ones_like(shares)),
        float(chances.mean()),
        interval(shares - chances, gaps),
        len(rows) / queries,
        len(rows),
        _deciles(rows),
        Table.of(misses[:MOST], ("text", "query", "token", "looks_at", "weight", "elsewhere")),
    )


def _of_text(
    n: int,
    tokens: Sequence[Token],
    pattern: NDArray[np.float32],
    allowed: NDArray[np.bool_],
    marked: NDArray[np.bool_],
) -> tuple[list[_Row], list[dict[str, Any]], int]:
    """The queries that count, what they miss, and how many queries there are."""
    special = np.array([token.special or token.padding for token in tokens])
    resting = special.copy()
    resting[0] = True  # where a head looks that has nothing to do
    rows, misses = list[_Row](), list[dict[str, Any]]()
    for query in map(int, np.flatnonzero(~special)):
        hit, free = allowed[query] & marked[query], allowed[query]
        if not hit.any() or hit.sum() == free.sum():
            continue
        weights = pattern[query].astype(float)
        share = float(weights[hit].sum())
        active = float(weights[~resting].sum())
        rows.append(_Row(n, query, share, float(hit.sum() / free.sum()), active))
        away = np.where(hit | resting, 0.0, weights)
        misses.append(
            {
                "text": n,
                "query": query,
                "token": str(tokens[query]),
                "looks_at": str(tokens[int(away.argmax())]),
                "weight": float(away.max()),
                "elsewhere": float(away.sum()),
            }
        )
    return rows, misses, int((~special).sum())


def _by_text(rows: Sequence[_Row], of: str) -> NDArray[np.float64]:
    """The mean of each text, since each counts once."""
    texts: dict[int, list[float]] = {}
    for row in rows:
        texts.setdefault(row.text, []).append(getattr(row, of))
    return np.array([np.mean(values) for values in texts.values()])


def _deciles(rows: Sequence[_Row]) -> Table:
    ranked = sorted(rows, key=lambda row: row.active)
    parts = [part for part in np.array_split(np.arange(len(ranked)), DECILES) if len(part)]
    return Table.of(
        [
            {
                "decile": n + 1,
                "n": len(part),
                "active": float(np.mean([ranked[at].active for at in part])),
                "share": float(np.mean([ranked[at].share for at in part])),
                "chance": float(np.mean([ranked[at].chance for at in part])),
            }
            for n, part in enumerate(parts)
        ]
    )
