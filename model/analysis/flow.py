"""Attention flow: how much could pass from each input token to each token of the last layer."""

import networkx as nx  # type: ignore[import-untyped]
import torch
from jaxtyping import Float
from networkx.algorithms.flow import (  # type: ignore[import-untyped]
    boykov_kolmogorov,
    build_residual_network,
)
from torch import Tensor

from model.analysis.rollout import mean_pattern, single_stack
from model.slices import end_slice
from model.tokenizer import Token
from model.trace import Trace

MAX_TOKENS = 24  # of a text, padding included: the work grows with the fourth power
# Capacities are whole numbers of this, since with floats the algorithm need not end. So a flow is
# off by at most half of it for each edge of a cut: 24 tokens and 12 layers stay within 2e-6.
_UNIT = 2.0**-30


def flow(trace: Trace) -> Float[Tensor, "batch query key"]:
    """The maximum flow from each last token to each first one (Abnar & Zuidema 2020, section 4).

    Each token of each layer is a node. From query i of a layer an edge leads to key j below it,
    with the capacity Â[i,j] of the rollout: half attention, half residual stream. Between real
    tokens only: rows and columns of padding are 0.

    Raises:
        UnavailableError: the trace has no single stack of self-attention.
        NumericsError: a number that is not finite.
    """
    sites = single_stack(trace, "analyse.flow")
    n = sites[0].mask.n_query
    layers = []
    for site in sites:
        mean = mean_pattern(site)
        layers.append((mean + torch.eye(n)) / (mean.sum(dim=-1, keepdim=True) + 1))
    capacities = torch.stack(layers, dim=1)
    return torch.stack([_of_text(*pair) for pair in zip(capacities, trace.tokens, strict=True)])


def _of_text(
    capacities: Float[Tensor, "layer query key"], tokens: tuple[Token, ...]
) -> Float[Tensor, "query key"]:
    graph = nx.DiGraph()
    units = (capacities.double() / _UNIT).round().long()
    for layer, query, key in units.nonzero().tolist():
        capacity = int(units[layer, query, key])
        graph.add_edge((layer + 1, query), (layer, key), capacity=capacity)
    residual = build_residual_network(graph, "capacity")
    n_layers, n, _ = capacities.shape
    real = [place for place, token in enumerate(tokens) if not token.padding]
    flows = torch.zeros(n, n)
    for step, query in enumerate(real):
        end_slice(step, len(real))
        below = nx.descendants(graph, (n_layers, query))
        for key in real:
            if (0, key) in below:
                found = boykov_kolmogorov(
                    graph, (n_layers, query), (0, key), residual=residual, value_only=True
                )
                flows[query, key] = found.graph["flow_value"] * _UNIT
    return flows
