"""Excerpts of this project's source for lessons, always read from the code that runs."""

import ast
import textwrap
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from model.message import Message
from server.pages.assets.folders import ROOT
from server.pages.learning.problems import LessonError

_Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Code:
    """An excerpt of a file."""

    file: str  # from the project's root
    first: int  # line number, from 1
    last: int
    without_docstring: bool  # whether a docstring was left out
    text: str  # dedented

    @property
    def where(self) -> Message:
        """The caption: model/core/attention.py, lines 96–109."""
        file, first, last = self.file, str(self.first), str(self.last)
        if self.without_docstring:
            return Message(
                "{file}, lines {first}–{last}, without the docstring",
                file=file,
                first=first,
                last=last,
            )
        if self.last > self.first:
            return Message("{file}, lines {first}–{last}", file=file, first=first, last=last)
        return Message("{file}, line {first}", file=file, first=first)

    @property
    def html(self) -> Markup:
        return highlighted(self.text)


def highlighted(code: str) -> Markup:
    """Python with CSS classes; static/css/learn.css sets their colours."""
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    escaped = highlight(code, lexer, HtmlFormatter(nowrap=True))
    return Markup(escaped.removesuffix("\n"))


@cache
def code_of(
    path: str, start: str | None = None, stop: str | None = None, docstring: bool = False
) -> Code:
    """The source of a function, a method, a class or a constant under `model`.

    Args:
        path: such as "model.core.attention.attend" or "model.core.block.Block.forward".
        start: begin at the first line that contains this text. The docstring is searched only if
            it is shown.
        stop: end at the first line from there on that contains this text; may be the same line.
        docstring: include the definition's own docstring.

    Raises:
        LessonError: the name or the line does not exist.
    """
    file, names = _module(path)
    source = file.read_text("utf-8")
    node = _find(ast.parse(source), names, path)
    lines = source.split("\n")
    left_out = set() if docstring else _docstring(node, lines)
    assert node.end_lineno is not None
    whole = range(_first(node), node.end_lineno + 1)
    shown = [(n, lines[n - 1]) for n in whole if n not in left_out]
    shown = _between(shown, start, stop, path)
    numbers = [n for n, _ in shown]
    return Code(
        file=file.relative_to(ROOT).as_posix(),
        first=numbers[0],
        last=numbers[-1],
        without_docstring=any(numbers[0] < n < numbers[-1] for n in left_out),
        text=textwrap.dedent("\n".join(line for _, line in shown)),
    )


def _module(path: str) -> tuple[Path, list[str]]:
    """The file of the longest module that starts the path, and the remaining names."""
    parts = path.split(".") if isinstance(path, str) else []
    if len(parts) < 2 or parts[0] != "model" or not all(part.isidentifier() for part in parts):
        raise LessonError(
            'code() shows code from `model`, such as code("model.core.attention.attend"); '
            f"got {path!r}."
        )
    for n in range(len(parts), 0, -1):
        try:
            spec = find_spec(".".join(parts[:n]))
        except ImportError:  # its parent is not a package or has missing dependencies
            continue
        if spec is not None and spec.origin is not None:
            file = Path(spec.origin)
            if n < len(parts):
                return file, parts[n:]
            raise LessonError(
                f"code() shows a function or a class, but {path} is a whole module. Add the name "
                "of something in it."
            )
    raise LessonError(f"code() found no module for {path!r}.")


def _find(tree: ast.Module, names: list[str], path: str) -> ast.stmt:
    """The definition of that name: the last one, because earlier ones are overloads."""
    body: list[ast.stmt] = tree.body
    node: ast.stmt | None = None
    for name in names:
        found = [statement for statement in body if name in _names(statement)]
        if not found:
            known = ", ".join(dict.fromkeys(n for statement in body for n in _names(statement)))
            raise LessonError(
                f"code() found no {name!r} for {path!r}. Names there: {known or 'none'}."
            )
        node = found[-1]
        body = node.body if isinstance(node, ast.ClassDef) else []
    assert node is not None
    return node


def _names(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [statement.name]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
    return []


def _first(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, _Named) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _docstring(node: ast.stmt, lines: list[str]) -> set[int]:
    """The lines of the docstring and the blank lines after it; none if the body is only that."""
    if not isinstance(node, _Named) or ast.get_docstring(node) is None or len(node.body) < 2:
        return set()
    last = node.body[0].end_lineno
    assert last is not None
    while not lines[last].strip():  # the line after: line numbers count from 1
        last += 1
    return set(range(node.body[0].lineno, last + 1))


def _between(
    lines: list[tuple[int, str]], start: str | None, stop: str | None, path: str
) -> list[tuple[int, str]]:
    if start is not None:
        lines = lines[_index(lines, start, f"of {path}") :]
    if stop is not None:
        lines = lines[: _index(lines, stop, f"of {path} from its start on") + 1]
    return lines


def _index(lines: list[tuple[int, str]], text: str, where: str) -> int:
    for index, (_, line) in enumerate(lines):
        if text in line:
            return index
    raise LessonError(f"code() found no line {where} that contains {text!r}.")
