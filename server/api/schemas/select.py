"""The selection of tensors that a request wants sent back for each site."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from model.kinds import SiteKind as Kind
from model.trace.pooling import PoolingName
from model.trace.tensors import TENSORS
from server.api.fields import Index, Request, unique

if TYPE_CHECKING:
    from model.trace.tensors import TensorName as TensorName  # as: exported
else:
    TensorName = Literal[tuple(TENSORS)]
DType = Literal["float32", "float16", "uint8"]
Units = Literal["pieces", "words"]
SHARES = tuple(name for name, row in TENSORS.items() if row.is_share)
Pair = Annotated[list[Index], Field(min_length=2, max_length=2)]


class Select(Request):
    """Which tensors to send back, and in what form."""

    tensors: Annotated[list[TensorName], Field(min_length=1), AfterValidator(unique)] = Field(
        default=["pattern"],
        description=" ".join(row.about for row in TENSORS.values() if row.about),
    )
    layers: Annotated[list[Index], AfterValidator(unique)] | None = Field(
        default=None,
        description="null means all; an empty list sends only tokens and predictions.",
    )
    kinds: Annotated[list[Kind], Field(min_length=1), AfterValidator(unique)] | None = Field(
        default=None,
        description="For an encoder–decoder: the kinds of sites to send; null means all.",
    )
    heads: Annotated[list[Index], Field(min_length=1), AfterValidator(unique)] | None = None
    rows: Pair | None = Field(default=None, description="Query rows [start, stop).")
    resolution: int | None = Field(
        default=None,
        ge=1,
        le=1024,
        description="Pool patterns to at most this many rows and columns. blocked_by is pooled "
        "too: 0 if any cell is allowed, otherwise all reasons combined.",
    )
    pooling: PoolingName = Field(
        default="max",
        description="What `resolution` makes of the cells of a block: their maximum, or their mean "
        "(a blocked cell counts as 0).",
    )
    units: Units = Field(
        default="pieces",
        description="What rows and columns stand for: the model's tokens, or words. The weight "
        "from a word to another is the sum over the tokens of the other, in the mean over its own; "
        "blocked_by is 0 if any cell is allowed, otherwise all reasons combined. `words` in the "
        "answer lists them; a text with fewer than another has zeros after its own.",
    )
    dtype: DType = Field(
        default="float32",
        description="The number format of tensors and of the rollout. uint8 is round(255 · share) "
        "and is for patterns and rollout only.",
    )

    @model_validator(mode="after")
    def _fits_together(self) -> "Select":
        if self.rows is not None and self.rows[0] >= self.rows[1]:
            raise ValueError("rows are [start, stop) with start < stop: at least one row")
        if self.resolution is not None and not set(self.tensors) <= set(SHARES):
            raise ValueError(
                f"resolution is for {', '.join(SHARES)}; ask for the others without it"
            )
        if self.resolution is not None and self.rows is not None:
            raise ValueError("resolution shrinks whole patterns; send either resolution or rows")
        if self.units == "words" and not set(self.tensors) <= set(SHARES):
            raise ValueError(
                f"words are for {', '.join(SHARES)}; ask for the others in units of pieces"
            )
        if self.units == "words" and self.rows is not None:
            raise ValueError("rows count the model's tokens; send either words or rows")
        if self.resolution is None and self.pooling != "max":
            raise ValueError("pooling merges the cells of a block; send a resolution with it")
        if self.dtype == "uint8" and not set(self.tensors) <= set(SHARES):
            raise ValueError(
                f"uint8 is for {', '.join(SHARES)}; ask for the others as float32 or float16"
            )
        return self
