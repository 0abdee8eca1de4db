"""Hooks on the modules that a flow must know about; they do nothing in other runs.

They are set once, when a checkpoint is examined, and never during a run: another thread may be
running the same model.
"""

from collections.abc import Collection, Mapping
from typing import Any

from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from model.sources.pretrained.stream.flow import current_flow
from model.sources.pretrained.stream.norms import NormRule


def watch(
    first_layers: Collection[nn.Module],
    attention: Collection[nn.Module],
    w_o: Collection[nn.Module],
    norms: Mapping[nn.Module, tuple[NormRule, bool]],
) -> list[RemovableHandle]:
    """Tell the flow of a run where layers begin, and of attention, W_O and norms.

    A norm comes with whether it stands outside the layers.
    """
    handles = [part.register_forward_pre_hook(_entering_layers) for part in first_layers]
    handles += [part.register_forward_hook(_leaving_w_o) for part in w_o]
    handles += [
        part.register_forward_pre_hook(_entering_attention, with_kwargs=True) for part in attention
    ]
    for part, (rule, is_last) in norms.items():
        handles.append(part.register_forward_hook(_Norm(rule, is_last)))
    return handles


def watch_readers(readers: Collection[nn.Module]) -> list[RemovableHandle]:
    """Tell the flow of a run what these modules read."""
    return [part.register_forward_pre_hook(_entering_reader) for part in readers]


def _entering_reader(part: nn.Module, given: tuple[object, ...]) -> None:
    flow, x = current_flow(), given[0] if given else None
    if flow is not None and isinstance(x, Tensor):
        flow.reader(part, x)


def _entering_layers(part: nn.Module, given: object) -> None:
    flow = current_flow()
    if flow is not None:
        flow.begin_layers()


def _entering_attention(part: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    flow = current_flow()
    if flow is not None:
        flow.attention(part, args, kwargs)


def _leaving_w_o(part: nn.Module, given: tuple[object, ...], output: object) -> None:
    flow, x = current_flow(), given[0] if given else None
    if flow is None or not isinstance(x, Tensor) or not isinstance(output, Tensor):
        return
    site = flow.sites.site_of(x)
    if site is not None:
        flow.heads(site, part, output)


class _Norm:
    """A hook that knows the norm's rule."""

    def __init__(self, rule: NormRule, is_last: bool) -> None:
        self._rule, self._is_last = rule, is_last

    def __call__(self, part: nn.Module, given: tuple[object, ...], output: object) -> None:
        flow, x = current_flow(), given[0] if given else None
        if flow is not None and isinstance(x, Tensor) and isinstance(output, Tensor):
            flow.normed(self._rule, x, output, is_last=self._is_last)
