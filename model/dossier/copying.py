"""What a head copies: how it moves the logit of the very token that it takes its value from.

The definition, and why a head may have none, are in `model/analysis/weights/copying.py`.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.weights.copying import Outputs, lifts_of, norms_after
from model.analysis.weights.unembedding import Unembedding
from model.analysis.words import words_of
from model.dossier.heads import heads_of, places
from model.trace.trace import Trace


@dataclass(kw_only=True, eq=False)
class Copied:
    """Sums over one text, for each head."""

    lift: Float[Tensor, " head"]  # Σ_i Σ_j A[i,j] · lift[i,j], in logits
    queries: int
    raised: Float[Tensor, " head"]  # Σ A[i,j] over the cells whose source token is lifted
    mass: Float[Tensor, " head"]  # Σ A[i,j]
    reasons: list[str]  # for each head: why it has none; "" if it has


def copied(trace: Trace, known: dict[int, Unembedding], text: int = 0) -> Copied:
    """Read what each head of a trace copies; `known` keeps the unembedding from text to text."""
    n = len(heads_of(trace.sites))
    lift, raised, mass = torch.zeros(3, n, dtype=torch.float64)
    reasons = [""] * n
    outputs = Outputs.of(trace, known.get(0))
    if outputs.unembedding is not None:
        known[0] = outputs.unembedding
    for site, found in zip(trace.sites, lifts_of(trace, outputs, text), strict=True):
        at = places(trace.sites, [site])
        if isinstance(found, str):
            for head in at.tolist():
                reasons[head] = found
            continue
        tally = found.tally()
        raised[at], mass[at] = tally.raised, tally.mass
        assert outputs.stream is not None
        scale = torch.ones(found.site.mask.n_query, dtype=torch.float64)
        for norm in norms_after(outputs.stream, found.step):
            scale = scale * norm.scale[text].double()
        for rows, sums in found.weighted(found.lift[None]):
            lift[at] += (sums[0] / scale[rows]).sum(-1)
    counted = words_of(trace.read_tokens[text]).counted(specials=False)
    return Copied(lift=lift, queries=int(counted.sum()), raised=raised, mass=mass, reasons=reasons)
