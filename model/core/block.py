"""One layer: attention and a feed-forward network, each with its norm and residual."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from jaxtyping import Bool, Float
from torch import Tensor, nn

from model.core.attention import AttentionConfig, AttentionPass, MultiHeadAttention
from model.core.editing import LayerEditor
from model.core.embedding import Rotary
from model.errors import InputError

Norm = Literal["none", "pre", "post"]
Activation = Literal["gelu", "relu"]


@dataclass(frozen=True, slots=True)
class BlockConfig:
    """The settings of one layer."""

    attention: AttentionConfig
    norm: Norm = "pre"  # LayerNorm before each part, or after it (and after the residual)
    residual: bool = True  # add each part's output to the stream instead of replacing it
    d_ff: int = 0  # width of the feed-forward network; 0: no such network
    activation: Activation = "gelu"

    def __post_init__(self) -> None:
        if self.d_ff < 0:
            raise InputError(f"d_ff must be at least 0; got {self.d_ff}.", field="d_ff")
        d_model, d_out = self.attention.d_model, self.attention.d_out
        if self.residual and d_out != d_model:
            raise InputError(
                "A residual adds the output of attention to x, so both must have the same width. "
                f"Without W_O, attention gives {d_out} channels, but x has "
                f"d_model = {d_model}. Leave the residual out, or make them equal.",
                field="residual",
            )


class BlockPass(NamedTuple):
    """The result of one layer, and what its parts read and gave."""

    resid_post: Float[Tensor, "batch query d_out"]
    resid_pre: Float[Tensor, "batch query d_model"]
    resid_mid: Float[Tensor, "batch query d_out"]  # after attention
    attention: AttentionPass
    mlp_out: Float[Tensor, "batch query d_out"] | None  # before the residual; None if there is none


class Block(nn.Module):
    """Communication between positions (attention), then computation at each one (feed-forward).

    With a residual, the output of each part is added to its input, x + f(x); without one, it
    replaces it. LayerNorm applies to the input, f(norm(x)) (pre-norm: Xiong et al. 2020), or to the
    output, norm(x + f(x)) (post-norm: Vaswani et al. 2017).
    """

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        self.config = config
        d_model, d_out = config.attention.d_model, config.attention.d_out
        self.norm_attention = _norm(config, d_model, d_out)
        self.attention = MultiHeadAttention(config.attention)
        self.norm_mlp = _norm(config, d_out, d_out) if config.d_ff else None
        self.mlp = _mlp(d_out, config) if config.d_ff else None

    def forward(
        self,
        x: Float[Tensor, "batch query d_model"],
        context: Float[Tensor, "batch key d_model"] | None = None,
        *,
        mask: Bool[Tensor, "#batch #head query key"] | None = None,
        rotary: Rotary | None = None,
        bias: Float[Tensor, "#batch #head query key"] | None = None,
        muted: Bool[Tensor, "#batch head"] | None = None,
        edit: LayerEditor | None = None,
    ) -> BlockPass:
        """Attend from x to itself or to `context` (cross-attention), then the feed-forward part.

        `edit` may change what is computed at each `Point`; the result has the changed tensors.
        """
        x = x if edit is None else edit("resid_pre", x)
        inside = self._before(self.norm_attention, x)
        attention = self.attention(
            inside, context, mask=mask, rotary=rotary, bias=bias, muted=muted, edit=edit
        )
        mid = self._after(self.norm_attention, x, attention.output)
        mid = mid if edit is None else edit("resid_mid", mid)
        post, mlp_out = mid, None
        if self.mlp is not None:
            mlp_out = self.mlp(self._before(self.norm_mlp, mid))
            mlp_out = mlp_out if edit is None else edit("mlp_out", mlp_out)
            post = self._after(self.norm_mlp, mid, mlp_out)
        post = post if edit is None else edit("resid_post", post)
        return BlockPass(post, x, mid, attention, mlp_out)

    def _before(self, norm: nn.Module | None, x: Tensor) -> Tensor:
        return norm(x) if norm is not None and self.config.norm == "pre" else x

    def _after(self, norm: nn.Module | None, x: Tensor, made: Tensor) -> Tensor:
        x = x + made if self.config.residual else made
        return norm(x) if norm is not None and self.config.norm == "post" else x


def _norm(config: BlockConfig, d_in: int, d_out: int) -> nn.LayerNorm | None:
    if config.norm == "none":
        return None
    return nn.LayerNorm(d_in if config.norm == "pre" else d_out)


def _mlp(d: int, config: BlockConfig) -> nn.Sequential:
    activation = nn.GELU() if config.activation == "gelu" else nn.ReLU()
    return nn.Sequential(nn.Linear(d, config.d_ff), activation, nn.Linear(config.d_ff, d))
