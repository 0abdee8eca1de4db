"""Top keys: for each query, the keys to which a head gives the most attention.

A row of a long text has thousands of weights, of which a few matter. This lists those without the
others: it takes O(heads · tokens · k) numbers, and while it is computed one stripe of rows.
"""

from collections.abc import Sequence

import torch

from model.analysis.largest import Largest, distances, largest, stripes
from model.errors import InputError, UnavailableError
from model.trace.site import Site


def top_keys(
    site: Site,
    *,
    text: int,
    top_k: int,
    heads: Sequence[int] | None = None,
    rows: slice = slice(None),
    min_distance: int = 0,
) -> Largest:
    """The `top_k` largest weights of each row, with their keys as `places`: (head, row, k).

    Only keys that the masks allow are listed, at least `min_distance` positions away from the
    query. If there are fewer than `top_k`, the row's `n` says how many. Equal weights are ordered
    by key.

    Raises:
        InputError: `top_k` is below 1, there is no such head, or there are no rows.
        UnavailableError: queries and keys come from two texts, but a distance is given.
        NumericsError: a number is not finite.
    """
    if top_k < 1:
        raise InputError(
            f"Expected `top_k` to be at least 1; got {top_k}.", field="analyse.top_keys.top_k"
        )
    if min_distance > 0 and site.query_tokens != site.key_tokens:
        raise UnavailableError(
            f"The queries and keys of {site.name} come from two texts, so they have no distance. "
            "Leave `min_distance` out, or ask for other sites.",
            field="analyse.top_keys.min_distance",
        )
    chosen = site.pick_heads(heads, "analyse.top_keys.heads")
    start, stop, _ = rows.indices(site.mask.n_query)
    if not chosen or start >= stop:
        raise InputError(
            f"Expected at least one head and one row of {site.name}, which has "
            f"{site.mask.n_query} rows; got {len(chosen)} heads and rows {start} to {stop}.",
            field="analyse.top_keys.rows",
        )
    k = min(top_k, site.mask.n_key)
    # made before the stripes: small tensors kept among large ones that are freed would leave holes
    # in memory, which at 8,192 tokens took a gigabyte
    found = Largest(
        weights=torch.empty(len(chosen), stop - start, k),
        places=torch.empty(len(chosen), stop - start, k, dtype=torch.int64),
        n=torch.empty(len(chosen), stop - start, dtype=torch.int64),
    )
    index = {head: index for index, head in enumerate(chosen)}
    for stripe in stripes(site, text, chosen, rows):
        allowed = stripe.allowed
        if min_distance > 0:
            allowed = allowed & (distances(stripe.rows, site.mask.n_key) >= min_distance)
        best = largest(stripe.weights, allowed.expand(stripe.weights.shape), k)
        heads_here = torch.tensor([index[head] for head in stripe.heads])
        rows_here = slice(stripe.rows.start - start, stripe.rows.stop - start)
        for whole, part in zip(found, best, strict=True):
            whole[heads_here, rows_here] = part
    return found
