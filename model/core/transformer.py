"""The small transformer: pre-norm blocks, a GELU MLP four times as wide, tied embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.core.attention import AttentionConfig, AttentionPass, Kernel, Scale
from model.core.block import Block, BlockConfig, BlockPass, Norm
from model.core.editing import Editor, at_layer
from model.core.embedding import Embedding, Positions, check_positions, rotary
from model.errors import InputError
from model.slices import end_slice


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """The sizes of a transformer."""

    vocab_size: int
    n_layers: int = 3
    n_heads: int = 8
    d_model: int = 128
    d_head: int = 16
    d_mlp: int = 512
    positions: Positions = "rotary"
    causal: bool = True
    trained_tokens: int = 64  # the context it was trained on
    max_tokens: int = 1024  # limit at inference; rotary positions extend beyond training
    norm: Norm = "pre"
    residual: bool = True
    scale: Scale = "1/sqrt(d_head)"
    # what differs from multi-head attention; each as in AttentionConfig
    n_kv_heads: int | None = None
    d_latent: int | None = None
    window: int | None = None  # of the causal mask: how many tokens a token sees, with itself
    sink: bool = False
    kernel: Kernel = "exp"
    gate: bool = False
    selective: bool = False
    minus: float | None = None

    def __post_init__(self) -> None:
        for name in (
            "vocab_size",
            "n_layers",
            "n_heads",
            "d_model",
            "d_head",
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
        _ = self.block  # checks the width of the feed-forward part

    @property
    def block(self) -> BlockConfig:
        is_shared = any(each is not None for each in (self.n_kv_heads, self.d_latent, self.minus))
        attention = AttentionConfig(
            self.d_model,
            self.n_heads,
            self.d_head,
            projections="separate" if is_shared else "fused",
            scale=self.scale,
            n_kv_heads=self.n_kv_heads,
            d_latent=self.d_latent,
            sink=self.sink,
            kernel=self.kernel,
            gate=self.gate,
            selective=self.selective,
            minus=self.minus,
        )
        return BlockConfig(attention, norm=self.norm, residual=self.residual, d_ff=self.d_mlp)


class TransformerPass(NamedTuple):
    """The residual stream after the final norm, and what each layer did."""

    resid: Float[Tensor, "batch pos d_model"]
    embedding: Float[Tensor, "batch pos d_model"]  # the stream before the first layer
    layers: list[BlockPass]  # empty unless recorded
    # the stream before the first layer and after each layer, all passed through the final norm, so
    # the last one equals `resid`; None unless recorded
    stages: Float[Tensor, "stage batch pos d_model"] | None

    @property
    def attention(self) -> list[AttentionPass]:
        """The inputs and output of attention at each layer."""
        return [layer.attention for layer in self.layers]


class Transformer(nn.Module):
    """A single stack with tied embeddings: logits = resid · W_Eᵀ (Press & Wolf 2017)."""

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
        edit: Editor | None = None,
        record: bool = False,
    ) -> TransformerPass:
        """Run the stack.

        Args:
            positions: the tokens' positions; None counts from 0.
            masks: one per layer, True may attend; None uses the model's own (causal or none).
            muted: True where a head is muted, for all rows or per row.
            edit: may change what each layer computes at each `Point`.
            record: keep each layer's q, k, v and the stream around it. They are computed anyway,
                so this costs only O(tokens · d_model) memory.
        """
        if positions is None:
            positions = torch.arange(ids.shape[1]).expand(ids.shape)
        if masks is None:
            masks = [self.own_mask(ids.shape[1])] * self.config.n_layers
        angles = (
            rotary(positions, self.config.d_head) if self.config.positions == "rotary" else None
        )
        x = self.embedding(ids, positions, at_layer(edit, 0))
        embedding = x
        stages, recorded = [self.norm(x)] if record else [], []
        for layer, (block, mask) in enumerate(zip(self.layers, masks, strict=True)):
            muted_here = None if muted is None else muted[:, layer]
            edit_here = at_layer(edit, layer)
            result: BlockPass = block(x, mask=mask, rotary=angles, muted=muted_here, edit=edit_here)
            x = result.resid_post
            end_slice()
            if record:
                stages.append(self.norm(x))
                recorded.append(result)
        if not record:
            return TransformerPass(self.norm(x), embedding, [], None)
        return TransformerPass(stages[-1], embedding, recorded, torch.stack(stages))

    @property
    def layers(self) -> list[Block]:
        """The blocks with their type, which a ModuleList does not keep."""
        return cast(list[Block], list(self.blocks))

    def own_mask(self, n: int) -> Bool[Tensor, "1 1 pos pos"] | None:
        """The mask that the model was trained with."""
        if not self.config.causal:
            return None
        seen = torch.ones(n, n, dtype=torch.bool).tril()
        if self.config.window is not None:
            seen = seen.triu(1 - self.config.window)
        return seen[None, None]

    def unembed(self, resid: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab_size"]:
        """Logits of the next token."""
        return F.linear(resid, self.embedding.token.weight)

    def _initialise(self) -> None:
        """Normal(0, 0.02); matrices that write to the stream are scaled down by depth (GPT-2).

        The embeddings are scaled so that the first logits have unit size. The model can then
        distinguish tokens from the first step, which helps it learn copying sooner.
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
