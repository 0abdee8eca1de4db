"""What muting a head does to the next token that a text really has."""

from itertools import pairwise
from random import Random
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.dossier.heads import heads_of
from model.errors import UnavailableError
from model.sources.source import Inputs, Source
from model.trace.trace import Trace

NO_NEXT = "the model predicts no next token"
TOO_SHORT = "the texts have no token that follows another"


class Muted(NamedTuple):
    """The mean change of ln p(next token) over the sampled positions, in nats, for each head."""

    change: Float[Tensor, " head"]
    known: Bool[Tensor, " head"]
    reason: str


def mute(
    source: Source, inputs: Inputs, trace: Trace, *, number: int, seed: int, positions: int
) -> Muted:
    """Mute each head alone, and read ln p of the actual next token at a few positions.

    The positions are drawn without replacement from those that an ordinary token follows; the draw
    depends on the seed and the text's place alone.
    """
    heads = heads_of(source.info.sites)
    nothing = torch.zeros(len(heads), dtype=torch.float64)
    never = torch.zeros(len(heads), dtype=torch.bool)
    if source.info.predicts != "next" or trace.unembed is None:
        return Muted(nothing, never, NO_NEXT)
    row = trace.read_tokens[0]
    places = [
        index
        for index, (token, following) in enumerate(pairwise(row))
        if not (token.padding or following.special or following.padding)
    ]
    chosen = Random(f"{seed} {number}").sample(places, min(positions, len(places)))
    if not chosen:
        return Muted(nothing, never, TOO_SHORT)
    change, known = nothing.clone(), torch.ones(len(heads), dtype=torch.bool)
    order = {(head.kind, head.layer, head.head): index for index, head in enumerate(heads)}
    for place in sorted(chosen):
        try:
            [found] = source.mute_effects(inputs, position=place, token=row[place + 1].id)
        except UnavailableError as error:
            return Muted(nothing, never, error.message)
        for effect in found.effects:
            at = order[effect.kind, effect.layer, effect.head]
            if effect.change is None:
                known[at] = False
            else:
                change[at] += effect.change / len(chosen)
    return Muted(change, known, "" if bool(known.all()) else "it is muted already")
