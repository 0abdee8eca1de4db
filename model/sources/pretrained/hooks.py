"""What hooks see during a run: W_O and the layer of each site, and norms outside the layers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

from torch import Tensor, nn
from transformers import PreTrainedModel

from model.sources.pretrained.body import layers_of, output_weights
from model.sources.pretrained.recording import Recording
from model.trace.recorded import SiteKind


@dataclass
class HookCalls:
    """What hooks saw during a run: W_O by site, its layer, and each norm outside the layers."""

    w_o: dict[int, Tensor] = field(default_factory=dict)
    w_o_parts: dict[int, nn.Module] = field(default_factory=dict)  # the modules of the same
    layers: list[int] = field(default_factory=list)
    depth: int = 0  # the length of the longest list of layers with attention
    norms: list[tuple[nn.Module, Tensor]] = field(default_factory=list)  # module, output

    def final_norm(self, last: Tensor) -> nn.Module | None:
        """The norm whose output is the last hidden states."""
        for part, output in reversed(self.norms):
            if output.data_ptr() == last.data_ptr() and output.shape == last.shape:
                return part
        return None

    def is_parallel(self, calls: Sequence[SiteKind]) -> bool:
        """Whether some layer has several sites of a kind."""
        found = list(zip(self.layers, calls, strict=False))
        return len(set(found)) < len(found)

    def numbered(self, calls: Sequence[SiteKind]) -> tuple[int, ...]:
        """The layer of each site, as the model numbers its layers.

        If they are not known, or several sites of a kind have the same (ALBERT runs one module
        again and again), sites are counted.
        """
        found, counts = list(self.layers), dict.fromkeys(calls, 0)
        known = {
            kind: [n for n, of in zip(found, calls, strict=False) if of == kind] for kind in counts
        }
        if len(found) == len(calls) and all(
            one < other for layers in known.values() for one, other in pairwise(layers)
        ):
            return tuple(found)
        self.depth, counted = 0, []
        for kind in calls:
            counted.append(counts[kind])
            counts[kind] += 1
        return tuple(counted)


@contextmanager
def hooks(model: PreTrainedModel, recording: Recording, hook_calls: HookCalls) -> Iterator[None]:
    """Find W_O, the layer whose input is the z just returned; layers; and norms outside them."""

    def entering(part: nn.Module, given: tuple[object, ...]) -> None:
        answer, x = recording.answer, given[0] if given else None
        if answer is None or not isinstance(x, Tensor):
            return
        site = recording.site_of(x)
        weight = None if site is None else output_weights(part, n_heads=answer.shape[2])
        if site is not None and weight is not None and site not in hook_calls.w_o:
            hook_calls.w_o[site], hook_calls.w_o_parts[site] = weight, part

    def leaving(part: nn.Module, given: object, output: object) -> None:
        if isinstance(output, Tensor):
            hook_calls.norms.append((part, output))

    def after_layer(number: int, of: int) -> Callable[..., None]:
        def leaving_layer(*_: object) -> None:
            new = len(recording.calls) - len(hook_calls.layers)
            hook_calls.layers += [number] * new
            hook_calls.depth = max(hook_calls.depth, of if new else 0)

        return leaving_layer

    layers = layers_of(model)
    stacks = [model.get_submodule(name) for name in layers if not _is_inside(name, layers)]
    handles = [
        part.register_forward_hook(after_layer(number, len(stack)))
        for stack in stacks
        if isinstance(stack, nn.ModuleList)
        for number, part in enumerate(stack)
    ]
    handles += [part.register_forward_pre_hook(entering) for part in model.modules()]
    handles += [
        part.register_forward_hook(leaving)
        for name, part in model.named_modules()
        if "norm" in type(part).__name__.lower() and not _is_inside(name, layers)
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _is_inside(name: str, lists: Sequence[str]) -> bool:
    return any(name.startswith(f"{one}.") for one in lists)
