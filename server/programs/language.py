"""Python over tensors, walked node by node: a node that has no method here is refused.

Errors of what a program calls are those of Python and torch, in their words.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from typing import Any, Never

import torch
from torch import Tensor

from server.programs.allowed import BUILTINS, MODULES, SIZED, attribute
from server.programs.limits import MAX_DEPTH, MAX_STEPS, Refused, check_numbers, small
from server.programs.objects import Builtin, Class, Function, Instance
from server.programs.operators import BINARY, COMPARED, IN_PLACE, UNARY, check_operands
from server.programs.told import Told

_FORMAT = re.compile(r"(.?[<>^])?[-+ ]?[0-9]{0,2},?(\.[0-9]{1,2})?[bdefgsx%]?")


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


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


class Interpreter:
    """Walks programs, one after the other, which share their names.

    `told` collects what people are shown of it: what each line made, and what was printed.
    """

    def __init__(self, told: Told) -> None:
        own = dict(BUILTINS)
        for each in (told.print, told.histogram):
            own[each.__name__] = Builtin(each.__name__, each)
        self._names = Scope(outer=Scope(own))
        self._told = told
        self._steps = 0
        self._depth = 0

    def run(self, code: str) -> None:
        """
        Raises:
            Refused: the program uses what lessons do not have, or too much of something.
            Exception: whatever Python or torch raises. `told.line` is the line.
        """
        with _nothing_outside():
            self._block(_parsed(code, "exec").body, self._names)

    def value(self, code: str) -> Any:
        """The value of an expression, which stands on no line."""
        self._told.line = 0
        return self._value(_parsed(code, "eval").body, self._names)

    def call(self, function: Function, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """A call of a function that the program defines."""
        if self._depth == MAX_DEPTH:
            raise Refused(f"Functions may call each other {MAX_DEPTH} deep here, and not deeper.")
        scope = Scope(function.bind(args, named), function.scope)
        for name, value in scope.names.items():
            self._told.made(function.line, name, value)
        self._depth += 1
        try:
            with _nothing_outside():
                return self._body(function, scope)
        finally:
            self._depth -= 1

    def _body(self, function: Function, scope: Scope) -> Any:
        try:
            self._block(function.body, scope)
        except _Return as result:
            return result.value
        return None

    def _block(self, statements: Sequence[ast.stmt], scope: Scope) -> None:
        for statement in statements:
            self._told.line = statement.lineno
            run = getattr(self, f"_do_{type(statement).__name__}", None)
            if run is None:
                _refuse(statement)
            self._step()
            run(statement, scope)

    def _value(self, node: ast.expr, scope: Scope) -> Any:
        get = getattr(self, f"_get_{type(node).__name__}", None)
        if get is None:
            _refuse(node)
        self._step()
        return small(get(node, scope))

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Refused(f"The program was stopped after {MAX_STEPS:,} steps. Does a loop end?")

    # Statements

    def _do_Expr(self, node: ast.Expr, scope: Scope) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring, or …
            self._told.made(node.lineno, "", self._value(node.value, scope))

    def _do_Assign(self, node: ast.Assign, scope: Scope) -> None:
        value = self._value(node.value, scope)
        for target in node.targets:
            self._assign(target, value, scope)

    def _do_AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self._assign(node.target, self._value(node.value, scope), scope)

    def _do_AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        work = IN_PLACE.get(type(node.op))
        if work is None:
            _refuse(node.op)

        def changed(before: Any) -> Any:
            right = self._value(node.value, scope)
            check_operands(node.op, before, right)
            return small(work(before, right))

        match node.target:
            case ast.Name(id=name):
                if name not in scope.names and scope is not self._names:
                    raise UnboundLocalError(
                        f"cannot access local variable '{name}' where it is not associated with a "
                        "value"
                    )
                self._assign(node.target, changed(scope.get(name)), scope)
            case ast.Subscript():
                owner, index = self._part(node.target, scope)
                owner[index] = changed(owner[index])
            case _:
                one = self._instance(node.target, scope)
                one.set(node.target.attr, changed(one.get(node.target.attr)))

    def _do_If(self, node: ast.If, scope: Scope) -> None:
        self._block(node.body if self._value(node.test, scope) else node.orelse, scope)

    def _do_For(self, node: ast.For, scope: Scope) -> None:
        for value in self._value(node.iter, scope):
            self._assign(node.target, value, scope)
            try:
                self._block(node.body, scope)
            except _Continue:
                continue
            except _Break:
                return
        self._block(node.orelse, scope)

    def _do_While(self, node: ast.While, scope: Scope) -> None:
        while self._value(node.test, scope):
            try:
                self._block(node.body, scope)
            except _Continue:
                continue
            except _Break:
                return
        self._block(node.orelse, scope)

    def _do_With(self, node: ast.With, scope: Scope) -> None:
        """`with torch.no_grad():`, which is all that lessons have of it."""
        [*contexts] = [self._value(each.context_expr, scope) for each in node.items]
        if not all(isinstance(each, torch.no_grad) for each in contexts):
            raise Refused("Lessons have `with` for torch.no_grad() alone.")
        with torch.no_grad():
            self._block(node.body, scope)

    def _do_Break(self, node: ast.Break, scope: Scope) -> None:
        raise _Break

    def _do_Continue(self, node: ast.Continue, scope: Scope) -> None:
        raise _Continue

    def _do_Pass(self, node: ast.Pass, scope: Scope) -> None:
        pass

    def _do_Return(self, node: ast.Return, scope: Scope) -> None:
        value = None if node.value is None else self._value(node.value, scope)
        self._told.made(node.lineno, "", value)
        raise _Return(value)

    def _do_Assert(self, node: ast.Assert, scope: Scope) -> None:
        if not self._value(node.test, scope):
            raise AssertionError(*([self._value(node.msg, scope)] if node.msg else []))

    def _do_FunctionDef(self, node: ast.FunctionDef, scope: Scope) -> None:
        scope.names[node.name] = self._defined(node, scope)

    def _do_ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:
        if len(node.bases) > 1 or node.keywords or node.decorator_list:
            raise Refused("A class may have one base here, nn.Module, and no decorators.")
        base = self._value(node.bases[0], scope) if node.bases else None
        methods = {}
        for part in node.body:
            if isinstance(part, ast.FunctionDef):
                methods[part.name] = self._defined(part, scope)
            elif not isinstance(part, ast.Pass | ast.Expr):
                _refuse(part)
        scope.names[node.name] = Class(node.name, base, methods)

    def _do_Import(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            module = _module(alias.name)
            if alias.asname is None:  # "import torch.nn" names torch
                scope.names[alias.name.split(".")[0]] = _module(alias.name.split(".")[0])
            else:
                scope.names[alias.asname] = module

    def _do_ImportFrom(self, node: ast.ImportFrom, scope: Scope) -> None:
        module = _module(node.module or "")
        for alias in node.names:
            if alias.name == "*":
                raise Refused("Import names one by one here, not all with *.")
            try:
                scope.names[alias.asname or alias.name] = module.get(alias.name)
            except AttributeError:
                said = f"cannot import name '{alias.name}' from '{module.name}'"
                raise ImportError(said) from None

    def _defined(self, node: ast.FunctionDef, scope: Scope) -> Function:
        if node.decorator_list:
            raise Refused("Functions have no decorators here.")
        return self._function(node.name, node, node.args, node.body, scope)

    def _function(
        self,
        name: str,
        node: ast.FunctionDef | ast.Lambda,
        given: ast.arguments,
        body: Sequence[ast.stmt],
        scope: Scope,
    ) -> Function:
        if given.vararg or given.kwarg or given.posonlyargs:
            raise Refused("Functions have plain parameters here: no *, no ** and no /.")
        names = [each.arg for each in (*given.args, *given.kwonlyargs)]
        usual = [self._value(each, scope) for each in given.defaults]
        defaults = dict(zip([each.arg for each in given.args][::-1], usual[::-1], strict=False))
        for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
            if value is not None:
                defaults[each.arg] = self._value(value, scope)
        return Function(self, name, node.lineno, names, defaults, body, scope)

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
                _refuse(target)

    def _part(self, target: ast.Subscript, scope: Scope) -> tuple[Any, Any]:
        """What a part is set of, and which."""
        owner = self._value(target.value, scope)
        if not isinstance(owner, Tensor | list | dict):
            raise Refused("Only parts of tensors, lists and dictionaries can be set here.")
        return owner, self._value(target.slice, scope)

    def _instance(self, target: ast.Attribute, scope: Scope) -> Instance:
        one = self._value(target.value, scope)
        if not isinstance(one, Instance):
            raise Refused("Only attributes of self can be set here.")
        return one

    # Expressions

    def _get_Constant(self, node: ast.Constant, scope: Scope) -> Any:
        if isinstance(node.value, bytes | complex):
            raise Refused("Bytes and complex numbers are not available in lessons.")
        return node.value

    def _get_Name(self, node: ast.Name, scope: Scope) -> Any:
        return scope.get(node.id)

    def _get_Tuple(self, node: ast.Tuple, scope: Scope) -> Any:
        return tuple(self._all(node.elts, scope))

    def _get_List(self, node: ast.List, scope: Scope) -> Any:
        return self._all(node.elts, scope)

    def _get_Dict(self, node: ast.Dict, scope: Scope) -> Any:
        if None in node.keys:
            raise Refused("Write the entries of a dictionary one by one here, without **.")
        keys = self._all([key for key in node.keys if key is not None], scope)
        return dict(zip(keys, self._all(node.values, scope), strict=True))

    def _get_Lambda(self, node: ast.Lambda, scope: Scope) -> Any:
        body = ast.copy_location(ast.Return(node.body), node)
        return self._function("<lambda>", node, node.args, [body], scope)

    def _get_BinOp(self, node: ast.BinOp, scope: Scope) -> Any:
        left, right = self._value(node.left, scope), self._value(node.right, scope)
        work = BINARY.get(type(node.op))
        if work is None:
            _refuse(node.op)
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
            raise Refused("A format may be like 8.4f, <10 or .1% here: at most two digits a size.")
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
                raise Refused("Give arguments by plain names here, not with **.")
            named[each.arg] = self._value(each.value, scope)
        if not callable(function):
            raise TypeError(f"'{type(function).__name__}' object is not callable")
        if named.get("device", "cpu") != "cpu":
            raise Refused("Lessons compute on the CPU: leave `device` out.")
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
            raise Refused("super().__init__() stands in the __init__ of a class here.")
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


def _starred(parts: Sequence[ast.expr], values: list[Any]) -> list[Any]:
    """The values for the parts of a target, of which one may take several: `a, *rest = …`."""
    at = next((n for n, part in enumerate(parts) if isinstance(part, ast.Starred)), None)
    more = len(values) - len(parts) + 1
    if at is None or more < 0:
        return values
    return [*values[:at], values[at : at + more], *values[at + more :]]


@contextmanager
def _nothing_outside() -> Iterator[None]:
    """Refuse what Python's own parser refuses, but its tree does not."""
    try:
        yield
    except _Return:
        raise SyntaxError("'return' outside function") from None
    except _Break:
        raise SyntaxError("'break' outside loop") from None
    except _Continue:
        raise SyntaxError("'continue' not properly in loop") from None


def _parsed(code: str, mode: str) -> Any:
    try:
        return ast.parse(code, mode=mode)
    except (RecursionError, MemoryError, ValueError):
        raise Refused("The program is nested too deeply, or has characters of no text.") from None


def _module(name: str) -> Any:
    if name not in MODULES:
        raise Refused(f"Lessons have no module {name!r}. They have {', '.join(MODULES)}.")
    return MODULES[name]


def _refuse(node: ast.AST) -> Never:
    raise Refused(f"Python’s {_WORDS.get(type(node), type(node).__name__)} is not part of lessons.")


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
