"""The stream between the attention and the feed-forward network of a checkpoint's layers.

No module has it: a layer adds what its attention gives to what it was given, and goes on. So an
edit of the sum is made on what W_O gives, which changes by the same. That is right where the sum is
nothing but that, which is tried when a checkpoint is loaded.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from model.sources.pretrained.stream.building import LayerParts, Middle
from model.trace.recorded import TokenAxis
from model.trace.stream import HeadsWrite, Renorm, Stream, Write, layer_of

TOLERANCE = 1e-4  # of the largest number of the stream; half precision rounds each sum
HALF_TOLERANCE = 2e-2


def middles(
    streams: Mapping[TokenAxis, Stream],
    layers: Sequence[LayerParts],
    of: Callable[[LayerParts], nn.Module | None],
    run: Callable[[], object],
) -> tuple[Middle, ...]:
    """Those of all layers, in their order; none if one of them has no such middle.

    `of` gives the module of a whole layer, and `run` runs the sample once.
    """
    found = []
    for parts in layers:
        layer = of(parts)
        if layer is None or parts.mlp is None or len(parts.w_o) != 1:
            return ()
        if not _adds_in_turn(streams[parts.stack], parts.layer):
            return ()
        found.append(Middle(layer, parts.w_o[0], parts.mlp))
    modules = [part for middle in found for part in middle]
    if len(set(map(id, modules))) < len(modules) or not all(map(_is_sum, _tried(found, run))):
        return ()
    return tuple(found)


def _adds_in_turn(stream: Stream, layer: int) -> bool:
    """Whether a layer has heads, then a network that reads their sum, and no norm of the whole."""
    writes = [
        step
        for step in stream.steps
        if isinstance(step, HeadsWrite | Write | Renorm) and _layer(step) == layer
    ]
    match writes:
        case [HeadsWrite(norm=None), Write(part=part)]:
            return part.kind == "mlp"
        case _:
            return False


def _layer(step: HeadsWrite | Write | Renorm) -> int | None:
    return layer_of(step, ())


class _Tried(NamedTuple):
    given: Tensor
    attention: Tensor
    network: Tensor
    output: Tensor


def _is_sum(one: _Tried) -> bool:
    """Whether a layer's output is what it was given, plus what W_O and the network gave."""
    tolerance = TOLERANCE if one.output.dtype == torch.float32 else HALF_TOLERANCE
    size, shape = one.output.abs().max(), one.output.shape
    if not one.given.shape == one.attention.shape == shape or one.network.numel() != shape.numel():
        return False
    added = one.given + one.attention + one.network.reshape(shape)
    return bool((added - one.output).abs().max() <= tolerance * size)


def _tried(each: Sequence[Middle], run: Callable[[], object]) -> Iterable[_Tried]:
    """What passed through the modules of each layer in a run."""
    seen: dict[nn.Module, Tensor] = {}
    given: dict[nn.Module, Tensor] = {}

    def entering(part: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        x = args[0] if args else kwargs["hidden_states"]
        given[part] = x.detach().clone()

    def leaving(part: nn.Module, _: object, output: Any) -> None:
        first = output[0] if isinstance(output, tuple) else output
        seen[part] = first.detach().clone()

    handles = [part.register_forward_hook(leaving) for middle in each for part in middle]
    handles += [
        middle.layer.register_forward_pre_hook(entering, with_kwargs=True) for middle in each
    ]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return [_Tried(given[layer], seen[w_o], seen[mlp], seen[layer]) for layer, w_o, mlp in each]
