"""Which tokens of a text get their values from which of the clean run."""

from collections.abc import Sequence
from typing import NamedTuple

from model.analysis.patching.clean import CleanRun, is_of_text
from model.core.tokenizer import Token
from model.errors import InputError
from model.interventions import aligned_pairs
from model.kinds import SiteKind
from model.message import Message
from model.trace.trace import Trace

Pairs = tuple[tuple[int, int], ...]  # positions: in the clean run without padding, in the text

FIELD = "analyse.patching"
CLEAN = Message("The clean sentence")


class Asked(NamedTuple):
    """What errors call the other sentence, and the field of a request that has it."""

    sentence: str  # at the start of a sentence
    other: str  # after its start
    target: str  # likewise, of its target
    field: str  # of the analysis
    name: str  # of the sentence within it


OF_PATCHING = Asked(
    CLEAN,
    Message("the clean sentence"),
    Message("the target of the clean sentence"),
    FIELD,
    "clean",
)


class Aligned(NamedTuple):
    """The aligned positions of a text, and those of its target in an encoder–decoder."""

    text: Pairs
    target: Pairs | None

    @property
    def read(self) -> Pairs:
        """Those of the tokens whose successors are predicted."""
        return self.text if self.target is None else self.target

    def of(self, kind: SiteKind) -> Pairs:
        """Those of the tokens that query at sites of a kind."""
        return self.text if is_of_text(kind) else self.read


def aligned(
    given: Sequence[tuple[int, int]] | None,
    trace: Trace,
    clean: CleanRun,
    asked: Asked = OF_PATCHING,
) -> Aligned:
    """Align a text with the clean sentence, or with another one.

    `given` aligns the two sentences; None aligns equal positions. A decoder reads the same target
    in both runs, so each of its tokens is aligned with itself.

    Raises:
        InputError: there is no such position, one is repeated, or the tokens are not as many.
    """
    text = clean.text
    of_text = _pairs(given, trace.tokens[text], len(clean.tokens), text, asked)
    if trace.target_tokens is None or clean.target_tokens is None:
        return Aligned(of_text, None)
    of_target = aligned_pairs(
        trace.target_tokens[text],
        len(clean.target_tokens),
        Message("The target of text {n}", n=text + 1),
        f"{asked.field}.{asked.name}",
        asked.target,
    )
    return Aligned(of_text, of_target)


def _pairs(
    given: Sequence[tuple[int, int]] | None,
    row: Sequence[Token],
    n_clean: int,
    text: int,
    asked: Asked,
) -> Pairs:
    """The aligned positions, checked."""
    if given is None:
        field = f"{asked.field}.{asked.name}"
        return aligned_pairs(row, n_clean, Message("Text {n}", n=text + 1), field, asked.other)
    for one, other in given:
        if one >= n_clean or other >= len(row):
            raise InputError(
                f"{asked.sentence} has positions 0 to {n_clean - 1} and the text 0 to "
                f"{len(row) - 1}; got [{one}, {other}].",
                field=f"{asked.field}.pairs",
            )
    if len({other for _, other in given}) < len(given):
        raise InputError(
            "Expected each position of the text in one pair only; one is repeated.",
            field=f"{asked.field}.pairs",
        )
    return tuple(given)
