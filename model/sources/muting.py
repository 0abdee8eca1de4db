"""What muting each head alone does to a prediction, or to the vector of a text where there is none.

Another pass, with a row per muted head.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.errors import NumericsError
from model.finite import all_finite
from model.kinds import SiteKind
from model.slices import end_slice
from model.sources.intervening import muting
from model.sources.runner import Runner
from model.sources.source import SiteInfo
from model.trace.predictions import MuteEffect, MuteEffects, Prediction, log_softmax
from model.trace.trace import Trace

PASS_TOKENS = 2_048  # in all rows of one pass; this bounds its memory and the time of a slice

MIN_ROWS = 32  # of a pass that begins at a later layer than others: a pass costs a run itself

MUTED = "this head is muted already"


class Watched(NamedTuple):
    """The token of each text whose probability is watched, before any further head is muted."""

    positions: list[int]  # where it is predicted
    tokens: list[Prediction]
    log_p: list[float]


def watched(trace: Trace, *, position: int | None, token: int | None, field: str) -> Watched:
    """
    Raises:
        UnavailableError: the model has no language-model head.
        InputError: no such position or token.
        NumericsError: a logit is not finite.
    """
    positions = list(trace.read_positions(position, field))
    stages, unembed, token_text = trace.head(field)
    resid = stages[-1, torch.arange(len(positions)), positions]
    log_p = log_softmax(unembed(resid), model=trace.model)
    trace.check_ids(log_p.shape[-1], field, token=token)
    ids = log_p.argmax(-1).tolist() if token is None else [token] * len(positions)
    before = [log_p[text, id].item() for text, id in enumerate(ids)]
    tokens = [
        Prediction(id, token_text(id), math.exp(ln)) for id, ln in zip(ids, before, strict=True)
    ]
    return Watched(positions, tokens, before)


def mute_effects(
    trace: Trace,
    sites: Sequence[SiteInfo],
    muted: Bool[Tensor, "1 site head"],
    runner: Runner,
    *,
    position: int | None,
    token: int | None,
) -> list[MuteEffects]:
    """How ln p(token) changes when each head is muted in addition to those of `muted`.

    The `trace` is the run that the changes are measured against, with only `muted` heads muted.

    Raises:
        As `watched` does.
    """
    before = watched(trace, position=position, token=token, field="analyse.mute_effects")
    heads = [(site, head) for site in range(len(sites)) for head in range(sites[site].n_heads)]
    found = []
    for text, read_at in enumerate(before.positions):
        changes = changes_of(
            heads, trace, sites, muted, runner, before, text, texts=len(before.positions)
        )
        effects = tuple(
            MuteEffect(sites[site].kind, sites[site].layer, head, None, MUTED)
            if muted[0, site, head]
            else MuteEffect(sites[site].kind, sites[site].layer, head, change, None)
            for (site, head), change in zip(heads, changes, strict=True)
        )
        found.append(MuteEffects(position=read_at, token=before.tokens[text], effects=effects))
    return found


def changes_of(
    heads: Sequence[tuple[int, int]],
    trace: Trace,
    sites: Sequence[SiteInfo],
    muted: Bool[Tensor, "1 site head"],
    runner: Runner,
    before: Watched,
    text: int,
    *,
    texts: int,
) -> list[float]:
    """How ln p(token) of one text changes with each of these heads muted, given as (site, head).

    Raises:
        NumericsError: a logit is not finite.
    """
    _, unembed, _ = trace.head("analyse.mute_effects")
    found = dict[int, float]()
    for places, resid in _without_each(heads, trace, sites, muted, runner, text, texts):
        log_p = log_softmax(unembed(resid[:, before.positions[text]]), model=trace.model)
        changes = log_p[:, before.tokens[text].id] - before.log_p[text]
        found |= zip(places, changes.tolist(), strict=True)
    return [found[place] for place in range(len(heads))]


def _without_each(
    heads: Sequence[tuple[int, int]],
    trace: Trace,
    sites: Sequence[SiteInfo],
    muted: Bool[Tensor, "1 site head"],
    runner: Runner,
    text: int,
    texts: int,
) -> Iterator[tuple[list[int], Float[Tensor, "row pos d_model"]]]:
    """Run one text with each of these heads muted: the places of a pass in them, and its stream."""
    n = len(trace.tokens[0]) + (len(trace.target_tokens[0]) if trace.target_tokens else 0)
    passes = in_passes([sites[site].layer for site, _ in heads], n, grows=runner.grows)
    for number, places in enumerate(passes):
        end_slice(text * len(passes) + number, texts * len(passes))
        rows = muted.repeat(len(places), 1, 1)
        for row, place in enumerate(places):
            rows[row, *heads[place]] = True
        first = sites[heads[places[0]][0]].layer
        edit = muting(sites, rows)
        yield places, runner.from_layer(first, edit, text=text, rows=len(places))


def in_passes(layers: Sequence[int], n: int, *, grows: bool) -> list[list[int]]:
    """Which rows of `n` tokens run together, by the layer from which on each differs.

    Where rows can run as one up to a layer, those of later layers have passes of their own.
    """
    most = max(1, PASS_TOKENS // n)
    passes: list[list[int]] = []
    for place in sorted(range(len(layers)), key=layers.__getitem__):
        last = passes[-1] if passes else []
        is_full = len(last) == most
        if (
            not last
            or is_full
            or (grows and len(last) >= MIN_ROWS and layers[place] != layers[last[-1]])
        ):
            passes.append([place])
        else:
            last.append(place)
    return passes


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
    """How far muting each head turns the vector of each text, by layer.

    The vector is the mean of the last layer's output over the text's real tokens, as sentence
    encoders take it by default (Reimers & Gurevych 2019, section 3: mean pooling). How far it turns
    is told by the cosine with the vector of the run without the mute: 1 is no turn at all.
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
        for places, resid in _without_each(free, trace, sites, muted, runner, text, texts):
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
