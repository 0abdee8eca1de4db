"""What a request may have read in the place of what the model predicts."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from model.errors import InputError

NO, YES = "no", "yes"  # of a probe of one row
UNLIKE = "unlike it"  # of a similarity with one text: a vector at right angles to it
UNSURE, SURE = "unsure", "sure"
OTHER, OWN = "another text", "this text"

SCALE = (
    20.0  # 1 / 0.05, the temperature of SimCSE (Gao et al. 2021); sentence-transformers' default
)


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
                field="answer.weights",
            )
        if self.bias is not None and len(self.bias) != len(self.weights):
            raise InputError(
                f"The probe has {len(self.weights)} rows and {len(self.bias)} biases; expected one "
                "for each row.",
                field="answer.bias",
            )
        if self.classes is not None and len(self.classes) != self.n_classes:
            raise InputError(
                f"The probe tells {self.n_classes} classes apart; got {len(self.classes)} names.",
                field="answer.classes",
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Similarity:
    """Which of some texts a text is most like, by the cosines of their vectors.

    A single text is told from a vector at right angles to it, whose logit is 0. Its own logit is
    the cosine itself: a scale would leave hardly any doubt.
    """

    texts: tuple[str, ...]
    read: Literal["mean", "last", "first"] = "mean"  # which real tokens the vector is of
    scale: float | None = None  # logits are this times the cosines; None: the usual one

    @property
    def names(self) -> tuple[str, ...]:
        """Of the classes, in the order of their logits."""
        return (UNLIKE, *self.texts) if len(self.texts) == 1 else self.texts

    @property
    def times(self) -> float:
        """The scale that holds."""
        usual = 1.0 if len(self.texts) == 1 else SCALE
        return usual if self.scale is None else self.scale


@dataclass(frozen=True, kw_only=True, slots=True)
class Entropy:
    """How sure the model is of a token: p(sure) is e^-H of the entropy H of what it predicts."""

    position: int | None = None  # in the padded text; None: where the model predicts

    @property
    def names(self) -> tuple[str, ...]:
        """Of the classes, in the order of their logits."""
        return UNSURE, SURE


@dataclass(frozen=True, kw_only=True, slots=True)
class Loss:
    """How likely a text itself is: p(this text) is e^-L of the mean loss L of its tokens."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the classes, in the order of their logits."""
        return OTHER, OWN


Answer: TypeAlias = Probe | Similarity | Entropy | Loss
KINDS = ("probe", "similarity", "entropy", "loss")
