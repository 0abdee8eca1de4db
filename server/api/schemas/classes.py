"""The requests of a live class."""

from typing import Annotated, Any, Literal

from pydantic import Field

from server.api.fields import Request
from server.classes import session
from server.classes.activities.kind import State
from server.classes.session import MAX_MINUTES, Address, StepNow

ITEM = r"^[a-z0-9-]{1,24}$"
Item = Annotated[str, Field(pattern=ITEM)]


class Opening(Request):
    """What a class begins with."""

    plan: dict[str, Any] | None = Field(default=None, description="The steps; docs/class.md.")
    saved: dict[str, Any] | None = Field(
        default=None, description="A class that was saved, to open it again."
    )


class Joining(Request):
    """Somebody who joins."""

    nickname: str | None = Field(default=None, max_length=200)
    again: str | None = Field(
        default=None,
        max_length=100,
        description="The token that this page made or got before: the same person, not another.",
    )


class ShowsChange(Request):
    """What the projector shows besides the inspector; what is left out stays."""

    code: bool | None = Field(default=None, description="How people join.")
    slide: bool | None = Field(default=None, description="The slide of the step, if it has one.")


class Step(Request, StepNow):
    """Where in the plan the class is."""


class Change(Request):
    """What the teacher changes; what is left out stays."""

    choice: State | None = None
    over: State | None = Field(
        default=None,
        description="The choice that this one takes the place of: 409 if another one came between.",
    )
    mode: Literal["follow", "explore", "pause"] | None = None
    frozen: bool | None = None
    locked: bool | None = Field(default=None, description="Whether nobody new may join.")
    named: bool | None = Field(
        default=None,
        description="Whether the report says who answered what; the class is told.",
    )
    checks: bool | None = Field(
        default=None,
        description="Whether what people put on a wall waits until the teacher shows it.",
    )
    timer: float | None = Field(
        default=None,
        ge=0,
        le=MAX_MINUTES,
        description="Starts a timer of so many minutes; 0: none.",
    )
    step: Step | None = None
    address: Address | None = Field(
        default=None,
        description="Under which people open this server, where it cannot find that out itself.",
    )
    shows: ShowsChange | None = None


class Starting(Request):
    """An activity to start."""

    kind: str = Field(pattern=r"^[a-z]{1,20}$")
    question: dict[str, Any]


class Phase(Request):
    """Where an activity goes."""

    phase: session.Phase | None = None
    round: session.Round | None = None


class Moderation(Request):
    """What the teacher does about a person, or about something on the wall."""

    hidden: bool | None = None
    removed: bool | None = None
