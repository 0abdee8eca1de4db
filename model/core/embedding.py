"""Positions: learned, sinusoidal, rotary or none. Attention itself has no notion of position."""

from typing import Literal, NamedTuple

import torch
from einops import einsum
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.core.editing import LayerEditor
from model.errors import InputError

Positions = Literal["none", "learned", "sinusoidal", "rotary"]
RopeScaling = Literal["none", "linear", "ntk"]
AnyPositions = Positions | Literal["alibi"]  # of mechanisms from scratch


def check_positions(positions: AnyPositions, d_model: int, d_head: int) -> None:
    """Check that rotary or sinusoidal positions have an even number of channels to pair.

    Raises:
        InputError: the number is odd; `field` names the size.
    """
    if positions == "rotary" and d_head % 2:
        raise InputError(
            f"Rotary positions rotate pairs of channels, so d_head must be even; got {d_head}.",
            field="d_head",
        )
    if positions == "sinusoidal" and d_model % 2:
        raise InputError(
            f"Sinusoidal positions use pairs of channels, so d_model must be even; got {d_model}.",
            field="d_model",
        )


class Rotary(NamedTuple):
    """The rotation angles of q and k, one per position and pair of channels."""

    cos: Float[Tensor, "batch 1 pos half"]
    sin: Float[Tensor, "batch 1 pos half"]


def rotary(
    positions: Int[Tensor, "batch pos"] | Float[Tensor, "batch pos"],
    d_head: int,
    base: float = 10_000.0,
) -> Rotary:
    """Rotary angles (Su et al. 2021, equation 15): θ_i = position · base^(−2i / d_head)."""
    check_positions("rotary", 0, d_head)
    angle = einsum(
        positions.float(), _frequencies(d_head, base), "batch pos, half -> batch pos half"
    )[:, None]
    return Rotary(angle.cos(), angle.sin())


def stretched(
    positions: Int[Tensor, "batch pos"], d_head: int, scaling: RopeScaling, factor: float
) -> Rotary:
    """Rotary angles for texts `factor` times as long as those of training.

    "linear" divides all angles by the factor (position interpolation, Chen et al. 2023, equation
    2). "ntk" leaves the fastest as they are, and divides the slowest by the factor, by a larger
    base (Peng et al. 2024, "YaRN", definition 1). "none": as they are.
    """
    if scaling == "linear":
        return rotary(positions / factor, d_head)
    if scaling == "ntk" and d_head > 2:  # the one pair of channels there would be the fastest
        return rotary(positions, d_head, 10_000.0 * factor ** (d_head / (d_head - 2)))
    return rotary(positions, d_head)


def rotate(
    x: Float[Tensor, "batch head pos d_head"], rotary: Rotary
) -> Float[Tensor, "batch head pos d_head"]:
    """Rotate each pair of channels (i, i + d_head/2) by the angle of its position.

    This preserves lengths, and q·k depends only on the distance between the two positions.
    """
    first, second = x.chunk(2, dim=-1)
    cos, sin = rotary
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


def alibi(
    positions: Int[Tensor, "batch pos"], n_heads: int
) -> Float[Tensor, "batch head query key"]:
    """A bias of the scores: −slope · distance, a slope for each head (ALiBi, Press et al. 2022).

    With n heads, a power of two, the slopes are 2^(−8/n), 2^(−16/n), …, 2^−8. For other numbers the
    heads beyond the power of two below take every second slope of the one above, as the authors do.
    """
    distance = (positions[:, :, None] - positions[:, None]).abs().float()
    return -slopes(n_heads)[None, :, None, None] * distance[:, None]


def slopes(n_heads: int) -> Float[Tensor, " head"]:
    """The slopes of ALiBi."""
    below = 2 ** (n_heads.bit_length() - 1)
    own = 2.0 ** (-8 / below * torch.arange(1, below + 1))
    between = 2.0 ** (-4 / below * torch.arange(1, 2 * below + 1, 2))
    return torch.cat([own, between[: n_heads - below]])


def sinusoidal(
    positions: Int[Tensor, "batch pos"], d_model: int
) -> Float[Tensor, "batch pos d_model"]:
    """Sines in even channels, cosines in odd ones (Vaswani et al. 2017, section 3.5)."""
    check_positions("sinusoidal", d_model, 0)
    angle = einsum(
        positions.float(), _frequencies(d_model, 10_000.0), "batch pos, half -> batch pos half"
    )
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2)


def _frequencies(d: int, base: float) -> Float[Tensor, " half"]:
    return base ** (-torch.arange(0, d, 2).float() / d)


class Embedding(nn.Module):
    """Token embedding, plus the positions added to it (rotary ones enter later, in attention)."""

    def __init__(
        self, vocab_size: int, d_model: int, positions: Positions, max_tokens: int
    ) -> None:
        super().__init__()
        self.positions = positions
        self.token = nn.Embedding(vocab_size, d_model)
        self.learned = nn.Embedding(max_tokens, d_model) if positions == "learned" else None

    def forward(
        self,
        ids: Int[Tensor, "batch pos"],
        positions: Int[Tensor, "batch pos"],
        edit: LayerEditor | None = None,
    ) -> Float[Tensor, "batch pos d_model"]:
        """The tokens at these positions; `edit` may change the tokens' part."""
        x: Tensor = self.token(ids)
        x = x if edit is None else edit("embedding", x)
        if self.learned is not None:
            x = x + self.learned(positions)
        elif self.positions == "sinusoidal":
            x = x + sinusoidal(positions, x.shape[-1])
        return x
