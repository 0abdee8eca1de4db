"""Base classes and field types that requests and responses share."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from model.facts import limit
from model.trace.stream import PartKind

MAX_INDEX = limit("index")
Index = Annotated[int, Field(ge=0, le=MAX_INDEX)]
Number = Annotated[float, Field(ge=-1e6, le=1e6)]  # no NaN either


def unique(items: list[Any]) -> list[Any]:
    if len(set(items)) < len(items):
        raise ValueError("expected each entry only once; one is repeated")
    return items


def _no_lone_surrogate(text: Any) -> Any:
    for index, character in enumerate(text if isinstance(text, str) else ""):
        if "\ud800" <= character <= "\udfff":
            raise PydanticCustomError(
                "lone_surrogate",
                "Expected Unicode text; character {index} is {name}, half of a surrogate pair, "
                "which is not a character. Remove it, or send both halves",
                {"index": index, "name": f"U+{ord(character):04X}"},
            )
    return text


# checked before pydantic, which accepts some lone surrogates and calls others unreadable
Text = Annotated[str, BeforeValidator(_no_lone_surrogate)]


class Request(BaseModel):
    """A part of a request."""

    # NaN and Infinity, which Python reads in JSON, are said to be that, not to be beyond a limit
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class AskedLogit(Request):
    """Which logit is asked about, and where; the difference of two if `against` is given."""

    position: Index | None = Field(
        default=None,
        description="The position to predict from, counted in the padded text; null means each "
        "text's first mask token, or else its last real token.",
    )
    token: Index | None = Field(
        default=None, description="The token's id; null means the likeliest token there."
    )
    against: Index | None = Field(
        default=None,
        description="The id of another token: everything is then of the difference of the two "
        "logits, token − against.",
    )


class Response(BaseModel):
    """A part of a response."""

    model_config = ConfigDict(extra="forbid")


class Part(Response):
    """A summand of the residual stream."""

    kind: PartKind = Field(
        description="`embedding`, `position` or `segment`: what the tokens start with. `head`, or "
        "the `bias` of its site's W_O. `mlp`: a feed-forward network. `mixer`: what a layer has "
        "instead of attention, such as a convolution. `norm`: the bias of a norm. "
        "`intervention`: what interventions on the stream of a layer add to it, or, with the site "
        "of a cell, its q or k where they are frozen."
    )
    layer: int | None = Field(description="null before the first layer and after the last one.")
    site: str | None = Field(
        description="The site of a head, or of a bias of W_O or of the norm after it."
    )
    head: int | None


class Candidate(Response):
    """A candidate for the next token."""

    id: int
    text: str
    probability: float
