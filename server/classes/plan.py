"""The plan of a class: steps that the desk walks with the arrow keys."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from model.message import Message
from server.classes.activities import KINDS
from server.classes.activities.kind import MAX_CHOICE
from server.classes.acts import checked
from server.classes.ready import Ready, games, sealed
from server.classes.session import ALWAYS
from server.languages.catalogue import Catalogue
from server.pages.learning.links import pairs
from server.pages.learning.workshop import plan as workshop
from server.pages.learning.workshop.deck import SLIDES
from server.pages.learning.workshop.games import ARRIVAL


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _is_state(query: str) -> str:
    query = query.partition("?")[2] if "?" in query else query
    pairs(query)
    return query


State = Annotated[str, Field(max_length=MAX_CHOICE), AfterValidator(_is_state)]


def _is_slide(name: str) -> str:
    if name not in SLIDES:
        raise ValueError(f"expected one of {', '.join(SLIDES)}")
    return name


Slide = Annotated[str, AfterValidator(_is_slide)]


def _is_kind(name: str) -> str:
    kinds = [kind for kind in KINDS if kind not in ALWAYS]
    if name not in kinds:
        raise ValueError(f"expected one of {', '.join(kinds)}")
    return name


class Asked(_Part):
    """An activity that a step starts."""

    kind: Annotated[str, AfterValidator(_is_kind)]
    question: dict[str, Any]

    @model_validator(mode="after")
    def _is_one(self) -> "Asked":
        checked(KINDS[self.kind].Question, self.question, "question")
        return self


class PlanStep(_Part):
    """A step: it opens a state or a lesson, shows a slide, or asks; or the teacher speaks."""

    title: str = Field(min_length=1, max_length=200)
    part: str | None = Field(default=None, min_length=1, max_length=200)  # that begins with it
    minutes: float | None = Field(default=None, gt=0, le=600)
    notes: str = Field(default="", max_length=4_000)
    state: State | None = None  # an address of the inspector, from its "?" on
    lesson: str | None = Field(default=None, pattern=r"^[a-z0-9-]{1,100}$")
    slide: Slide | None = None  # of the workshop's slides, on the projector
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


def workshops(
    shipped: Path | None, votes: Sequence[Ready], said: Catalogue
) -> dict[str, dict[str, Any]]:
    """The workshops of the page for teachers, by their minutes: `workshop-90`."""
    ready = (*votes, *games(shipped))
    found = {}
    for plan in (workshop.LONG, workshop.SHORT):
        steps = [each for step in plan.steps for each in _steps(step, ready)]
        title = Message("The workshop of {n} minutes", n=plan.minutes)
        found[f"workshop-{plan.minutes}"] = read_plan(said.value({"title": title, "steps": steps}))
    return found


def _steps(step: workshop.Step, ready: Sequence[Ready]) -> Iterator[dict[str, Any]]:
    """A part of the workshop on the desk: its slides, then one step for each round of its game.

    Titles give nothing away. Without a game everybody sees a sentence of no game, so that no round
    before stays.
    """
    late = Message("If you are late: {late}", late=step.late) if step.late else ""
    notes = Message("{what} {late}", what=step.what, late=late) if late else step.what
    kind = "vote" if step.about == "vote" else PLAYED.get(step.title)
    rounds = [each for each in ready if each["kind"] == kind]
    rounds = rounds[: 1 if kind == "vote" else step.rounds]
    open_to_all = {"state": sealed(ARRIVAL)}
    found: list[dict[str, Any]] = [
        {"title": SLIDES[name], "slide": name, **open_to_all} for name in step.slides
    ]
    if step.shows:
        found.append({"title": step.shows, **open_to_all})
    for number, asked in enumerate(rounds, 1):
        minutes = round(2 * step.minutes / len(rounds)) / 2
        activity = {key: asked[key] for key in ("kind", "question")}
        one_of = Message("{title}: {n} of {all}", title=step.title, n=number, all=len(rounds))
        title = one_of if len(rounds) > 1 else step.title
        found.append({"title": title, "minutes": minutes, "activity": activity})
    first, *others = found or [{"title": step.title, **open_to_all}]
    whole = {} if rounds else {"minutes": float(step.minutes)}
    yield {**first, **whole, "part": step.title, "notes": notes}
    yield from others
