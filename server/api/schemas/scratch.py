"""The schemas of mechanisms from scratch, made from the rows of `model/scratch/mechanisms.py`."""

import base64
import binascii
from dataclasses import asdict
from functools import partial
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model
from pydantic_core import PydanticCustomError

from model.errors import InputError
from model.scratch.mechanisms import (
    DEFAULT,
    LIMITS,
    MECHANISMS,
    ROWS,
    TYPES,
    MechanismId,
    Output,
    Projections,
    ScratchConfig,
    configure,
)
from model.scratch.mechanisms import Mechanism as Row
from model.scratch.uploads import weight_names
from model.sources.scratch import ScratchSource
from server.api.schemas.source import SourceRow


def _request_field(name: str) -> tuple[Any, Any]:
    """A setting declared as a pydantic field of a request; its default is null."""
    row, parts = ROWS[name], _parts(TYPES[name])
    options: dict[str, Any] = {"description": row.about or row.null or None}
    if row.limits is None:
        return TYPES[name] | None, Field(default=None, **options)
    minimum, maximum = row.limits
    if float not in parts:
        return int | None, Field(default=None, ge=minimum, le=maximum, **options)
    literals = [part for part in parts if get_origin(part) is Literal]
    if not literals:
        return float | None, Field(default=None, ge=minimum, le=maximum, **options)
    [named] = literals
    number = Annotated[float, Field(ge=minimum, le=maximum)]
    check = BeforeValidator(partial(_named_or_number, named=get_args(named), limits=row.limits))
    return Annotated[named | number | None, check], Field(default=None, **options)


def _parts(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _named_or_number(value: object, named: tuple[str, ...], limits: tuple[int, int]) -> object:
    """Check the value with a single error message; a union would report one for each member."""
    minimum, maximum = limits
    if value is None or value in named:
        return value
    is_bool = isinstance(value, bool)  # a bool is an int to Python
    if isinstance(value, int | float) and not is_bool and minimum <= value <= maximum:
        return value
    names = ", ".join(map(repr, named))
    raise PydanticCustomError(
        "name_or_number", f"expected {names} or a number from {minimum} to {maximum}"
    )


class _Named(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    mechanism: MechanismId = Field(
        default=DEFAULT,
        description="The mechanism; GET /api/models describes them all, with their parameters.",
    )


if TYPE_CHECKING:
    _Settings = _Named
else:
    _Settings = create_model(
        "_Settings", __base__=_Named, **{name: _request_field(name) for name in ROWS}
    )


class Scratch(_Settings):
    """A mechanism from scratch. Settings that are left out have the mechanism's defaults."""

    weights: str | None = Field(
        default=None,
        description="A safetensors file in base64: `embedding.weight` (a row for each token id: "
        "padding, then words in the order of first appearance) and parameters by name, such as "
        "`layers.0.attention.w_q.weight`. Parameters that it lacks are drawn from the seed.",
    )

    def to_config(self) -> ScratchConfig:
        """The mechanism ready to run.

        Raises:
            InputError: the settings do not fit together, or the weights are not base64.
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
                "Expected the weights as a safetensors file in base64; this is not base64.",
                field="scratch.weights",
            ) from error


class _Answered(BaseModel):
    model_config = ConfigDict(extra="forbid")


if TYPE_CHECKING:
    _Values = _Answered
else:
    _Values = create_model(
        "_Values",
        __base__=_Answered,
        **{name: (TYPES[name], Field(description=row.null or None)) for name, row in ROWS.items()},
    )


class Parameters(_Values):
    """The settings of a mechanism that may be changed."""


class Mechanism(BaseModel):
    """A mechanism from scratch, with its default parameters."""

    model_config = ConfigDict(extra="forbid")

    id: MechanismId
    name: str
    about: str
    projections: Projections
    output: Output = Field(description="The form of W_O.")
    cross: bool = Field(
        description="Whether it needs `targets`; queries come from these, keys from the texts."
    )
    causal: bool = Field(
        description="Whether its own mask hides the future; padding has a separate mask."
    )
    defaults: Parameters


class AppliedScratch(Parameters):
    """The mechanism and settings that were run."""

    d_head: int = Field(description="Channels of a head.")  # null no more
    mechanism: MechanismId
    modified: list[str] = Field(
        description="The parameters that differ from the mechanism's defaults."
    )
    weights: list[str] | None = Field(description="The names of the uploaded tensors.")


SettingType = Literal["flag", "integer", "number", "option"]


class Setting(BaseModel):
    """One setting of a mechanism, and the values that it takes."""

    model_config = ConfigDict(extra="forbid")

    name: str
    type: SettingType
    options: list[str] = Field(
        description="Its named values; a number may have some besides its range."
    )
    limits: list[int] | None = Field(
        min_length=2, max_length=2, description="The smallest and the largest number."
    )
    nullable: bool


def setting_of(name: str) -> Setting:
    """The description of a setting."""
    return Setting(name=name, **asdict(ROWS[name], dict_factory=_told))


def _told(row: list[tuple[str, Any]]) -> dict[str, Any]:
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in row
        if key in Setting.model_fields
    }


def mechanism_of(row: Row) -> Mechanism:
    """A row of the table, for a response."""
    known = {name: getattr(row, name) for name in Mechanism.model_fields if name != "defaults"}
    return Mechanism(**known, defaults=Parameters(**asdict(row.own)))


def applied(config: ScratchConfig) -> dict[str, Any]:
    """The value of an `AppliedScratch`, for orjson."""
    return asdict(config.parameters) | {
        "mechanism": config.mechanism.id,
        "modified": config.modified,
        "weights": None if config.weights is None else weight_names(config.weights),
    }


def _describe() -> dict[str, Any]:
    return {
        "takes_scratch": True,
        "mechanisms": [mechanism_of(row) for row in MECHANISMS.values()],
        "settings": [setting_of(name) for name in ROWS],
        "limits": {name: list(bounds) for name, bounds in LIMITS.items()},
    }


ROW = SourceRow(
    name=ScratchConfig.name,
    open=ScratchSource,
    schema=Scratch,
    about="For the model `scratch`: the mechanism and its settings.",
    not_in_address=frozenset({"weights"}),
    answer=(
        AppliedScratch | None,
        Field(description="For the model `scratch`: the mechanism and settings that were run."),
    ),
    applied=applied,
    described={
        "takes_scratch": (
            bool | None,
            Field(
                default=None,
                description="Whether requests choose its mechanism and sizes with `scratch`. The "
                "sizes above are then those of the default mechanism.",
            ),
        ),
        "mechanisms": (
            list[Mechanism] | None,
            Field(default=None, description="The mechanisms that `scratch` may name."),
        ),
        "settings": (
            list[Setting] | None,
            Field(default=None, description="The settings that `scratch` may give."),
        ),
        "limits": (
            dict[str, list[int]] | None,
            Field(
                default=None,
                description="The [minimum, maximum] of each number among the settings.",
            ),
        ),
    },
    others={"takes_scratch": False},
    describe=_describe,
)
