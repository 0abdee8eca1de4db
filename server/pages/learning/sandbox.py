"""The sandbox for lesson templates: a faulty template must not keep the server from starting.

It limits the running time and the length of texts. The time is checked at each iteration of a loop,
each call of a macro, and between pieces of output; the length, where texts are joined or repeated.
A single long operation, such as a power of large numbers, is not interrupted.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any

from jinja2 import DictLoader, StrictUndefined, Template, nodes
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment
from jinja2.visitor import NodeTransformer

from server.pages.learning.problems import LessonError

MAX_SECONDS = 5.0
MAX_CHARACTERS = 1024**2

EXTENDS = '{% extends "learn/lesson.html" %}'
OPEN, CLOSE = "{% block lesson %}", "{% endblock %}"

_TICK, _JOINED = "_tick", "_joined"  # names of the checks inside a template


class _Sandbox(SandboxedEnvironment):
    intercepted_binops = frozenset("+*")

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "*":
            for text, times in ((left, right), (right, left)):
                if isinstance(text, str | list | tuple) and isinstance(times, int):
                    _check_length(len(text) * times)
        return _short(super().call_binop(context, operator, left, right))


class _AddChecks(NodeTransformer):
    """Inserts the checks into a template."""

    def visit_For(self, node: nodes.For) -> nodes.Node:
        return self._with_tick(node)

    def visit_Macro(self, node: nodes.Macro) -> nodes.Node:
        return self._with_tick(node)

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        joined = self.generic_visit(node)
        return nodes.Filter(joined, _JOINED, [], [], None, None, lineno=node.lineno)

    def _with_tick(self, node: nodes.For | nodes.Macro) -> nodes.Node:
        self.generic_visit(node)
        here = {"lineno": node.lineno}
        call = nodes.Call(nodes.Name(_TICK, "load", **here), [], [], None, None, **here)
        node.body.insert(0, nodes.ExprStmt(call, **here))
        return node


def _check_length(length: int) -> None:
    if length > MAX_CHARACTERS:
        raise LessonError(f"expected at most {MAX_CHARACTERS:,} characters; the output is too long")


def _short(value: Any) -> Any:
    if isinstance(value, str | list | tuple):
        _check_length(len(value))
    return value


# Stands in for the real page template: a lesson only fills its block and cannot include any other
# file.
SANDBOX = _Sandbox(
    loader=DictLoader({"learn/lesson.html": OPEN + CLOSE}),
    autoescape=True,
    undefined=StrictUndefined,
)
SANDBOX.filters[_JOINED] = _short


def compiled(source: str, name: str, filename: str) -> Template:
    """A template with the checks inserted.

    Raises:
        TemplateSyntaxError: the source is not a valid template.
    """
    tree = _AddChecks().visit(SANDBOX.parse(source, name, filename))
    code = SANDBOX.compile(tree, name=name, filename=filename)
    return Template.from_code(SANDBOX, code, SANDBOX.make_globals(None))


def rendered(template: Template, calls: dict[str, Callable[..., Any]]) -> str:
    """The output of the template.

    Raises:
        LessonError: the output is too long or takes too long.
    """
    stop = monotonic() + MAX_SECONDS

    def check_time() -> None:
        if monotonic() > stop:
            raise LessonError(f"rendering took longer than {MAX_SECONDS:g} s; check its loops")

    pieces: list[str] = []
    length = 0
    for piece in template.generate(calls | {_TICK: check_time}):
        check_time()
        length += len(piece)
        _check_length(length)
        pieces.append(piece)
    return "".join(pieces)
