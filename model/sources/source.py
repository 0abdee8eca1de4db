"""What a source is: something that runs a model once and gives a `Trace`."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from model.mask_rules import MaskSettings
from model.predictions import MuteEffects
from model.recorded import SiteKind
from model.sources.generation import Generate
from model.sources.settings import SourceSettings
from model.tensors import TensorName
from model.trace import Trace

SHORT_CHARACTERS = 400  # of a text that is run together with others


@dataclass(frozen=True, slots=True)
class SiteInfo:
    """A place that attends, as every trace of the source will name it."""

    name: str
    kind: SiteKind
    layer: int
    n_heads: int


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
    predicts: Literal["next", "fill"] | None  # the next token, the one at a place, or nothing
    sites: tuple[SiteInfo, ...]
    tensors: tuple[TensorName, ...]
    takes_targets: bool = False  # an encoder–decoder
    takes_pairs: bool = False  # a second segment beside each text
    settings: str | None = None  # the name of those that a request may bring; its sizes follow them
    library_class: str | None = None  # of Transformers, which can load it, too
    lacks: str = ""  # why there are patterns only, and no edits; "": nothing is missing


class MutedHead(NamedTuple):
    """One head, or, without a kind, the heads of that number in every site of the layer."""

    layer: int
    head: int
    kind: SiteKind | None = None


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that determines a trace, and nothing else: equal inputs give equal traces."""

    texts: tuple[str, ...]
    targets: tuple[str, ...] | None = None  # decoder texts, one for each text
    pairs: tuple[str, ...] | None = None  # second segments, one for each text
    masks: MaskSettings = field(default_factory=MaskSettings)
    muted: tuple[MutedHead, ...] = ()
    generate: Generate | None = None  # tokens that the model appends first
    settings: SourceSettings | None = None  # of a source that takes some; None: its usual ones


def unedited(inputs: Inputs, trace: Trace) -> Inputs:
    """The inputs of the same tokens without masks, painted cells and mutes.

    The tokens that the model appended in the `trace` of `inputs` are appended again, not generated.
    """
    plain = replace(inputs, masks=inputs.masks.unedited(), muted=())
    if plain == inputs or inputs.generate is None:
        return plain
    rows = trace.read_tokens
    known = tuple(tuple(token.id for token in row if token.generated) for row in rows)
    return replace(plain, generate=replace(inputs.generate, known=known))


@runtime_checkable  # so that shape checking in tests can look at it
class Source(Protocol):
    """A model that can be traced."""

    @property
    def info(self) -> SourceInfo: ...

    @property
    def ordinary_ids(self) -> Sequence[int]:
        """The vocabulary without its special tokens."""
        ...

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """Run the model once. `max_tokens` lowers the model's own limit.

        Raises:
            InputError: the inputs do not suit this model; nothing ran.
        """
        ...

    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        """Run the model once on rows of ordinary ids, under its own mask.

        The source adds its special tokens as it does for a text. Each token has the text of its
        vocabulary entry, and counts offsets in these texts, joined.

        Raises:
            InputError: no rows, an id that is not ordinary, or a row that is too long.
        """
        ...

    def mute_effects(
        self,
        inputs: Inputs,
        *,
        position: int | None = None,
        token: int | None = None,
        max_tokens: int | None = None,
    ) -> list[MuteEffects]:
        """What muting each head alone, on top of `inputs`, does to a token; one record a text.

        `position` counts the padded sequence; None is each text's last real token. `token` is an
        id; None is the likeliest token there. A head that is muted already has no effect to tell.

        Raises:
            UnavailableError: the model has no language-model head.
            InputError: inputs that do not suit this model, or no such position or token.
            NumericsError: a logit that is not finite.
        """
        ...


@runtime_checkable
class Batching(Source, Protocol):
    """A source that runs several inputs in one pass."""

    def trace_together(
        self, each: Sequence[Inputs], *, max_tokens: int | None = None
    ) -> list[Trace]:
        """The trace of each, as `trace` gives it within float32 noise, from one pass.

        Each has one text, and all have the same masks, without painted cells; nothing is muted or
        generated.

        Raises:
            InputError: some inputs do not suit this model; nothing ran.
        """
        ...


def fits_together(inputs: Inputs) -> Hashable | None:
    """Equal for inputs that `trace_together` takes together; None where it takes them not at all.

    Short texts alone: of a long one the pass takes long by itself, and padding would be wasted.
    """
    others = (inputs.targets, inputs.pairs, inputs.generate, inputs.settings)
    plain = not (inputs.muted or any(inputs.masks.painted.values()))
    short = len(inputs.texts) == 1 and len(inputs.texts[0]) <= SHORT_CHARACTERS
    if not (plain and short and all(other is None for other in others)):
        return None
    return inputs.masks
