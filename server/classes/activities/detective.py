"""Mask detective: which mistake was made here? The state shows a mechanism with a wrong switch."""

from typing import Annotated

from pydantic import Field, model_validator

from server.classes.activities.kind import Line, Question
from server.classes.activities.vote import check_choices, choosing


class DetectiveQuestion(Question):
    """The suspects; `correct` is the index of the mistake that was made."""

    options: Annotated[list[Line], Field(min_length=2, max_length=8)]
    correct: Annotated[int, Field(ge=0, le=7)]

    @model_validator(mode="after")
    def _has_it(self) -> "DetectiveQuestion":
        check_choices(self.options, self.correct)
        return self


DETECTIVE = choosing("detective", DetectiveQuestion, lambda asked: asked.options)
