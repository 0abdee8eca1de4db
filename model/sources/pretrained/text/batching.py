"""Reads inputs into the batch that a checkpoint runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jaxtyping import Bool
from torch import Tensor

from model.core.editing import AffineEdits
from model.core.tokenizer import Token
from model.errors import UnavailableError
from model.masks.rules import MaskSettings
from model.message import Message
from model.sources.inputs import (
    check_cells,
    check_ids,
    check_length,
    check_text,
    check_unmixed,
    muted_heads,
)
from model.sources.pretrained.opening.examine import Findings
from model.sources.pretrained.text.limits import check_squares
from model.sources.pretrained.text.reading import Reader, Rows
from model.sources.source import Inputs, MutedHead, SourceInfo
from model.trace.recorded import TokenAxis

Read = list[list[Token]]


class Batch(NamedTuple):
    """The inputs of a model: its rows, the decoder's rows, the masks and the muted heads."""

    rows: Rows
    targets: Rows | None
    settings: MaskSettings
    muted: Bool[Tensor, "1 site head"]
    edits: AffineEdits | None = None  # the interventions

    @property
    def real(self) -> dict[TokenAxis, Bool[Tensor, "batch pos"]]:
        """Which tokens are not padding."""
        real: dict[TokenAxis, Tensor] = {"tokens": self.rows.real}
        if self.targets is not None:
            real["target_tokens"] = self.targets.real
        return real


@dataclass(frozen=True, eq=False)
class Batching:
    """How one checkpoint reads its inputs."""

    reader: Reader
    info: SourceInfo
    found: Findings
    start: int | None  # the token that a decoder's input starts with
    ends: frozenset[int]

    def tokens(self, inputs: Inputs, max_tokens: int | None) -> tuple[Read, Read | None]:
        """The tokens of the texts and of the targets, checked, without padding.

        Raises:
            InputError: a text or an id is not valid.
            LimitError: there are too many tokens.
        """
        check_unmixed(inputs, self.info)
        added, source = inputs.adds_special, "texts" if inputs.ids is None else "ids"
        pairs = inputs.pairs or (None,) * len(inputs.texts)
        read = []
        for place, (text, pair) in enumerate(zip(inputs.texts, pairs, strict=True)):
            check_text(text, f"texts.{place}")
            check_text(pair or "", f"pairs.{place}")
            read.append(self.reader.read(text, pair, added=added))
        for place, ids in enumerate(inputs.ids or ()):
            check_ids(ids, self.info.vocab_size, self.info, f"ids.{place}")
            read.append(self.reader.read_ids(ids, added=added))
        targets = None
        if self.info.takes_targets:
            texts = inputs.targets or ("",) * inputs.n_texts
            targets = self.targets(texts, added=inputs.adds_special_to_targets)
        for field, rows in ((source, read), ("targets", targets)):
            grows = inputs.generate if (field == "targets") == self.info.takes_targets else None
            for place, tokens in enumerate(rows or ()):
                to_come = 0 if grows is None else grows.more(len(tokens))
                named = (
                    Message("Target {n}", n=place + 1) if field == "targets" else inputs.name(place)
                )
                where = f"{field}.{place}"
                check_length(tokens, self.info, max_tokens, named, where, more=to_come)
        return read, targets

    def targets(self, texts: Sequence[str], *, added: bool = True) -> Read:
        """The decoder's input for each text."""
        assert self.start is not None  # checked when it was loaded
        found = []
        for index, text in enumerate(texts):
            check_text(text, f"targets.{index}")
            found.append(self.reader.read_target(text, self.start, self.ends, added=added))
        return found

    def batch(
        self,
        read: Read,
        targets: Read | None,
        settings: MaskSettings,
        muted: Sequence[MutedHead],
    ) -> Batch:
        """The rows, padded, with their masks and mutes, without interventions.

        Raises:
            InputError: a painted cell or a muted head does not exist.
            UnavailableError: the model cannot be padded on the left.
        """
        for part, field in ((read, "texts"), (targets, "targets")):
            if part is not None and settings.padding_side == "left":
                self._check_left(part, field)
        check_cells(settings, self.info)
        check_squares(read, targets, self.found, self.info.name)
        rows = self.reader.rows(read, settings.padding_side)
        target_rows = None if targets is None else self.reader.rows(targets, settings.padding_side)
        return Batch(rows, target_rows, settings, muted_heads(muted, self.info))

    def _check_left(self, rows: Read, field: str) -> None:
        if not self.found.pads_left and len({len(row) for row in rows}) > 1:
            raise UnavailableError(
                f"{self.info.name} counts positions from the first token, including padding, so "
                f"padding on the left would shift every word of the shorter {field}. Pad on the "
                "right.",
                field="masks.padding_side",
            )
