"""What requests and answers are made of, whatever they are about."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MAX_INDEX = 1_000_000
Index = Annotated[int, Field(ge=0, le=MAX_INDEX)]


class Request(BaseModel):
    """A part of a request."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Response(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(extra="forbid")


class Candidate(Response):
    """A candidate for the next token."""

    id: int
    text: str
    probability: float
