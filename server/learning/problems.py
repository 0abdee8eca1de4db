"""What is wrong with a lesson, said by file and line: a teacher mends it with that alone."""

from collections.abc import Iterable
from dataclasses import dataclass

_MAX_PROBLEMS = 20  # problems told of one lesson
_LONGEST = 600  # characters of a message


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong."""

    file: str  # its name, without folders
    line: int | None  # counted from 1; None: of the whole file
    message: str  # what was expected, and what there is

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"

    @property
    def where(self) -> str:
        """File and line."""
        return self.file if self.line is None else f"{self.file}, line {self.line}"


class BrokenLesson(Exception):
    """A lesson that cannot be shown, with the first problems that were found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        first = sorted(problems, key=lambda problem: problem.line or 0)[:_MAX_PROBLEMS]
        self.problems = [
            Problem(_printable(one.file), one.line, _printable(one.message)) for one in first
        ]
        super().__init__("\n".join(map(str, self.problems)))


class LessonError(Exception):
    """Raised by what a lesson's template calls; whoever renders it adds file and line."""


def _printable(text: str) -> str:
    """On one line, and as any log and page can hold it: names of files and keys may be anything."""
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in short)
