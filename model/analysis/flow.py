"""Attention flow: how much could pass from each input token to each token of the last layer."""

from dataclasses import replace
from typing import NamedTuple

import networkx as nx  # type: ignore[import-untyped]
import torch
from jaxtyping import Bool, Float
from networkx.algorithms.flow import (  # type: ignore[import-untyped]
    boykov_kolmogorov,
    build_residual_network,
)
from torch import Tensor

from model.analysis.rollout import mean_pattern, single_stack
from model.core.tokenizer import Token
from model.facts import limit
from model.masks.mask import site_mask
from model.slices import end_slice
from model.sources.source import Inputs, SourceInfo
from model.trace.trace import Trace

MAX_TOKENS = limit("flow_tokens")  # per text, with padding; the work grows with the fourth power
MANY_PAINTED = 1_000  # cells
# Capacities are whole multiples of this, because with floats the algorithm may never end. So a flow
# is off by at most half of it for each edge of a cut: at most 2e-6 for 24 tokens and 12 layers.
_UNIT = 2.0**-30


def flow(
    trace: Trace, *, text: int | None = None, query: int | None = None
) -> Float[Tensor, "batch query key"]:
    """The maximum flow from each output token to each input token.

    Abnar & Zuidema 2020, section 4. Each token at each layer is a node. An edge leads from query i
    of a layer to key j of the layer below, with the capacity Â[i,j] of the rollout: half attention,
    half residual stream. Only real tokens have flows; rows and columns of padding are 0.

    With a `text`, only that one (a batch of 1). With a `query`, only that row; the others are 0.

    Raises:
        UnavailableError: the trace has no single stack of self-attention.
        NumericsError: a number is not finite.
    """
    sites = single_stack(trace, "analyse.flow")
    n = sites[0].mask.n_query
    layers = []
    for site in sites:
        mean = mean_pattern(site)
        layers.append((mean + torch.eye(n)) / (mean.sum(dim=-1, keepdim=True) + 1))
    capacities = torch.stack(layers, dim=1)
    texts = range(len(trace.tokens)) if text is None else [text]
    return torch.stack([_of_text(capacities[one], trace.tokens[one], query) for one in texts])


def edges(inputs: Inputs, info: SourceInfo, n: int) -> Bool[Tensor, "layer query key"]:
    """The edges that a text of n tokens may have, estimated from the masks before anything runs.

    A cell that only some heads or texts block counts as an edge. If very many cells are painted,
    every cell counts, because reading them all would take too long for an estimate.
    """
    kind = "encoder" if any(site.kind == "encoder" for site in info.sites) else "self"
    layers = [site.layer for site in info.sites if site.kind == kind]
    causal = info.causal and kind == "self"
    if inputs.settings is not None:
        layers, causal = list(range(inputs.settings.size.layers)), inputs.settings.causal
    if len(inputs.masks.blocked) + len(inputs.masks.allowed) > MANY_PAINTED:
        return torch.ones(len(layers), n, n, dtype=torch.bool)
    masks = inputs.masks.within(n)
    masks = replace(
        masks,
        blocked=tuple(cell for cell in masks.blocked if cell.text is None and cell.head is None),
        allowed=tuple(replace(cell, text=None, head=None) for cell in masks.allowed),
    )
    real = torch.ones(1, n, dtype=torch.bool)
    found = torch.eye(n, dtype=torch.bool).repeat(len(layers), 1, 1)
    for index, layer in enumerate(layers):
        mask = site_mask(
            masks,
            layer=layer,
            kind=kind,
            n_query=n,
            n_key=n,
            n_heads=1,
            real_keys=real,
            causal=causal,
        )
        found[index] |= mask.allows()[0, 0]
    return found


class Steps(NamedTuple):
    """The numbers of steps that determine a flow's time, summed over all pairs joined by a path."""

    edges: int  # all edges of the graph, which are reset for each pair
    between: int  # edges that lie on a path between the pair


def count_steps(edges: Bool[Tensor, "layer query key"]) -> Steps:
    """Count the steps of a flow over these edges, starting with the first layer."""
    n = edges.shape[-1]
    layers = edges.double()
    below = [torch.eye(n, dtype=torch.double)]  # (node, input token): whether there is a path
    above = [torch.eye(n, dtype=torch.double)]  # (output token, node)
    for layer in layers:
        below.append((layer @ below[-1] > 0).double())
    for layer in layers.flip(0):
        above.append((above[-1] @ layer > 0).double())
    between = sum(
        above[len(layers) - 1 - index].sum(0) @ layer @ below[index].sum(1)
        for index, layer in enumerate(layers)
    )
    return Steps(int(below[-1].sum()) * int(edges.sum()), int(between))


def _of_text(
    capacities: Float[Tensor, "layer query key"], tokens: tuple[Token, ...], only: int | None
) -> Float[Tensor, "query key"]:
    graph = nx.DiGraph()
    units = (capacities.double() / _UNIT).round().long()
    for layer, query, key in units.nonzero().tolist():
        capacity = int(units[layer, query, key])
        graph.add_edge((layer + 1, query), (layer, key), capacity=capacity)
    residual = build_residual_network(graph, "capacity")
    n_layers, n, _ = capacities.shape
    real = [position for position, token in enumerate(tokens) if not token.padding]
    flows = torch.zeros(n, n)
    for step, row in enumerate(real):
        if only not in (None, row):
            continue
        if only is None:
            end_slice(step, len(real))
        below = nx.descendants(graph, (n_layers, row))
        for key in real:
            if (0, key) in below:
                found = boykov_kolmogorov(
                    graph, (n_layers, row), (0, key), residual=residual, value_only=True
                )
                flows[row, key] = found.graph["flow_value"] * _UNIT
    return flows
