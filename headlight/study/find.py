"""Find the heads that look where a function, a painted picture or a set of offsets says."""

from collections.abc import Callable, Sequence, Set
from operator import itemgetter
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
    names = run.sites
    heads = [
        (site["name"], _layer(site["name"]), head)
        for site in run._documents
        for head in site["heads"]
    ]
    sizes = [len(site["heads"]) for site in run._documents]
    starts = np.cumsum([0, *sizes])  # of the heads of each site
    sums = np.zeros((3, len(heads)))
    over = texts = 0
    run.fetch("pattern", "blocked_by")  # together: one by one, each site would be a request
    each = (run.tokens, run.tensor("pattern"), run.tensor("blocked_by"))
    if run.request.single:
        each = ([each[0]], [each[1]], [each[2]])
    for tokens, patterns, blocked_by in zip(*each, strict=True):
        marked = matrix_of(painted(wanted, tokens), len(tokens))
        kept = [
            index
            for index, name in enumerate(names)
            if patterns[index].shape[1:] == marked.shape and ".cross" not in name
        ]
        if not kept:
            continue
        shares, chances, queries = _looks(_flat(patterns, kept), _flat(blocked_by, kept), marked)
        if len(kept) == len(names):
            sums += (shares, chances, queries > 0)
        else:
            at = np.concatenate([np.arange(starts[place], starts[place + 1]) for place in kept])
            sums[:, at] += (shares, chances, queries > 0)
        over += int(queries.max())
        texts += bool(queries.any())
    if not texts:
        raise RequestError(
            "Expected a matrix that marks a key that some query may look at, but not all of them; "
            "it marks none, or all. Mark other cells, or give other texts.",
            code="nothing_marked",
        )
    found = [
        {
            "site": site,
            "layer": layer,
            "head": head,
            "share": share / n,
            "chance": chance / n,
            "lift": (share - chance) / n,
            "over": over,
        }
        for (site, layer, head), (share, chance, n) in zip(heads, sums.T.tolist(), strict=True)
        if n
    ]
    return Table.of(sorted(found, key=itemgetter("lift"), reverse=True))


def _flat(arrays: Any, kept: Sequence[int]) -> NDArray[Any]:
    """The heads of some sites: (head, query, key)."""
    if isinstance(arrays, np.ndarray) and len(kept) == len(arrays):
        flat: NDArray[Any] = arrays.reshape(-1, *arrays.shape[2:])
        return flat
    return np.concatenate([arrays[place] for place in kept])


def _looks(
    pattern: NDArray[np.float32], blocked: NDArray[np.uint8], marked: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """The share and the chance of each head, over how many queries."""
    if (blocked == blocked[:1]).all():
        blocked = blocked[:1]  # no head has a mask of its own
    allowed = blocked == 0
    hits, free = (allowed & marked).sum(-1), allowed.sum(-1)
    chosen = (hits > 0) & (hits < free)  # [head or 1, query]
    n = chosen.sum(-1)
    share = np.einsum("hqk,qk->hq", pattern, marked.astype(np.float32)).astype(np.float64)
    shares = (share * chosen).sum(-1) / np.maximum(n, 1)
    chances = (hits / np.maximum(free, 1) * chosen).sum(-1) / np.maximum(n, 1)
    heads = len(pattern)
    return shares, np.broadcast_to(chances, heads), np.broadcast_to(n, heads)


def painted(wanted: Pattern, tokens: Sequence[Token]) -> Any:
    """What a function, a picture or a set of offsets marks in one text."""
    if callable(wanted):
        return wanted(tokens)
    if isinstance(wanted, Set):
        n = len(tokens)
        eyes = [np.eye(n, k=offset, dtype=bool) for offset in wanted]
        return np.logical_or.reduce([np.zeros((n, n), dtype=bool), *eyes])
    return wanted


def matrix_of(wanted: Any, n: int) -> NDArray[np.bool_]:
    """What is wanted of a text of n tokens as a matrix [query, key], checked."""
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
