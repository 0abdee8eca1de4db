"""The run of the clean sentence, without padding."""

from collections.abc import Collection
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from model.core.editing import Capture, Place
from model.core.tokenizer import Token
from model.kinds import SiteKind
from model.sources.runner import Runner


@dataclass(frozen=True, eq=False)
class CleanRun:
    """The clean sentence, read with the target or the second segment of a text."""

    runner: Runner
    text: int

    @property
    def tokens(self) -> list[Token]:
        """The tokens of the sentence."""
        return _real(self.runner.tokens[self._row])

    @property
    def target_tokens(self) -> list[Token] | None:
        """Those of the target, in an encoder–decoder."""
        rows = self.runner.target_tokens
        return None if rows is None else _real(rows[self._row])

    def answer(self) -> Float[Tensor, "pos d_model"]:
        """What enters the language-model head."""
        with torch.no_grad():
            resid = self.runner(text=self._row)[0]
        return resid[self._positions("decoder" if self.runner.target_tokens else "self")]

    def values(self, places: Collection[Place]) -> dict[Place, Float[Tensor, "*head pos d"]]:
        """What it computes at some places."""
        capture = Capture(places)
        with torch.no_grad():
            self.runner(capture, text=self._row)
        return {
            place: found[0][..., self._positions(place.kind), :]
            for place, found in capture.found.items()
        }

    @property
    def _row(self) -> int:
        return self.text if len(self.runner.tokens) > 1 else 0

    def _positions(self, kind: SiteKind) -> list[int]:
        """Those of the tokens that query at sites of a kind."""
        rows = self.runner.tokens if is_of_text(kind) else self.runner.target_tokens
        assert rows is not None
        return [at for at, token in enumerate(rows[self._row]) if not token.padding]


def is_of_text(kind: SiteKind) -> bool:
    """Whether tokens of the text query at sites of a kind, not those of its target."""
    return kind in ("self", "encoder")


def _real(row: Collection[Token]) -> list[Token]:
    return [token for token in row if not token.padding]
