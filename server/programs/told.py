"""What a person is told of a run: what each line made, what was printed, the histograms."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from server.programs.objects import Class, Function, Instance

MAX_PRINTED = 10_000  # characters
MAX_TEXT = 60  # characters of a value beside its line
MAX_MADE = 500  # values that are told
MAX_HISTOGRAMS = 4
MAX_BINS = 60
LARGEST = 1e100  # of a histogram: no square of it is infinite
_PRINTABLE = (
    bool,
    int,
    float,
    str,
    list,
    tuple,
    dict,
    range,
    torch.dtype,
    Function,
    Class,
    Instance,
)


@dataclass(repr=False)
class Told:
    """Collects it while a program runs."""

    line: int = 0  # that is running
    quiet: bool = False  # while what runs is not the reader's
    checking: bool = False  # while the reader's functions run again, for checks
    printed: str = ""
    histograms: list[dict[str, Any]] = field(default_factory=list)
    _made: dict[tuple[int, str], dict[str, Any]] = field(default_factory=dict)

    def made(self, line: int, name: str, value: Any) -> None:
        """A value, with the name it got; a line that runs again tells its last one."""
        told = None if self.quiet else _described(value)
        if told is None or (len(self._made) == MAX_MADE and (line, name) not in self._made):
            return
        before = self._made.get((line, name))
        times = 1 if before is None else before["times"] + 1
        self._made[line, name] = {"line": line, "name": name, "times": times, **told}

    def values(self) -> list[dict[str, Any]]:
        """{line, name, times, shape, text}, in the order of the lines."""
        return sorted(self._made.values(), key=lambda one: one["line"])

    def print(self, *values: Any, sep: str = " ", end: str = "\n", flush: bool = False) -> None:
        """Python's print, into a text of limited length."""
        if self.quiet:
            return
        text = str(sep).join(_printed(value) for value in values) + str(end)
        left = MAX_PRINTED - len(self.printed)
        if left > 0:
            self.printed += text if len(text) <= left else f"{text[:left]}\n…\n"

    def histogram(self, values: Tensor | Iterable[Any], bins: int = 24) -> None:
        """Draw how often values occur."""
        if not isinstance(values, Tensor):
            values = torch.tensor([float(value) for value in values])
        numbers = values.detach().double().flatten()
        numbers = numbers[numbers.abs() < LARGEST]
        if not len(numbers):
            raise ValueError("histogram() needs at least one finite number")
        if self.checking or len(self.histograms) == MAX_HISTOGRAMS:
            return
        counts, edges = torch.histogram(numbers, max(1, min(int(bins), MAX_BINS)))
        self.histograms.append(
            {
                "line": self.line,
                "counts": counts.int().tolist(),
                "edges": edges.tolist(),
                "mean": numbers.mean().item(),
                "std": numbers.std().item() if len(numbers) > 1 else 0.0,
            }
        )


def _described(value: Any) -> dict[str, Any] | None:
    """The shape of a tensor, the text of a small value; None of what is neither."""
    if isinstance(value, Tensor):
        alone = value.dim() == 0
        return {"shape": list(value.shape), "text": _number(value.item()) if alone else None}
    if isinstance(value, bool | int | float):
        return {"shape": None, "text": _number(value)}
    if isinstance(value, str):
        return {"shape": None, "text": repr(value[:MAX_TEXT])}
    if isinstance(value, torch.Size):
        return {"shape": None, "text": str(list(value))[:MAX_TEXT]}
    return None  # of a list, which may grow later, too


def _number(value: float) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _printed(value: Any) -> str:
    if isinstance(value, Tensor):
        return str(value.detach())
    if value is None or isinstance(value, _PRINTABLE):
        return str(value)[:MAX_PRINTED]
    return f"<{type(value).__name__}>"
