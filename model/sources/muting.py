"""What muting each head alone does to a prediction: another pass, with a row per muted head."""

import math
from collections.abc import Sequence

import torch
from jaxtyping import Bool
from torch import Tensor

from model.errors import InputError
from model.slices import end_slice
from model.sources.intervening import muting
from model.sources.runner import Runner
from model.sources.source import SiteInfo
from model.trace.predictions import MuteEffect, MuteEffects, Prediction, log_softmax
from model.trace.trace import Trace

PASS_TOKENS = 2_048  # in all rows of one pass; this bounds its memory and the time of a slice

MUTED = "this head is muted already"


def mute_effects(
    trace: Trace,
    sites: Sequence[SiteInfo],
    muted: Bool[Tensor, "1 site head"],
    runner: Runner,
    *,
    position: int | None,
    token: int | None,
    vocab_size: int,
) -> list[MuteEffects]:
    """How ln p(token) changes when each head is muted in addition to those of `muted`.

    The `trace` is the run that the changes are measured against, with only `muted` heads muted.

    Raises:
        UnavailableError: the model has no language-model head.
        InputError: no such position or token.
        NumericsError: a logit is not finite.
    """
    positions = trace.read_positions(position, "analyse.mute_effects")
    if token is not None and not 0 <= token < vocab_size:
        raise InputError(
            f"{trace.model} has token ids 0 to {vocab_size - 1}; got {token}.",
            field="analyse.mute_effects.token",
        )
    stages, unembed, token_text = trace.head("analyse.mute_effects")
    resid = stages[-1, torch.arange(len(positions)), positions]
    log_p = log_softmax(unembed(resid), model=trace.model)
    tokens = log_p.argmax(-1) if token is None else torch.full((len(positions),), token)
    before = log_p[torch.arange(len(positions)), tokens]
    heads = [(site, head) for site in range(len(sites)) for head in range(sites[site].n_heads)]
    one_more = torch.zeros(len(heads), *muted.shape[1:], dtype=torch.bool)  # a row per head
    for row, (site, head) in enumerate(heads):
        one_more[row, site, head] = True
    n = len(trace.tokens[0]) + (len(trace.target_tokens[0]) if trace.target_tokens else 0)
    chunks = torch.split(one_more | muted, max(1, PASS_TOKENS // n))
    found = []
    for text, read_at in enumerate(positions):
        after = []
        for number, chunk in enumerate(chunks):
            end_slice(text * len(chunks) + number, len(positions) * len(chunks))
            resid = runner(muting(sites, chunk), text=text, rows=len(chunk))[:, read_at]
            log_p = log_softmax(unembed(resid), model=trace.model)
            after.append(log_p[:, tokens[text]])
        changes = (torch.cat(after) - before[text]).tolist()
        effects = tuple(
            MuteEffect(sites[site].kind, sites[site].layer, head, None, MUTED)
            if muted[0, site, head]
            else MuteEffect(sites[site].kind, sites[site].layer, head, change, None)
            for (site, head), change in zip(heads, changes, strict=True)
        )
        id = int(tokens[text])
        prediction = Prediction(id, token_text(id), math.exp(before[text].item()))
        found.append(MuteEffects(position=read_at, token=prediction, effects=effects))
    return found
