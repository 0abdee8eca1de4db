"""Vote, then reveal: before a discussion, and again after it (peer instruction, Mazur 1997)."""

from typing import Annotated, Any

from pydantic import Field

from server.classes.activities.kind import Kind, Line, Question, Rounds, Schema


class VoteQuestion(Question):
    """A question with choices; `correct` is the index of the right one, if there is one."""

    choices: Annotated[list[Line], Field(min_length=2, max_length=8)]
    correct: Annotated[int, Field(ge=0, le=7)] | None = None


class VoteAnswer(Schema):
    """The index of a choice."""

    choice: int = Field(ge=0, le=7)


def check(question: VoteQuestion, answer: VoteAnswer) -> None:
    """Refuse a choice that the question does not have."""
    n = len(question.choices)
    if answer.choice >= n:
        raise ValueError(f"choice: expected one of 0 to {n - 1}; got {answer.choice}")


def results(question: VoteQuestion, rounds: Rounds, started: int) -> dict[str, Any]:
    """How many chose what, in each round."""
    counts = [
        [
            sum(said.answer.choice == index for said in given)
            for index in range(len(question.choices))
        ]
        for given in rounds
    ]
    return {"rounds": counts, "n": [len(given) for given in rounds], "correct": question.correct}


VOTE = Kind("vote", VoteQuestion, VoteAnswer, results, check, private=frozenset({"correct"}))
