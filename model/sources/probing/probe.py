"""A linear probe, as a request gives it."""

from dataclasses import dataclass
from typing import Literal

from model.errors import InputError

NO, YES = "no", "yes"  # of a probe of one row


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """A linear probe. One of a single row tells "no" from "yes"."""

    layer: int
    weights: tuple[tuple[float, ...], ...]  # class × d_model
    bias: tuple[float, ...] | None = None  # one for each row
    classes: tuple[str, ...] | None = None  # the names, of all of them
    read: Literal["last", "first"] = "last"  # of which real token

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.weights}
        if len(widths) != 1:
            raise InputError(
                "All rows of a probe must have as many numbers as the stream for a token; got "
                f"{min(widths, default=0)} to {max(widths, default=0)}.",
                field="probe.weights",
            )
        if self.bias is not None and len(self.bias) != len(self.weights):
            raise InputError(
                f"The probe has {len(self.weights)} rows and {len(self.bias)} biases; expected one "
                "for each row.",
                field="probe.bias",
            )
        if self.classes is not None and len(self.classes) != self.n_classes:
            raise InputError(
                f"The probe tells {self.n_classes} classes apart; got {len(self.classes)} names.",
                field="probe.classes",
            )

    @property
    def n_classes(self) -> int:
        return max(2, len(self.weights))

    @property
    def names(self) -> tuple[str, ...]:
        """Of the classes, in the order of their logits."""
        if self.classes is not None:
            return self.classes
        if len(self.weights) == 1:
            return NO, YES
        return tuple(f"class {n}" for n in range(len(self.weights)))
