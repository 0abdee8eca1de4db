"""Reads a lesson's two files."""

import stat
from collections.abc import Sequence
from json import JSONDecodeError
from pathlib import Path

from pydantic import ValidationError

from server.languages.prose import Say, reworded_data
from server.pages.learning import lines
from server.pages.learning.content import Content, mismatches, problems_of
from server.pages.learning.problems import BrokenLesson, Problem

MAX_BYTES = 1024**2  # of one file


def text_of(file: Path, folder: Path) -> str:
    """The text of a file in a folder.

    Raises:
        BrokenLesson: the file is missing, lies outside the folder, or is not UTF-8.
    """
    try:
        if not file.resolve().is_relative_to(folder.resolve()):
            raise broken(file, "is a link to a file outside its folder; copy the file here instead")
        found = file.stat()
        if not stat.S_ISREG(found.st_mode):
            raise broken(file, "expected a file")
        if found.st_size > MAX_BYTES:
            raise broken(file, f"expected at most {MAX_BYTES:,} bytes; got {found.st_size:,}")
        content = file.read_bytes()
    except FileNotFoundError:
        what = "is missing; a lesson consists of two files with the same name, .html and .json"
        raise broken(file, what) from None
    except OSError as error:
        raise broken(file, f"cannot be read: {error.strerror}") from None
    except RuntimeError:  # Python 3.11 raises this for a loop of links
        raise broken(file, "is a link that points to itself") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what = f"expected UTF-8; got the byte {content[error.start]:#04x}. Save the file as UTF-8."
        raise broken(file, what, line) from None


def content_of(
    file: Path, text: str, models: Sequence[str], say: Say | None = None
) -> tuple[Content, dict[lines.Path, int]]:
    """A lesson's parsed JSON, and the line of each part. `say`: in another language.

    Raises:
        BrokenLesson: with all problems.
    """
    try:
        value, line_of = lines.read(text)
    except JSONDecodeError as error:
        what = f"expected JSON: {error.msg}, at column {error.colno}"
        raise broken(file, what, error.lineno) from None
    except lines.Repeated as error:
        raise broken(file, f"{error}; rename one of them", error.line) from None
    except (ValueError, RecursionError) as error:
        raise broken(file, f"expected JSON of ordinary size: {error}") from None
    try:
        content = Content.model_validate(reworded_data(value, say) if say else value)
    except ValidationError as error:
        found = list(problems_of(error))
    else:
        found = list(mismatches(content, models))
        if not found:
            return content, line_of
    raise BrokenLesson(Problem(file.name, _line(path, line_of), what) for path, what in found)


def broken(file: Path, message: str, line: int | None = None) -> BrokenLesson:
    """A BrokenLesson with one problem."""
    return BrokenLesson([Problem(file.name or str(file), line, message)])


def _line(path: lines.Path, line_of: dict[lines.Path, int]) -> int:
    """The line of the innermost part of the path that exists in the file."""
    while path not in line_of:
        path = path[:-1]
    return line_of[path]
