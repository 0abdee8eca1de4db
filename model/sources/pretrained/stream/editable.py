"""Lets a run's editors reach the feed-forward networks and the stream of a checkpoint.

The hooks are set once, when a checkpoint is loaded; they do nothing in runs without edits, and
nothing to runs in other threads. Heads are edited in `Recording.attend`.
"""

from collections.abc import Sequence
from typing import Any

from torch import Tensor, nn

from model.core.editing import Point
from model.interventions import At
from model.kinds import SiteKind
from model.sources.pretrained.body import layers_of
from model.sources.pretrained.recording import current_recording
from model.sources.pretrained.stream.building import LayerParts, Middle
from model.sources.pretrained.stream.flow import current_flow


def make_editable(
    model: nn.Module,
    layers: Sequence[LayerParts],
    middles: Sequence[Middle] = (),
    *,
    encoder_decoder: bool,
) -> tuple[At, ...]:
    """Set the hooks, and say where interventions can act besides heads.

    A place is only named if every layer has it, in a module that no other layer has.
    """
    found: list[At] = []
    feeds = [parts.mlp for parts in layers]
    if layers and _are_distinct(feeds):
        for parts, feed in zip(layers, feeds, strict=True):
            assert feed is not None
            feed.register_forward_hook(_Leaving("mlp_out", _kind(parts, encoder_decoder), parts))
        found.append("mlp")
    whole = [layer_of(model, parts) for parts in layers]
    if layers and _are_distinct(whole):
        for parts, layer in zip(layers, whole, strict=True):
            assert layer is not None
            kind = _kind(parts, encoder_decoder)
            layer.register_forward_pre_hook(_Entering(kind, parts), with_kwargs=True)
            layer.register_forward_hook(_Leaving("resid_post", kind, parts))
        found += ["resid_pre", "resid_post"]
    if middles:
        for parts, middle in zip(layers, middles, strict=True):
            between = _Between(_kind(parts, encoder_decoder), parts)
            # after the stream that a layer is given was edited
            middle.layer.register_forward_pre_hook(between.entering, with_kwargs=True)
            middle.w_o.register_forward_hook(between.leaving)
        found.insert(-1, "resid_mid")
    return tuple(found)


def _are_distinct(modules: Sequence[nn.Module | None]) -> bool:
    return None not in modules and len(set(map(id, modules))) == len(modules)


def _kind(parts: LayerParts, encoder_decoder: bool) -> SiteKind:
    if not encoder_decoder:
        return "self"
    return "encoder" if parts.stack == "tokens" else "decoder"


def layer_of(model: nn.Module, parts: LayerParts) -> nn.Module | None:
    """The entry of a list of layers that has these parts; the outermost, if lists are nested."""
    inside = [*parts.attention, *(() if parts.mlp is None else (parts.mlp,))]
    for name in layers_of(model):
        for layer in model.get_submodule(name).children():
            if inside and set(map(id, inside)) <= set(map(id, layer.modules())):
                return layer
    return None


class _Entering:
    """Edits the stream that a layer is given."""

    def __init__(self, kind: SiteKind, parts: LayerParts) -> None:
        self._kind, self._layer = kind, parts.layer

    def __call__(
        self, layer: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        recording = current_recording()
        if recording is None or not recording.is_edited:
            return None
        before: Tensor = args[0] if args else kwargs["hidden_states"]
        x = recording.edited("resid_pre", self._layer, self._kind, before)
        _tell(before, x, self._layer)
        if args:
            return (x, *args[1:]), kwargs
        return args, {**kwargs, "hidden_states": x}


class _Between:
    """Edits the stream between attention and network, by what W_O gives (middle.py)."""

    def __init__(self, kind: SiteKind, parts: LayerParts) -> None:
        self._kind, self._layer = kind, parts.layer

    def entering(self, layer: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        recording = current_recording()
        if recording is not None and recording.is_edited:
            recording.entered = args[0] if args else kwargs["hidden_states"]

    def leaving(self, part: nn.Module, given: object, output: Tensor) -> Tensor | None:
        recording = current_recording()
        if recording is None or recording.entered is None:
            return None
        before = recording.entered + output
        recording.entered = None
        after = recording.edited("resid_mid", self._layer, self._kind, before)
        if after is before:
            return None
        edited = output + (after - before)
        _tell(output, edited, self._layer)
        return edited


class _Leaving:
    """Edits what a module gives; if that is a tuple, its first element."""

    def __init__(self, point: Point, kind: SiteKind, parts: LayerParts) -> None:
        self._point, self._kind, self._layer = point, kind, parts.layer

    def __call__(self, part: nn.Module, given: object, output: Any) -> Any:
        recording = current_recording()
        if recording is None or not recording.is_edited:
            return None
        first: Tensor = output[0] if isinstance(output, tuple) else output
        edited = recording.edited(self._point, self._layer, self._kind, first)
        if self._point == "resid_post":
            _tell(first, edited, self._layer)
        return (edited, *output[1:]) if isinstance(output, tuple) else edited


def _tell(before: Tensor, after: Tensor, layer: int) -> None:
    """Tell the flow of the run, if it is followed, what an edit made of the stream."""
    flow = current_flow()
    if flow is not None:
        flow.changed(before, after, layer)
