"""The attention mechanisms of five study notebooks and those that came after them, each a row of
settings for one implementation: static/js/facts/mechanisms.json.

A row holds the settings of the mechanism's correct form. The mistakes of the notebooks are
parameters that the reader can turn on. `configure` applies a reader's changes to a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args, get_type_hints

from model.core.attention import AttentionConfig, Kernel, MaskApplied, Packing, Scale, SoftmaxOver
from model.core.block import BlockConfig, Norm
from model.core.embedding import AnyPositions, RopeScaling, check_positions
from model.errors import InputError, LimitError
from model.facts import facts, limit
from model.trace.settings import Size, SourceSettings

MechanismId = Literal[
    "average",
    "dot-product",
    "single-head",
    "fused-single",
    "multi-head",
    "grouped-query",
    "latent",
    "sliding-window",
    "linear",
    "retention",
    "state-space",
    "gated",
    "differential",
    "fused-multi-head",
    "heads-in-a-list",
    "padded-batch",
    "cross-attention",
    "block",
]
Projections = Literal["none", "separate", "fused"]
Output = Literal["none", "linear", "linear with bias"]
Unit = Literal["words", "characters"]
_FACTS = facts("mechanisms")
DEFAULT: MechanismId = _FACTS["usual"]

MAX_CHANNELS = limit("scratch_channels")  # of all heads together


@dataclass(frozen=True)
class SettingRow:
    """What a setting means and which values it takes, apart from its default."""

    type: Literal["flag", "integer", "number", "option"]
    about: str  # its description in requests
    null: str  # what null means: its description in responses, and in requests without `about`
    options: tuple[str, ...]  # its named values; a number may have some besides its range
    limits: tuple[int, int] | None  # minimum and maximum, if it is a number
    nullable: bool


def _row_of(told: Mapping[str, Any]) -> SettingRow:
    return SettingRow(
        told["type"],
        told.get("about", ""),
        told.get("null", ""),
        tuple(told.get("options", ())),
        tuple(told["limits"]) if "limits" in told else None,
        told.get("nullable", False),
    )


ROWS: Mapping[str, SettingRow] = {name: _row_of(told) for name, told in _FACTS["settings"].items()}
LIMITS = {name: row.limits for name, row in ROWS.items() if row.limits is not None}


_USUAL: Mapping[str, Any] = {name: told["default"] for name, told in _FACTS["settings"].items()}


@dataclass(frozen=True, slots=True)
class Parameters:
    """The settings of a mechanism that a reader may change: a row for each in
    static/js/facts/mechanisms.json, which the schemas, the fuzzer, the page and its engine read.
    """

    seed: int = _USUAL["seed"]
    d_model: int = _USUAL["d_model"]
    n_heads: int = _USUAL["n_heads"]
    d_head: int | None = _USUAL["d_head"]
    n_kv_heads: int | None = _USUAL["n_kv_heads"]
    d_latent: int | None = _USUAL["d_latent"]
    window: int | None = _USUAL["window"]
    sink: float | None = _USUAL["sink"]
    packing: Packing = _USUAL["packing"]
    read_as: Packing | None = _USUAL["read_as"]
    scale: Scale = _USUAL["scale"]
    kernel: Kernel = _USUAL["kernel"]
    selective: bool = _USUAL["selective"]
    minus: float | None = _USUAL["minus"]
    gate: bool = _USUAL["gate"]
    softmax_over: SoftmaxOver = _USUAL["softmax_over"]
    mask_applied: MaskApplied = _USUAL["mask_applied"]
    causal_diagonal: int = _USUAL["causal_diagonal"]
    positions: AnyPositions = _USUAL["positions"]
    rope_scaling: RopeScaling = _USUAL["rope_scaling"]
    rope_factor: float = _USUAL["rope_factor"]
    norm: Norm = _USUAL["norm"]
    residual: bool = _USUAL["residual"]
    d_ff: int = _USUAL["d_ff"]
    n_layers: int = _USUAL["n_layers"]
    tokens: Unit = _USUAL["tokens"]

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


TYPES: Mapping[str, Any] = {name: get_type_hints(Parameters)[name] for name in ROWS}


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
            kernel=parameters.kernel,
            softmax_over=parameters.softmax_over,
            mask_applied=parameters.mask_applied,
            n_kv_heads=parameters.n_kv_heads,
            d_latent=parameters.d_latent,
            gate=parameters.gate,
            selective=parameters.selective,
            minus=parameters.minus,
            sink=parameters.sink is not None,
        )
        return BlockConfig(
            config,
            norm=parameters.norm,
            residual=parameters.residual,
            d_ff=parameters.d_ff,
            activation="relu",
        )


MECHANISMS: Mapping[MechanismId, Mechanism] = {
    row["id"]: Mechanism(**{**row, "own": Parameters(**row["own"])}) for row in _FACTS["rows"]
}
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
    if parameters.positions in ("rotary", "alibi") and row.cross:
        raise InputError(
            "Rotary positions and ALiBi encode distances within one text, but cross-attention "
            "looks from one text into another. Choose none, sinusoidal or learned.",
            field="positions",
        )
    if parameters.selective and row.cross:
        raise InputError(
            "What is forgotten is forgotten between two places of one text, but cross-attention "
            "looks from one text into another.",
            field="selective",
        )
    check_positions(parameters.positions, parameters.d_model, parameters.d_head or 0)
    written = channels if parameters.minus is None else channels // 2
    d_out = written if row.output == "none" else parameters.d_model
    if parameters.n_layers > 1 and d_out != parameters.d_model:
        raise InputError(
            f"The next layer reads a layer's output, so it must be d_model = {parameters.d_model} "
            f"wide; without W_O it is {d_out}. Use one layer, or make the two widths equal.",
            field="n_layers",
        )
