"""Direct logit attribution: what each part of a run adds to a token's logit.

The stream at a position is a sum of what the embedding, each head and each feed-forward network
wrote to it. With the scale of the last norm frozen, the logit is linear in the stream, so it is a
sum too, with one summand for each part (Elhage et al. 2021; nostalgebraist 2020). A head's summand
is a sum over the source tokens that it attends to. What a part does to later parts is not counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from model.errors import NumericsError
from model.finite import all_finite
from model.trace.predictions import Prediction, log_softmax
from model.trace.site import Site
from model.trace.stream import HeadsWrite, Part, Renorm, Stream, summands
from model.trace.trace import Trace


@dataclass(frozen=True)
class Contribution:
    """What one part adds to the logit, or to the difference of two."""

    part: Part
    value: float


@dataclass(frozen=True)
class SourceContributions:
    """What each source token adds to the logit through one head."""

    site: str
    layer: int
    head: int
    values: tuple[float, ...]  # one per key of the site


@dataclass(frozen=True)
class Attribution:
    """A logit at one position of one text, or the difference of two, as a sum.

    The contributions, `soft_cap` and `remainder` sum to `logit`. The remainder is what is not
    linear in the stream or comes from elsewhere: the bias of the head, a transform before it.
    """

    position: int
    token: Prediction
    against: Prediction | None  # if given, everything is of the difference token − against
    logit: float
    contributions: tuple[Contribution, ...]
    soft_cap: float | None  # what the cap changes, c · tanh(x / c) − x; None: there is none
    remainder: float
    sources: tuple[SourceContributions, ...]


def attribution(
    trace: Trace,
    *,
    position: int | None = None,
    token: int | None = None,
    against: int | None = None,
) -> list[Attribution]:
    """The direct logit attribution of each text.

    `position` counts in the padded sequence; None means where the model predicts: the first mask
    token, else the last real token. `token` is an id; None means the likeliest token there.

    Raises:
        UnavailableError: the model predicts nothing, or its stream was not recorded.
        InputError: there is no such position or token.
        NumericsError: a number is not finite.
    """
    stages, unembed, token_text = trace.head("analyse.attribution")
    stream = trace.stream_to_read(
        "its logits cannot be taken apart", field="analyse.attribution", at_several=True
    )
    assert stream.raw_unembed is not None  # there is a head
    found = []
    for text, at in enumerate(trace.read_positions(position, "analyse.attribution")):
        normed = stages[-1, text, at]
        logits = unembed(normed)
        log_p = log_softmax(logits, model=trace.model)
        trace.check_ids(len(logits), "analyse.attribution", token=token, against=against)
        wanted = int(logits.argmax()) if token is None else token

        def named(id: int, log_p: Tensor = log_p) -> Prediction:
            return Prediction(id, token_text(id), log_p[id].exp().item())

        def difference(
            logits: Tensor, wanted: int = wanted, against: int | None = against
        ) -> float:
            return float(logits[wanted] - (0.0 if against is None else logits[against]))

        logit = difference(logits)
        capped = not trace.classes and stream.raw_unembed != unembed
        direction = direction_of(stream.raw_unembed, normed, wanted, against)
        found.append(
            _taken_apart(
                trace,
                stream,
                direction,
                text=text,
                position=at,
                read=(at,) if trace.read_over is None else trace.read_over[text],
                logit=logit,
                soft_cap=logit - difference(stream.raw_unembed(normed)) if capped else None,
                token=named(wanted),
                against=None if against is None else named(against),
            )
        )
    return found


def _taken_apart(
    trace: Trace,
    stream: Stream,
    direction: Float[Tensor, " d_model"],
    *,
    text: int,
    position: int,
    read: Sequence[int],
    logit: float,
    soft_cap: float | None,
    token: Prediction,
    against: Prediction | None,
) -> Attribution:
    parts, vectors = summands(stream, trace.sites, text=text, positions=read)
    named = list(parts)
    if stream.final is not None:
        vectors = stream.final.push(vectors, text, torch.tensor(read))
        if stream.final.bias is not None:
            vectors = torch.cat([vectors, stream.final.bias.expand(1, len(read), -1)])
            named.append(Part("norm"))
    values = vectors.mean(dim=1) @ direction
    if not (all_finite(values) and all_finite(torch.tensor(logit))):
        raise NumericsError(
            f"A contribution to the logit of {token.text!r} is not finite; expected all finite."
        )
    return Attribution(
        position=position,
        token=token,
        against=against,
        logit=logit,
        contributions=tuple(map(Contribution, named, values.tolist())),
        soft_cap=soft_cap,
        remainder=logit - (soft_cap or 0.0) - values.sum(dtype=torch.float64).item(),
        sources=tuple(_sources(stream, trace.sites, direction, text, read)),
    )


def _sources(
    stream: Stream,
    sites: Sequence[Site],
    direction: Float[Tensor, " d_model"],
    text: int,
    read: Sequence[int],
) -> list[SourceContributions]:
    """pattern[query, key] · (v[key] · W_O · direction), the direction as it was at that layer.

    It is the mean over the queries that are read. Where an intervention set what a head gives, that
    comes from no source token.
    """
    found: list[SourceContributions] = []
    queries, rows = torch.tensor(read), slice(read[0], read[-1] + 1)
    along_each = direction.expand(len(read), -1)
    if stream.final is not None:
        along_each = stream.final.pull_at(along_each, text, queries)
    for step in reversed(stream.steps):
        if isinstance(step, Renorm):
            along_each = step.norm.pull_at(along_each, text, queries)
        elif isinstance(step, HeadsWrite):
            site = sites[step.site]
            norm = step.norm
            here = along_each if norm is None else norm.pull_at(along_each, text, queries)
            assert site.w_o is not None
            derived = site.derive(["pattern", "v"], text=text, rows=rows)
            back = torch.einsum("hdm,qm->hqd", site.w_o, here)
            along = torch.einsum("hkd,hqd->hqk", derived["v"][0], back)
            along[list(site.muted)] = 0.0
            if site.z_factor is not None:
                along = along * site.z_factor[text, :, queries]
            pattern = derived["pattern"][0, :, queries - read[0]]
            values = (pattern * along).mean(dim=1).tolist()
            found += [
                SourceContributions(site.name, site.layer, head, tuple(of_head))
                for head, of_head in reversed(list(enumerate(values)))
            ]
    return found[::-1]


def direction_of(
    unembed: Callable[[Tensor], Tensor],
    normed: Float[Tensor, " d_model"],
    token: int,
    against: int | None,
) -> Float[Tensor, " d_model"]:
    """The gradient of the logit before any soft cap; for a linear head, a row of W_U."""
    with torch.inference_mode(False), torch.enable_grad():
        x = normed.clone().requires_grad_()
        logits = unembed(x)
        of = logits[token] - (0.0 if against is None else logits[against])
        (gradient,) = torch.autograd.grad(of, x)
    return gradient
