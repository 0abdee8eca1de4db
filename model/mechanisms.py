"""The attention mechanisms of five study notebooks, each a row of settings for one implementation.

A row holds the settings of the mechanism's correct form. The mistakes of the notebooks are
parameters that the reader can turn on. `configure` applies a reader's changes to a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, get_args, get_type_hints

from model.attention import AttentionConfig, MaskApplied, Packing, Scale, SoftmaxOver
from model.block import BlockConfig, Norm
from model.embedding import Positions, check_positions
from model.errors import InputError, LimitError
from model.facts import limit
from model.sources.settings import Size, SourceSettings

MechanismId = Literal[
    "average",
    "dot-product",
    "single-head",
    "fused-single",
    "multi-head",
    "fused-multi-head",
    "heads-in-a-list",
    "padded-batch",
    "cross-attention",
    "block",
]
Projections = Literal["none", "separate", "fused"]
Output = Literal["none", "linear", "linear with bias"]
Unit = Literal["words", "characters"]
DEFAULT: MechanismId = "multi-head"

MAX_CHANNELS = limit("scratch_channels")  # of all heads together


@dataclass(frozen=True)
class SettingRow:
    """What a setting means and which values it takes, apart from its type and default."""

    about: str = ""  # its description in requests
    null: str = ""  # what null means: its description in responses, and in requests without `about`
    limits: tuple[int, int] | None = None  # minimum and maximum, if it is a number


def _setting(about: str = "", **rest: Any) -> dict[str, SettingRow]:
    return {"row": SettingRow(about, **rest)}


@dataclass(frozen=True, slots=True)
class Parameters:
    """The settings of a mechanism that a reader may change, with a row for each.

    The schemas of the API and the fuzzer read these rows. The page has its own rows, and a test
    checks that they agree with these.
    """

    seed: int = field(
        default=0,
        metadata=_setting(
            "The seed of the weights. After torch.manual_seed(seed), each matrix is "
            "randn(out, in) / √in, in the order W_q, W_k, W_v, W_O, feed-forward. Each word's "
            "vector has its own seed, made from this one and the word.",
            limits=(0, 2**31 - 1),
        ),
    )
    d_model: int = field(default=32, metadata=_setting(limits=(1, 256)))
    n_heads: int = field(default=1, metadata=_setting(limits=(1, 16)))
    d_head: int | None = field(
        default=None, metadata=_setting(null="null means d_model / n_heads.", limits=(1, 256))
    )
    packing: Packing = field(
        default="qkv head d_head",
        metadata=_setting("How the fused matrix of q, k and v is laid out."),
    )
    read_as: Packing | None = field(
        default=None,
        metadata=_setting(
            "The order in which the fused matrix is read. Any order other than `packing` is a "
            "mistake to study."
        ),
    )
    scale: Scale = field(
        default="1/sqrt(d_head)",
        metadata=_setting(
            "The factor that q·k is multiplied by. The number 1 leaves q·k as it is; 0 makes all "
            "scores equal.",
            limits=(0, 100),
        ),
    )
    softmax_over: SoftmaxOver = "key"
    mask_applied: MaskApplied = field(
        default="before",
        metadata=_setting("Whether the mask is applied before or after the softmax."),
    )
    causal_diagonal: int = field(
        default=0,
        metadata=_setting(
            "Shifts the causal mask by one: with 1, each token also sees the next one; with −1, "
            "it does not see itself.",
            limits=(-1, 1),
        ),
    )
    positions: Positions = "none"
    norm: Norm = field(
        default="none",
        metadata=_setting(
            "Where LayerNorm stands: before or after attention and the feed-forward network."
        ),
    )
    residual: bool = False
    d_ff: int = field(
        default=0,
        metadata=_setting(
            "The width of the feed-forward network (ReLU); 0 leaves it out.", limits=(0, 1024)
        ),
    )
    n_layers: int = field(default=1, metadata=_setting(limits=(1, 6)))
    tokens: Unit = "words"

    def __post_init__(self) -> None:
        for name, (minimum, maximum) in LIMITS.items():
            value = getattr(self, name)
            if value is None or isinstance(value, str):
                continue
            if not minimum <= value <= maximum:
                raise LimitError(
                    f"Expected {name} to be from {minimum:,} to {maximum:,}; got {value}.",
                    field=f"scratch.{name}",
                    limit=minimum if value < minimum else maximum,
                )


ROWS: Mapping[str, SettingRow] = {
    each.name: each.metadata.get("row", SettingRow()) for each in fields(Parameters)
}
TYPES: Mapping[str, Any] = {name: get_type_hints(Parameters)[name] for name in ROWS}
LIMITS = {name: row.limits for name, row in ROWS.items() if row.limits is not None}


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One row: the fixed features that define the mechanism, and its default parameters."""

    id: MechanismId
    name: str
    about: str
    projections: Projections
    output: Output  # W_O
    causal: bool  # whether its own mask hides the future; padding has a separate mask
    own: Parameters
    cross: bool = False  # queries come from one text, keys and values from another

    def block(self, parameters: Parameters) -> BlockConfig:
        """One layer of the mechanism.

        Raises:
            InputError: settings that exclude each other.
        """
        config = AttentionConfig(
            parameters.d_model,
            parameters.n_heads,
            _d_head(parameters),
            projections=self.projections,
            packing=parameters.packing,
            read_as=parameters.read_as,
            output=self.output != "none",
            output_bias=self.output == "linear with bias",
            scale=parameters.scale,
            softmax_over=parameters.softmax_over,
            mask_applied=parameters.mask_applied,
        )
        return BlockConfig(
            config,
            norm=parameters.norm,
            residual=parameters.residual,
            d_ff=parameters.d_ff,
            activation="relu",
        )


def _table(*rows: Mechanism) -> Mapping[MechanismId, Mechanism]:
    return {row.id: row for row in rows}


def _row(
    id: MechanismId,
    projections: Projections,
    n_heads: int,
    scale: Scale,
    mask: Literal["causal", "any"],
    output: Output,
    name: str,
    about: str,
    *,
    cross: bool = False,
    **own: Any,
) -> Mechanism:
    parameters = Parameters(n_heads=n_heads, scale=scale, **own)
    return Mechanism(id, name, about, projections, output, mask == "causal", parameters, cross)


# fmt: off
MECHANISMS = _table(
    #    id                  projections heads scale             mask      W_O
    _row("average",          "none",     1, 0.0,                "causal", "none",
         "Averaging the past", "Every score is 0: each output is the mean of a token and its past.",
         d_model=8),
    _row("dot-product",      "none",     1, 1.0,                "any",    "none",
         "Dot product alone", "softmax(X Xᵀ) X, without parameters: like attends to like.",
         d_model=8),
    _row("single-head",      "separate", 1, "1/sqrt(d_head)",   "causal", "none",
         "One head", "Three matrices give each token a query, a key and a value.",
         d_head=16),
    _row("fused-single",     "fused",    1, "1/sqrt(d_head)",   "any",    "none",
         "One head, one matrix", "The three projections as one matrix, three times as wide.",
         d_model=16),
    _row("multi-head",       "separate", 4, "1/sqrt(d_head)",   "any",    "linear",
         "Multi-head attention", "The heads divide the channels; W_O adds up their outputs."),
    _row("fused-multi-head", "fused",    4, "1/sqrt(d_head)",   "any",    "linear",
         "Multi-head, one matrix", "Any d_head will do: n_heads · d_head need not be d_model.",
         d_head=12, packing="d_head qkv head"),
    _row("heads-in-a-list",  "separate", 4, "1/sqrt(d_head)",   "causal", "linear with bias",
         "Heads in a list", "Single heads, concatenated, then W_O: the same as multi-head."),
    _row("padded-batch",     "fused",    2, "1/sqrt(d_head)",   "any",    "none",
         "A padded batch", "Texts of unequal length, with padding blocked as a key.",
         packing="head qkv d_head"),
    _row("cross-attention",  "separate", 4, "1/sqrt(d_head)",   "any",    "linear",
         "Cross-attention", "Queries come from one text, keys and values from another.",
         cross=True),
    _row("block",            "separate", 4, "1/sqrt(d_head)",   "causal", "linear",
         "Transformer block", "Attention, then a feed-forward network, each added to the stream.",
         norm="pre", residual=True, d_ff=128, n_layers=2),
)
# fmt: on
assert set(MECHANISMS) == set(get_args(MechanismId))


@dataclass(frozen=True, slots=True)
class ScratchConfig(SourceSettings):
    """A mechanism ready to run: everything that determines its weights and its results."""

    name: ClassVar[str] = "scratch"
    mechanism: Mechanism
    parameters: Parameters  # d_head is a number, never None
    weights: bytes | None = None  # a safetensors file; missing tensors are drawn at random

    @property
    def modified(self) -> tuple[str, ...]:
        """The names of the parameters that differ from the mechanism's defaults."""
        own = replace(self.mechanism.own, d_head=_d_head(self.mechanism.own))
        return tuple(name for name in ROWS if getattr(self.parameters, name) != getattr(own, name))

    @property
    def size(self) -> Size:
        own, attention = self.parameters, self.block.attention
        channels = attention.n_heads * attention.d_head
        products = own.n_layers * own.d_model * (4 * channels + 2 * own.d_ff)
        return Size(own.n_layers, channels, products, own.tokens == "characters")

    @property
    def causal(self) -> bool:
        return self.mechanism.causal

    @property
    def needs_targets(self) -> bool:
        return self.mechanism.cross

    @property
    def nbytes(self) -> int:
        return len(self.weights or b"")

    @property
    def block(self) -> BlockConfig:
        return self.mechanism.block(self.parameters)


def configure(
    mechanism: MechanismId = DEFAULT,
    changes: Mapping[str, Any] | None = None,
    weights: bytes | None = None,
) -> ScratchConfig:
    """A mechanism with some of its parameters changed.

    Raises:
        LimitError: a number is out of its range.
        InputError: the settings do not fit together; the message says why, and `field` where.
    """
    row = MECHANISMS[mechanism]
    given = replace(row.own, **(changes or {}))
    if given.read_as == given.packing:
        given = replace(given, read_as=None)
    try:
        parameters = replace(given, d_head=_d_head(given))
        _check(row, parameters)
        row.block(parameters)
    except InputError as error:
        if error.field is not None and not error.field.startswith("scratch."):
            error.field = f"scratch.{error.field}"
        raise
    return ScratchConfig(row, parameters, weights)


def _d_head(parameters: Parameters) -> int:
    """Channels per head; d_model / n_heads unless d_head is given."""
    if parameters.d_head is not None:
        return parameters.d_head
    d_head, remainder = divmod(parameters.d_model, parameters.n_heads)
    if remainder or d_head == 0:
        raise InputError(
            f"d_model = {parameters.d_model} cannot be divided evenly among {parameters.n_heads} "
            "heads. Choose sizes that divide evenly, or set d_head.",
            field="d_head",
        )
    return d_head


def _check(row: Mechanism, parameters: Parameters) -> None:
    """Refuse parameters that the mechanism cannot run with."""
    channels = parameters.n_heads * (parameters.d_head or 0)
    if channels > MAX_CHANNELS:
        raise LimitError(
            f"Expected at most {MAX_CHANNELS:,} channels in all heads together; n_heads · d_head "
            f"is {channels:,}.",
            field="d_head",
            limit=MAX_CHANNELS,
        )
    if row.projections != "fused" and (parameters.packing, parameters.read_as) != (
        row.own.packing,
        None,
    ):
        raise InputError(
            f"Only a fused matrix of q, k and v has a packing; {row.id} has no such matrix. "
            "Choose fused-single, fused-multi-head or padded-batch.",
            field="packing" if parameters.packing != row.own.packing else "read_as",
        )
    if parameters.positions == "rotary" and row.cross:
        raise InputError(
            "Rotary positions encode distances within one text, but cross-attention looks from "
            "one text into another. Choose none, sinusoidal or learned.",
            field="positions",
        )
    check_positions(parameters.positions, parameters.d_model, parameters.d_head or 0)
    d_out = channels if row.output == "none" else parameters.d_model
    if parameters.n_layers > 1 and d_out != parameters.d_model:
        raise InputError(
            f"The next layer reads a layer's output, so it must be d_model = {parameters.d_model} "
            f"wide; without W_O it is n_heads · d_head = {d_out}. Use one layer, or make the two "
            "widths equal.",
            field="n_layers",
        )
