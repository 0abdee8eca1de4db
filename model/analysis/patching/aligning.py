"""Which tokens of a text get their values from which of the clean run."""

from collections.abc import Sequence
from typing import NamedTuple

from model.errors import InputError
from model.interventions import aligned_pairs
from model.kinds import SiteKind
from model.sources.runner import Runner
from model.tokenizer import Token
from model.trace import Trace

Pairs = tuple[tuple[int, int], ...]  # positions: in the clean run, in the text

FIELD = "analyse.patching"
CLEAN = "clean sentence"


class Aligned(NamedTuple):
    """The aligned positions of a text, and those of its target in an encoder–decoder."""

    text: Pairs
    target: Pairs | None

    @property
    def read(self) -> Pairs:
        """Those of the tokens whose successors are predicted."""
        return self.text if self.target is None else self.target

    def of(self, kind: SiteKind) -> Pairs:
        """Those of the tokens that the queries of a kind of sites are."""
        return self.text if is_of_text(kind) else self.read


def is_of_text(kind: SiteKind) -> bool:
    """Whether the queries of a kind of sites are tokens of the text, not of its target."""
    return kind in ("self", "encoder")


def row_of(clean: Runner, text: int) -> int:
    """The row of the clean run for a text: in an encoder–decoder, the one with its target."""
    return text if len(clean.tokens) > 1 else 0


def aligned(
    given: Sequence[tuple[int, int]] | None, trace: Trace, clean: Runner, text: int
) -> Aligned:
    """Align a text with the clean sentence.

    `given` aligns the two sentences; None aligns equal positions. A decoder reads the same target
    in both runs, so each of its tokens is aligned with itself.

    Raises:
        InputError: there is no such position, one is repeated, or the tokens are not as many.
    """
    own = row_of(clean, text)
    of_text = _pairs(given, trace.tokens[text], clean.tokens[own], text)
    if trace.target_tokens is None or clean.target_tokens is None:
        return Aligned(of_text, None)
    there = [at for at, token in enumerate(clean.target_tokens[own]) if not token.padding]
    same = aligned_pairs(
        trace.target_tokens[text],
        len(there),
        f"The target of text {text + 1}",
        "",
        f"{FIELD}.clean",
        "target of the clean sentence",
    )
    return Aligned(of_text, tuple((there[nth], to) for nth, to in same))


def _pairs(
    given: Sequence[tuple[int, int]] | None,
    row: Sequence[Token],
    source: Sequence[Token],
    text: int,
) -> Pairs:
    """The aligned positions, checked."""
    if given is None:
        advice = ", align them with `pairs`,"
        return aligned_pairs(row, len(source), f"Text {text + 1}", advice, f"{FIELD}.clean", CLEAN)
    for one, other in given:
        if one >= len(source) or other >= len(row):
            raise InputError(
                f"The clean sentence has positions 0 to {len(source) - 1} and the text 0 to "
                f"{len(row) - 1}; got [{one}, {other}].",
                field=f"{FIELD}.pairs",
            )
    if len({other for _, other in given}) < len(given):
        raise InputError(
            "Expected each position of the text in one pair only; one is repeated.",
            field=f"{FIELD}.pairs",
        )
    return tuple(given)
