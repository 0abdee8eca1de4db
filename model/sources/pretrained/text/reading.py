"""Tokenizes text with a checkpoint's own tokenizer and keeps the position of every token."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from model.core.tokenizer import PAD, Token
from model.errors import InputError
from model.masks.rules import PaddingSide
from model.sources.inputs import padded, spelled
from model.sources.native import real_positions
from model.sources.pretrained.text.chat import chat_text
from model.sources.pretrained.text.encoding import AS_TYPED, encode, encode_target
from model.sources.source import ChatMessage

MARK = "▁"  # what SentencePiece writes for a space
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class Rows(NamedTuple):
    """Rows of tokens of equal length, and the tensors for a model."""

    tokens: tuple[tuple[Token, ...], ...]
    ids: Int[Tensor, "batch pos"]
    real: Bool[Tensor, "batch pos"]  # False: padding
    types: Int[Tensor, "batch pos"]  # the model's token types: 1 in a second segment, or all 0

    @property
    def positions(self) -> Int[Tensor, "batch pos"]:
        """Positions counted from the first real token."""
        return real_positions(self.real)

    def repeated(self, text: int, n: int) -> "Rows":
        """One of the texts, repeated n times."""
        ids, real, types = (part[text].expand(n, -1) for part in (self.ids, self.real, self.types))
        return Rows((self.tokens[text],) * n, ids, real, types)


def parted(tokens: list[Token]) -> list[Token]:
    """The tokens, with names that tell those apart that are parts of one character: 我₁⁄₃."""
    named = list(tokens)
    for _, group in groupby(range(len(tokens)), lambda at: _place_of(tokens[at])):
        places = list(group)
        first = tokens[places[0]]
        if len(places) == 1 or first.special or first.end - first.start != 1:
            continue
        of = str(len(places)).translate(SUBSCRIPTS)
        for part, at in enumerate(places, 1):
            text = f"{first.text}{str(part).translate(SUBSCRIPTS)}⁄{of}"
            named[at] = replace(tokens[at], text=text)
    return named


def _place_of(token: Token) -> tuple[int, int, int]:
    return token.segment, token.start, token.end


def _chat_template(tokenizer: PreTrainedTokenizerBase) -> str | None:
    """The template of plain conversations, where a tokenizer has one, or several by name."""
    found = tokenizer.chat_template
    return found.get("default") if isinstance(found, dict) else found


class Reader:
    """A checkpoint's tokenizer, without padding and truncation."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, vocab_size: int) -> None:
        self._tokenizer = tokenizer
        self.chat_template = _chat_template(tokenizer)  # None: it has none
        special = frozenset(tokenizer.all_special_ids)
        self.ordinary_ids: Sequence[int] = tuple(
            id for id in range(min(len(tokenizer), vocab_size)) if id not in special
        )
        # the unknown token stands for typed text, so it does not count as special
        self._special = special - {tokenizer.unk_token_id}
        # without a padding token any id will do, because padding is masked
        self._pad_id: int = 0 if tokenizer.pad_token_id is None else tokenizer.pad_token_id
        self._pad_text: str = tokenizer.pad_token or PAD
        added = tokenizer.num_special_tokens_to_add
        # token types may equal the segments, be all the same, or be something else that we cannot
        # interpret
        types, segments = self._types_of_a_pair()
        self.types_are_segments = types == segments
        known = self.types_are_segments or not any(types)
        self.takes_pairs: bool = known and added(pair=True) > added(pair=False) > 0

    def _types_of_a_pair(self) -> tuple[list[int], list[int]]:
        found = self._tokenizer("a", "a", **AS_TYPED)
        tokens = self.read("a", "a")
        return found.get("token_type_ids", [0] * len(tokens)), [token.segment for token in tokens]

    def read(self, text: str, pair: str | None = None, *, added: bool = True) -> list[Token]:
        """The tokens of a text or of two segments; offsets refer to the segment's own text.

        `added`: with the special tokens that the tokenizer adds.
        """
        found = encode(self._tokenizer, text, pair, added=added)
        tokens, end, last = list[Token](), 0, 0
        for id, place, segment, type in zip(*found, strict=True):
            if segment is None:  # inserted by the tokenizer: placed at the end of the last token
                tokens.append(self._special_token(id, end, max(last, type)))
                continue
            token = self._typed_token(id, place, (text, pair or "")[segment], segment)
            tokens.append(token)
            end, last = token.end, segment
        return self.pieced(parted(tokens))

    def read_target(
        self, text: str, start_id: int, end_ids: frozenset[int], *, added: bool = True
    ) -> list[Token]:
        """The decoder's input: its start token and the text so far, without an end token."""
        ids, places, *_ = encode_target(self._tokenizer, text, added=added)
        if ids and ids[-1] in end_ids:
            ids, places = ids[:-1], places[:-1]
        tokens = [self._special_token(start_id, 0, 0)]
        tokens += [
            self._typed_token(id, place, text, 0) for id, place in zip(ids, places, strict=True)
        ]
        return self.pieced(parted(tokens))

    def read_ids(self, ids: Sequence[int], *, added: bool = True) -> list[Token]:
        """A row of ids as if their texts had been typed; `added`: with special tokens around."""
        if not added:
            return self.pieced(spelled(ids, self.spell, self._special, 0))
        template = self.read("a")
        first = next(index for index, token in enumerate(template) if not token.special)
        tokens = template[:first] + spelled(ids, self.spell, self._special, 0)
        end = tokens[-1].end if tokens else 0
        after = [token for token in template[first:] if token.special]
        tokens += [self._special_token(token.id, end, 0) for token in after]
        return self.pieced(tokens)

    def chat_text(self, messages: Sequence[ChatMessage]) -> str:
        """A conversation as the text of the chat template.

        Raises:
            InputError: there is no template, or it refuses the messages.
        """
        if self.chat_template is None:
            raise InputError(
                "This model has no chat template. Send `texts` instead.", field="messages"
            )
        tokens = self._tokenizer.special_tokens_map
        written = {name: str(token) for name, token in tokens.items() if isinstance(token, str)}
        return chat_text(self.chat_template, written, messages)

    def pieced(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with what the vocabulary calls them, where that is not their text."""
        named = [(token, self._stored(token.id)) for token in tokens]
        return [
            token if piece == token.text else replace(token, piece=piece) for token, piece in named
        ]

    def spell(self, id: int) -> str:
        """A token as text; if it is only part of a character, as stored in the vocabulary."""
        text = str(self._tokenizer.decode([id], clean_up_tokenization_spaces=False))
        return text if text and "�" not in text else self._stored(id)

    def rows(self, rows: Sequence[list[Token]], side: PaddingSide) -> Rows:
        """Rows padded to equal length, on either side."""
        tokens = padded(rows, self._pad_id, side, self._pad_text)

        def tensor(read: Callable[[Token], int | bool]) -> Tensor:
            return torch.tensor([[read(token) for token in row] for row in tokens])

        return Rows(
            tokens,
            tensor(lambda token: token.id),
            tensor(lambda token: not token.padding),
            tensor(lambda token: token.segment if self.types_are_segments else 0),
        )

    def _typed_token(self, id: int, place: tuple[int, int], text: str, segment: int) -> Token:
        start, end = place
        stored = self._stored(id)
        # Unigram has the mark before a word as a token of its own, at the place of a letter
        if stored == MARK:
            end = end if text[start:end].isspace() else start
            return Token(id, stored, start, end, special=False, segment=segment)
        special = id in self._special
        return Token(id, text[start:end] or self.spell(id), start, end, special, segment=segment)

    def _special_token(self, id: int, place: int, segment: int) -> Token:
        return Token(id, self._stored(id), place, place, special=True, segment=segment)

    def _stored(self, id: int) -> str:
        return str(self._tokenizer.convert_ids_to_tokens(id) or "")
