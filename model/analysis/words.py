"""The tokens of one text as metrics see them: which are real, special or punctuation."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from model.core.tokenizer import Token

_SPACE = "␣"  # how a vocabulary entry that is one space is written


@dataclass(frozen=True, eq=False)
class Words:
    """The tokens along one axis of a pattern. Padding is neither special nor punctuation."""

    ids: Int[Tensor, " pos"]
    real: Bool[Tensor, " pos"]
    special: Bool[Tensor, " pos"]
    punctuation: Bool[Tensor, " pos"]

    @property
    def first(self) -> int:
        """The first real position, or 0 if there is none."""
        return int(self.real.long().argmax())

    def counted(self, specials: bool) -> Bool[Tensor, " pos"]:
        """The real tokens, with or without the special ones."""
        return self.real if specials else self.real & ~self.special


def words_of(tokens: Sequence[Token]) -> Words:
    """The tokens of one padded row."""
    real = torch.tensor([not token.padding for token in tokens])
    special = torch.tensor([token.special for token in tokens])
    punctuation = torch.tensor([is_punctuation(token.text) for token in tokens])
    return Words(
        ids=torch.tensor([token.id for token in tokens]),
        real=real,
        special=real & special,
        punctuation=real & ~special & punctuation,
    )


@lru_cache(4_096)
def is_punctuation(text: str) -> bool:
    """Whether a token has a mark or symbol (Unicode P or S), and neither a letter nor a digit."""
    kinds = {unicodedata.category(character)[0] for character in text if character != _SPACE}
    return bool(kinds & {"P", "S"}) and not kinds & {"L", "N"}
