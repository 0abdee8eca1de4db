"""The schemas of the programs of lessons."""

from pydantic import Field

from server.api.fields import Request, Response, Text

MAX_CODE = 10_000  # characters


class ProgramRequest(Request):
    """A program to run in place of the one that the lesson shows."""

    code: Text = Field(max_length=MAX_CODE, description="Python, as far as lessons have it.")


class Made(Response):
    """A value that a line made, the last time it ran."""

    line: int = Field(description="From 1.")
    name: str = Field(description="What it was assigned to; empty if to nothing.")
    times: int = Field(description="How often the line has made one.")
    shape: list[int] | None = Field(description="Of a tensor.")
    text: str | None = Field(description="A number, or a short text.")


class Histogram(Response):
    """How often values occur, by `histogram()`."""

    line: int
    counts: list[int] = Field(description="One for each bin.")
    edges: list[float] = Field(description="Of the bins: one more than there are bins.")
    mean: float
    std: float


class Stopped(Response):
    """Why a program stopped before its end."""

    line: int | None = Field(description="From 1; null if it is not known.")
    message: str


class Checked(Response):
    """A comparison with the solution."""

    about: str
    wrong: str | None = Field(description="The difference, in shapes and numbers; null if none.")


class ProgramAnswer(Response):
    """What a run of a program made."""

    values: list[Made]
    printed: str
    histograms: list[Histogram]
    error: Stopped | None
    checks: list[Checked] = Field(description="Up to the first that is wrong.")
