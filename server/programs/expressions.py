"""Expressions of the language, and the names that their values get."""

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Never

from torch import Tensor

from model.message import Message
from server.programs.allowed import SIZED, attribute
from server.programs.limits import MAX_STEPS, Refused, check_numbers, small
from server.programs.objects import Function, Instance
from server.programs.operators import BINARY, COMPARED, UNARY, check_operands
from server.programs.told import Told

_FORMAT = re.compile(r"(.?[<>^])?[-+ ]?[0-9]{0,2},?(\.[0-9]{1,2})?[bdefgsx%]?")


@dataclass
class Scope:
    """The names of a function's call, or of the program."""

    names: dict[str, Any] = field(default_factory=dict)
    outer: "Scope | None" = None

    def get(self, name: str) -> Any:
        if name in self.names:
            return self.names[name]
        if self.outer is not None:
            return self.outer.get(name)
        raise NameError(f"name '{name}' is not defined")


class Expressions(ABC):
    """Finds the values of expressions."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._steps = 0

    @abstractmethod
    def call(self, function: Function, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """A call of a function that the program defines, whose body has statements."""

    def _value(self, node: ast.expr, scope: Scope) -> Any:
        get = getattr(self, f"_get_{type(node).__name__}", None)
        if get is None:
            refuse(node)
        self._step()
        return small(get(node, scope))

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Refused(
                Message("The program was stopped after {n} steps. Does a loop end?", n=MAX_STEPS)
            )

    def _get_Constant(self, node: ast.Constant, scope: Scope) -> Any:
        if isinstance(node.value, bytes | complex):
            raise Refused(Message("Bytes and complex numbers are not available in lessons."))
        return node.value

    def _get_Name(self, node: ast.Name, scope: Scope) -> Any:
        return scope.get(node.id)

    def _get_Tuple(self, node: ast.Tuple, scope: Scope) -> Any:
        return tuple(self._all(node.elts, scope))

    def _get_List(self, node: ast.List, scope: Scope) -> Any:
        return self._all(node.elts, scope)

    def _get_Dict(self, node: ast.Dict, scope: Scope) -> Any:
        if None in node.keys:
            raise Refused(Message("Write the entries of a dictionary one by one here, without **."))
        keys = self._all([key for key in node.keys if key is not None], scope)
        return dict(zip(keys, self._all(node.values, scope), strict=True))

    def _get_Lambda(self, node: ast.Lambda, scope: Scope) -> Any:
        body = ast.copy_location(ast.Return(node.body), node)
        return self._function("<lambda>", node, node.args, [body], scope)

    def _get_BinOp(self, node: ast.BinOp, scope: Scope) -> Any:
        left, right = self._value(node.left, scope), self._value(node.right, scope)
        work = BINARY.get(type(node.op))
        if work is None:
            refuse(node.op)
        check_operands(node.op, left, right)
        return work(left, right)

    def _get_UnaryOp(self, node: ast.UnaryOp, scope: Scope) -> Any:
        return UNARY[type(node.op)](self._value(node.operand, scope))

    def _get_BoolOp(self, node: ast.BoolOp, scope: Scope) -> Any:
        stops_at = isinstance(node.op, ast.Or)
        for each in node.values[:-1]:
            value = self._value(each, scope)
            if bool(value) is stops_at:
                return value
        return self._value(node.values[-1], scope)

    def _get_Compare(self, node: ast.Compare, scope: Scope) -> Any:
        left, result = self._value(node.left, scope), None
        for op, each in zip(node.ops, node.comparators, strict=True):
            right = self._value(each, scope)
            result = COMPARED[type(op)](left, right)
            if each is not node.comparators[-1] and not result:
                return result
            left = right
        return result

    def _get_IfExp(self, node: ast.IfExp, scope: Scope) -> Any:
        return self._value(node.body if self._value(node.test, scope) else node.orelse, scope)

    def _get_Attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        owner = self._value(node.value, scope)
        return owner.get(node.attr) if isinstance(owner, Instance) else attribute(owner, node.attr)

    def _get_Subscript(self, node: ast.Subscript, scope: Scope) -> Any:
        owner = self._value(node.value, scope)
        if not hasattr(type(owner), "__getitem__"):
            raise TypeError(f"'{type(owner).__name__}' object is not subscriptable")
        return owner[self._value(node.slice, scope)]

    def _get_Slice(self, node: ast.Slice, scope: Scope) -> slice:
        parts = (node.lower, node.upper, node.step)
        return slice(*(None if part is None else self._value(part, scope) for part in parts))

    def _get_ListComp(self, node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> list[Any]:
        found: list[Any] = []
        inner = Scope(outer=scope)
        for _ in self._each(node.generators, inner):
            found.append(self._value(node.elt, inner))
        return found

    _get_GeneratorExp = _get_ListComp

    def _get_DictComp(self, node: ast.DictComp, scope: Scope) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        inner = Scope(outer=scope)
        for _ in self._each(node.generators, inner):
            found[self._value(node.key, inner)] = self._value(node.value, inner)
        return found

    def _get_JoinedStr(self, node: ast.JoinedStr, scope: Scope) -> str:
        return "".join(str(self._value(part, scope)) for part in node.values)

    def _get_FormattedValue(self, node: ast.FormattedValue, scope: Scope) -> str:
        value = self._value(node.value, scope)
        spec = "" if node.format_spec is None else self._value(node.format_spec, scope)
        if not _FORMAT.fullmatch(spec):
            raise Refused(
                Message("A format may be like 8.4f, <10 or .1% here: at most two digits a size.")
            )
        if node.conversion == ord("r"):
            value = repr(value)
        if isinstance(value, Tensor) and value.dim() == 0:
            value = value.item()
        if isinstance(value, int | float | str):
            return format(value, spec)
        if spec:
            kind = type(value).__name__
            raise TypeError(f"unsupported format string passed to {kind}.__format__")
        return str(value)

    def _get_Call(self, node: ast.Call, scope: Scope) -> Any:
        match node.func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"):
                return self._initialised(scope)
        function = self._value(node.func, scope)
        args = self._all(node.args, scope)
        named = {}
        for each in node.keywords:
            if each.arg is None or each.arg.startswith("_"):
                raise Refused(Message("Give arguments by plain names here, not with **."))
            named[each.arg] = self._value(each.value, scope)
        if not callable(function):
            raise TypeError(f"'{type(function).__name__}' object is not callable")
        if named.get("device", "cpu") != "cpu":
            raise Refused(Message("Lessons compute on the CPU: leave `device` out."))
        if function in SIZED:
            sizes = [n for each in args for n in (each if isinstance(each, tuple) else (each,))]
            check_numbers(abs(prod(n for n in sizes if isinstance(n, int))))
        line = self._told.line
        result = function(*args, **named)
        self._told.line = line
        return result

    def _initialised(self, scope: Scope) -> None:
        one = next(iter(scope.names.values()), None)  # self, whatever it is called
        if not isinstance(one, Instance):
            raise Refused(Message("super().__init__() stands in the __init__ of a class here."))
        one.initialise()

    def _all(self, nodes: Sequence[ast.expr], scope: Scope) -> list[Any]:
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += small(list(self._value(node.value, scope)))
            else:
                found.append(self._value(node, scope))
        return found

    def _each(self, loops: Sequence[ast.comprehension], scope: Scope) -> Iterator[None]:
        """Once for each turn of nested loops, with their names set."""
        if not loops:
            yield
            return
        first, *rest = loops
        for value in self._value(first.iter, scope):
            quiet, self._told.quiet = self._told.quiet, True  # a name of no line
            self._assign(first.target, value, scope)
            self._told.quiet = quiet
            if all(self._value(test, scope) for test in first.ifs):
                yield from self._each(rest, scope)

    def _function(
        self,
        name: str,
        node: ast.FunctionDef | ast.Lambda,
        given: ast.arguments,
        body: Sequence[ast.stmt],
        scope: Scope,
    ) -> Function:
        if given.vararg or given.kwarg or given.posonlyargs:
            raise Refused(Message("Functions have plain parameters here: no *, no ** and no /."))
        names = [each.arg for each in (*given.args, *given.kwonlyargs)]
        usual = [self._value(each, scope) for each in given.defaults]
        defaults = dict(zip([each.arg for each in given.args][::-1], usual[::-1], strict=False))
        for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
            if value is not None:
                defaults[each.arg] = self._value(value, scope)
        return Function(self.call, name, node.lineno, names, defaults, body, scope)

    def _assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                scope.names[name] = value
                self._told.made(target.lineno, name, value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                values = _starred(parts, list(value))
                if len(values) != len(parts):
                    few = "not enough" if len(values) < len(parts) else "too many"
                    got = f", got {len(values)}" if len(values) < len(parts) else ""
                    raise ValueError(f"{few} values to unpack (expected {len(parts)}{got})")
                for part, each in zip(parts, values, strict=True):
                    self._assign(part.value if isinstance(part, ast.Starred) else part, each, scope)
            case ast.Subscript():
                owner, index = self._part(target, scope)
                owner[index] = value
            case ast.Attribute():
                self._instance(target, scope).set(target.attr, value)
            case _:
                refuse(target)

    def _part(self, target: ast.Subscript, scope: Scope) -> tuple[Any, Any]:
        """What a part is set of, and which."""
        owner = self._value(target.value, scope)
        if not isinstance(owner, Tensor | list | dict):
            raise Refused(Message("Only parts of tensors, lists and dictionaries can be set here."))
        return owner, self._value(target.slice, scope)

    def _instance(self, target: ast.Attribute, scope: Scope) -> Instance:
        one = self._value(target.value, scope)
        if not isinstance(one, Instance):
            raise Refused(Message("Only attributes of self can be set here."))
        return one


def _starred(parts: Sequence[ast.expr], values: list[Any]) -> list[Any]:
    """The values for the parts of a target, of which one may take several: `a, *rest = …`."""
    at = next((n for n, part in enumerate(parts) if isinstance(part, ast.Starred)), None)
    more = len(values) - len(parts) + 1
    if at is None or more < 0:
        return values
    return [*values[:at], values[at : at + more], *values[at + more :]]


def refuse(node: ast.AST) -> Never:
    """Say that a node is not part of the language."""
    what = _WORDS.get(type(node), type(node).__name__)
    raise Refused(Message("Python’s {what} is not part of lessons.", what=what))


_WORDS: Mapping[type[ast.AST], str] = {
    ast.Try: "`try`",
    ast.Raise: "`raise`",
    ast.Global: "`global`",
    ast.Nonlocal: "`nonlocal`",
    ast.Delete: "`del`",
    ast.Set: "set",
    ast.Await: "`await`",
    ast.Yield: "`yield`",
    ast.NamedExpr: "`:=`",
    ast.LShift: "`<<`",
    ast.RShift: "`>>`",
}
