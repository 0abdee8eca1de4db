"""The tensors of the residual stream of a run: one row each, derived from its `Stream`.

Like the tensors of a site (`model/trace/tensors.py`), they are derived when somebody asks for
them. The names are those of the field: `resid_pre`, `resid_mid` and `resid_post` are the stream
before, within and after a layer.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.masks.mask import stripes_of
from model.trace.recorded import TokenAxis
from model.trace.site import Site
from model.trace.stream import HeadsWrite, Read, Renorm, Step, Stream, Write, layer_of
from model.trace.trace import Trace

StreamName = str  # one of STREAM_TENSORS
Axis = Literal["d_model", "vocab_size"]
FINAL = "final"  # where tensors lie that belong to no layer


@dataclass(frozen=True, kw_only=True)
class StreamRow:
    """One tensor. All have the axes batch and position before `axes`."""

    axes: tuple[Axis, ...] = ("d_model",)
    final: bool = False  # of a whole stack, not of each layer
    about: str


STREAM_TENSORS: Mapping[StreamName, StreamRow] = {
    "resid_pre": StreamRow(about="the stream before a layer"),
    "resid_mid": StreamRow(
        about="the stream after a layer's attention, in a decoder after its self-attention; none "
        "where the feed-forward network runs beside attention"
    ),
    "resid_mid_cross": StreamRow(about="the stream after cross-attention; only in decoders"),
    "resid_post": StreamRow(about="the stream after a layer"),
    "mlp_out": StreamRow(about="what the feed-forward network adds to the stream"),
    "attn_scale": StreamRow(
        axes=(), about="what the norm of a layer's attention divides by: √(variance + ε)"
    ),
    "mlp_scale": StreamRow(axes=(), about="the same for the norm of the feed-forward network"),
    "final_scale": StreamRow(axes=(), final=True, about="the same for the last norm of a stack"),
    "logits": StreamRow(
        axes=("vocab_size",), final=True, about="what the softmax over the vocabulary is taken of"
    ),
}


def stream_tensors(
    trace: Trace,
    names: Collection[StreamName],
    *,
    layers: Sequence[int] | None = None,
    positions: slice = slice(None),
) -> dict[str, Float[Tensor, "..."]]:
    """The named tensors, for example `layers.2.resid_mid` (batch position d_model).

    In an encoder–decoder the names begin with `encoder.` or `decoder.`. What a model does not have
    is left out: `mlp_scale` where the feed-forward network reads the stream without a norm,
    `logits` where nothing is predicted.

    Raises:
        UnavailableError: the stream was not recorded, or the model has none of a tensor.
        InputError: there is no such layer or position.
        NumericsError: a number is not finite.
    """
    trace.stream("tokens", "it cannot be sent", field="analyse.stream")
    trace.pick_sites(layers, field="analyse.stream")
    found: dict[str, Tensor] = {}
    for axis, stream in trace.streams.items():
        for place, name, tensor in _stack(trace, axis, stream, names, layers):
            found[f"{place}.{name}"] = _cut(tensor, positions, trace)
    for name in names:
        if not any(key.endswith(f".{name}") for key in found):
            raise UnavailableError(
                f"{trace.model} has no {name} ({STREAM_TENSORS[name].about}).",
                field="analyse.stream.tensors",
            )
    return found


def _stack(
    trace: Trace,
    axis: TokenAxis,
    stream: Stream,
    names: Collection[StreamName],
    layers: Sequence[int] | None,
) -> Iterator[tuple[str, StreamName, Tensor]]:
    prefix = "" if trace.target_tokens is None else _STACKS[axis]
    for layer, name, tensor in _layers(stream, trace.sites):
        if name in names and (layers is None or layer in layers):
            yield f"{prefix}layers.{layer}", name, tensor
    if "final_scale" in names and stream.final is not None:
        yield f"{prefix}{FINAL}", "final_scale", stream.final.scale
    predicts = axis == trace.read_axis
    predicts = predicts and trace.predicts != "class"  # whose logits are of one position
    if "logits" in names and predicts and trace.stages is not None and trace.unembed is not None:
        yield f"{prefix}{FINAL}", "logits", trace.unembed(trace.stages[-1])


_STACKS: Mapping[TokenAxis, str] = {"tokens": "encoder.", "target_tokens": "decoder."}


def _layers(stream: Stream, sites: Sequence[Site]) -> Iterator[tuple[int, StreamName, Tensor]]:
    """Walk through the steps with the whole stream, and give what each layer passes by."""
    with_heads = {step.layer for step in stream.steps if isinstance(step, HeadsWrite)}
    x: Tensor | None = None  # batch pos d_model
    layer: int | None = None
    between: StreamName = "resid_mid"  # the name of the stream after the attention just passed
    entered = True  # whether the stream before this layer was given
    attended = False  # whether the heads of this layer have written
    for step in stream.steps:
        here = layer_of(step, sites)
        if x is not None and here is not None and here != layer:
            if layer is not None:
                yield layer, "resid_post", x
            layer, between, entered, attended = here, "resid_mid", False, False
        if x is not None and layer is not None and not entered and not _is_edit(step):
            entered = True
            yield layer, "resid_pre", x
        match step:
            case Read(norm=norm):
                if sites[step.site].kind == "cross" and x is not None and layer is not None:
                    yield layer, "resid_mid", x
                    between = "resid_mid_cross"
                elif norm is not None and layer is not None:
                    yield layer, "attn_scale", norm.scale
            case Renorm(norm=norm):
                assert x is not None
                x = norm.normed(x)
            case HeadsWrite():
                assert x is not None
                x = x + _heads_write(step, sites[step.site])
                attended = True
            case Write() if layer is not None and step.part.kind == "mlp":
                assert x is not None
                if attended or layer not in with_heads:  # else both run beside each other
                    yield layer, between, x
                yield layer, "mlp_out", step.out
                if step.reads is not None:
                    yield layer, "mlp_scale", step.reads.scale
                x = x + step.out
            case Write():
                x = step.out if x is None else x + step.out
    if x is not None and layer is not None:
        yield layer, "resid_post", x


def _is_edit(step: Step) -> bool:
    return isinstance(step, Write) and step.part.kind == "intervention"


def _heads_write(step: HeadsWrite, site: Site) -> Float[Tensor, "batch pos d_model"]:
    """What all heads of a site add together, derived one stripe of rows at a time."""
    if site.w_o is None:
        raise UnavailableError(
            f"{site.name} has no known W_O, so the stream cannot be followed through it.",
            field="analyse.stream",
        )
    out = torch.cat(
        [
            torch.einsum("bhqd,hdm->bqm", site.derive(["z"], rows=rows)["z"], site.w_o)
            for rows in stripes_of(site.mask.n_query)
        ],
        dim=1,
    )
    if step.bias is not None:
        out = out + step.bias
    return out if step.norm is None else step.norm.normed(out)


def _cut(tensor: Tensor, positions: slice, trace: Trace) -> Tensor:
    n = tensor.shape[1]
    if positions.stop is not None and positions.stop > n:
        raise InputError(
            f"This trace has positions [0, {n}); got [{positions.start}, {positions.stop}).",
            field="analyse.stream.positions",
            limit=n,
        )
    cut = tensor[:, positions].expand(len(trace.tokens), *tensor[:, positions].shape[1:])
    if not all_finite(cut):
        raise NumericsError("A number of the residual stream is not finite; expected all finite.")
    return cut.contiguous()
