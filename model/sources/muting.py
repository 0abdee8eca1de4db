"""What muting each head alone does to a prediction: the stack again, a row for each muted head."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.errors import InputError
from model.masks import Mask
from model.predictions import MuteEffect, MuteEffects, Prediction, log_softmax
from model.tokenizer import Token
from model.trace import Trace
from model.transformer import Transformer

PASS_TOKENS = 16_384  # of all rows of one pass: what bounds the memory


@dataclass(frozen=True, kw_only=True, eq=False)
class Batch:
    """What enters a stack: rows of tokens, of one length, with what is blocked and muted."""

    tokens: tuple[tuple[Token, ...], ...]
    positions: Int[Tensor, "batch pos"]
    masks: list[Mask]  # one a layer
    muted: Bool[Tensor, "1 layer head"]

    @property
    def ids(self) -> Int[Tensor, "batch pos"]:
        return torch.tensor([[token.id for token in row] for row in self.tokens])

    def matrices(self) -> list[Bool[Tensor, "batch _ pos pos"] | None]:
        """The masks as the stack takes them; layers that share a mask share its matrix."""
        known = {id(mask): None if mask.is_open else mask.allows() for mask in self.masks}
        return [known[id(mask)] for mask in self.masks]


def mute_effects(
    model: Transformer,
    batch: Batch,
    trace: Trace,
    *,
    position: int | None,
    token: int | None,
    vocab_size: int,
) -> list[MuteEffects]:
    """What muting each head does to ln p(token), beside the `trace` of the same batch.

    Raises:
        InputError: no such position or token.
        NumericsError: a logit that is not finite.
    """
    positions = trace.read_positions(position, "analyse.mute_effects")
    if token is not None and not 0 <= token < vocab_size:
        raise InputError(
            f"{trace.model} has token ids 0 to {vocab_size - 1}; got {token}.",
            field="analyse.mute_effects.token",
        )
    assert trace.stages is not None and trace.token_text is not None
    resid = trace.stages[-1, torch.arange(len(positions)), positions]
    log_p = log_softmax(model.unembed(resid), model=trace.model)
    tokens = log_p.argmax(-1) if token is None else torch.full((len(positions),), token)
    before = log_p[torch.arange(len(positions)), tokens]
    after = _muted_log_p(model, batch, positions, tokens.tolist(), trace.model)
    changes = (after - before[:, None, None]).tolist()
    silent = batch.muted[0].tolist()
    return [
        MuteEffects(
            position=place,
            token=Prediction(id, trace.token_text(id), math.exp(known)),
            effects=tuple(
                MuteEffect(layer, head, None, "this head is muted already")
                if silent[layer][head]
                else MuteEffect(layer, head, change, None)
                for layer, heads in enumerate(of_text)
                for head, change in enumerate(heads)
            ),
        )
        for place, id, known, of_text in zip(
            positions, tokens.tolist(), before.tolist(), changes, strict=True
        )
    ]


def _muted_log_p(
    model: Transformer, batch: Batch, positions: list[int], tokens: list[int], name: str
) -> Float[Tensor, "batch layer head"]:
    """ln p(token) at a position of each text, with one head more muted.

    One row of a pass mutes one head. A pass holds at most `PASS_TOKENS` tokens (always at least one
    row) of one text, whose mask its rows share.
    """
    n_layers, n_heads = model.config.n_layers, model.config.n_heads
    ids, matrices = batch.ids, batch.matrices()
    # row r mutes the head r, counted through the layers
    one_each = torch.eye(n_layers * n_heads, dtype=torch.bool)
    muted = one_each.view(-1, n_layers, n_heads) | batch.muted
    chunks = torch.split(muted, max(1, PASS_TOKENS // ids.shape[1]))
    found = []
    for text, (position, token) in enumerate(zip(positions, tokens, strict=True)):
        masks = [None if matrix is None else matrix[text : text + 1] for matrix in matrices]
        for chunk in chunks:
            rows = len(chunk)
            ran = model(
                ids[text].expand(rows, -1),
                positions=batch.positions[text].expand(rows, -1),
                masks=masks,
                muted=chunk,
            )
            logits = model.unembed(ran.resid[:, position])
            found.append(log_softmax(logits, model=name)[:, token])
    return torch.cat(found).view(len(positions), n_layers, n_heads)
