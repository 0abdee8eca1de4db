"""The space of queries and keys: those of one head over many texts, in one plane.

Where a query and a key point the same way, their score is high, so in a joint plane a query lies
near the keys that it looks for (AttentionViz: Yeh et al. 2023). Two changes that no pattern shows
make that visible: all keys are moved by their mean, which adds the same to every score of a query;
and queries are divided by what keys are multiplied by, so that both are about as long. The plane is
that of the two largest principal components, or that of t-SNE (van der Maaten & Hinton 2008), which
keeps neighbours together and no distances. What a plane leaves out, it says: the share of the
variance, and how far distances in it order q · k of the moved keys (Spearman's rank correlation).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from typing import Literal, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.core.editing import Capture, Place
from model.core.tokenizer import Token
from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.slices import end_slice
from model.sources.runner import Runner
from model.trace.site import Site
from model.trace.trace import Trace

FIELD = "analyse.space"
MAX_PAIRS = 20_000  # of a query and a key whose scores are ordered; of more, a sample
SEED = 0  # of the sample


Side = Literal["query", "key"]
Method = Literal["pca", "tsne"]
PERPLEXITY = 30  # how many neighbours of a point t-SNE keeps together, about
STEPS, EVERY = 750, 10  # of t-SNE, and those between two slices


class Point(NamedTuple):
    """A query or a key, and where it lies in the plane."""

    side: Side
    text: int
    position: int
    token: str
    special: bool
    x: float
    y: float
    norm: float  # its length in the whole space, after both were matched


@dataclass(frozen=True, kw_only=True)
class Space:
    """The plane of one head."""

    site: str
    layer: int
    head: int
    d_head: int
    matched: float  # what keys are multiplied by, and queries divided by
    shares: tuple[float, float] | None  # of the variance along x and y; None: no axis has any
    correlation: float | None  # of −distance in the plane with q·k; None: too few pairs
    n_pairs: int  # that were ordered
    points: tuple[Point, ...]


class Rows(NamedTuple):
    """The queries and keys of one head in one text, without padding."""

    q: Float[Tensor, "query d_head"]
    k: Float[Tensor, "key d_head"]
    query_tokens: Sequence[Token]
    key_tokens: Sequence[Token]
    query_at: Sequence[int]  # their positions
    key_at: Sequence[int]
    visible: Bool[Tensor, "query key"]


def methods() -> list[Method]:
    """The planes that can be computed here."""
    return ["pca"] if find_spec("openTSNE") is None else ["pca", "tsne"]


def space_of(
    trace: Trace, site: Site, head: int, *, specials: bool, method: Method = "pca"
) -> Space:
    """The plane of a head over the texts of a trace.

    Raises:
        InputError: there is no such head.
        UnavailableError: the site has no q and k; or openTSNE is not installed.
        NumericsError: a number is not finite.
    """
    _check(site, head)
    if site.q is None or site.k is None:
        raise UnavailableError(
            f"{site.name} has only its pattern, not q and k, so they have no space.", field=FIELD
        )
    q, k = site.q, site.derive(["k"], heads=[head])["k"][:, 0]
    found = []
    for text in range(len(trace.tokens)):
        queries = trace.tokens if site.query_tokens == "tokens" else trace.target_tokens
        keys = trace.tokens if site.key_tokens == "tokens" else trace.target_tokens
        assert queries is not None and keys is not None
        blocked = site.derive(["blocked_by"], heads=[head], text=text)["blocked_by"][0, 0]
        found.append(
            _kept(
                Rows(
                    q[text, head],
                    k[text],
                    queries[text],
                    keys[text],
                    range(len(queries[text])),
                    range(len(keys[text])),
                    blocked == 0,
                ),
                specials,
            )
        )
    return _plane(site.name, site.layer, head, found, method)


def space_over(
    runner: Runner,
    trace: Trace,
    site: Site,
    head: int,
    *,
    causal: bool,
    specials: bool,
    method: Method = "pca",
) -> Space:
    """The plane of a head over the texts of a runner, which are none of the trace.

    Its numbers are those of the model's own masks; pairs count that causality alone leaves open.
    """
    _check(site, head)
    found = []
    for text, row in enumerate(runner.tokens):
        end_slice(text, len(runner.tokens) + (STEPS // EVERY if method == "tsne" else 0))
        seen = Capture([Place(side, site.layer, site.kind) for side in ("q", "k")])
        with torch.no_grad():
            runner(seen, text=text)
        q, k = (seen.found[place][0, head] for place in seen.places)
        visible = torch.ones(len(row), len(row), dtype=torch.bool)
        at = range(len(row))
        rows = Rows(q, k, row, row, at, at, visible.tril() if causal else visible)
        found.append(_kept(rows, specials))
    return _plane(site.name, site.layer, head, found, method)


def _check(site: Site, head: int) -> None:
    if head >= site.n_heads:
        raise InputError(
            f"{site.name} has heads 0 to {site.n_heads - 1}; got {head}.", field=f"{FIELD}.head"
        )


def _kept(rows: Rows, specials: bool) -> Rows:
    """Without padding, and unless asked for without special tokens."""

    def places(tokens: Sequence[Token]) -> list[int]:
        return [
            at
            for at, token in enumerate(tokens)
            if not token.padding and (specials or not token.special)
        ]

    queries, keys = places(rows.query_tokens), places(rows.key_tokens)
    return Rows(
        rows.q[queries].float(),
        rows.k[keys].float(),
        [rows.query_tokens[at] for at in queries],
        [rows.key_tokens[at] for at in keys],
        queries,
        keys,
        rows.visible[queries][:, keys],
    )


def _plane(name: str, layer: int, head: int, each: Sequence[Rows], method: Method) -> Space:
    q, k = torch.cat([rows.q for rows in each]), torch.cat([rows.k for rows in each])
    if len(q) + len(k) < 3:
        raise InputError(
            "A plane needs at least two tokens that are not special. Write a longer text.",
            field=f"{FIELD}.specials",
        )
    if not (all_finite(q) and all_finite(k)):
        raise NumericsError(f"A query or key of {name} is not finite; expected all finite.")
    moved = k - k.mean(dim=0)
    sizes = q.norm(dim=1).mean().item(), moved.norm(dim=1).mean().item()
    matched = (sizes[0] / sizes[1]) ** 0.5 if min(sizes) > 0 else 1.0
    both = torch.cat([q / matched, moved * matched]).double()
    centred = both - both.mean(dim=0)
    values, vectors = torch.linalg.eigh(centred.T @ centred)  # in ascending order
    axes = vectors[:, -2:].flip(1)
    signs = torch.gather(axes, 0, axes.abs().argmax(0, keepdim=True)).sign()
    at = centred @ (axes * signs)  # each axis points where its largest number is positive
    at = torch.nn.functional.pad(at, (0, 2 - at.shape[1]))  # of a head with one channel
    total = values.clamp(min=0).sum().item()
    along = [*(values.flip(0)[:2].clamp(min=0) / total if total else values[:2] * 0).tolist(), 0.0]
    shares = None if method == "tsne" else (along[0], along[1])
    if method == "tsne":
        at = _neighbours(centred, at, done=len(each))
    correlation, n_pairs = _order(each, q, moved, at)
    points: list[Point] = []
    sides: tuple[tuple[Side, int], ...] = (("query", 0), ("key", len(q)))
    for side, place in sides:
        for text, rows in enumerate(each):
            is_query = side == "query"
            tokens = rows.query_tokens if is_query else rows.key_tokens
            positions = rows.query_at if is_query else rows.key_at
            for token, position in zip(tokens, positions, strict=True):
                x, y = at[place].tolist()
                norm = both[place].norm().item()
                points.append(Point(side, text, position, token.text, token.special, x, y, norm))
                place += 1
    return Space(
        site=name,
        layer=layer,
        head=head,
        d_head=q.shape[1],
        matched=matched,
        shares=shares,
        correlation=correlation,
        n_pairs=n_pairs,
        points=tuple(points),
    )


def _neighbours(
    points: Float[Tensor, "point d_head"], begin: Float[Tensor, "point 2"], *, done: int
) -> Float[Tensor, "point 2"]:
    """The points by t-SNE, begun with their principal components, which keeps the large picture.

    So many slices are `done`.

    Raises:
        UnavailableError: openTSNE is not installed.
    """
    if find_spec("openTSNE") is None:
        raise UnavailableError(
            "t-SNE needs the package openTSNE, which this server does not have. Install it: "
            "pip install 'headlight-attention[tsne]'. Or take the principal components.",
            field=f"{FIELD}.method",
        )
    from openTSNE import TSNE, initialization

    total = done + STEPS // EVERY
    slices = count(done + 1)  # openTSNE begins to count again half way

    def end(step: int, error: float, at: object) -> None:
        end_slice(min(next(slices), total), total)

    found = TSNE(
        perplexity=min(PERPLEXITY, (len(points) - 1) / 3),
        initialization=initialization.rescale(begin.numpy()),
        negative_gradient_method="bh",
        n_jobs=1,
        random_state=SEED,
        callbacks=end,
        callbacks_every_iters=EVERY,
    ).fit(points.numpy())
    return torch.as_tensor(found).double()


def _order(
    each: Sequence[Rows],
    q: Float[Tensor, "query d_head"],
    k: Float[Tensor, "key d_head"],
    at: Float[Tensor, "point 2"],
) -> tuple[float | None, int]:
    """How far distances in the plane order the scores, over the pairs that masks leave open."""
    pairs: list[Tensor] = []
    first_query = first_key = 0
    for rows in each:
        open_pairs = rows.visible.nonzero()
        pairs.append(open_pairs + torch.tensor([first_query, first_key]))
        first_query += len(rows.q)
        first_key += len(rows.k)
    chosen = torch.cat(pairs)
    if len(chosen) > MAX_PAIRS:
        order = torch.randperm(len(chosen), generator=torch.Generator().manual_seed(SEED))
        chosen = chosen[order[:MAX_PAIRS]]
    queries, keys = chosen[:, 0], chosen[:, 1]
    scores = (q[queries] * k[keys]).sum(dim=1)
    near = -(at[queries] - at[len(q) + keys]).norm(dim=1)
    return spearman(scores, near), len(chosen)


def spearman(one: Float[Tensor, " pair"], other: Float[Tensor, " pair"]) -> float | None:
    """The rank correlation of two lists, ties at their mean rank; None where there is no order."""
    if len(one) < 3:
        return None
    ranks = torch.stack([_ranks(one), _ranks(other)])
    ranks = ranks - ranks.mean(dim=1, keepdim=True)
    sizes = ranks.norm(dim=1)
    if not bool(sizes.all()):
        return None
    return float((ranks[0] * ranks[1]).sum() / (sizes[0] * sizes[1]))


def _ranks(values: Float[Tensor, " pair"]) -> Float[Tensor, " pair"]:
    _, inverse, counts = torch.unique(values, return_inverse=True, return_counts=True)
    found: Tensor = (counts.cumsum(0).double() - (counts - 1) / 2)[inverse]
    return found
