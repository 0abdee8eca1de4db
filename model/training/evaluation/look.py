"""Measures how much each head attends along a relation, and whether the model predicts it."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.core.attention import attend
from model.core.tokenizer import Token, Tokenizer
from model.core.transformer import Transformer
from model.training.grammar.grammar import Example

ROWS_AT_ONCE = 50


class HeadReadings(NamedTuple):
    """Mean attention on all tokens of the target word, over n examples."""

    token: Float[Tensor, "layer head"]  # at the last token of the word that looks
    predicting: Float[Tensor, "layer head"]  # at the row before its first token
    right: Bool[Tensor, " example"]  # whether the word is likelier than the alternatives
    n: int


class Placed(NamedTuple):
    """An example as tokens."""

    ids: list[int]
    target: list[int]  # positions
    first: int  # position of the first token of the word that looks
    last: int  # position of its last token
    others: list[int] | None  # ids of the alternatives at `first`; None: all


def look(
    model: Transformer, tokenizer: Tokenizer, write: Callable[[], Example], n: int
) -> HeadReadings:
    """Measure n examples, each of which fits the context that the model was trained on."""
    placed: list[Placed] = []
    for _ in range(4 * n):  # bounded, in case the examples are too long
        example = place(tokenizer, write())
        if len(example.ids) <= model.config.trained_tokens:
            placed.append(example)
        if len(placed) == n:
            break
    token, predicting, right = [], [], []
    for start in range(0, len(placed), ROWS_AT_ONCE):
        rows = placed[start : start + ROWS_AT_ONCE]
        ids, at = _padded(rows, tokenizer.pad_id), torch.arange(len(rows))
        run = model(ids, record=True)
        logits = model.unembed(run.resid[at, [row.first - 1 for row in rows]])
        right += [_is_right(*pair) for pair in zip(logits, rows, strict=True)]
        on_target = torch.zeros_like(ids, dtype=torch.float32)
        for number, row in enumerate(rows):
            on_target[number, row.target] = 1.0
        mask = model.own_mask(ids.shape[1])
        mass = torch.stack(
            [
                attend(
                    here.q, here.k, here.v, mask=mask, **block.attention.settings(), need="all"
                ).pattern
                @ on_target[:, None, :, None]
                for block, here in zip(model.layers, run.attention, strict=True)
            ]
        )[..., 0]  # layer example head query
        token.append(mass[:, at, :, [row.last for row in rows]])
        predicting.append(mass[:, at, :, [row.first - 1 for row in rows]])
    return HeadReadings(
        torch.cat(token).mean(0),
        torch.cat(predicting).mean(0),
        torch.tensor(right),
        len(placed),
    )


def place(tokenizer: Tokenizer, example: Example) -> Placed:
    """Find the positions of an example's words."""
    tokens = tokenizer.encode(example.text)
    before = len(example.before)
    looker = len(example.text) - len(example.looker)
    spoken = _within(tokens, looker, len(example.text))
    others = None
    if example.others is not None:
        shared = example.text[:looker]
        first = [tokenizer.encode(shared + other)[spoken[0]].id for other in example.others]
        # one that begins as the right one does cannot be told from it there
        others = [id for id in first if id != tokens[spoken[0]].id]
    return Placed(
        [token.id for token in tokens],
        _within(tokens, before, before + len(example.target)),
        spoken[0],
        spoken[-1],
        others,
    )


def _within(tokens: list[Token], start: int, end: int) -> list[int]:
    """Positions of the tokens that contain any of the characters [start, end)."""
    return [index for index, token in enumerate(tokens) if token.start < end and token.end > start]


def _padded(rows: list[Placed], pad_id: int) -> Int[Tensor, "batch pos"]:
    """Pad on the right, where the causal mask makes padding irrelevant."""
    longest = max(len(row.ids) for row in rows)
    return torch.tensor([row.ids + [pad_id] * (longest - len(row.ids)) for row in rows])


def _is_right(logits: Float[Tensor, " vocab_size"], row: Placed) -> bool:
    actual = row.ids[row.first]
    if row.others is None:
        return int(logits.argmax()) == actual
    return all(bool(logits[actual] > logits[other]) for other in row.others)
