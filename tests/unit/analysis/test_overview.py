"""The overview: compared with plain loops over all heads and cells of each block."""

from math import ceil, floor, fsum
from typing import Any

import pytest
import torch
from torch import Tensor

from model.analysis.long_texts.overview import Over, overview
from model.errors import InputError
from model.masks import mask as masks
from model.masks.mask import Mask
from model.masks.rules import MaskSettings
from model.trace.pooling import PoolingName
from model.trace.site import Site
from model.trace.trace import Trace
from tests.unit.analysis.building import BOS, PAD, stored, trace_of

HEADS, TOKENS = 3, 11
ROWS = [[BOS, *range(10, 20)], [PAD, PAD, PAD, PAD, BOS, 11, 12, 13, 14, 15, 16]]  # left padding
REAL = [range(11), range(4, 11)]


def patterns(seed: int, n_query: int = TOKENS, n_key: int = TOKENS) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(len(ROWS), HEADS, n_query, n_key, generator=generator)


def traced() -> Trace:
    sites = [stored(patterns(layer), name=f"layers.{layer}", layer=layer) for layer in range(2)]
    return trace_of(*ROWS, sites=tuple(sites))


def blocks(positions: range, maximum: int) -> list[range]:
    n, start = len(positions), positions.start
    size = min(n, maximum)
    return [
        range(start + floor(i * n / size), start + ceil((i + 1) * n / size)) for i in range(size)
    ]


def expected(
    text: int, layers: list[int], heads: list[int], resolution: int, pooling: PoolingName
) -> list[list[float]]:
    cells = {layer: patterns(layer)[text].tolist() for layer in layers}
    found = []
    for queries in blocks(REAL[text], resolution):
        row = []
        for keys in blocks(REAL[text], resolution):
            largest = [
                max(cells[layer][head][query][key] for layer in layers for head in heads)
                for query in queries
                for key in keys
            ]
            row.append(max(largest) if pooling == "max" else fsum(largest) / len(largest))
        found.append(row)
    return found


@pytest.mark.parametrize("pooling", ["max", "mean"])
@pytest.mark.parametrize("over", ["heads", "layers"])
@pytest.mark.parametrize("resolution", [1, 3, 7, 64])
@pytest.mark.parametrize("heads", [None, [2, 0]])
@pytest.mark.parametrize("max_cells", [40, 1_000_000])
def test_a_map_is_what_loops_over_heads_and_cells_give(
    pooling: PoolingName,
    over: Over,
    resolution: int,
    heads: list[int] | None,
    max_cells: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However small the stripes are, and without the padding of the shorter text."""
    monkeypatch.setattr(masks, "STRIPE_CELLS", max_cells)
    found = overview(traced(), resolution=resolution, over=over, pooling=pooling, heads=heads)
    for text, maps in enumerate(found):
        groups = [[0], [1]] if over == "heads" else [[0, 1]]
        assert [list(one.layers) for one in maps] == groups
        assert [list(one.sites) for one in maps] == [[f"layers.{i}" for i in g] for g in groups]
        for one in maps:
            by_hand = expected(text, list(one.layers), heads or [0, 1, 2], resolution, pooling)
            assert one.map.shape == (len(by_hand), len(by_hand[0]))
            for got, row in zip(one.map.tolist(), by_hand, strict=True):
                assert got == pytest.approx(row, abs=1e-6)


def test_kinds_of_sites_have_maps_of_their_own() -> None:
    cross = stored(
        patterns(5, 5), kind="cross", name="decoder.layers.0.cross", query_tokens="target_tokens"
    )
    encoder = stored(patterns(6), kind="encoder", name="encoder.layers.0")
    targets = [[BOS, 10, 11, 12, 13], [PAD, PAD, BOS, 10, 11]]
    trace = trace_of(*ROWS, sites=(encoder, cross), targets=targets)
    first, second = overview(trace, resolution=64, over="layers")
    assert [(one.kind, tuple(one.map.shape)) for one in first] == [
        ("encoder", (11, 11)),
        ("cross", (5, 11)),
    ]
    assert [tuple(one.map.shape) for one in second] == [(7, 7), (3, 7)]
    assert torch.equal(second[1].map, patterns(5, 5)[1, :, 2:, 4:].amax(0))
    [[one], _] = overview(trace, kinds=["cross"], over="layers")
    assert one.sites == ("decoder.layers.0.cross",)
    assert overview(trace, layers=[]) == [[], []]


def test_blocked_cells_count_as_nothing() -> None:
    q = torch.zeros(1, 2, 4, 3)
    site = Site(
        name="layers.0", kind="self", layer=0, n_heads=2, n_kv_heads=2, scale=1.0, q=q, k=q, v=q,
        mask=Mask(4, 4, MaskSettings(causal=True)),
    )  # fmt: skip
    [[one]] = overview(trace_of([BOS, 10, 11, 12], sites=(site,)), resolution=2, pooling="mean")
    # each row shares its attention among the tokens so far
    by_hand = [(1 + 1 / 2 + 1 / 2) / 4, 0.0, (2 / 3 + 2 / 4) / 4, (1 / 3 + 2 / 4) / 4]
    assert one.map.flatten().tolist() == pytest.approx(by_hand, abs=1e-6)


@pytest.mark.parametrize(
    ("bad", "field"),
    [({"resolution": 0}, "resolution"), ({"layers": [2]}, "layers"), ({"heads": [3]}, "heads")],
)
def test_bad_settings_are_refused(bad: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as refused:
        overview(traced(), **bad)
    assert refused.value.field == f"analyse.overview.{field}"
