"""Why a cell is blocked: the words and the hatching of each bit of `blocked_by`."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headlight.application import facts
from headlight.languages import Language


@dataclass(frozen=True)
class Reason:
    """A mask that blocks cells."""

    bit: int
    words: str  # in English, as they stand after "blocked by"
    angle: str  # the direction of its hatching

    @property
    def hatch(self) -> str:
        """The hatching for matplotlib: the more often it is repeated, the denser."""
        return _HATCHES[self.angle][0]

    @property
    def apart(self) -> int:
        """Points between two strokes of that, if it is not repeated."""
        return _HATCHES[self.angle][1]


_HATCHES = {
    "cross": ("x", 24),
    "down": ("\\", 24),
    "dots": (".", 12),
    "up": ("/", 24),
    "level": ("-", 12),
}
# The first that a cell has is the one that is drawn.
REASONS = tuple(
    Reason(each["bit"], each["words"], each["angle"]) for each in facts("masks")["reasons"]
)


def explain(bits: int, language: Language) -> str:
    """What blocks a cell: "the padding mask and the causal mask"; "" if nothing does."""
    return language.enumerated(
        [language.gettext(reason.words) for reason in REASONS if bits & reason.bit]
    )


def blocked_by(reason: Reason, language: Language) -> str:
    """An item of a legend."""
    return language.gettext("blocked by {mask}", mask=language.gettext(reason.words))


def drawn(blocked: NDArray[np.uint8]) -> Iterator[tuple[Reason, NDArray[np.bool_]]]:
    """Each reason that is to be drawn, with its cells."""
    left = blocked != 0
    for reason in REASONS:
        cells = left & (blocked & reason.bit != 0)
        if cells.any():
            yield reason, cells
        left &= ~cells
