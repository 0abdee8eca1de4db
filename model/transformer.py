"""The small transformer: pre-norm blocks, a GELU MLP four times as wide, tied embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.attention import AttentionConfig, AttentionPass
from model.block import Block, BlockConfig
from model.embedding import Embedding, Positions, check_positions, rotary
from model.errors import InputError
from model.slices import end_slice


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """Sizes of a transformer, in the field's names."""

    vocab_size: int
    n_layers: int = 3
    n_heads: int = 8
    d_model: int = 128
    d_head: int = 16
    d_mlp: int = 512
    positions: Positions = "rotary"
    causal: bool = True
    trained_tokens: int = 64  # the context it was trained on
    max_tokens: int = 1024  # what inference accepts: rotary positions reach past training

    def __post_init__(self) -> None:
        for name in (
            "vocab_size",
            "n_layers",
            "n_heads",
            "d_model",
            "d_head",
            "d_mlp",
            "max_tokens",
        ):
            if getattr(self, name) < 1:
                raise InputError(
                    f"{name} must be at least 1; got {getattr(self, name)}.", field=name
                )

        if self.positions not in get_args(Positions):
            raise InputError(
                f"positions must be one of {', '.join(get_args(Positions))}; "
                f"got {self.positions!r:.80}.",
                field="positions",
            )
        check_positions(self.positions, self.d_model, self.d_head)

    @property
    def block(self) -> BlockConfig:
        attention = AttentionConfig(
            self.d_model, self.n_heads, self.d_head, projections="fused", packing="qkv head d_head"
        )
        return BlockConfig(attention, d_ff=self.d_mlp)


class TransformerPass(NamedTuple):
    """The residual stream after the last norm, and what went into attention at each layer."""

    resid: Float[Tensor, "batch pos d_model"]
    attention: list[AttentionPass]  # empty unless recorded
    # the stream before the first layer and after each, each through the last norm, so that the last
    # is `resid`; None unless recorded
    stages: Float[Tensor, "stage batch pos d_model"] | None


class Transformer(nn.Module):
    """A single stack, read by tied embeddings: logits = resid · W_Eᵀ (Press & Wolf 2017)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = Embedding(
            config.vocab_size, config.d_model, config.positions, config.max_tokens
        )
        self.blocks = nn.ModuleList(Block(config.block) for _ in range(config.n_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self._initialise()

    def forward(
        self,
        ids: Int[Tensor, "batch pos"],
        *,
        positions: Int[Tensor, "batch pos"] | None = None,
        masks: Sequence[Bool[Tensor, "#batch #head pos pos"] | None] | None = None,
        muted: Bool[Tensor, "#batch layer head"] | None = None,
        record: bool = False,
    ) -> TransformerPass:
        """Run the stack.

        Args:
            positions: places of the tokens; None counts from 0.
            masks: one a layer, True may attend; None is the model's own (causal, or all).
            muted: True where a head is silent, for all rows or for each.
            record: keep each layer's q, k, v and the stream around it. They exist anyway, so this
                costs memory of O(tokens · d_model) only.
        """
        if positions is None:
            positions = torch.arange(ids.shape[1]).expand(ids.shape)
        if masks is None:
            masks = [self.own_mask(ids.shape[1])] * self.config.n_layers
        turn = rotary(positions, self.config.d_head) if self.config.positions == "rotary" else None
        x = self.embedding(ids, positions)
        stages, recorded = [self.norm(x)] if record else [], []
        for layer, (block, mask) in enumerate(zip(self.layers, masks, strict=True)):
            silent = None if muted is None else muted[:, layer]
            x, attention = block(x, mask=mask, rotary=turn, muted=silent)
            end_slice()
            if record:
                stages.append(self.norm(x))
                recorded.append(attention)
        if not record:
            return TransformerPass(self.norm(x), [], None)
        return TransformerPass(stages[-1], recorded, torch.stack(stages))

    @property
    def layers(self) -> list[Block]:
        """The blocks, typed: a ModuleList forgets what it holds."""
        return cast(list[Block], list(self.blocks))

    def own_mask(self, n: int) -> Bool[Tensor, "1 1 pos pos"] | None:
        """The mask that the model was trained with."""
        return torch.ones(n, n, dtype=torch.bool).tril()[None, None] if self.config.causal else None

    def unembed(self, resid: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab_size"]:
        """Logits of the next token."""
        return F.linear(resid, self.embedding.token.weight)

    def _initialise(self) -> None:
        """Normal(0, 0.02), and less where a layer writes to the stream, for depth (GPT-2).

        Embeddings are as large as makes the first logits of unit size: tokens are told apart from
        the first step, which quickens copying.
        """
        for name, parameter in self.named_parameters():
            if parameter.dim() < 2:
                continue
            std = 0.02
            if name.startswith("embedding"):
                std = self.config.d_model**-0.5
            elif name.endswith(("w_o.weight", "mlp.2.weight")):
                std = 0.02 / (2 * self.config.n_layers) ** 0.5
            nn.init.normal_(parameter, std=std)
