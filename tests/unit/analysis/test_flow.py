"""Attention flow: worked by hand, compared with every cut, on padded texts, and its cost."""

from dataclasses import replace
from itertools import product
from typing import Any

import networkx as nx  # type: ignore[import-untyped]
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.flow import boykov_kolmogorov  # type: ignore[import-untyped]
from torch import Tensor

from model.analysis import flow as module
from model.analysis.flow import MANY_PAINTED, Steps, count_steps, edges, flow
from model.analysis.rollout import rollout
from model.errors import UnavailableError
from model.masks.rules import Cell, MaskSettings
from model.scratch.mechanisms import MechanismId, configure
from model.sources.native import NativeSource
from model.sources.scratch import ScratchSource
from model.sources.source import Inputs
from model.trace.trace import Trace
from tests.unit.analysis.building import stored, trace_of


def traced(*patterns: Tensor) -> Trace:
    """Layers of one text, each with its pattern (head, query, key)."""
    n = patterns[0].shape[-1]
    sites = [
        stored(pattern[None], name=f"layers.{layer}", layer=layer)
        for layer, pattern in enumerate(patterns)
    ]
    return trace_of([4 + place for place in range(n)], sites=tuple(sites))


def test_one_layer_passes_what_its_edges_hold() -> None:
    pattern = torch.tensor([[[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.1, 0.9]]])
    expected = [[1.0, 0.0], [0.15, 0.85]]  # half the mean over the heads, half the token itself
    torch.testing.assert_close(flow(traced(pattern))[0], torch.tensor(expected))


def test_two_layers_worked_by_hand() -> None:
    first = torch.tensor([[[1.0, 0.0], [0.5, 0.5]]])  # with the residual: 0.25 and 0.75
    second = torch.tensor([[[1.0, 0.0], [0.8, 0.2]]])  # 0.4 and 0.6
    found = flow(traced(first, second))[0]
    # to token 0: 0.4 by way of token 0, and 0.25, which is all that token 1 passes on
    # to token 1: 0.6 of the 0.75 that the lower edge holds
    torch.testing.assert_close(found, torch.tensor([[1.0, 0.0], [0.65, 0.6]]))
    shares = rollout(traced(first, second))[0]
    assert shares[1].tolist() == pytest.approx([0.4 + 0.6 * 0.25, 0.6 * 0.75])


def test_what_widens_below_a_narrow_place_passes_no_more() -> None:
    n = 3
    wide = torch.full((1, n, n), 1 / n)
    narrow = torch.zeros(1, n, n)
    narrow[0, :, 0] = 1.0  # all look at token 0
    found = flow(traced(narrow, wide))[0]
    # token 2 is reached from itself alone: half of each lower edge is residual
    reached = 1 / (2 * n) + 1 / 2
    assert found[2, 2].item() == pytest.approx(min(0.5, reached))
    assert found[0, 2].item() == pytest.approx(1 / (2 * n))


def least_cut(layers: Tensor, query: int, key: int) -> float:
    """The smallest cut between a top and a bottom token, by trying all: it equals the flow."""
    n_layers, n, _ = layers.shape
    least = float("inf")
    for sides in product([True, False], repeat=n * (n_layers - 1)):
        inner = [list(sides[n * layer : n * (layer + 1)]) for layer in range(n_layers - 1)]
        above = [[place != key for place in range(n)], *inner, [p == query for p in range(n)]]
        cut = sum(
            float(layers[layer, i, j])
            for layer, i, j in product(range(n_layers), range(n), range(n))
            if above[layer + 1][i] and not above[layer][j]
        )
        least = min(least, cut)
    return least


@settings(max_examples=20)
@given(seed=st.integers(0, 999), n=st.sampled_from([2, 3]), causal=st.booleans())
def test_the_flow_is_the_least_cut(seed: int, n: int, causal: bool) -> None:
    g = torch.Generator().manual_seed(seed)
    scores = 3 * torch.randn(3, 2, n, n, generator=g)
    if causal:
        scores = scores.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)
    patterns = scores.softmax(-1)
    found = flow(traced(*patterns))[0]
    layers = (patterns.mean(1) + torch.eye(n)) / 2
    for query, key in product(range(n), range(n)):
        assert found[query, key].item() == pytest.approx(least_cut(layers, query, key), abs=1e-6)


@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_passes_nothing_and_changes_nothing(source: NativeSource, side: str) -> None:
    masks = MaskSettings(padding_side=side)  # type: ignore[arg-type]
    texts = ("the red cat sat", "a dog")
    batched = source.trace(Inputs(texts, masks=masks))
    found = flow(batched)
    alone = flow(source.trace(Inputs(texts[1:])))[0]
    real = [index for index, token in enumerate(batched.tokens[1]) if not token.padding]
    torch.testing.assert_close(found[1][real][:, real], alone, atol=1e-5, rtol=0)
    assert found[1].sum().item() == pytest.approx(alone.sum().item(), abs=1e-4)
    assert found.min() >= 0 and found.max() <= 1 + 1e-6


def test_cross_attention_has_no_flow() -> None:
    site = stored(torch.ones(1, 1, 2, 3) / 3, kind="cross", query_tokens="target_tokens")
    trace = trace_of([4, 5, 6], sites=(site,), targets=[[4, 5]])
    with pytest.raises(UnavailableError) as caught:
        flow(trace)
    assert caught.value.field == "analyse.flow"


class Counted:
    """The algorithm, which counts the edges of the graphs that it is given."""

    def __init__(self) -> None:
        self.steps = Steps(0, 0)

    def __call__(self, graph: Any, source: Any, sink: Any, **options: Any) -> Any:
        between = {source, *nx.descendants(graph, source)} & {sink, *nx.ancestors(graph, sink)}
        edges, found = graph.number_of_edges(), graph.subgraph(between).number_of_edges()
        self.steps = Steps(self.steps.edges + edges, self.steps.between + found)
        return boykov_kolmogorov(graph, source, sink, **options)


TEXT = "the red cat sat on the mat"
FIRST = Cell(query=None, key=0)


@pytest.mark.parametrize(
    "masks",
    [
        MaskSettings(),
        MaskSettings(causal=False),
        MaskSettings(window=2),
        MaskSettings(window=2, sinks=1),
        MaskSettings(prefix=4),
        MaskSettings(causal=False, window=3),
        MaskSettings(blocked=(FIRST,)),
        MaskSettings(blocked=(replace(FIRST, layer=1),)),
        MaskSettings(blocked=(replace(FIRST, head=2),)),
        MaskSettings(window=1, allowed=(replace(FIRST, head=2),)),
    ],
    ids=str,
)
def test_steps_are_counted_from_the_masks_before_anything_runs(
    source: NativeSource, masks: MaskSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs, counted = Inputs((TEXT,), masks=masks), Counted()
    monkeypatch.setattr(module, "boykov_kolmogorov", counted)
    trace = source.trace(inputs)
    flow(trace)
    assert count_steps(edges(inputs, source.info, len(trace.tokens[0]))) == counted.steps


def test_many_painted_cells_are_not_read_for_an_estimate(source: NativeSource) -> None:
    places = list(product(range(24), range(24), range(source.info.n_layers)))
    cells = tuple(Cell(layer=layer, query=query, key=key) for query, key, layer in places)
    few, many = (
        edges(Inputs((TEXT,), masks=MaskSettings(blocked=cells[:n])), source.info, 24)
        for n in (MANY_PAINTED, MANY_PAINTED + 1)
    )
    assert few.sum() < many.sum() == source.info.n_layers * 24**2


@pytest.mark.parametrize("mechanism", ["block", "padded-batch"])
def test_steps_of_a_mechanism_follow_its_settings(
    mechanism: MechanismId, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = Inputs((TEXT,), settings=configure(mechanism, {"n_layers": 2}))
    scratch, counted = ScratchSource("scratch"), Counted()
    monkeypatch.setattr(module, "boykov_kolmogorov", counted)
    flow(scratch.trace(inputs))
    assert count_steps(edges(inputs, scratch.info, 7)) == counted.steps


def test_a_causal_mask_leaves_few_of_the_steps(source: NativeSource) -> None:
    full, causal = (
        count_steps(edges(Inputs((TEXT,), masks=MaskSettings(causal=on)), source.info, 24))
        for on in (False, True)
    )
    n_layers = source.info.n_layers
    assert full.edges == n_layers * 24**4
    assert causal.edges == pytest.approx(n_layers * 24**4 / 4, rel=0.1)
    assert causal.between < full.between / 5
