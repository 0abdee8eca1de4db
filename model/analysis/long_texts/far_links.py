"""Far links: the strongest attention between tokens that are far apart, in all heads of a trace.

In a long text most attention stays near the diagonal or goes to the first token. What connects
distant passages are a few strong cells, and this finds them in one pass over stripes of rows, with
a list of the best so far. It never holds a whole pattern.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool
from torch import Tensor

from model.analysis.largest import Stripe, distances, largest, stripes
from model.analysis.words import words_of
from model.core.tokenizer import Token
from model.errors import InputError, UnavailableError
from model.trace.recorded import SiteKind
from model.trace.site import Site
from model.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class Link:
    """One cell of one head's pattern."""

    site: str
    layer: int
    head: int
    query: int
    key: int
    weight: float
    distance: int  # |query − key|, in tokens


@dataclass(frozen=True)
class FarLinks:
    """The strongest links of one text."""

    links: tuple[Link, ...]  # in descending order of their weights
    searched: int  # the number of cells that could have been listed


def far_links(
    trace: Trace,
    *,
    top_k: int,
    min_distance: int,
    layers: Collection[int] | None = None,
    kinds: Collection[SiteKind] | None = None,
    heads: Sequence[int] | None = None,
    specials: bool = False,
    first_token: bool = False,
) -> list[FarLinks]:
    """The `top_k` largest weights of each text with |query − key| ≥ `min_distance`.

    None means all layers, kinds or heads; cross-attention is left out, since its queries and keys
    come from two texts. Blocked cells and padding are never listed. `specials` says whether special
    tokens count, as queries and as keys, and `first_token` whether the first token counts as a key:
    many heads attend to it when they look for nothing (Xiao et al. 2024). Equal weights are in the
    order of layer, head, query and key.

    Raises:
        InputError: there is no such layer or head, or a number is out of range.
        UnavailableError: there is no self-attention among the chosen sites.
        NumericsError: a number is not finite.
    """
    for name, number, least in (("top_k", top_k, 1), ("min_distance", min_distance, 1)):
        if number < least:
            raise InputError(
                f"Expected `{name}` to be at least {least}; got {number}.",
                field=f"analyse.far_links.{name}",
            )
    chosen = trace.pick_sites(layers, kinds, field="analyse.far_links")
    sites = [site for site in chosen if site.query_tokens == site.key_tokens]
    if chosen and not sites:
        raise UnavailableError(
            "The queries and keys of cross-attention come from two texts, so its links have no "
            "distance. Ask for sites of self-attention.",
            field="analyse.far_links.kinds",
        )
    picked = [(site, sorted(site.pick_heads(heads, "analyse.far_links.heads"))) for site in sites]
    found = []
    for text in range(len(trace.tokens)):
        best = _Best(top_k)
        for order, (site, of_site) in enumerate(picked):
            tokens = trace.tokens if site.query_tokens == "tokens" else trace.target_tokens
            assert tokens is not None
            queries, keys = _counted(tokens[text], specials=specials, first_token=first_token)
            for stripe in stripes(site, text, of_site, slice(None)):
                far = distances(stripe.rows, len(keys)) >= min_distance
                best.add(site, order, stripe, far & queries[stripe.rows, None] & keys)
        found.append(FarLinks(tuple(best.links), best.searched))
    return found


def _counted(
    tokens: Sequence[Token], *, specials: bool, first_token: bool
) -> tuple[Bool[Tensor, " query"], Bool[Tensor, " key"]]:
    """Which tokens count as queries and which as keys."""
    words = words_of(tokens)
    queries = words.counted(specials)
    keys = queries.clone()
    if not first_token:
        keys[words.first] = False
    return queries, keys


class _Best:
    """The best links so far, at most `top_k`."""

    def __init__(self, top_k: int) -> None:
        self._top_k = top_k
        # each with its rank: the weight first, then the order of its site
        self._ranked: list[tuple[tuple[float, int, int, int, int], Link]] = []
        self.searched = 0

    @property
    def links(self) -> Iterator[Link]:
        return (link for _, link in self._ranked)

    def add(self, site: Site, order: int, stripe: Stripe, counted: Bool[Tensor, "row key"]) -> None:
        """Take in the cells of a stripe that count."""
        candidates = (stripe.allowed & counted).expand(stripe.weights.shape)
        self.searched += int(candidates.sum())
        if len(self._ranked) == self._top_k:  # nothing smaller than the last one has a chance
            candidates = candidates & (stripe.weights >= self._ranked[-1][1].weight)
        places = candidates.flatten().nonzero()[:, 0]
        if len(places) == 0:
            return
        values = stripe.weights.flatten()[places]
        best = largest(values, torch.ones_like(values, dtype=torch.bool), self._top_k)
        _, n_rows, n_key = stripe.weights.shape
        for weight, place in zip(best.weights.tolist(), places[best.places].tolist(), strict=True):
            index, cell = divmod(place, n_rows * n_key)
            row, key = divmod(cell, n_key)
            query, head = stripe.rows.start + row, stripe.heads[index]
            link = Link(site.name, site.layer, head, query, key, weight, abs(query - key))
            self._ranked.append(((-weight, order, head, query, key), link))
        self._ranked = sorted(self._ranked, key=lambda ranked: ranked[0])[: self._top_k]
