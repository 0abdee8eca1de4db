"""Names what was found in a stream, by where and of what it was made."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from jaxtyping import Float
from torch import Tensor, nn

from model.sources.pretrained.opening.device import kept
from model.sources.pretrained.recording import Recording
from model.sources.pretrained.stream.building import (
    Chain,
    Embedded,
    LayerParts,
    Named,
    first_tensor,
)
from model.sources.pretrained.stream.flow import Flow, Leaf
from model.sources.pretrained.stream.norms import ACCURACY
from model.sources.pretrained.stream.steps import (
    Event,
    HeadsWritten,
    Renormed,
    UnfollowedError,
    Written,
    as_write,
)
from model.trace.recorded import TokenAxis
from model.trace.stream import Part, TokenRows


class Call(NamedTuple):
    """A module that ran: its arguments and its output."""

    module: nn.Module
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    output: object


def named(
    events: Sequence[Event],
    flow: Flow,
    ran: Sequence[Call],
    entered: Sequence[tuple[int, int]],
    layers: Sequence[int],
    tokens: Float[Tensor, "batch pos d_token"],
) -> tuple[Named, ...]:
    """The part, the layer and the function of each event.

    `entered` has the clock and number of each layer that began, `layers` that of each site, and
    `tokens` are the token embeddings.

    Raises:
        UnfollowedError: two parts would have the same name.
    """
    at = _layers(events, entered, layers)
    with_site = {
        layer for event, layer in zip(events, at, strict=True) if isinstance(event, HeadsWritten)
    }
    first = [e for e, layer in zip(events, at, strict=True) if layer is None and _is_write(e)]
    found = list[Named]()
    for event, layer in zip(events, at, strict=True):
        if not isinstance(event, Written):
            found.append(Named(layer=layer))
        elif layer is None:
            kind = "embedding" if len(first) == 1 else _embedding_kind(event, flow, tokens)
            found.append(Named(part=Part(kind)))  # type: ignore[arg-type]  # a kind of part
        else:
            function = _function(event, flow, ran)
            mixes = layer not in with_site and _mixes(event, ran)
            part = Part("mixer" if mixes else "mlp", layer)
            found.append(Named(part=part, layer=layer, function=function))
    _check_names(events, found)
    return tuple(found)


def _is_write(event: Event) -> bool:
    return isinstance(event, Written)


def _layers(
    events: Sequence[Event], entered: Sequence[tuple[int, int]], layers: Sequence[int]
) -> list[int | None]:
    """The layer of each event; None before the first.

    Layers are numbered by the list that they stand in; if one of them runs several times (ALBERT),
    they are counted.
    """
    numbers = [number for _, number in entered]
    if not all(one < other for one, other in pairwise(numbers)):
        numbers = list(range(len(entered)))
    clocks = [clock for clock, _ in entered]

    def layer_at(made: int) -> int | None:
        begun = sum(clock < made for clock in clocks)
        return numbers[begun - 1] if begun else None

    found = [
        layer_at(e.made) if isinstance(e, Written | HeadsWritten | Renormed) else None
        for e in events
    ]
    for event, layer in zip(events, found, strict=True):
        if isinstance(event, HeadsWritten) and layer != layers[event.site]:
            raise UnfollowedError("its layers could not be numbered")
    return found


def _check_names(events: Sequence[Event], found: Sequence[Named]) -> None:
    """What is written to one part stands together: nothing reads the stream in between."""
    seen = set[Part]()
    here = set[Part]()
    for event, name in zip(events, found, strict=True):
        if not isinstance(event, Written):
            if not isinstance(event, HeadsWritten):
                seen |= here
                here = set()
            continue
        assert name.part is not None
        if name.part in seen:
            raise UnfollowedError(f"layer {name.layer} has several feed-forward networks")
        here.add(name.part)


def _embedding_kind(event: Written, flow: Flow, tokens: Tensor) -> str:
    """Token embeddings are known; of the others, one that is the same everywhere is a segment's."""
    value = as_write(event, flow)
    if _factor_of(value, tokens) is not None:
        return "embedding"
    return "segment" if bool((value == value[:1, :1]).all()) else "position"


def _factor_of(value: Tensor, tokens: Tensor) -> float | None:
    """c, if the value is c times the token embeddings."""
    if value.shape != tokens.shape:
        return None
    factor = float((value * tokens).sum() / tokens.square().sum())
    off = (value - factor * tokens).abs().max()
    return factor if off <= 1e-3 * value.abs().max() else None


def embed_of(
    events: Sequence[Event],
    found: Sequence[Named],
    flow: Flow,
    tokens: Float[Tensor, "batch pos d_token"],
    table: nn.Embedding,
) -> TokenRows | None:
    """What tokens start with, by id; None if it is not a multiple of a row of their table."""
    for event, name in zip(events, found, strict=True):
        if isinstance(event, Written) and name.part == Part("embedding"):
            factor = _factor_of(as_write(event, flow), tokens)
            return None if factor is None else Embedded(table, factor)
    return None


def _calls_of(tensor: Tensor, ran: Sequence[Call]) -> Iterator[Call]:
    """The modules that made this tensor, the outermost one first."""
    for each in reversed(ran):
        output = each.output[0] if isinstance(each.output, tuple) and each.output else each.output
        if not isinstance(output, Tensor) or not _is_same(output, tensor):
            continue
        given = each.args[0] if each.args else next(iter(each.kwargs.values()), None)
        if isinstance(given, Tensor) and not _is_same(given, tensor):
            yield each


def _is_same(one: Tensor, other: Tensor) -> bool:
    return one is other or (one.data_ptr() == other.data_ptr() and one.numel() == other.numel())


def _function(event: Written, flow: Flow, ran: Sequence[Call]) -> tuple[nn.Module, ...]:
    """The modules that make what is written of the normed stream; () if they are not a chain."""
    tensor, chain = event.value, list[nn.Module]()
    while len(chain) < 8:
        call = next(_calls_of(tensor, ran), None)
        if call is None or not call.args or len(call.args) > 1 or call.kwargs:
            return ()
        chain.insert(0, call.module)
        tensor = call.args[0]
        node = flow.node(tensor)
        if node.carries or not isinstance(node, Leaf):
            made = Chain(tuple(chain), event.factor)(tensor)
            wanted = kept(event.value) * event.factor
            off = (made.reshape(wanted.shape) - wanted).abs().max()
            allowed = ACCURACY.get(event.value.dtype, 1e-5) * wanted.abs().max()
            return tuple(chain) if off <= allowed else ()
    return ()


def _mixes(event: Written, ran: Sequence[Call]) -> bool:
    """Whether what is written at a token depends on other tokens: a change of the first shows."""
    call = next(_calls_of(event.value, ran), None)
    if call is None:
        return False
    args, kwargs = list(call.args), dict(call.kwargs)
    where: Any = 0 if args else next(iter(kwargs))
    x = (args if args else kwargs)[where]
    changed = x.clone()
    changed[:, 0] += x.abs().max()
    (args if args else kwargs)[where] = changed
    try:
        output = first_tensor(call.module(*args, **kwargs))
    except Exception:  # a module that cannot run alone
        return False
    before = first_tensor(call.output)
    return bool((output[:, 1:] - before[:, 1:]).abs().max() > 1e-4 * before.abs().max())


def layer_parts(
    events: Mapping[TokenAxis, Sequence[Named]],
    recording: Recording,
    w_o: Sequence[nn.Module | None],
) -> tuple[LayerParts, ...]:
    """The modules of each layer."""
    found = list[LayerParts]()
    for axis, of_stack in events.items():
        layers = {each.part.layer for each in of_stack if each.part is not None}
        layers |= {site.layer for site in recording.sites if site.query_tokens == axis}
        for layer in sorted(each for each in layers if each is not None):
            places = [
                index
                for index, site in enumerate(recording.sites)
                if site.query_tokens == axis and site.layer == layer
            ]
            mlp = [
                each.function[-1]
                for each in of_stack
                if each.part == Part("mlp", layer) and each.function
            ]
            found.append(
                LayerParts(
                    stack=axis,
                    layer=layer,
                    attention=tuple(
                        part for place in places if (part := recording.modules[place]) is not None
                    ),
                    w_o=tuple(part for place in places if (part := w_o[place]) is not None),
                    mlp=mlp[0] if len(mlp) == 1 else None,
                )
            )
    return tuple(found)
