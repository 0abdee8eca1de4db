"""A mechanism with weights that nobody trained: drawn from a seed, or brought by the reader.

What is drawn keeps numbers in hand: word vectors are N(0, 1), matrices N(0, 1/fan_in) (LeCun et al.
1998, "Efficient BackProp", section 4.6), so q and k have unit variance and q·k the variance d_head.
"""

import hashlib
from collections.abc import Sequence
from typing import cast

import torch
from einops import rearrange
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.attention import AttentionConfig, AttentionPass, MultiHeadAttention
from model.block import Block
from model.embedding import rotary, sinusoidal
from model.errors import InputError
from model.mechanisms import ScratchConfig
from model.scratch.uploads import read_weights
from model.slices import end_slice

MAX_TOKENS = 256  # of a text
EMBEDDING = "embedding.weight"


class ScratchNetwork(nn.Module):
    """Layers of one mechanism. Its parameters are named as its tensors may be uploaded."""

    def __init__(self, config: ScratchConfig) -> None:
        super().__init__()
        self.config = config
        parameters = config.parameters
        self.layers = nn.ModuleList(Block(config.block) for _ in range(parameters.n_layers))
        learned = parameters.positions == "learned"
        self.positions = nn.Embedding(MAX_TOKENS, parameters.d_model) if learned else None
        self.uploaded = {} if config.weights is None else read_weights(config.weights)
        _draw(self, parameters.seed)
        self._load()
        self.eval().requires_grad_(False)

    def forward(
        self,
        x: Float[Tensor, "batch query d_model"],
        context: Float[Tensor, "batch key d_model"] | None,
        positions: Int[Tensor, "batch query"],
        *,
        masks: Sequence[Bool[Tensor, "#batch #head query key"] | None],
        muted: Bool[Tensor, "1 layer head"],
    ) -> list[AttentionPass]:
        """What went into attention at each layer; x and context have their positions already."""
        parameters = self.config.parameters
        turn = None
        if parameters.positions == "rotary":
            turn = rotary(positions, self.config.block.attention.d_head)
        passes = []
        for layer, (block, mask) in enumerate(zip(self.blocks, masks, strict=True)):
            x, attention = block(x, context, mask=mask, rotary=turn, muted=muted[:, layer])
            passes.append(attention)
            end_slice()
        return passes

    @property
    def blocks(self) -> list[Block]:
        """The layers, typed."""
        return cast(list[Block], list(self.layers))

    def embed(
        self,
        words: Sequence[str],
        ids: Int[Tensor, "batch pos"],
        positions: Int[Tensor, "batch pos"],
    ) -> Float[Tensor, "batch pos d_model"]:
        """The vectors of the words, and of their places where those are added.

        Raises:
            InputError: an uploaded embedding has too few rows.
        """
        x = self._vectors(words)[ids]
        if self.config.parameters.positions == "sinusoidal":
            return x + sinusoidal(positions, self.config.parameters.d_model)
        return x if self.positions is None else x + self.positions(positions)

    def _vectors(self, words: Sequence[str]) -> Float[Tensor, "id d_model"]:
        """One row an id. A word has the same vector in every text; padding has 0."""
        parameters = self.config.parameters
        table = self.uploaded.get(EMBEDDING)
        if table is not None:
            if len(table) < len(words):
                raise InputError(
                    f"{EMBEDDING} has {len(table)} rows; these texts need {len(words)}: row 0 for "
                    "padding, then one for each different token, in the order of first appearance.",
                    field="scratch.weights",
                )
            return table
        rows = [word_vector(word, parameters.seed, parameters.d_model) for word in words[1:]]
        return torch.stack([torch.zeros(parameters.d_model), *rows])

    def _load(self) -> None:
        """Put the uploaded tensors in the place of those that were drawn."""
        own = dict(self.named_parameters())
        shapes = {name: tuple(parameter.shape) for name, parameter in own.items()}
        d_model = self.config.parameters.d_model
        for name, tensor in self.uploaded.items():
            if name == EMBEDDING:
                good, wanted = tensor.shape[1:] == (d_model,), f"(tokens, {d_model})"
            elif name in own:
                good, wanted = tuple(tensor.shape) == shapes[name], str(shapes[name])
            else:
                raise InputError(
                    f"There is no parameter {name[:80]!r} here. It has {EMBEDDING} and "
                    f"{', '.join(own) or 'no other'}.",
                    field="scratch.weights",
                )
            if not good:
                raise InputError(
                    f"{name} should have the shape {wanted} here; the file's has "
                    f"{tuple(tensor.shape)}. Change the sizes, or the file.",
                    field="scratch.weights",
                )
            if name != EMBEDDING:
                own[name].data.copy_(tensor)


def word_vector(word: str, seed: int, d_model: int) -> Float[Tensor, " d_model"]:
    """N(0, 1), from a seed of the word's own, so that other words do not change it."""
    digest = hashlib.sha256(f"{seed} {word}".encode()).digest()
    own = int.from_bytes(digest[:8], "big") % 2**63
    return torch.randn(d_model, generator=torch.Generator().manual_seed(own))


def _draw(network: ScratchNetwork, seed: int) -> None:
    """Weights as after torch.manual_seed(seed): each randn(out, in) / √in, in this order.

    Of every layer W_q, W_k, W_v, W_O and its bias, then the feed-forward network's two matrices,
    each with its bias; at the end the learned positions, randn. A fused projection holds the same
    three matrices, laid out as its packing says.
    """
    chance = torch.Generator().manual_seed(seed)

    def matrix(d_out: int, d_in: int) -> Tensor:
        drawn: Tensor = torch.randn(d_out, d_in, generator=chance) / d_in**0.5
        return drawn

    def fill(linear: nn.Linear) -> None:
        linear.weight.data.copy_(matrix(linear.out_features, linear.in_features))
        if linear.bias is not None:
            bias = torch.randn(linear.out_features, generator=chance)
            linear.bias.data.copy_(bias / linear.in_features**0.5)

    for block in network.blocks:
        attention = block.attention
        config = attention.config
        if config.projections != "none":
            d_heads = config.n_heads * config.d_head
            _project(attention, [matrix(d_heads, config.d_model) for _ in "qkv"])
        if attention.w_o is not None:
            fill(attention.w_o)
        for part in block.mlp or ():
            if isinstance(part, nn.Linear):
                fill(part)
    if network.positions is not None:
        places = torch.randn(network.positions.weight.shape, generator=chance)
        network.positions.weight.data.copy_(places)


def _project(attention: MultiHeadAttention, qkv: list[Tensor]) -> None:
    """Put W_q, W_k and W_v where the projections want them."""
    config: AttentionConfig = attention.config
    if config.projections == "separate":
        for linear, weight in zip((attention.w_q, attention.w_k, attention.w_v), qkv, strict=True):
            linear.weight.data.copy_(weight)
        return
    packed = rearrange(
        torch.stack(qkv),
        f"qkv (head d_head) d_model -> ({config.packing}) d_model",
        head=config.n_heads,
    )
    attention.w_qkv.weight.data.copy_(packed)
