"""A trial run when a checkpoint is loaded: a model that is called ready can be visited."""

from contextlib import suppress
from dataclasses import replace

import torch

from model.errors import HeadlightError
from model.sources.intervening import muting
from model.sources.source import Inputs, Source

TOLERANCE = 1e-3  # relative to the largest value, in float32


def try_out(source: Source, words: list[str], *, stream: bool) -> None:
    """Ask for what a first visit asks for, of two texts of several lengths.

    Refusals are no trouble: they are said to whoever asks, in the words of what they ask.
    """
    texts = " ".join(words), words[0]
    targets = texts[::-1] if source.info.takes_targets else None
    with suppress(HeadlightError):
        trace = source.trace(Inputs(texts, targets=targets, stream=stream))
        for site in trace.sites:
            site.derive(["pattern"])
        if source.info.predicts is not None:
            trace.predict(top_k=1)
            trace.lens(top_k=1)


@torch.no_grad()
def grows(source: Source, text: str) -> bool:
    """Whether rows that differ from a layer on may run as one up to there, and give the same."""
    info = source.info
    if info.lacks or info.takes_targets or "resid_pre" not in info.edited_at:
        return False
    site = len(info.sites) // 2
    rows = torch.zeros(2, len(info.sites), info.n_heads, dtype=torch.bool)
    rows[1, site, 0] = True  # a head is muted in the second row alone
    edit, layer = muting(info.sites, rows), info.sites[site].layer
    try:
        runner = source.runner(Inputs((text,)))
        whole = runner(edit, rows=2)
        grown = replace(runner, grows=True).from_layer(layer, edit, text=0, rows=2)
    except Exception:  # a family may raise anything
        return False
    near = TOLERANCE if whole.dtype == torch.float32 else 10 * TOLERANCE
    return whole.shape == grown.shape and bool(
        ((whole - grown).abs().max() <= near * whole.abs().max()).item()
    )
