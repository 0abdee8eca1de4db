"""All heads of a model in one row, in the order of its sites."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from model.sources.source import SiteInfo
from model.trace.site import Site

AnySite = Site | SiteInfo


@dataclass(frozen=True, slots=True)
class Head:
    """The name of a head."""

    site: str
    kind: str
    layer: int
    head: int


def heads_of(sites: Iterable[AnySite]) -> tuple[Head, ...]:
    """The heads of these sites, one site after another."""
    return tuple(
        Head(site.name, site.kind, site.layer, head)
        for site in sites
        for head in range(site.n_heads)
    )


def places(every: Sequence[AnySite], some: Iterable[AnySite]) -> Int[Tensor, " head"]:
    """Where the heads of some of the sites stand among the heads of all of them."""
    names = {site.name for site in some}
    return torch.tensor([index for index, head in enumerate(heads_of(every)) if head.site in names])
