"""A mechanism with untrained weights: drawn from a seed, or uploaded by the reader.

The random weights keep numbers in a reasonable range: word vectors are N(0, 1) and matrices are
N(0, 1/fan_in) (LeCun et al. 1998, "Efficient BackProp", section 4.6), so q and k have unit variance
and q·k has the variance d_head.
"""

import hashlib
from collections.abc import Sequence
from typing import cast

import torch
from einops import rearrange
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.core.attention import AttentionConfig, AttentionPass, MultiHeadAttention
from model.core.block import Block
from model.core.editing import Editor, at_layer
from model.core.embedding import alibi, sinusoidal, stretched
from model.errors import InputError
from model.facts import limit
from model.kinds import SiteKind
from model.scratch.mechanisms import ScratchConfig
from model.scratch.uploads import read_weights
from model.slices import end_slice

MAX_TOKENS = limit("scratch_tokens")  # per text
EMBEDDING = "embedding.weight"


class ScratchNetwork(nn.Module):
    """The layers of one mechanism. Uploaded tensors are matched to its parameters by name."""

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
        edit: Editor | None = None,
    ) -> list[AttentionPass]:
        """The inputs of attention at each layer; x and context already include positions."""
        parameters = self.config.parameters
        rotation = bias = None
        if parameters.positions == "rotary":
            rotation = stretched(
                positions,
                self.config.block.attention.d_head,
                parameters.rope_scaling,
                parameters.rope_factor,
            )
        if parameters.positions == "alibi":
            bias = alibi(positions, parameters.n_heads)
        passes = []
        kind: SiteKind = "self" if context is None else "cross"
        for layer, (block, mask) in enumerate(zip(self.blocks, masks, strict=True)):
            result = block(
                x,
                context,
                mask=mask,
                rotary=rotation,
                bias=bias,
                muted=muted[:, layer],
                edit=at_layer(edit, layer, kind),
            )
            x = result.resid_post
            passes.append(result.attention)
            end_slice()
        return passes

    @property
    def blocks(self) -> list[Block]:
        """The layers with their type, which ModuleList does not keep."""
        return cast(list[Block], list(self.layers))

    def embed(
        self,
        words: Sequence[str],
        ids: Int[Tensor, "batch pos"],
        positions: Int[Tensor, "batch pos"],
    ) -> Float[Tensor, "batch pos d_model"]:
        """The vectors of the words, plus those of their positions where positions are added.

        Raises:
            InputError: an uploaded embedding has too few rows.
        """
        x = self._vectors(words)[ids]
        if self.config.parameters.positions == "sinusoidal":
            return x + sinusoidal(positions, self.config.parameters.d_model)
        return x if self.positions is None else x + self.positions(positions)

    def _vectors(self, words: Sequence[str]) -> Float[Tensor, "id d_model"]:
        """One row per id. A word has the same vector in every text; padding is all zeros."""
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
        """Replace drawn tensors with the uploaded ones."""
        own = dict(self.named_parameters())
        shapes = {name: tuple(parameter.shape) for name, parameter in own.items()}
        d_model = self.config.parameters.d_model
        for name, tensor in self.uploaded.items():
            if name == EMBEDDING:
                fits, expected = tensor.shape[1:] == (d_model,), f"(tokens, {d_model})"
            elif name in own:
                fits, expected = tuple(tensor.shape) == shapes[name], str(shapes[name])
            else:
                raise InputError(
                    f"There is no parameter {name[:80]!r} here. The mechanism has {EMBEDDING} and "
                    f"{', '.join(own) or 'no others'}.",
                    field="scratch.weights",
                )
            if not fits:
                raise InputError(
                    f"{name} should have the shape {expected}; in the file it has "
                    f"{tuple(tensor.shape)}. Change the sizes or the file.",
                    field="scratch.weights",
                )
            if name != EMBEDDING:
                own[name].data.copy_(tensor)


def word_vector(word: str, seed: int, d_model: int) -> Float[Tensor, " d_model"]:
    """N(0, 1), from a seed made from the word, so that other words do not change it."""
    digest = hashlib.sha256(f"{seed} {word}".encode()).digest()
    word_seed = int.from_bytes(digest[:8], "big") % 2**63
    return torch.randn(d_model, generator=torch.Generator().manual_seed(word_seed))


def _draw(network: ScratchNetwork, seed: int) -> None:
    """Draw all weights as after torch.manual_seed(seed): each randn(out, in) / √in, in this order.

    For each layer W_q, W_k, W_v, W_O and its bias (and before W_k that of a latent), that of a
    gate, that of the steps of a state space with its bias, then the two matrices of the feed-
    forward network, each with its bias; after all layers the learned positions, as randn. A fused
    projection holds the same three matrices, laid out as its packing says.
    """
    generator = torch.Generator().manual_seed(seed)

    def matrix(d_out: int, d_in: int) -> Tensor:
        drawn: Tensor = torch.randn(d_out, d_in, generator=generator) / d_in**0.5
        return drawn

    def fill(linear: nn.Linear) -> None:
        linear.weight.data.copy_(matrix(linear.out_features, linear.in_features))
        if linear.bias is not None:
            bias = torch.randn(linear.out_features, generator=generator)
            linear.bias.data.copy_(bias / linear.in_features**0.5)

    for block in network.blocks:
        attention = block.attention
        config = attention.config
        if config.projections != "none":
            heads = (config.n_heads, config.kv_heads, config.v_heads)
            d_q, d_k, d_v = (n * config.d_head for n in heads)
            w_q = matrix(d_q, config.d_model)
            if config.d_latent is not None:
                fill(attention.w_latent)
            read = config.d_latent or config.d_model
            _project(attention, [w_q, matrix(d_k, read), matrix(d_v, read)])
        if attention.sink is not None:
            attention.sink.data.fill_(network.config.parameters.sink or 0.0)
        if attention.w_o is not None:
            fill(attention.w_o)
        if config.gate:
            fill(attention.w_gate)
        if config.selective:
            fill(attention.w_step)
        for part in block.mlp or ():
            if isinstance(part, nn.Linear):
                fill(part)
    if network.positions is not None:
        drawn = torch.randn(network.positions.weight.shape, generator=generator)
        network.positions.weight.data.copy_(drawn)


def _project(attention: MultiHeadAttention, qkv: list[Tensor]) -> None:
    """Copy W_q, W_k and W_v into the projections: three matrices, or one fused matrix."""
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
