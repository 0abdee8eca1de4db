"""Directions of the stream that belong to a token: as vectors, to be added or compared.

- its embedding, without a position;
- its row of the unembedding, which raises its logit where the stream ends;
- what a head writes of it, where the head looks at it alone: the OV circuit (Elhage et al. 2021) of
  its embedding, as the head's norm sees it;
- what raises its logit after a layer by a tuned lens (Belrose et al. 2023), but for the scale of
  the last norm: the unembedding, pulled back through the lens and the gain of that norm.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.attribution import direction_of
from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.kinds import SiteKind
from model.lens.tuned import TunedLens
from model.trace.stream import Stream
from model.trace.trace import Trace

FIELD = "analyse.directions"

Of = Literal["embedding", "unembedding", "ov", "lens"]


@dataclass(frozen=True)
class AskedDirection:
    """Which direction, of which token."""

    of: Of
    token: int
    layer: int | None = None  # of the head, or after which a lens reads
    head: int | None = None
    kind: SiteKind | None = None


def directions(
    trace: Trace, each: Sequence[AskedDirection], lens: Callable[[], TunedLens]
) -> list[Float[Tensor, " d_model"]]:
    """The vector of each direction. `trace` may be of any text.

    Raises:
        InputError: there is no such token, layer or head.
        UnavailableError: the model has no such direction; or its lens is not fitted yet.
        NumericsError: a number is not finite.
    """
    stream = trace.stream_to_read("its directions are not known", field=FIELD)
    found = [_direction(trace, stream, asked, lens) for asked in each]
    if not all(map(all_finite, found)):
        raise NumericsError("A direction is not finite; expected all finite.")
    return found


def _direction(
    trace: Trace, stream: Stream, asked: AskedDirection, lens: Callable[[], TunedLens]
) -> Float[Tensor, " d_model"]:
    match asked.of:
        case "embedding":
            return _embedding(trace, stream, asked.token)
        case "unembedding":
            return _unembedding(trace, stream, asked.token)
        case "ov":
            return _written(trace, stream, asked)
        case "lens":
            return _through_lens(trace, stream, asked, lens)


def _embedding(trace: Trace, stream: Stream, token: int) -> Float[Tensor, " d_model"]:
    if stream.embed is None:
        raise UnavailableError(
            f"The embeddings of {trace.model} are not known as a matrix.", field=FIELD
        )
    try:
        return stream.embed(torch.tensor([token]))[0].float()
    except IndexError:
        raise InputError(f"{trace.model} has no token {token}.", field=f"{FIELD}.token") from None


def _unembedding(trace: Trace, stream: Stream, token: int) -> Float[Tensor, " d_model"]:
    stages, unembed, _ = trace.head(FIELD)
    trace.check_ids(unembed(stages[-1, 0, 0]).shape[-1], FIELD, token=token)
    if stream.unembedding_rows is not None:
        return stream.unembedding_rows(torch.tensor([token]))[0].float()
    assert stream.raw_unembed is not None  # there is a head
    return direction_of(stream.raw_unembed, torch.zeros_like(stages[-1, 0, 0]), token, None)


def _written(trace: Trace, stream: Stream, asked: AskedDirection) -> Float[Tensor, " d_model"]:
    if asked.layer is None or asked.head is None:
        raise InputError("`ov` needs a `layer` and a `head`.", field=FIELD)
    site = trace.site_of(asked.layer, asked.kind, FIELD)
    if asked.head >= site.n_heads:
        raise InputError(
            f"{site.name} has heads 0 to {site.n_heads - 1}; got {asked.head}.",
            field=f"{FIELD}.head",
        )
    try:
        read = stream.read_of(trace.sites.index(site))
    except StopIteration:
        read = None
    if read is None or read.reads == "q" or site.w_o is None:
        raise UnavailableError(
            f"The values of {site.name} are not made of the stream, or its W_O is not known.",
            field=FIELD,
        )
    x = _embedding(trace, stream, asked.token)
    x = x if read.norm is None else read.norm.fresh(x)
    values = read.project(x[None, None], 0)[2]
    found: Tensor = values[0, asked.head, 0] @ site.w_o[asked.head]
    return found


def _through_lens(
    trace: Trace, stream: Stream, asked: AskedDirection, lens: Callable[[], TunedLens]
) -> Float[Tensor, " d_model"]:
    if asked.layer is None:
        raise InputError("`lens` needs a `layer`, after which it reads.", field=FIELD)
    trace.pick_sites([asked.layer], field=FIELD)
    fitted, row = lens(), _unembedding(trace, stream, asked.token)
    stage = asked.layer + 1  # the first stage is the embedding
    if stage < len(fitted.maps):
        row = row + fitted.maps[stage].to(row) @ row
    return row if stream.final is None else stream.final.unfolded(row)
