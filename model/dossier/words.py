"""Patterns from token to token as patterns from word to word, for models that cut text apart."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.core.tokenizer import Token

_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, eq=False)
class WordCells:
    """Which tokens make up each word of a text; special tokens are in none."""

    tokens: Bool[Tensor, "word token"]

    @property
    def present(self) -> Bool[Tensor, " word"]:
        """The words that have a token of their own; a token of two words belongs to the first."""
        return self.tokens.any(-1)

    def weights(self, pattern: Float[Tensor, "head query key"]) -> Float[Tensor, "head word other"]:
        """The mean over the tokens of a word of the sum over the tokens of another."""
        member = self.tokens.to(pattern.dtype)
        mean = member / member.sum(-1, keepdim=True).clamp(min=1)
        return mean @ pattern @ member.T

    def reached(self, allowed: Bool[Tensor, "head query key"]) -> Bool[Tensor, "head word other"]:
        """Whether any token of a word may look at any token of another."""
        member = self.tokens.double()
        return member @ allowed.double() @ member.T > 0


def word_cells(tokens: Sequence[Token], text: str) -> WordCells:
    """A token belongs to the word that holds its first character that is not a space."""
    spans = [match.span() for match in _WORD.finditer(text)]
    member = torch.zeros(len(spans), len(tokens), dtype=torch.bool)
    for index, token in enumerate(tokens):
        if token.special or token.padding:
            continue
        piece = text[token.start : token.end]
        start = token.start + len(piece) - len(piece.lstrip())
        for word, (first, last) in enumerate(spans):
            if first <= start < last and token.end > start:
                member[word, index] = True
    return WordCells(member)
