"""The only implementation of attention: `attend` is a pure function of tensors.

All attention in this project (in the shipped model, the mechanisms from scratch, other people's
checkpoints, and whatever views derive later) goes through `attend`; `MultiHeadAttention` only adds
parameters. A mechanism is an `AttentionConfig`, never a subclass.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, overload

import torch
import torch.nn.functional as F
from einops import rearrange, reduce
from jaxtyping import Bool, Float
from torch import Tensor, nn

from model.core.editing import LayerEditor
from model.core.embedding import Rotary, rotate
from model.errors import InputError

SoftmaxOver = Literal["key", "query"]
MaskApplied = Literal["before", "after"]  # relative to the softmax
Scale = Literal["1/sqrt(d_head)", "1/sqrt(d_model)"] | float
Kernel = Literal["exp", "linear", "product"]  # what the weights of a row are made of
Packing = Literal["qkv head d_head", "head qkv d_head", "d_head qkv head"]


LEAST = 1e-30  # of a product of positive vectors, which an edit may have made 0


class Attention(NamedTuple):
    """The intermediate results of attention."""

    scores: Float[Tensor, "batch head query key"]  # before the mask: always finite
    pattern: Float[Tensor, "batch head query key"]  # blocked cells are exactly 0
    # what v is multiplied by: the pattern itself, unless the kernel is "product"
    weights: Float[Tensor, "batch head query key"]
    z: Float[Tensor, "batch head query d_head_v"]  # pattern · v


@overload
def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    mask: Tensor | None = None,
    scale: float | None = None,
    bias: Tensor | None = None,
    soft_cap: float | None = None,
    sink: Tensor | None = None,
    softmax_over: SoftmaxOver = "key",
    mask_applied: MaskApplied = "before",
    kernel: Kernel = "exp",
    need: Literal["z"] = "z",
) -> Tensor: ...
@overload
def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    mask: Tensor | None = None,
    scale: float | None = None,
    bias: Tensor | None = None,
    soft_cap: float | None = None,
    sink: Tensor | None = None,
    softmax_over: SoftmaxOver = "key",
    mask_applied: MaskApplied = "before",
    kernel: Kernel = "exp",
    need: Literal["all"],
) -> Attention: ...
def attend(
    q: Float[Tensor, "batch head query d_head"],
    k: Float[Tensor, "batch head key d_head"],
    v: Float[Tensor, "batch head key d_head_v"],
    *,
    mask: Bool[Tensor, "#batch #head query key"] | None = None,
    scale: float | None = None,
    bias: Float[Tensor, "#batch #head query key"] | None = None,
    soft_cap: float | None = None,
    sink: Float[Tensor, " head"] | None = None,
    softmax_over: SoftmaxOver = "key",
    mask_applied: MaskApplied = "before",
    kernel: Kernel = "exp",
    need: Literal["z", "all"] = "z",
) -> Tensor | Attention:
    """Attention (Vaswani et al. 2017, equation 1): z = softmax(soft_cap(scale · q kᵀ) + bias) v.

    With the kernel "product" there is no softmax: z = (scale · q kᵀ · exp(bias)) v. These weights
    have signs and need not sum to 1. They are the hidden attention of retention (Sun et al. 2023,
    equation 5), where the bias falls with the distance, and of selective state spaces (Dao & Gu
    2024, "Transformers are SSMs", equation 16; Ali et al. 2024), where it falls as the tokens
    between decide. Their `pattern` is the share that each has of its row, by size.

    Args:
        mask: True where a query may attend to a key; None allows all. A slice of the softmax axis
            with no allowed cell has no distribution, so its pattern and its z are 0.
        scale: the factor of q·k; None means 1/√d_head.
        bias: added after the soft cap (ALiBi, T5's relative positions).
        soft_cap: c in c · tanh(x / c) (Gemma 2, section 2).
        sink: one learned logit per head that takes part in the softmax and attends to nothing
            (GPT-OSS).
        softmax_over: "key" is attention; "query" normalises columns, a mistake worth seeing.
        mask_applied: "before" the softmax is attention. "after" sets blocked cells to 0 after it,
            so their share is lost and a row sums to less than 1: another such mistake.
        kernel: with "exp" the weights of a row are in proportion to exp(scale · q·k). With "linear"
            they are in proportion to q·k itself, of q and k whose numbers are positive (linear
            attention, Katharopoulos et al. 2020, equation 4), so the scores are ln(q·k), and a
            scale would change no weight. With "product" they are scale · q·k · exp(bias), as above.
        need: "z" returns only z, as a forward pass needs, and uses torch's fused attention if that
            supports the settings; "all" also returns `scores` and `pattern`. Both give the same z.
    """
    plain = softmax_over == "key" and mask_applied == "before"
    fused = plain and soft_cap is None and sink is None and kernel == "exp"
    if need == "z" and fused:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=_merged(mask, bias), scale=scale)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = (q @ k.mT) * scale  # batch head query key
    if kernel == "linear":
        scores = (q @ k.mT).clamp_min(LEAST).log()
    if soft_cap is not None:
        scores = soft_cap * torch.tanh(scores / soft_cap)
    if kernel == "product":
        return _without_softmax(scores, v, mask, bias, need)
    if bias is not None:
        scores = scores + bias
    dim = -1 if softmax_over == "key" else -2
    if mask_applied == "before" or mask is None:
        pattern = _softmax(scores, mask, sink, dim)
    else:
        pattern = _softmax(scores, None, sink, dim) * mask
    z = pattern @ v  # batch head query d_head
    return z if need == "z" else Attention(scores, pattern, pattern, z)


def _without_softmax(
    scores: Tensor, v: Tensor, mask: Tensor | None, bias: Tensor | None, need: Literal["z", "all"]
) -> Tensor | Attention:
    """Attention with the kernel "product"."""
    if bias is not None:
        scores = scores * bias.exp()
    weights = scores if mask is None else scores * mask
    z = weights @ v
    if need == "z":
        return z
    sizes = weights.abs()
    total = sizes.sum(-1, keepdim=True)
    return Attention(scores, sizes / total.masked_fill(total == 0, 1.0), weights, z)


def fading(
    decay: Float[Tensor, "batch head pos"], rows: slice = slice(None)
) -> Float[Tensor, "batch head row pos"]:
    """The bias of a decay: the logarithm of what is left of each key when it comes to a query.

    Args:
        decay: for each position, the sum of the logarithms of what it and each one before leave.
    """
    return -(decay[:, :, rows, None] - decay[:, :, None]).abs()


def added(*biases: Tensor | None) -> Tensor | None:
    """The sum of biases, some of which there may not be."""
    found = [bias for bias in biases if bias is not None]
    return sum(found[1:], found[0]) if found else None


def _merged(mask: Tensor | None, bias: Tensor | None) -> Tensor | None:
    """Mask and bias combined into torch's `attn_mask`, which is boolean if there is no bias."""
    if bias is None or mask is None:
        return mask if bias is None else bias
    return bias.masked_fill(~mask, float("-inf"))


def _softmax(scores: Tensor, mask: Tensor | None, sink: Tensor | None, dim: int) -> Tensor:
    """Softmax along `dim` over the allowed cells and the sink; exactly 0 on every other cell."""
    logits = scores
    if mask is not None:
        # a slice with no allowed cell would be softmax(−∞, −∞, …) = NaN, so we leave it finite here
        # and set it to 0 below
        any_allowed = mask.any(dim, keepdim=True)
        minus_inf = torch.zeros_like(mask, dtype=scores.dtype)
        # adding one −∞ matrix is many times quicker than filling every head's scores
        logits = logits + minus_inf.masked_fill_(~mask & any_allowed, float("-inf"))
    if sink is not None:
        shape = list(logits.shape)
        shape[dim] = 1
        logits = torch.cat([logits, sink[None, :, None, None].expand(shape)], dim)
    pattern = logits.softmax(dim).narrow(dim, 0, scores.shape[dim])
    return pattern if mask is None else pattern * any_allowed


@dataclass(frozen=True, slots=True)
class AttentionConfig:
    """The settings of one attention mechanism."""

    d_model: int
    n_heads: int
    d_head: int  # independent of d_model: n_heads · d_head need not equal it
    projections: Literal["none", "separate", "fused"] = "separate"  # none: q = k = v = x
    packing: Packing = "qkv head d_head"  # how a fused projection's output is laid out
    read_as: Packing | None = None  # how it is read; any order other than `packing` is a mistake
    qkv_bias: bool = False
    output: bool = True  # whether there is a W_O; if not, the output is the concatenated z
    output_bias: bool = False
    scale: Scale = "1/sqrt(d_head)"
    softmax_over: SoftmaxOver = "key"
    mask_applied: MaskApplied = "before"
    kernel: Kernel = "exp"
    soft_cap: float | None = None
    sink: bool = False  # a learned sink logit for each head
    n_kv_heads: int | None = None  # heads of keys and values (grouped queries); None: n_heads
    d_latent: int | None = None  # keys and values are read off this many channels; None: off x
    gate: bool = False  # each head's z is multiplied by a number between 0 and 1, read off x
    # each token says how strongly it is written down, and how much of the past it erases
    selective: bool = False
    minus: float | None = None  # heads in pairs: from the first of each, the second times this

    def __post_init__(self) -> None:
        for name in ("d_model", "n_heads", "d_head"):
            if getattr(self, name) < 1:
                raise InputError(
                    f"{name} must be at least 1; got {getattr(self, name)}.", field=name
                )
        if self.projections == "none" and self.n_heads * self.d_head != self.d_model:
            raise InputError(
                f"Without projections the heads divide x, so n_heads · d_head must be d_model; "
                f"got {self.n_heads} · {self.d_head} and {self.d_model}.",
                field="d_head",
            )
        if self.kv_heads < 1 or self.n_heads % self.kv_heads:
            raise InputError(
                f"The {self.n_heads} heads of queries share the heads of keys and values evenly; "
                f"n_kv_heads = {self.kv_heads} does not divide {self.n_heads}.",
                field="n_kv_heads",
            )
        if self.kv_heads != self.n_heads and self.projections != "separate":
            raise InputError(
                "Heads share keys and values only where q, k and v have matrices of their own.",
                field="n_kv_heads",
            )
        if self.d_latent is not None and self.projections != "separate":
            raise InputError(
                "Keys and values are read off a latent only where q, k and v have matrices of "
                "their own.",
                field="d_latent",
            )
        if self.minus is not None:
            self._check_pairs()
        if self.kernel == "product":
            self._check_no_softmax()
        if self.soft_cap is not None and not self.soft_cap > 0:
            raise InputError(f"A soft cap must be positive; got {self.soft_cap}.", field="soft_cap")

    def _check_no_softmax(self) -> None:
        usual = {"softmax_over": "key", "mask_applied": "before", "sink": False, "soft_cap": None}
        for field, expected in usual.items():
            if getattr(self, field) != expected:
                raise InputError(
                    f"Where weights are q·k itself, there is no softmax, which {field} is about. "
                    "Leave it as it is.",
                    field=field,
                )

    def _check_pairs(self) -> None:
        if self.n_heads % 2:
            raise InputError(
                "Heads come in pairs, the second of which is subtracted from the first, so their "
                f"number is even; n_heads is {self.n_heads}.",
                field="n_heads",
            )
        if self.projections != "separate" or self.kv_heads != self.n_heads:
            raise InputError(
                "A head is subtracted only where q, k and v have matrices of their own, and every "
                "head has a key of its own.",
                field="minus",
            )

    @property
    def kv_heads(self) -> int:
        """The number of heads of keys and values."""
        return self.n_heads if self.n_kv_heads is None else self.n_kv_heads

    @property
    def v_heads(self) -> int:
        """The number of heads of values; both heads of a pair have the same."""
        return self.kv_heads if self.minus is None else self.n_heads // 2

    @property
    def d_z(self) -> int:
        """The number of channels that W_O reads: of each head, or of each pair."""
        return (self.n_heads if self.minus is None else self.n_heads // 2) * self.d_head

    @property
    def d_out(self) -> int:
        """The number of channels of the output."""
        return self.d_model if self.output else self.d_z

    @property
    def scale_factor(self) -> float:
        """The scale as a number."""
        match self.scale:
            case "1/sqrt(d_head)":
                return float(self.d_head**-0.5)
            case "1/sqrt(d_model)":
                return float(self.d_model**-0.5)
            case number:
                return float(number)


class AttentionPass(NamedTuple):
    """The result of one pass of a `MultiHeadAttention`: its output, and the inputs of `attend`."""

    output: Float[Tensor, "batch query d_out"]
    q: Float[Tensor, "batch head query d_head"]  # after rotary positions, and made positive
    k: Float[Tensor, "batch head key d_head"]
    v: Float[Tensor, "batch head key d_head"]
    bias: Float[Tensor, "#batch #head query key"] | None = None
    gate: Float[Tensor, "batch head query 1"] | None = None  # the factor of z
    decay: Float[Tensor, "batch head pos"] | None = None  # of `fading`, besides the bias

    @property
    def whole_bias(self) -> Float[Tensor, "#batch #head query key"] | None:
        return added(self.bias, None if self.decay is None else fading(self.decay))


class MultiHeadAttention(nn.Module):
    """The parameters of multi-head attention (Vaswani et al. 2017, section 3.2.2).

    With fewer heads of keys and values than of queries, groups of heads share them: grouped queries
    (Ainslie et al. 2023), or multi-query attention (Shazeer 2019) if there is one. With a latent,
    all keys and values of a token are read off d_latent channels, which alone need to be kept:
    multi-head latent attention (DeepSeek-AI 2024, "DeepSeek-V2", equations 9 to 11), without the
    channels that it sets apart for positions. With a gate, z is multiplied by sigmoid(x · W_gate),
    one number for each head and query (Qiu et al. 2025, "Gated Attention for Large Language
    Models", the headwise gate G1).

    With `minus` λ, heads come in pairs that share their values, and the pattern of a pair is that
    of its first head less λ times that of its second: differential attention (Ye et al. 2024,
    "Differential Transformer", equation 1), with a λ that is set, not learned, and without the norm
    of each pair's output. Since (A − λB) v = A v + B (−λ v), the second head of a pair is an
    ordinary head whose values are −λ v.

    With `selective`, a token's key is multiplied by Δ = softplus(x · W_Δ + b), and what was there
    before it is multiplied by exp(−rate · Δ), one Δ for each head and token: with the kernel
    "product" a selective state space (Mamba-2, Dao & Gu 2024), without its convolution, its skip
    and its gate. Heads start with the rates 1, 1/2, 1/4, …
    """

    def __init__(self, config: AttentionConfig) -> None:
        super().__init__()
        self.config = config
        d_heads = config.n_heads * config.d_head
        if config.projections == "fused":
            self.w_qkv = nn.Linear(config.d_model, 3 * d_heads, bias=config.qkv_bias)
        if config.projections == "separate":
            self.w_q = nn.Linear(config.d_model, d_heads, bias=config.qkv_bias)
            d_read = config.d_latent or config.d_model
            if config.d_latent is not None:
                self.w_latent = nn.Linear(config.d_model, config.d_latent, bias=False)
            self.w_k = nn.Linear(d_read, config.kv_heads * config.d_head, bias=config.qkv_bias)
            self.w_v = nn.Linear(d_read, config.v_heads * config.d_head, bias=config.qkv_bias)
        self.w_o = (
            nn.Linear(config.d_z, config.d_model, bias=config.output_bias)
            if config.output
            else None
        )
        self.sink = nn.Parameter(torch.zeros(config.n_heads)) if config.sink else None
        if config.gate:
            self.w_gate = nn.Linear(config.d_model, config.n_heads, bias=False)
        if config.selective:
            self.w_step = nn.Linear(config.d_model, config.n_heads)
            self.log_rate = nn.Parameter(-math.log(2) * torch.arange(config.n_heads))

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
    ) -> AttentionPass:
        """Attend from x to itself, or to `context` (cross-attention).

        Where `muted` is True, a head's z is set to 0 *before* W_O, which is what ablating a head
        means. `rotary` rotates q and k by their positions, and `bias` is added to the scores; both
        are for self-attention. `edit` may change q, k, v and z, before the mutes.
        """
        q, k, v = self.project(x, x if context is None else context)
        if rotary is not None:
            q, k = rotate(q, rotary), rotate(k, rotary)
        if self.config.kernel == "linear":
            q, k = F.elu(q) + 1, F.elu(k) + 1  # positive
        decay = None
        if self.config.selective:
            step = rearrange(F.softplus(self.w_step(x)), "batch pos head -> batch head pos")
            k = k * step[..., None]
            decay = -(step * self.log_rate.exp()[:, None]).cumsum(-1)
        if edit is not None:
            q, k, v = edit("q", q), edit("k", k), edit("v", v)
            decay = None if decay is None else edit("decay", decay)
        faded = None if decay is None else fading(decay)
        z = attend(q, k, v, mask=mask, bias=added(bias, faded), **self.settings())
        gate = None
        if self.config.gate:
            gate = rearrange(self.w_gate(x).sigmoid(), "batch query head -> batch head query 1")
            z = z * gate
        if edit is not None:
            z = edit("z", z)
        if muted is not None:
            z = z.masked_fill(muted[:, :, None, None], 0.0)
        if self.config.minus is not None:
            z = reduce(z, "batch (pair two) query d_head -> batch pair query d_head", "sum", two=2)
        z = rearrange(z, "batch head query d_head -> batch query (head d_head)")
        return AttentionPass(z if self.w_o is None else self.w_o(z), q, k, v, bias, gate, decay)

    def settings(self) -> dict[str, Any]:
        """The arguments of `attend` besides q, k, v, the mask and the bias."""
        return {
            "scale": self.config.scale_factor,
            "soft_cap": self.config.soft_cap,
            "sink": self.sink,
            "softmax_over": self.config.softmax_over,
            "mask_applied": self.config.mask_applied,
            "kernel": self.config.kernel,
        }

    def project(
        self,
        x: Float[Tensor, "batch query d_model"],
        context: Float[Tensor, "batch key d_model"],
    ) -> tuple[Tensor, Tensor, Tensor]:
        """q from x, k and v from the context; each is (batch head position d_head).

        Keys and values that heads share are repeated for each of them.
        """
        heads = {"head": self.config.n_heads}
        split = "batch pos (head d_head) -> batch head pos d_head"
        match self.config.projections:
            case "none":
                own, other = rearrange(x, split, **heads), rearrange(context, split, **heads)
                return own, other, other
            case "separate":
                read = context if self.config.d_latent is None else self.w_latent(context)
                q, k, v = self.w_q(x), self.w_k(read), self.w_v(read)
                shared = ((k, self.config.kv_heads), (v, self.config.v_heads))
                k, v = (
                    rearrange(each, split, head=n).repeat_interleave(heads["head"] // n, dim=1)
                    for each, n in shared
                )
                if self.config.minus is not None:
                    v = (
                        v
                        * v.new_tensor([1.0, -self.config.minus]).repeat(self.config.v_heads)[
                            :, None, None
                        ]
                    )
                return rearrange(q, split, **heads), k, v
            case "fused":
                order = self.config.read_as or self.config.packing
                unpack = f"batch pos ({order}) -> qkv batch head pos d_head"
                q, k, v = rearrange(self.w_qkv(x), unpack, qkv=3, **heads)
                if context is not x:
                    _, k, v = rearrange(self.w_qkv(context), unpack, qkv=3, **heads)
                return q, k, v

    @property
    def w_o_by_head(self) -> Float[Tensor, "head d_head d_model"] | None:
        """W_O with one block per head, so that result = z · W_O[head]."""
        if self.w_o is None:
            return None
        blocks = rearrange(
            self.w_o.weight,
            "d_model (head d_head) -> head d_head d_model",
            d_head=self.config.d_head,
        )
        return blocks.repeat_interleave(self.config.n_heads // len(blocks), dim=0)  # of a pair
