"""Python over tensors, walked node by node: a node that has no method here is refused.

Errors of what a program calls are those of Python and torch, in their words.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from model.message import Message
from server.programs.allowed import BUILTINS, MODULES
from server.programs.expressions import Expressions, Scope, refuse
from server.programs.limits import MAX_DEPTH, Refused, small
from server.programs.objects import Builtin, Class, Function
from server.programs.operators import IN_PLACE, check_operands
from server.programs.told import Told


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class Interpreter(Expressions):
    """Walks programs, one after the other, which share their names.

    `told` collects what people are shown of it: what each line made, and what was printed.
    """

    def __init__(self, told: Told) -> None:
        super().__init__(told)
        own = dict(BUILTINS)
        for each in (told.print, told.histogram):
            own[each.__name__] = Builtin(each.__name__, each)
        self._names = Scope(outer=Scope(own))
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
            raise Refused(
                Message("Functions may call each other {n} deep here, and not deeper.", n=MAX_DEPTH)
            )
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
                refuse(statement)
            self._step()
            run(statement, scope)

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
            refuse(node.op)

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
            if not self._turn(node.body, scope):
                return
        self._block(node.orelse, scope)

    def _do_While(self, node: ast.While, scope: Scope) -> None:
        while self._value(node.test, scope):
            if not self._turn(node.body, scope):
                return
        self._block(node.orelse, scope)

    def _turn(self, body: Sequence[ast.stmt], scope: Scope) -> bool:
        """Run the body of a loop once; whether the loop goes on."""
        try:
            self._block(body, scope)
        except _Continue:
            pass
        except _Break:
            return False
        return True

    def _do_With(self, node: ast.With, scope: Scope) -> None:
        """`with torch.no_grad():`, which is all that lessons have of it."""
        contexts = [self._value(each.context_expr, scope) for each in node.items]
        if not all(isinstance(each, torch.no_grad) for each in contexts):
            raise Refused(Message("Lessons have `with` for torch.no_grad() alone."))
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
            raise Refused(Message("A class may have one base here, nn.Module, and no decorators."))
        base = self._value(node.bases[0], scope) if node.bases else None
        methods = {}
        for part in node.body:
            if isinstance(part, ast.FunctionDef):
                methods[part.name] = self._defined(part, scope)
            elif not isinstance(part, ast.Pass | ast.Expr):
                refuse(part)
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
                raise Refused(Message("Import names one by one here, not all with *."))
            try:
                scope.names[alias.asname or alias.name] = module.get(alias.name)
            except AttributeError:
                said = f"cannot import name '{alias.name}' from '{module.name}'"
                raise ImportError(said) from None

    def _defined(self, node: ast.FunctionDef, scope: Scope) -> Function:
        if node.decorator_list:
            raise Refused(Message("Functions have no decorators here."))
        return self._function(node.name, node, node.args, node.body, scope)


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
        raise Refused(
            Message("The program is nested too deeply, or has characters of no text.")
        ) from None


def _module(name: str) -> Any:
    if name not in MODULES:
        raise Refused(
            Message(
                "Lessons have no module {name}. They have {modules}.",
                name=repr(name),
                modules=", ".join(MODULES),
            )
        )
    return MODULES[name]
