"""The operators of the language, with what they may not be given."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from model.message import Message
from server.programs.limits import MAX_BITS, Refused, check_items

BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
IN_PLACE: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.iadd,
    ast.Sub: operator.isub,
    ast.Mult: operator.imul,
    ast.Div: operator.itruediv,
    ast.FloorDiv: operator.ifloordiv,
    ast.Mod: operator.imod,
    ast.Pow: operator.ipow,
    ast.MatMult: operator.imatmul,
    ast.BitAnd: operator.iand,
    ast.BitOr: operator.ior,
    ast.BitXor: operator.ixor,
}
UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


def check_operands(op: ast.operator, left: Any, right: Any) -> None:
    """Refuse what would take memory or time out of all proportion."""
    if isinstance(op, ast.Mod) and isinstance(left, str):
        raise Refused(Message("Put values into texts with f-strings here, not with %."))
    if isinstance(op, ast.Mult):
        for items, times in ((left, right), (right, left)):
            if isinstance(items, str | list | tuple) and isinstance(times, int):
                check_items(len(items) * times)
    if isinstance(left, int) and isinstance(right, int):
        grows = isinstance(op, ast.Pow) and left.bit_length() * abs(right) > MAX_BITS
        if grows or max(left.bit_length(), right.bit_length()) > MAX_BITS:
            raise Refused(Message("Whole numbers may not be that large here. Use floats."))
