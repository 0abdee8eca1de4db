"""Find the heads that look where a function, a painted picture or a set of offsets says."""

from collections.abc import Callable, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headlight.errors import RequestError
from headlight.frames import Table
from headlight.run.run import Run
from headlight.tokens import Token

Pattern = Callable[[Sequence[Token]], Any] | Set[int] | Any  # Any: what numpy makes a matrix of


def find_heads(run: Run, wanted: Pattern) -> Table:
    """All heads of a run, those first that look most where `wanted` says.

    `wanted` is a function, a picture or a set. A function `wanted(tokens)` gives a matrix
    [query, key] of a text: true where a head should look. A picture is such a matrix itself, for
    texts of as many tokens. A set has offsets, key − query: {-1} is the token before, in a text of
    any length.

    A query counts if the masks allow it a marked key and one that is not marked. `share` is the
    mean over the queries of the attention on marked keys, `chance` the same for a head that looks
    at all allowed keys alike, and `lift` their difference, by which the heads are ranked. Each text
    counts once, and `over` says how many queries there were. Sites between two texts are left out.
    The idea of a pattern as a matrix is that of detect_head in TransformerLens; its score is
    another.

    Raises:
        RequestError: a matrix has another shape, or marks no cell that tells heads apart.
    """
    sums: dict[tuple[str, int], NDArray[np.float64]] = {}
    over = texts = 0
    for one in run:
        tokens: Sequence[Token] = one.tokens
        marked = _matrix(_painted(wanted, tokens), len(tokens))
        counted = 0
        for name in one.sites:
            site = one.site(name)
            pattern = np.asarray(site.pattern, dtype=np.float64)
            if pattern.shape[1:] != marked.shape or ".cross" in name:
                continue
            allowed = np.broadcast_to(np.asarray(site.blocked_by) == 0, pattern.shape)
            hit = allowed & marked
            rows: NDArray[np.bool_] = np.asarray(hit.any(-1) & (allowed & ~marked).any(-1))
            for head in range(len(pattern)):
                chosen = rows[head]
                if not chosen.any():
                    continue
                counted = max(counted, int(chosen.sum()))
                share = (pattern[head] * marked).sum(-1)[chosen].mean()
                chance = (hit[head].sum(-1) / allowed[head].sum(-1).clip(1))[chosen].mean()
                known = sums.setdefault((name, head), np.zeros(3))
                known += [share, chance, 1]
        over += counted
        texts += counted > 0
    if not texts:
        raise RequestError(
            "Expected a matrix that marks a key that some query may look at, but not all of them; "
            "it marks none, or all. Mark other cells, or give other texts.",
            code="nothing_marked",
        )
    found = [
        {
            **{"site": site, "layer": _layer(site), "head": head},
            **{"share": share / n, "chance": chance / n, "lift": (share - chance) / n},
            "over": over,
        }
        for (site, head), (share, chance, n) in sums.items()
    ]
    return Table.of(sorted(found, key=lambda row: -float(row["lift"])))


def _painted(wanted: Pattern, tokens: Sequence[Token]) -> Any:
    """What a function, a picture or a set of offsets marks in one text."""
    if callable(wanted):
        return wanted(tokens)
    if isinstance(wanted, Set):
        places = np.arange(len(tokens))
        return np.isin(places - places[:, None], list(wanted))
    return wanted


def _matrix(wanted: Any, n: int) -> NDArray[np.bool_]:
    try:
        marked = np.asarray(wanted, dtype=bool)
    except (TypeError, ValueError) as error:
        raise RequestError(
            f"Expected a matrix of {n} × {n}, [query, key]; its rows have different lengths.",
            code="invalid_matrix",
        ) from error
    if marked.shape != (n, n):
        raise RequestError(
            f"Expected a matrix of {n} × {n}, [query, key], for a text of {n} tokens; got "
            f"{' × '.join(map(str, marked.shape)) or 'a single value'}.",
            code="invalid_matrix",
        )
    return marked


def _layer(site: str) -> int:
    return int(site.removesuffix(".cross").rpartition(".")[2])
