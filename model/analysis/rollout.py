"""Attention rollout: how much each input token contributes to each token of a layer."""

import torch
from jaxtyping import Float
from torch import Tensor

from model.errors import UnavailableError
from model.masks.mask import stripes_of
from model.slices import end_slice
from model.trace.site import Site
from model.trace.trace import Trace


def rollout(trace: Trace) -> Float[Tensor, "batch query key"]:
    """The share of each input token in each output token, by attention and residual stream alone.

    Â = ½ mean_h A + ½ I in each layer, and Â_L · … · Â_2 · Â_1 over the layers (Abnar & Zuidema
    2020, Quantifying Attention Flow in Transformers). The mean is over the heads; a muted head
    moves nothing and counts as 0. If a row of the mean sums to less than 1 (blocked rows, muted
    heads, sinks), mean_h A + I is divided by its sum, as in the authors' code. So every row of
    every Â, and of the result, sums to 1, and a row that is blocked in every head only keeps
    itself. Padding rows are computed like any other.

    Raises:
        UnavailableError: the trace has no single stack of self-attention, or encoder.
        NumericsError: a number is not finite.
    """
    sites = single_stack(trace, "analyse.rollout")
    batch, n = len(trace.tokens), sites[0].mask.n_query
    mixed = torch.eye(n).expand(batch, n, n)
    for site in sites:
        mixed = torch.cat([_mix(site, rows, mixed) for rows in stripes_of(n)], dim=1)
    return mixed


def _mix(
    site: Site, rows: slice, before: Float[Tensor, "batch key first"]
) -> Float[Tensor, "batch row first"]:
    """Some rows of Â · before, where `before` is the product of the layers below."""
    end_slice()
    mean = mean_pattern(site, rows)
    return (mean @ before + before[:, rows]) / (mean.sum(dim=-1, keepdim=True) + 1)


def mean_pattern(site: Site, rows: slice = slice(None)) -> Float[Tensor, "batch row key"]:
    """The mean over the heads; a muted head moves nothing and counts as 0."""
    pattern = site.derive(["pattern"], rows=rows)["pattern"].float()
    if site.muted:
        pattern = pattern.index_fill(1, torch.tensor(site.muted), 0.0)
    return pattern.mean(dim=1)


def single_stack(trace: Trace, field: str) -> list[Site]:
    """The sites of the only stack of self-attention, or of the encoder, by layer.

    Raises:
        UnavailableError: there is no such stack.
    """
    encoder = [site for site in trace.sites if site.kind == "encoder"]
    sites = encoder or [site for site in trace.sites if site.kind == "self"]
    if not sites or (not encoder and len(sites) < len(trace.sites)):
        raise UnavailableError(
            f"{trace.model} has no single stack of self-attention to roll out; "
            f"it has {', '.join(site.name for site in trace.sites) or 'no sites'}.",
            field=field,
        )
    return sorted(sites, key=lambda site: site.layer)
