"""Vote, then reveal: before a discussion, and again after it (peer instruction, Mazur 1997)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from model.message import Message
from server.classes.activities.kind import Kind, Line, Question, Rounds, Row, Schema, percent


class VoteQuestion(Question):
    """A question with choices; `correct` is the index of the right one, if there is one."""

    choices: Annotated[list[Line], Field(min_length=2, max_length=8)]
    correct: Annotated[int, Field(ge=0, le=7)] | None = None
    study: Literal["before", "after", "later"] | None = None  # of a study: never revealed

    @model_validator(mode="after")
    def _has_it(self) -> "VoteQuestion":
        check_choices(self.choices, self.correct)
        return self


class VoteAnswer(Schema):
    """The index of a choice."""

    choice: int = Field(ge=0, le=7)


def check_choices(choices: Sequence[str], correct: int | None) -> None:
    """Raise a ValueError if two choices are the same, or the right one is none of them."""
    twice = next((choice for choice in choices if choices.count(choice) > 1), None)
    if twice is not None:
        raise ValueError(f"expected answers that differ; got “{twice}” more than once")
    if correct is not None and correct >= len(choices):
        raise ValueError(f"correct: expected one of 0 to {len(choices) - 1}; got {correct}")


def counts(choices: Sequence[str], rounds: Rounds, correct: int | None) -> dict[str, Any]:
    """How many chose what, in each round."""
    chosen = [[said.answer.choice for said in given] for given in rounds]
    return {
        "rounds": [[each.count(index) for index in range(len(choices))] for each in chosen],
        "n": [len(given) for given in rounds],
        "correct": correct,
    }


def count_rows(choices: Sequence[str], found: dict[str, Any]) -> Iterator[Row]:
    """Each choice with its count, for each round; the right one is marked."""
    for number, counted in enumerate(found["rounds"], 1):
        for index, (choice, count) in enumerate(zip(choices, counted, strict=True)):
            right = Message("{choice} (right)", choice=choice)
            yield Row(number, right if index == found["correct"] else choice, count)


def told_counts(choices: Sequence[str], found: dict[str, Any]) -> Iterator[str]:
    """How many were right, before and after a discussion; or what most chose."""
    shares = []
    for counted, n in zip(found["rounds"], found["n"], strict=True):
        index = found["correct"]
        best = counted.index(max(counted)) if index is None else index
        shares.append((choices[best].rstrip("."), counted[best] / n if n else None))
    has_right = found["correct"] is not None
    (choice, first), *later = shares
    if first is not None:
        said = {"share": percent(first), "choice": choice}
        yield (
            Message("{share} were right: “{choice}”.", **said)
            if has_right
            else Message("{share} chose “{choice}”.", **said)
        )
    for choice, share in later:
        if share is not None:
            said = {"share": percent(share), "choice": choice}
            yield (
                Message("After the discussion {share} were right: “{choice}”.", **said)
                if has_right
                else Message("After the discussion {share} chose “{choice}”.", **said)
            )


def choosing(name: str, question: type[Question], choices: Callable[[Any], Sequence[str]]) -> Kind:
    """A kind whose answers are the index of a choice; `choices` are those of a question."""

    def check(asked: Any, answer: VoteAnswer) -> None:
        last = len(choices(asked)) - 1
        if answer.choice > last:
            raise ValueError(f"choice: expected one of 0 to {last}; got {answer.choice}")

    return Kind(
        name,
        question,
        VoteAnswer,
        lambda asked, rounds, started: counts(choices(asked), rounds, asked.correct),
        lambda asked, found: count_rows(choices(asked), found),
        lambda asked, found: told_counts(choices(asked), found),
        lambda asked, answer: choices(asked)[answer.choice],
        check,
        private=frozenset({"correct"}),
    )


VOTE = choosing("vote", VoteQuestion, lambda asked: asked.choices)
