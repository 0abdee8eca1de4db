"""How alike the patterns of two heads are on the same text.

It is the correlation of their weights over the cells that a query may look at, after the mean of
each row is taken off both: 1 for equal patterns, near 0 for unrelated ones, below 0 where one looks
away from what the other looks at. Without the means, all heads that look widely would seem alike.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.analysis.words import words_of
from model.core.tokenizer import Token
from model.dossier.heads import heads_of, places
from model.dossier.words import WordCells, word_cells
from model.masks.mask import stripes_of
from model.slices import end_slice
from model.trace.site import Site
from model.trace.trace import Trace

MAX_TOKENS = 256  # of a text that two checkpoints are compared on
_FLAT = 1e-6  # a head whose rows are all equal is like no other


class Likeness(NamedTuple):
    """A correlation for each pair of heads, and whether it is defined."""

    value: Float[Tensor, "head other"]
    known: Bool[Tensor, "head other"]


def within(trace: Trace, text: int = 0) -> Likeness:
    """Of each pair of heads of one model whose sites have the same queries and keys."""
    n = len(heads_of(trace.sites))
    products = torch.zeros(n, n, dtype=torch.float64)
    groups: dict[tuple[str, str], list[Site]] = {}
    for site in trace.sites:
        groups.setdefault((site.query_tokens, site.key_tokens), []).append(site)
    same = torch.zeros(n, n, dtype=torch.bool)
    for group in groups.values():
        at = places(trace.sites, group)
        same[at[:, None], at] = True
        tokens = trace.tokens if group[0].query_tokens == "tokens" else trace.target_tokens
        assert tokens is not None
        counted = words_of(tokens[text]).counted(specials=False)
        for rows in stripes_of(group[0].mask.n_query):
            end_slice()
            cells = torch.cat([_centred(site, rows, counted, text) for site in group]).flatten(1)
            products[at[:, None], at] += cells @ cells.T
    return _correlation(products, products.diagonal(), products.diagonal(), same)


def between(trace: Trace, other: Trace, text: str) -> Likeness | None:
    """Of each head of a model with each of another, on the same text; None if it is too long.

    Where both models cut the text into the same tokens, cells are compared; else words: the weight
    from a word to a word is the mean over the tokens of the one, of the sum over those of the other
    (Clark et al. 2019, section 4.1). Only sites within the text itself are compared.
    """
    rows = trace.tokens[0], other.tokens[0]
    if max(map(len, rows)) > MAX_TOKENS:
        return None
    shape = len(heads_of(trace.sites)), len(heads_of(other.sites))
    value, known = torch.zeros(shape, dtype=torch.float64), torch.zeros(shape, dtype=torch.bool)
    read = [[site for site in each.sites if _in_text(site)] for each in (trace, other)]
    if not all(read):
        return Likeness(value, known)
    if same_tokens(*rows):
        cells = [_all_centred(sites, tokens) for sites, tokens in zip(read, rows, strict=True)]
    else:
        first, second = word_cells(rows[0], text), word_cells(rows[1], text)
        kept = first.present & second.present
        cells = [
            _all_in_words(sites, words, kept)
            for sites, words in zip(read, (first, second), strict=True)
        ]
    found = _correlation(
        cells[0] @ cells[1].T,
        cells[0].square().sum(-1),
        cells[1].square().sum(-1),
        torch.ones(len(cells[0]), len(cells[1]), dtype=torch.bool),
    )
    at = places(trace.sites, read[0])[:, None], places(other.sites, read[1])
    value[at], known[at] = found
    return Likeness(value, known)


def same_tokens(one: Sequence[Token], other: Sequence[Token]) -> bool:
    """Whether two models cut a text in the same places, special tokens included."""
    return [(t.start, t.end, t.special) for t in one] == [
        (t.start, t.end, t.special) for t in other
    ]


def _in_text(site: Site) -> bool:
    return site.query_tokens == site.key_tokens == "tokens"


def _centred(
    site: Site, rows: slice, counted: Bool[Tensor, " query"], text: int
) -> Float[Tensor, "head row key"]:
    pattern = site.derive(["pattern"], rows=rows, text=text)["pattern"][0].double()
    allowed = site.mask.allows(rows)[text]
    return _off_mean(pattern, allowed & counted[rows][:, None])


def _all_centred(sites: Sequence[Site], tokens: Sequence[Token]) -> Float[Tensor, "head cell"]:
    counted = words_of(tokens).counted(specials=False)
    return torch.cat([_centred(site, slice(0, len(tokens)), counted, 0) for site in sites]).flatten(
        1
    )


def _all_in_words(
    sites: Sequence[Site], words: WordCells, kept: Bool[Tensor, " word"]
) -> Float[Tensor, "head cell"]:
    found = []
    for site in sites:
        pattern = site.derive(["pattern"], text=0)["pattern"][0].double()
        allowed = site.mask.allows()[0]
        in_words = words.weights(pattern)[:, kept][:, :, kept]
        found.append(_off_mean(in_words, words.reached(allowed)[:, kept][:, :, kept]))
    return torch.cat(found).flatten(1)


def _off_mean(
    pattern: Float[Tensor, "head row key"], allowed: Bool[Tensor, "#head row key"]
) -> Float[Tensor, "head row key"]:
    """Each row less its mean over the allowed cells; 0 elsewhere."""
    inside = pattern * allowed
    mean = inside.sum(-1, keepdim=True) / allowed.sum(-1, keepdim=True).clamp(min=1)
    return (inside - mean) * allowed


def _correlation(
    products: Float[Tensor, "head other"],
    squares: Float[Tensor, " head"],
    other_squares: Float[Tensor, " other"],
    known: Bool[Tensor, "head other"],
) -> Likeness:
    lengths, other_lengths = squares.sqrt(), other_squares.sqrt()
    known = known & (lengths > _FLAT)[:, None] & (other_lengths > _FLAT)
    size = (lengths[:, None] * other_lengths).clamp(min=_FLAT * _FLAT)
    return Likeness((products / size).clamp(-1, 1) * known, known)
