"""How much heads look at painted cells: plain loops over numbers, and the shipped model's heads."""

from collections.abc import Iterable
from typing import Any

import pytest
import torch

from model.analysis.match import BLOCKED, NOTHING_ELSE, match
from model.core.checkpoint import SHIPPED
from model.errors import InputError
from model.masks import mask as masks
from model.masks.mask import Mask
from model.masks.rules import Cell, MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.trace.site import Site
from model.trace.trace import Trace
from tests.unit.analysis.building import BOS, PAD, stored, trace_of

HEADS, TOKENS = 3, 7
ROWS = [[BOS, 10, 11, 12, 13, 14, 15], [BOS, 11, 12, 13, 14, PAD, PAD]]
PICTURE = [(2, 0), (2, 1), (3, 2), (4, 1), (6, 6), (5, 0), (0, 0), (1, 4), (1, 0), (1, 1)]


def masked(**settings: Any) -> Mask:
    real = torch.tensor([[id != PAD for id in row] for row in ROWS])
    return Mask(
        TOKENS, TOKENS, MaskSettings(**settings), real_keys=real, batch=len(ROWS), n_heads=HEADS
    )


def traced(**settings: Any) -> Trace:
    generator = torch.Generator().manual_seed(5)
    mask = masked(**settings)
    sites = []
    for layer in range(2):
        scores = torch.rand(len(ROWS), HEADS, TOKENS, TOKENS, generator=generator)
        pattern = (scores * mask.allows()) / (scores * mask.allows()).sum(-1, keepdim=True).clamp(
            min=1e-9
        )
        sites.append(stored(pattern, mask, name=f"layers.{layer}", layer=layer))
    return trace_of(*ROWS, sites=tuple(sites))


def by_loops(
    site: Site, text: int, head: int, cells: Iterable[tuple[int, int]]
) -> tuple[float, float, int] | None:
    assert site.stored_pattern is not None
    allowed = site.mask.allows()[text]
    shares, chances = [], []
    for query in range(TOKENS):
        if ROWS[text][query] == PAD:
            continue
        painted = {key for q, key in cells if q == query}
        free = [
            key for key in range(TOKENS) if allowed[head if len(allowed) > 1 else 0, query, key]
        ]
        inside = [key for key in free if key in painted]
        if not inside or len(inside) == len(free):
            continue
        row = site.stored_pattern[text, head, query].tolist()
        shares.append(sum(row[key] for key in inside))
        chances.append(len(inside) / len(free))
    if not shares:
        return None
    return sum(shares) / len(shares), sum(chances) / len(chances), len(shares)


@pytest.mark.parametrize(
    "settings",
    [
        {"causal": True},
        {"causal": False, "padding": False},
        {"causal": True, "blocked": (Cell(head=1, key=0), Cell(text=0, query=3))},
    ],
)
@pytest.mark.parametrize("text", [0, 1])
@pytest.mark.parametrize("max_cells", [1, 2 * HEADS * TOKENS, 10**6])
def test_shares_are_means_over_the_painted_queries(
    settings: dict[str, Any], text: int, max_cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However small the stripes of rows are."""
    monkeypatch.setattr(masks, "STRIPE_CELLS", max_cells)
    trace = traced(**settings)
    found = match(trace, PICTURE, text=text)
    assert [(one.site, one.layer, one.head) for one in found] == [
        (f"layers.{layer}", layer, head) for layer in range(2) for head in range(HEADS)
    ]
    for one in found:
        expected = by_loops(trace.sites[one.layer], text, one.head, PICTURE)
        assert expected is not None
        share, chance, over = expected
        assert one.share == pytest.approx(share, abs=1e-6)
        assert one.chance == pytest.approx(chance, abs=1e-6)
        assert one.lift == pytest.approx(share - chance, abs=1e-6)
        assert (one.over, one.reason) == (over, None)


def test_where_heads_cannot_differ_there_is_a_reason() -> None:
    trace = traced(causal=True, blocked=(Cell(head=2, query=3, key=1),))
    ahead, first, last = [(1, 4)], [(0, 0)], [(3, 1)]
    assert {(one.share, one.over, one.reason) for one in match(trace, ahead)} == {
        (None, 0, BLOCKED)
    }
    assert {one.reason for one in match(trace, first)} == {NOTHING_ELSE}
    assert [one.reason for one in match(trace, last)] == [None, None, BLOCKED] * 2
    assert {one.reason for one in match(trace, [(6, 0)], text=1)} == {BLOCKED}  # padding


def test_the_picture_of_a_stripe_finds_the_previous_token_head() -> None:
    trace = NativeSource("shipped", SHIPPED).trace(
        Inputs(texts=("The old dog saw the girls near the gate.",))
    )
    n = len(trace.tokens[0])
    found = match(trace, [(query, query - 1) for query in range(1, n)])
    best = max(found, key=lambda one: one.lift or 0)
    assert (best.layer, best.head) == (0, 2)
    assert best.share is not None and best.share > 0.6
    assert best.over == n - 1
    assert best.chance == pytest.approx(sum(1 / (i + 1) for i in range(1, n)) / (n - 1))


def test_a_kind_of_sites_is_matched_on_its_own_axes() -> None:
    """Three targets attend to five tokens, and to themselves."""
    generator = torch.Generator().manual_seed(9)
    encoder = torch.rand(1, 2, 5, 5, generator=generator).softmax(-1)
    cross = torch.rand(1, 4, 3, 5, generator=generator).softmax(-1)
    sites = (
        stored(encoder, name="encoder.0", kind="encoder"),
        stored(cross, name="decoder.0.cross", kind="cross", query_tokens="target_tokens"),
    )
    trace = trace_of([BOS, 3, 4, 5, 6], targets=[[BOS, 7, 8]], sites=sites)
    found = match(trace, [(2, 4), (0, 3), (0, 1)], kind="cross")
    assert [(one.site, one.head) for one in found] == [("decoder.0.cross", i) for i in range(4)]
    for one in found:
        rows = cross[0, one.head].tolist()
        assert one.share == pytest.approx((rows[2][4] + rows[0][3] + rows[0][1]) / 2, abs=1e-6)
        assert one.chance == pytest.approx((1 / 5 + 2 / 5) / 2)
    assert {one.site for one in match(trace, [(4, 4)])} == {"encoder.0"}
    with pytest.raises(InputError, match="queries 0 to 2 and keys 0 to 4"):
        match(trace, [(4, 4)], kind="cross")


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"text": 2}, "analyse.match.text"),
        ({"kind": "cross"}, "analyse.match.kind"),
        ({"cells": [(1, 0), (TOKENS, 0)]}, "analyse.match.cells"),
        ({"cells": [(1, TOKENS)]}, "analyse.match.cells"),
    ],
)
def test_what_is_not_there_is_refused(asked: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        match(traced(causal=True), **{"cells": PICTURE} | asked)
    assert caught.value.field == field
