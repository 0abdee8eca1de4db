"""Problems in a lesson, with file and line, so that a teacher can fix them."""

from collections.abc import Iterable
from dataclasses import dataclass

_MAX_PROBLEMS = 20  # reported per lesson
_MAX_LENGTH = 600  # characters of a message


@dataclass(frozen=True)
class Problem:
    """One problem."""

    file: str  # name without folders
    line: int | None  # from 1; None: the whole file
    message: str  # what was expected and what was found

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"

    @property
    def where(self) -> str:
        """File and line."""
        return self.file if self.line is None else f"{self.file}, line {self.line}"


class BrokenLesson(Exception):
    """A lesson cannot be shown; carries the first problems found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        first = sorted(problems, key=lambda problem: problem.line or 0)[:_MAX_PROBLEMS]
        self.problems = [
            Problem(_printable(one.file), one.line, _printable(one.message)) for one in first
        ]
        super().__init__("\n".join(map(str, self.problems)))


class LessonError(Exception):
    """Raised by the functions that a lesson's template calls; the caller adds file and line."""


def _printable(text: str) -> str:
    """On one line, truncated and escaped: file names and keys may contain anything."""
    short = text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…"
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in short)
