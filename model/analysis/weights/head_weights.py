"""The matrices of the heads as they act on the stream, with the gains of the norms folded in.

They are read off `Read.project`, which is affine, so one function serves every family. Rotary
positions turn nothing at position 0: W_Q and W_K are those of a query and a key at one position.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from model.errors import UnavailableError
from model.sources.source import Inputs, Source
from model.trace.site import Site
from model.trace.stream import HeadsWrite, Read, Renorm, Stream
from model.trace.trace import Trace


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadWeights:
    """How the heads of a site read the normed stream, and what they write.

    The biases are what q, k and v are where the norm gives nothing but its own bias.
    """

    site: Site
    read: Read
    w_q: Float[Tensor, "head d_model d_head"]
    w_k: Float[Tensor, "head d_model d_head"] | None  # None: keys come from another stream
    w_v: Float[Tensor, "head d_model d_head_v"] | None
    b_q: Float[Tensor, "head d_head"]
    b_k: Float[Tensor, "head d_head"] | None
    b_v: Float[Tensor, "head d_head_v"] | None
    w_o: Float[Tensor, "head d_head_v d_model"]  # with the gain of a norm after it (Gemma 2)


def stream_read(trace: Trace, field: str) -> Stream:
    """The stream of the stack that predicts.

    Raises:
        UnavailableError: it was not recorded; the error's field is `field`.
    """
    so = "what its heads read from each other cannot be told"
    return trace.stream(trace.read_axis, so, field=field)


def smallest_trace(source: Source) -> Trace:
    """A run over one ordinary token, to read what does not depend on a text.

    Raises:
        UnavailableError: the source has no ordinary tokens.
    """
    if not source.ordinary_ids:
        raise UnavailableError(
            f"{source.info.name} has no vocabulary, so its heads cannot be read over one. Look at "
            "a text instead: POST /api/trace.",
            field="model",
        )
    ids = ((source.ordinary_ids[0],),)
    return source.trace(Inputs(texts=(), ids=ids, stream=True))


def head_weights(read: Read, stream: Stream, sites: Sequence[Site]) -> HeadWeights:
    """The matrices of the heads of a site.

    Raises:
        UnavailableError: its W_O is not known, or it does not read the stream linearly.
    """
    site = sites[read.site]
    if read.lacks:
        raise UnavailableError(f"The heads of {site.name} have no QK circuit: {read.lacks}.")
    if site.w_o is None:
        raise UnavailableError(f"{site.name} has no known W_O, so its heads have no OV circuit.")
    d_model = site.w_o.shape[-1]
    unit = torch.eye(d_model)
    if read.norm is not None:
        unit = read.norm.folded(unit)
    nothing = torch.zeros(1, 1, d_model)
    still = nothing
    if read.norm is not None and read.norm.bias is not None:
        still = read.norm.bias[None, None]
    biases = [each[0, :, 0] for each in read.project(still, 0)]
    linear = [
        (each - zero)[:, :, 0].transpose(0, 1)
        for each, zero in zip(read.project(unit[:, None], 0), read.project(nothing, 0), strict=True)
    ]
    (w_q, w_k, w_v), (b_q, b_k, b_v) = _three(read, linear), _three(read, biases)
    assert w_q is not None and b_q is not None
    write = next(
        step for step in stream.steps if isinstance(step, HeadsWrite) and step.site == read.site
    )
    w_o = site.w_o if write.norm is None else write.norm.folded(site.w_o)
    return HeadWeights(
        site=site, read=read, w_q=w_q, w_k=w_k, w_v=w_v, b_q=b_q, b_k=b_k, b_v=b_v, w_o=w_o
    )


def _three(read: Read, found: Sequence[Tensor]) -> tuple[Tensor, Tensor | None, Tensor | None]:
    return (found[0], None, None) if read.reads == "q" else (found[0], found[1], found[2])


def arrived(
    rows: Float[Tensor, "*row d_model"], stream: Stream, written: int, read: Read | None
) -> Float[Tensor, "*row d_model"]:
    """Vectors written by the heads of a site, as a later site's norm sees them: up to a scale.

    None stands for the end of the stream, before its last norm.
    """
    place = next(
        n
        for n, step in enumerate(stream.steps)
        if isinstance(step, HeadsWrite) and step.site == written
    )
    for step in stream.steps[place + 1 :]:
        if step is read:
            break
        if isinstance(step, Renorm):
            rows = step.norm.folded(rows)
    return rows if read is None or read.norm is None else read.norm.centred(rows)


def reads_after(stream: Stream, written: int) -> list[Read]:
    """The reads that come after the heads of a site have written."""
    found: list[Read] = []
    seen = False
    for step in stream.steps:
        seen = seen or (isinstance(step, HeadsWrite) and step.site == written)
        if seen and isinstance(step, Read):
            found.append(step)
    return found


def writes_of(stream: Stream) -> list[int]:
    """The sites whose heads write to the stream, in order."""
    return [step.site for step in stream.steps if isinstance(step, HeadsWrite)]
