"""The interface of a source: it runs a model once and returns a `Trace`."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol, runtime_checkable

from model.core.block import Norm
from model.interventions import At, Intervention
from model.kinds import Predicts
from model.masks.rules import MaskSettings
from model.message import Message
from model.sources.answering.answer import Answer
from model.sources.generation import Generate, Generated
from model.sources.runner import Runner
from model.trace.predictions import MuteEffects
from model.trace.recorded import SiteKind
from model.trace.settings import SourceSettings
from model.trace.tensors import TensorName
from model.trace.trace import Trace

SHORT_CHARACTERS = 400  # longer texts are not run together with others


@dataclass(frozen=True, slots=True)
class SiteInfo:
    """A site: a place in the model where attention happens, by the name that traces give it."""

    name: str
    kind: SiteKind
    layer: int
    n_heads: int


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What is known about a source before anything runs."""

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
    trained_tokens: int  # longer texts are traced, but the model saw none of such length
    causal: bool
    predicts: Predicts | None  # None: nothing
    sites: tuple[SiteInfo, ...]
    tensors: tuple[TensorName, ...]
    d_ff: int | None = None  # width of the feed-forward networks; 0: there are none; None: unknown
    norm: Norm | None = None  # where the norm of each part stands; None: unknown
    residual: bool = True  # whether each part adds its output to the stream, or replaces it
    takes_targets: bool = False  # for encoder–decoders
    takes_pairs: bool = False  # takes a second segment beside each text
    takes_messages: bool = False  # has a chat template
    classes: tuple[str, ...] = ()  # of a classifier: what its logits are of
    settings: str | None = None  # the name of the settings that a request may give, sizes included
    library_class: str | None = None  # the class of Transformers that can load it too
    trained_on: str | None = None  # what it learned from, as in "trained on a small grammar"
    weights: str | None = None  # their SHA-256; None: they come with each request
    revision: str | None = None  # the commit on a hub that they are of; None: unknown
    unknown_id: int | None = None  # of the token that stands for unknown words
    edited_at: tuple[At, ...] = ()  # where interventions can act
    edited_at_reason: str = ""  # why they cannot act elsewhere, as a sentence
    lacks: str = ""  # why it gives patterns only and takes no edits; "" if nothing is missing
    # bytes that a trace keeps per cell of a matrix and text: biases, patterns that come whole
    cell_bytes: int = 0
    stream_lacks: str = ""  # why it gives no residual stream; "" if it gives one


class ChatMessage(NamedTuple):
    """What one side of a conversation says."""

    role: str  # as a chat template knows it: "system", "user", "assistant"
    content: str


@runtime_checkable
class Converses(Protocol):
    """A source with a chat template."""

    def chat_text(self, messages: Sequence[ChatMessage]) -> str:
        """A conversation as the text of the template, up to where the assistant would go on.

        Raises:
            InputError: there is no template, or it refuses the messages.
        """


class MutedHead(NamedTuple):
    """A muted head. Without a kind, the head with that number in every site of the layer."""

    layer: int
    head: int
    kind: SiteKind | None = None


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that determines a trace, and nothing else: equal inputs give equal traces."""

    texts: tuple[str, ...]
    targets: tuple[str, ...] | None = None  # decoder texts, one for each text
    pairs: tuple[str, ...] | None = None  # second segments, one for each text
    masks: MaskSettings = field(default_factory=MaskSettings)
    muted: tuple[MutedHead, ...] = ()
    interventions: tuple[Intervention, ...] = ()  # in the order in which they act
    generate: Generate | None = None  # tokens that the model appends first
    settings: SourceSettings | None = None  # of a source that takes any; None means its defaults
    ids: tuple[tuple[int, ...], ...] | None = None  # instead of texts: the tokens of each row
    # whether the model's special tokens are added; None: to texts and targets, but not to ids
    special_tokens: bool | None = None
    # whether they are added to targets; None: unless `special_tokens` is False
    target_special_tokens: bool | None = None
    answer: Answer | None = None  # what is read in the place of what the model predicts
    stream: bool = False  # whether the trace also keeps what was written to the residual stream
    # what errors call the texts, for those that are not the request's own; it changes no number
    names: tuple[str, ...] | None = field(default=None, compare=False)

    @property
    def n_texts(self) -> int:
        """The number of rows, whether texts or ids."""
        return len(self.texts if self.ids is None else self.ids)

    @property
    def adds_special_to_targets(self) -> bool:
        """Whether special tokens are added to the targets."""
        given = self.target_special_tokens
        return self.special_tokens is not False if given is None else given

    @property
    def beside(self) -> tuple[str, ...] | None:
        """What each text is read with, its target or its second segment; None: with nothing."""
        return self.pairs if self.targets is None else self.targets

    def name(self, n: int) -> str:
        """What an error calls a text, at the start of a sentence."""
        return Message("Text {n}", n=n + 1) if self.names is None else self.names[n]

    @property
    def adds_special(self) -> bool:
        """Whether special tokens are added to the rows."""
        return self.ids is None if self.special_tokens is None else self.special_tokens


def unedited(inputs: Inputs, trace: Trace) -> Inputs:
    """The inputs for the same tokens without masks, painted cells, mutes and interventions.

    Tokens that the model generated in the `trace` of `inputs` are kept, not generated again.
    """
    plain = replace(inputs, masks=inputs.masks.unedited(), muted=(), interventions=())
    if plain == inputs or inputs.generate is None:
        return plain
    rows = trace.read_tokens
    known = tuple(tuple(token.id for token in row if token.generated) for row in rows)
    return replace(plain, generate=replace(inputs.generate, known=known))


@runtime_checkable  # the shape checker in tests calls isinstance on it
class Source(Protocol):
    """A model that can be traced."""

    @property
    def info(self) -> SourceInfo: ...

    @property
    def ordinary_ids(self) -> Sequence[int]:
        """The vocabulary without its special tokens."""
        ...

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """Run the model once. `max_tokens` can lower the model's own limit.

        Raises:
            InputError: the inputs do not suit this model; nothing ran.
        """
        ...

    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        """Run the model once on rows of ordinary ids, with its own mask.

        The source adds its special tokens as it does to a text. Each token has the text of its
        vocabulary entry; offsets count in these texts joined together.

        Raises:
            InputError: there are no rows, an id is not ordinary, or a row is too long.
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
        """What muting each head alone, on top of `inputs`, does to a token; one record per text.

        `position` counts in the padded sequence; None means each text's last real token. `token`
        is an id; None means the likeliest token there. A head that is already muted gets a reason
        instead of a number.

        Raises:
            UnavailableError: the model has no language-model head.
            InputError: the inputs do not suit this model, or there is no such position or token.
            NumericsError: a logit is not finite.
        """
        ...

    def runner(self, inputs: Inputs, *, max_tokens: int | None = None) -> Runner:
        """Read the inputs once, to run each text many times with further edits.

        Raises:
            UnavailableError: the model predicts nothing, or cannot be edited.
            InputError: the inputs do not suit this model.
        """
        ...


@runtime_checkable
class Batching(Source, Protocol):
    """A source that runs several inputs in one pass."""

    def trace_together(
        self, each: Sequence[Inputs], *, max_tokens: int | None = None
    ) -> list[Trace]:
        """Run all inputs in one pass; each trace equals that of `trace` within float32 noise.

        Each of the inputs has one text, and all have the same masks, without painted cells; nothing
        is muted or generated.

        Raises:
            InputError: some inputs do not suit this model; nothing ran.
        """
        ...


@runtime_checkable
class Continues(Protocol):
    """A source that can go on with a text."""

    def continued(self, inputs: Inputs, *, max_tokens: int | None = None) -> Generated:
        """The texts (or targets) of the inputs with the tokens that they ask to generate.

        Raises:
            UnavailableError: the model does not predict next tokens.
            InputError: the inputs do not suit this model.
            NumericsError: a logit is not finite.
        """
        ...


def fits_together(inputs: Inputs) -> Hashable | None:
    """A key that is equal for inputs that can share a pass; None if they must run alone.

    Only short texts share a pass: a long text keeps the machine busy by itself, and padding the
    others to its length would waste time.
    """
    others = (
        *(inputs.ids, inputs.targets, inputs.pairs),
        *(inputs.generate, inputs.settings, inputs.answer),
    )
    edited = inputs.muted or inputs.interventions or any(inputs.masks.painted.values())
    plain = not (edited or inputs.stream)
    short = len(inputs.texts) == 1 and len(inputs.texts[0]) <= SHORT_CHARACTERS
    if not (plain and short and all(other is None for other in others)):
        return None
    return inputs.masks, inputs.adds_special
