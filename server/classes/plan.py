"""The plan of a class: steps that the desk walks with the arrow keys."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from server.classes.activities import KINDS
from server.classes.activities.kind import MAX_CHOICE
from server.classes.acts import checked
from server.classes.ready import Ready, games, sealed
from server.classes.session import QUESTIONS
from server.pages.learning.links import pairs
from server.pages.learning.workshop import plan as workshop
from server.pages.learning.workshop.games import ARRIVAL


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _is_state(query: str) -> str:
    query = query.partition("?")[2] if "?" in query else query
    pairs(query)
    return query


State = Annotated[str, Field(max_length=MAX_CHOICE), AfterValidator(_is_state)]


class Asked(_Part):
    """An activity that a step starts."""

    kind: Literal["vote", "drawing", "hunt", "detective", "bets", "wall"]
    question: dict[str, Any]

    @model_validator(mode="after")
    def _is_one(self) -> "Asked":
        assert self.kind != QUESTIONS
        checked(KINDS[self.kind].Question, self.question, "question")
        return self


class PlanStep(_Part):
    """A step: it opens a state, or a lesson, or asks something; or it is what the teacher says."""

    title: str = Field(min_length=1, max_length=200)
    minutes: float | None = Field(default=None, gt=0, le=600)
    notes: str = Field(default="", max_length=4_000)
    state: State | None = None  # an address of the inspector, from its "?" on
    lesson: str | None = Field(default=None, pattern=r"^[a-z0-9-]{1,100}$")
    activity: Asked | None = None


class ClassPlan(_Part):
    """The steps of a class."""

    title: str = Field(min_length=1, max_length=200)
    steps: Annotated[list[PlanStep], Field(min_length=1, max_length=200)]


def read_plan(document: Any) -> dict[str, Any]:
    """A plan from its file, as the store keeps it. Raises `ClassError` with the field at fault."""
    document = document if isinstance(document, Mapping) else {"steps": document}
    return checked(ClassPlan, dict(document), "plan").model_dump(exclude_none=True)


PLAYED = {"Mask detective": "detective", "Head hunt": "hunt", "Muting bets": "bets"}


def workshops(shipped: Path | None, votes: Sequence[Ready]) -> dict[str, dict[str, Any]]:
    """The workshops of the page for teachers, by their minutes: `workshop-90`."""
    ready = (*votes, *games(shipped))
    found = {}
    for plan in (workshop.LONG, workshop.SHORT):
        steps = [each for step in plan.steps for each in _steps(step, ready)]
        title = f"The workshop of {plan.minutes} minutes"
        found[f"workshop-{plan.minutes}"] = read_plan({"title": title, "steps": steps})
    return found


def _steps(step: workshop.Step, ready: Sequence[Ready]) -> Iterator[dict[str, Any]]:
    """The steps on the desk: one for each round of a game, under a title that gives nothing away.

    Without a game everybody sees a sentence of no game, so that no round before stays.
    """
    slides = f" Slides: {step.slides}." if step.slides else ""
    late = f" If you are late: {step.late}" if step.late else ""
    notes = f"{step.what}{slides}{late}".strip()
    kind = "vote" if step.about == "vote" else PLAYED.get(step.title)
    rounds = [each for each in ready if each["kind"] == kind]
    rounds = rounds[: 1 if kind == "vote" else step.rounds]
    if not rounds:
        minutes = float(step.minutes)
        yield {"title": step.title, "minutes": minutes, "notes": notes, "state": sealed(ARRIVAL)}
    for number, asked in enumerate(rounds, 1):
        of = f": {number} of {len(rounds)}" if len(rounds) > 1 else ""
        yield {
            "title": f"{step.title}{of}",
            "minutes": round(2 * step.minutes / len(rounds)) / 2,
            "notes": notes if number == 1 else "",
            "activity": {key: asked[key] for key in ("kind", "question")},
        }
