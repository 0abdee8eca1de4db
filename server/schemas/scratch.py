"""A mechanism from scratch, in a request and in an answer."""

import base64
import binascii
from dataclasses import asdict
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from model.attention import MaskApplied, Packing, SoftmaxOver
from model.block import Norm
from model.embedding import Positions
from model.errors import InputError
from model.mechanisms import (
    DEFAULT,
    LIMITS,
    MECHANISMS,
    MechanismId,
    Output,
    Projections,
    ScratchConfig,
    Unit,
    configure,
)
from model.mechanisms import Mechanism as Row
from model.sources.scratch import ScratchSource
from model.uploads import weight_names
from server.schemas.source import SourceRow

_SCALE = LIMITS["scale"]
NamedScale = Literal["1/sqrt(d_head)", "1/sqrt(d_model)"]


def _within(name: str, **options: Any) -> Any:
    """A number within the limits of the mechanisms, or nothing."""
    least, most = LIMITS[name]
    return Field(default=None, ge=least, le=most, **options)


def _one_scale(value: object) -> object:
    """What a scale may be, said once: a union would tell a problem for each of its members."""
    named = get_args(NamedScale)
    least, most = LIMITS["scale"]
    if value is None or value in named:
        return value
    is_truth = isinstance(value, bool)  # which is an int to Python
    if isinstance(value, int | float) and not is_truth and least <= value <= most:
        return value
    either = ", ".join(map(repr, named))
    raise PydanticCustomError("scale", f"expected {either} or a number from {least} to {most}")


class Scratch(BaseModel):
    """A mechanism from scratch. What is left out is as the mechanism has it, its correct form."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    mechanism: MechanismId = Field(
        default=DEFAULT, description="GET /api/models describes them, with their parameters."
    )
    seed: int | None = _within(
        "seed",
        description="Of the weights: after torch.manual_seed(seed), each matrix is randn(out, in) "
        "/ √in, in the order W_q, W_k, W_v, W_O, feed-forward. A word's vector has a seed of its "
        "own, made of this one and the word.",
    )
    d_model: int | None = _within("d_model")
    n_heads: int | None = _within("n_heads")
    d_head: int | None = _within("d_head", description="null is d_model / n_heads.")
    packing: Packing | None = Field(
        default=None, description="How one matrix for q, k and v is laid out."
    )
    read_as: Packing | None = Field(
        default=None, description="How it is read; another order than `packing` is a mistake."
    )
    scale: Annotated[
        NamedScale | Annotated[float, Field(ge=_SCALE[0], le=_SCALE[1])] | None,
        BeforeValidator(_one_scale),
    ] = Field(
        default=None, description="Of q·k; as a number, 1 is none, and 0 makes all scores equal."
    )
    softmax_over: SoftmaxOver | None = None
    mask_applied: MaskApplied | None = Field(default=None, description="The softmax.")
    causal_diagonal: int | None = _within(
        "causal_diagonal",
        description="The causal mask off by one: 1 shows each token the next one, −1 hides itself.",
    )
    positions: Positions | None = None
    norm: Norm | None = Field(default=None, description="LayerNorm, around each part.")
    residual: bool | None = None
    d_ff: int | None = _within(
        "d_ff", description="Width of the feed-forward network (ReLU); 0: there is none."
    )
    n_layers: int | None = _within("n_layers")
    tokens: Unit | None = None
    weights: str | None = Field(
        default=None,
        description="A safetensors file in base64: `embedding.weight` (a row for each token id: "
        "padding, then words in the order of first appearance) and parameters by name, as "
        "`layers.0.attention.w_q.weight`. What it does not hold is drawn.",
    )

    def to_config(self) -> ScratchConfig:
        """The mechanism as it is to run.

        Raises:
            InputError: a combination that makes no sense, or weights that are no base64.
        """
        changes = self.model_dump(exclude={"mechanism", "weights"}, exclude_none=True)
        return configure(self.mechanism, changes, self._weights())

    def _weights(self) -> bytes | None:
        if self.weights is None:
            return None
        try:
            return base64.b64decode(self.weights, validate=True)
        except (binascii.Error, ValueError) as error:
            raise InputError(
                "Expected the weights as a safetensors file in base64; this is no base64.",
                field="scratch.weights",
            ) from error


class Parameters(BaseModel):
    """What may be changed of a mechanism."""

    model_config = ConfigDict(extra="forbid")

    seed: int
    d_model: int
    n_heads: int
    d_head: int | None = Field(description="null is d_model / n_heads.")
    packing: Packing
    read_as: Packing | None
    scale: NamedScale | float
    softmax_over: SoftmaxOver
    mask_applied: MaskApplied
    causal_diagonal: int
    positions: Positions
    norm: Norm
    residual: bool
    d_ff: int
    n_layers: int
    tokens: Unit


class Mechanism(BaseModel):
    """A mechanism from scratch, and its own parameters."""

    model_config = ConfigDict(extra="forbid")

    id: MechanismId
    name: str
    about: str
    projections: Projections
    output: Output = Field(description="W_O.")
    cross: bool = Field(description="It wants `targets`: queries are of these, keys of the texts.")
    causal: bool = Field(description="Its own mask, beside that of the padding.")
    defaults: Parameters


class RanScratch(Parameters):
    """A mechanism from scratch as it ran."""

    mechanism: MechanismId
    modified: list[str] = Field(description="Parameters that are not the mechanism's own.")
    weights: list[str] | None = Field(description="Names of the tensors that were uploaded.")


def mechanism_of(row: Row) -> Mechanism:
    """A row of the table, as it is answered."""
    known = {name: getattr(row, name) for name in Mechanism.model_fields if name != "defaults"}
    return Mechanism(**known, defaults=Parameters(**asdict(row.own)))


def ran(config: ScratchConfig) -> dict[str, Any]:
    """What `RanScratch` describes, as orjson takes it."""
    return asdict(config.parameters) | {
        "mechanism": config.mechanism.id,
        "modified": config.modified,
        "weights": None if config.weights is None else weight_names(config.weights),
    }


def _describe() -> dict[str, Any]:
    return {
        "takes_scratch": True,
        "mechanisms": [mechanism_of(row) for row in MECHANISMS.values()],
        "limits": {name: list(bounds) for name, bounds in LIMITS.items()},
    }


assert set(Scratch.model_fields) - {"mechanism", "weights"} == set(Parameters.model_fields)

ROW = SourceRow(
    name=ScratchConfig.name,
    open=ScratchSource,
    request=(
        Scratch | None,
        Field(default=None, description="Of the model `scratch`: which mechanism, of what sizes."),
    ),
    answer=(RanScratch | None, Field(description="A mechanism from scratch, as it ran.")),
    ran=ran,
    described={
        "takes_scratch": (
            bool | None,
            Field(
                default=None,
                description="Its mechanism and sizes are of the request; above are those of the "
                "default.",
            ),
        ),
        "mechanisms": (
            list[Mechanism] | None,
            Field(default=None, description="Of a model that takes `scratch`."),
        ),
        "limits": (
            dict[str, list[int]] | None,
            Field(default=None, description="Of the parameters of `scratch`, [least, most]."),
        ),
    },
    others={"takes_scratch": False},
    describe=_describe,
)
