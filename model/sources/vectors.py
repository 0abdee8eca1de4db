"""What muting each head does to the vector of a text, where a model predicts nothing.

The vector is the mean of the last layer's output over the text's real tokens, as sentence encoders
take it by default (Reimers & Gurevych 2019, section 3: mean pooling). How far it turns is told by
the cosine with the vector of the run without the mute: 1 is no turn at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.errors import NumericsError
from model.finite import all_finite
from model.kinds import SiteKind
from model.slices import end_slice
from model.sources.intervening import muting
from model.sources.muting import MUTED, in_passes
from model.sources.runner import Runner
from model.sources.source import SiteInfo
from model.trace.trace import Trace


@dataclass(frozen=True)
class VectorEffect:
    """The cosine of a text's vector without one head and with it."""

    kind: SiteKind
    layer: int
    head: int
    cosine: float | None
    reason: str | None  # why there is no number


def vector_effects(
    trace: Trace,
    sites: Sequence[SiteInfo],
    muted: Bool[Tensor, "1 site head"],
    runner: Runner,
) -> list[tuple[VectorEffect, ...]]:
    """The effects of each text, of every head by layer.

    The `trace` is the run that the vectors are compared with, with only `muted` heads muted.

    Raises:
        NumericsError: a vector is not finite, or has no direction.
    """
    heads = [(site, head) for site in range(len(sites)) for head in range(sites[site].n_heads)]
    free = [place for place in heads if not muted[0, place[0], place[1]]]
    texts = len(trace.read_tokens)
    found = []
    for text, row in enumerate(trace.read_tokens):
        real = torch.tensor([not token.padding for token in row])
        before = _vectors(runner(text=text), real, trace.model)[0]
        cosines = dict[tuple[int, int], float]()
        passes = in_passes([sites[site].layer for site, _ in free], len(row), grows=runner.grows)
        for number, places in enumerate(passes):
            end_slice(text * len(passes) + number, texts * len(passes))
            rows = muted.repeat(len(places), 1, 1)
            for at, place in enumerate(places):
                rows[at, *free[place]] = True
            first = sites[free[places[0]][0]].layer
            resid = runner.from_layer(first, muting(sites, rows), text=text, rows=len(places))
            turned = _vectors(resid, real, trace.model) @ before
            cosines |= zip((free[place] for place in places), turned.tolist(), strict=True)
        found.append(
            tuple(
                VectorEffect(
                    sites[site].kind,
                    sites[site].layer,
                    head,
                    cosines.get((site, head)),
                    None if (site, head) in cosines else MUTED,
                )
                for site, head in heads
            )
        )
    return found


def _vectors(
    resid: Float[Tensor, "row pos d_model"], real: Bool[Tensor, " pos"], model: str
) -> Float[Tensor, "row d_model"]:
    """The vector of each row, of length 1, in double precision."""
    mean = resid[:, real].double().mean(dim=1)
    length = mean.norm(dim=-1, keepdim=True)
    if not all_finite(mean) or not bool((length > 0).all()):
        raise NumericsError(f"The vector of a text in {model} is not finite, or it is 0.")
    found: Tensor = mean / length
    return found
