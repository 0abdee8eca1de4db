"""The schema of a lesson's JSON, and the error messages for JSON that does not follow it."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from model.facts import facts
from model.message import Message
from server.pages.learning import links
from server.pages.learning.lines import Path
from server.pages.learning.states import link_problems
from server.programs.checks import Check as Hidden

Line = Annotated[str, Field(min_length=1, max_length=1_000, pattern=r"\S")]
# a program, as a list of its lines
Lines = Annotated[list[str], Field(min_length=1, max_length=200)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=64)]
Link = Annotated[str, Field(max_length=20_000), AfterValidator(links.link)]
Changes = Annotated[str, Field(max_length=20_000), AfterValidator(links.changes)]

LETTERS = "abcdef"
MEASURES: list[str] = facts("measures")  # what static/js/numbers/measures.js can measure


def _measure(name: str) -> str:
    if name not in MEASURES:
        raise ValueError(f"a measure is one of {', '.join(MEASURES)}; got {name!r}")
    return name


Measure = Annotated[str, AfterValidator(_measure)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Option(_Part):
    """One position of a switch."""

    label: Line
    set: Changes  # changes to the figure's link; "": none


class Switch(_Part):
    """A radio group under a figure. Its first option is the unchanged link."""

    name: Line
    options: list[Option] = Field(min_length=2, max_length=8)


class Figure(_Part):
    """A live picture: its initial state, and the switches that a reader can set."""

    link: Link
    caption: Line
    switches: list[Switch] = Field(default=[], max_length=6)
    measures: list[Measure] = []
    editable: bool | None = None  # whether its text can be edited; None: if there is only one


class Question(_Part):
    """A question to answer before the figure reveals the answer.

    It is answered by one of `options`, with a `number`, or by putting `order` in order.
    """

    ask: Line
    options: list[Line] = Field(default=[], max_length=6)
    answer: int | None = None  # index of the correct option, from 0
    wrong: list[Line] = []  # why each other option is not right, in their order
    number: float | None = Field(default=None, allow_inf_nan=False)
    within: float = Field(default=0.0, ge=0, allow_inf_nan=False)  # how far off is still right
    order: list[Line] = Field(default=[], max_length=6)  # as is right; readers see it mixed
    because: Line
    figure: str | None = None  # the figure that shows the answer
    set: dict[str, str] = {}  # the switches to set for that: switch name → option label

    @property
    def mixed(self) -> list[int]:
        """The places of `order` in which readers see its parts: the same for everyone."""
        places = list(range(len(self.order)))
        return [*places[1::2], *places[::2]]

    @property
    def short(self) -> str:
        """The right answer in a few signs: a letter, a number, or letters in order."""
        if self.number is not None:
            return f"{self.number:g}"
        if self.order:
            return " ".join(LETTERS[self.mixed.index(place)] for place in range(len(self.order)))
        return LETTERS[self.answer or 0]

    @property
    def right(self) -> str:
        """The right answer in words."""
        if self.options:
            answer = self.options[self.answer or 0]
            return Message("{letter}, {answer}", letter=self.short, answer=answer)
        names = [part.partition(":")[0] for part in self.order]  # "Loss: −ln of …" is "Loss"
        return " → ".join(names) or f"{self.short}."

    @property
    def reasons(self) -> dict[int, str]:
        """Why an option is not right, by its index."""
        others = [place for place in range(len(self.options)) if place != self.answer]
        return dict(zip(others, self.wrong, strict=False))


class Check(_Part):
    """A hidden comparison of a reader's program with the solution, or what it does without."""

    about: Line  # for the reader: "two heads"
    given: list[str] = []  # statements that run first, in both
    call: Line | None = None  # an expression, which must have the same value in both
    lacks: Line | None = None  # instead: an attribute that the reader's program may not use

    @model_validator(mode="after")
    def _asks_one_thing(self) -> "Check":
        if (self.call is None) == (self.lacks is None):
            raise ValueError("expected either call or lacks")
        return self


class Program(_Part):
    """A program that readers change and run. With checks it is an exercise."""

    caption: Line
    code: Lines
    solution: Lines | None = None
    checks: list[Check] = Field(default=[], max_length=12)
    hints: list[Line] = Field(default=[], max_length=4)

    @property
    def text(self) -> str:
        return "\n".join(self.code)

    @property
    def hidden_checks(self) -> list[Hidden]:
        """The checks as they are run."""
        return [
            {
                "about": check.about,
                "given": "\n".join(check.given),
                "call": check.call or "",
                "lacks": check.lacks,
            }
            for check in self.checks
        ]

    @property
    def solution_text(self) -> str | None:
        return None if self.solution is None else "\n".join(self.solution)


class Content(_Part):
    """A lesson's JSON."""

    title: Line
    summary: Line
    figures: dict[Name, Figure] = {}
    programs: dict[Name, Program] = {}
    questions: list[Question] = Field(default=[], max_length=12)
    sources: list[Line] = Field(default=[], max_length=20)  # what to read on, shown at the end


_PARTS: dict[str | int, type[_Part]] = {
    "figures": Figure,
    "switches": Switch,
    "options": Option,
    "questions": Question,
    "programs": Program,
    "checks": Check,
}


def problems_of(error: ValidationError) -> Iterator[tuple[Path, str]]:
    """The path in the JSON and a message for each schema error."""
    for problem in error.errors(include_url=False):
        path = tuple(part for part in problem["loc"] if part != "[key]")
        where = spelled(path)
        match problem["type"]:
            case "missing":
                yield path[:-1], f"{where} is missing"
            case "extra_forbidden":
                part = next((_PARTS[p] for p in reversed(path[:-1]) if p in _PARTS), Content)
                yield path, f"unknown field {where}; expected {', '.join(part.model_fields)}"
            case "model_type" | "dict_type":
                yield path, f"{where} must be an object in braces"
            case _:
                message = problem["msg"].removeprefix("Value error, ")
                yield path, f"{where}: {message[:1].lower()}{message[1:]}"


def mismatches(content: Content, models: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """References in well-formed content to things that do not exist."""
    for name, figure in content.figures.items():
        at: Path = ("figures", name, "switches")
        yield from _repeated(at, [switch.name for switch in figure.switches])
        for n, switch in enumerate(figure.switches):
            yield from _repeated((*at, n, "options"), [option.label for option in switch.options])
            if switch.options[0].set:
                yield (
                    (*at, n, "options", 0, "set"),
                    'the first option is the unchanged link: expected ""; change the link instead',
                )
        options = [[(o.label, o.set) for o in switch.options] for switch in figure.switches]
        for path, what in link_problems(figure.link, options, models):
            yield ("figures", name, *path), what
    for name, program in content.programs.items():
        if (program.solution is None) != (not program.checks):
            what = "a solution and checks belong together; expected both or neither"
            yield ("programs", name), what
    for n, question in enumerate(content.questions):
        at = ("questions", n)
        yield from _unanswerable(question, at)
        yield from _missing_targets(content, question, at)


def _unanswerable(question: Question, at: Path) -> Iterator[tuple[Path, str]]:
    """What makes it unclear how a question is answered, or which answer is right."""
    options, last = question.options, len(question.options) - 1
    if sum((bool(options), question.number is not None, bool(question.order))) != 1:
        yield at, "expected one of `options`, `number` and `order`, which say how it is answered"
    elif options:
        if last < 1:
            yield (*at, "options"), f"expected at least 2 options; got {len(options)}"
        elif question.answer is None:
            yield at, f"{spelled((*at, 'answer'))} is missing: an option from 0 to {last}"
        elif not 0 <= question.answer <= last:
            yield (*at, "answer"), f"expected an option from 0 to {last}; got {question.answer}"
        if question.wrong and len(question.wrong) != last:
            yield (
                (*at, "wrong"),
                f"expected a reason for each of {last} other options, or none; "
                f"got {len(question.wrong)}",
            )
        yield from _repeated((*at, "options"), options)
    elif question.order:
        if len(question.order) < 3:
            yield (*at, "order"), f"expected at least 3 parts to order; got {len(question.order)}"
        yield from _repeated((*at, "order"), question.order)


def _missing_targets(content: Content, question: Question, at: Path) -> Iterator[tuple[Path, str]]:
    """Figures, switches and options that a question names but that do not exist."""
    if question.figure is None:
        if question.set:
            yield (*at, "set"), "sets switches, but the question has no `figure`; add one"
        return
    figure = content.figures.get(question.figure)
    if figure is None:
        yield (*at, "figure"), _unknown("figure", question.figure, content.figures)
        return
    switches = {switch.name: switch for switch in figure.switches}
    for name, label in question.set.items():
        if name not in switches:
            yield (*at, "set", name), _unknown("switch", name, switches)
            continue
        labels = [option.label for option in switches[name].options]
        if label not in labels:
            yield (*at, "set", name), _unknown("option", label, labels)


def _repeated(at: Path, names: list[str]) -> Iterator[tuple[Path, str]]:
    for n, name in enumerate(names):
        if name in names[:n]:
            yield (*at, n), f"{name!r} appears twice; expected different ones"


def _unknown(what: str, name: str, known: Any) -> str:
    names = ", ".join(repr(one) for one in known)
    return f"there is no {what} {name!r}; expected {f'one of {names}' if names else 'none'}"


def spelled(path: Path) -> str:
    """figures.past.switches[0].name; the JSON itself is "the lesson"."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".") or "the lesson"
