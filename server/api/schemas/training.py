"""The schemas of training by hand."""

from typing import Any, Literal

from pydantic import Field

from server.api.fields import Request, Response, Text

MAX_TEXT = 60_000  # characters


class TrainingRequest(Request):
    """Which networks to train for which task."""

    task: str = Field(
        default="", max_length=40, description="A task of GET /api/training; empty for `text`."
    )
    text: Text | None = Field(
        default=None,
        max_length=MAX_TEXT,
        description="Lines to learn instead of a task, character by character.",
    )
    networks: list[dict[str, str | int | float | bool]] = Field(
        default=[{}],
        min_length=1,
        max_length=2,
        description="One or two networks to compare, as settings that differ from the task's own.",
    )
    seeds: int = Field(
        default=1, ge=1, le=3, description="How often each is trained, from other weights."
    )


class TrainingTask(Response):
    """A task for a small network."""

    id: str
    name: str
    about: str
    example: str = Field(description="A line.")
    asked: list[int] = Field(description="The places in it whose character is asked for.")
    chance: float = Field(description="The share of answers that guessing gets right.")
    goal: float = Field(description="The share at which a training ends.")
    settings: dict[str, Any] = Field(description="Of the network that usually learns it.")


class NetworkSetting(Response):
    """A setting of a network, and the values that it takes."""

    name: str
    options: list[str] = Field(description="Its names; empty if it takes others.")
    kind: Literal["names", "flag", "whole", "number"]
    limits: list[float] | None = Field(description="The least and the most of a number.")


class TasksResponse(Response):
    """What can be trained."""

    enabled: bool = Field(description="Whether this server trains.")
    tasks: list[TrainingTask]
    settings: list[NetworkSetting]


class TaskScore(Response):
    """How well a network does on lines that it has never been shown."""

    loss: float = Field(description="In nats per answer.")
    accuracy: float = Field(description="The share of answers that are right.")


class ShownLine(Response):
    """A held-out line, and what the network says."""

    line: str
    asked: list[int]
    said: list[str] = Field(description="A token for each place that is asked.")


class TrainingPoint(Response):
    """How far a network has come."""

    lane: int = Field(description="Which of the run's networks.")
    step: int
    loss: float | None = Field(description="Of the last batch, in nats; null before the first.")
    score: TaskScore | None = Field(description="null if its numbers have grown beyond float32.")
    shown: list[ShownLine] = Field(description="Empty for all but the newest of a network.")
    pattern: str = Field(
        description="The pattern on the beginning of the first line, after [BOS], in base64: "
        "layer, head, query, key, each a byte, round(255 · weight)."
    )
    ended: Literal["goal", "steps", "stopped", "diverged"] | None


class TrainedNetwork(Response):
    """One network of a run."""

    network: dict[str, Any] = Field(description="All its settings.")
    variant: int = Field(description="Which of the networks that were asked for.")
    seed: int
    model: str | None = Field(description="The name of the trained model; null until it has ended.")


class TrainingResponse(Response):
    """A run of training by hand."""

    id: str
    task: TrainingTask
    state: Literal["waiting", "training", "ended", "stopped", "failed"]
    place: int = Field(description="How many runs have their turn before it.")
    problem: str | None = Field(description="Why it failed.")
    own: bool = Field(description="Whether it is that of whoever asks.")
    lanes: list[TrainedNetwork]
    points: list[TrainingPoint] = Field(description="Of all networks, as they came.")
