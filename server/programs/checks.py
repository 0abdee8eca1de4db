"""One run of a program, and the hidden checks that compare it with the solution."""

import ast
from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

import torch
from torch import Tensor

from model.message import Message
from server.programs.language import Interpreter
from server.programs.limits import Refused
from server.programs.told import Told

SEED = 1337  # of programs that are checked, so that both draw the same numbers
TOLERANCE = 1e-4
NO_MEMORY = Message("The program needs more memory than it may have.")


class Check(TypedDict):
    """What a check asks: `call`, an expression, after `given`, statements.

    One with `lacks` asks instead that the program uses no attribute of this name.
    """

    about: str
    given: str
    call: str
    lacks: NotRequired[str | None]


def outcome(
    code: str, solution: str | None, checks: Sequence[Check], seed: int = SEED
) -> dict[str, Any]:
    """What a program made, and how it fares: the fields of `ProgramAnswer`.

    Args:
        seed: of torch, unless the program is checked.
    """
    told = Told()
    interpreter = Interpreter(told)
    torch.manual_seed(SEED if checks else seed)
    error = _stopped(told, lambda: interpreter.run(code))
    judged = []
    told.checking = True
    printed = told.printed
    first = None  # what the first check printed
    if error is None and solution is not None:
        reference = Interpreter(Told())
        torch.manual_seed(SEED)
        reference.run(solution)
        for check in checks:
            told.printed = printed
            lacks = check.get("lacks")
            wrong = (
                _wrong(interpreter, reference, told, check) if lacks is None else _uses(code, lacks)
            )
            first = told.printed if first is None else first
            judged.append({"about": check["about"], "wrong": wrong})
            if wrong is not None:
                break  # the first one is what to look at, and what it printed
        else:
            told.printed = first or printed
    return {
        "values": told.values(),
        "printed": _sound(told.printed),
        "histograms": told.histograms,
        "error": error,
        "checks": judged,
    }


def _sound(text: str) -> str:
    """Without halves of characters, which are no text to send."""
    return text.encode("utf-8", "replace").decode()


def _stopped(told: Told, run: Any) -> dict[str, Any] | None:
    """Run, and say on which line and why it stopped, if it did."""
    try:
        run()
    except Refused as error:
        return {"line": told.line, "message": error.args[0]}
    except SyntaxError as error:
        return {"line": error.lineno or told.line, "message": f"SyntaxError: {error.msg}"}
    except MemoryError:
        return {"line": told.line, "message": NO_MEMORY}
    except RecursionError:
        return {"line": told.line, "message": Message("The program is nested too deeply.")}
    except Exception as error:  # whatever Python or torch says about it
        said = _sound(str(error).split("\nException raised from")[0].strip())
        if "can't allocate memory" in said:
            return {"line": told.line, "message": NO_MEMORY}
        return {"line": told.line, "message": f"{type(error).__name__}: {said}"[:2_000]}
    return None


def _wrong(
    interpreter: Interpreter, reference: Interpreter, told: Told, check: Check
) -> str | None:
    """What is wrong, in shapes and numbers; None if nothing is."""
    results: list[Any] = []

    def ask(one: Interpreter) -> None:
        torch.manual_seed(SEED)
        told.quiet = True
        one.run(check["given"])
        told.quiet = False
        results.append(one.value(check["call"]))

    ask(reference)
    error = _stopped(told, lambda: ask(interpreter))
    if error is not None:
        return _stopped_there(**error)
    found: list[str | None] = []
    error = _stopped(told, lambda: found.append(difference(*results)))
    if error is None:
        return found[0]
    return Message("It cannot be compared: {message}", message=error["message"])


def _stopped_there(line: int | None, message: str) -> Message:
    if line:
        return Message("This stopped on line {line}: {message}", line=line, message=message)
    return Message("This stopped: {message}", message=message)


def _uses(code: str, name: str) -> str | None:
    """Where a program uses an attribute that it should do without; None if it does not."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute) and node.attr == name:
            return Message(
                "Line {line} uses .{name}. Write it without.", line=node.lineno, name=name
            )
    return None


def difference(expected: Any, got: Any) -> str | None:
    """The first difference between two values, in words; None if they agree."""
    if isinstance(expected, tuple | list):
        if not isinstance(got, tuple | list) or len(got) != len(expected):
            return Message("Expected {n} values; got {got}", n=len(expected), got=_kind(got))
        found = (difference(a, b) for a, b in zip(expected, got, strict=True))
        return next((one for one in found if one is not None), None)
    if isinstance(expected, Tensor):
        return _tensors(expected, got)
    if isinstance(got, Tensor) or got != expected:
        return Message("Expected {expected}; got {got}", expected=str(expected), got=_kind(got))
    return None


def _tensors(expected: Tensor, got: Any) -> str | None:
    shape = list(expected.shape)
    if not isinstance(got, Tensor):
        return Message(
            "Expected a tensor of the shape {shape}; got {got}", shape=str(shape), got=_kind(got)
        )
    if list(got.shape) != shape:
        return Message(
            "Expected the shape {shape}; got {got}.", shape=str(shape), got=str(list(got.shape))
        )
    if got.dtype != expected.dtype and torch.bool in (got.dtype, expected.dtype):
        return Message(
            "Expected numbers of the type {expected}; got {got}.",
            expected=str(expected.dtype),
            got=str(got.dtype),
        )
    mine, yours = expected.detach().double(), got.detach().double()
    close = torch.isclose(yours, mine, TOLERANCE, TOLERANCE, equal_nan=True)
    if close.all():
        return None
    [place, *_] = (~close).nonzero().tolist() or [[]]
    n_wrong, n = int((~close).sum()), close.numel()
    right, wrong = (f"{each[tuple(place)]:.4f}" for each in (mine, yours))
    if not place:
        return Message("Expected {expected}; got {got}.", expected=right, got=wrong)
    if n == 1:
        at = str(place)
        return Message("At {at}, expected {expected}; got {got}.", at=at, expected=right, got=wrong)
    return Message(
        "At {at}, expected {expected}; got {got}. ({wrong} of {n} numbers differ.)",
        at=str(place),
        expected=right,
        got=wrong,
        wrong=n_wrong,
        n=n,
    )


def _kind(value: Any) -> str:
    if value is None:
        return Message("nothing. Does the function return something?")
    if isinstance(value, Tensor):
        return Message("a tensor of the shape {shape}.", shape=str(list(value.shape)))
    if isinstance(value, int | float | str):
        return f"{str(value)[:100]}."
    return Message("a {kind}.", kind=type(value).__name__)
