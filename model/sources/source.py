"""What a source is: something that runs a model once and gives a `Trace`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from model.masks import MaskSettings
from model.trace import SiteKind, TensorName, Trace


@dataclass(frozen=True, slots=True)
class SiteInfo:
    """A place that attends, as every trace of the source will name it."""

    name: str
    kind: SiteKind
    layer: int


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What a reader may know of a source before anything runs."""

    name: str
    description: str
    licence: str
    n_layers: int
    n_heads: int
    d_model: int
    d_head: int
    vocab_size: int
    n_parameters: int
    max_tokens: int  # a longer text is refused
    trained_tokens: int  # a longer text is traced, but the model never saw its like
    causal: bool
    predicts: bool  # has a language-model head
    sites: tuple[SiteInfo, ...]
    tensors: tuple[TensorName, ...]


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that determines a trace, and nothing else: equal inputs give equal traces."""

    texts: tuple[str, ...]
    targets: tuple[str, ...] | None = None  # decoder texts, one for each text
    pairs: tuple[str, ...] | None = None  # second segments, one for each text
    masks: MaskSettings = field(default_factory=MaskSettings)
    muted: tuple[tuple[int, int], ...] = ()  # (layer, head)


@runtime_checkable  # so that shape checking in tests can look at it
class Source(Protocol):
    """A model that can be traced."""

    @property
    def info(self) -> SourceInfo: ...

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """Run the model once. `max_tokens` lowers the model's own limit.

        Raises:
            InputError: the inputs do not suit this model; nothing ran.
        """
        ...


def muted_by_layer(muted: Sequence[tuple[int, int]]) -> dict[int, list[int]]:
    """Muted heads as {layer: heads}."""
    heads: dict[int, list[int]] = {}
    for layer, head in muted:
        heads.setdefault(layer, []).append(head)
    return heads
