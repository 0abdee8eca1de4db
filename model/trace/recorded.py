"""The data that a source records at one site, from which the site's tensors are derived."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jaxtyping import Float
from torch import Tensor

from model.core.attention import Kernel, MaskApplied, SoftmaxOver, added, fading
from model.kinds import SiteKind as SiteKind
from model.kinds import TokenAxis as TokenAxis
from model.masks.mask import Mask


@dataclass(frozen=True, kw_only=True, eq=False)
class Recorded:
    """The identity, the settings and the recorded inputs of one site."""

    name: str  # "layers.2", "decoder.layers.2.cross"
    kind: SiteKind
    layer: int
    mask: Mask
    n_heads: int
    n_kv_heads: int  # fewer than n_heads with grouped queries; k and v below are expanded
    scale: float
    q: Float[Tensor, "batch head query d_head"] | None = None  # as it enters the dot product
    k: Float[Tensor, "batch head key d_head"] | None = None
    v: Float[Tensor, "batch head key d_head_v"] | None = None
    # if it is already known; a source without q, k and v has only this
    stored_pattern: Float[Tensor, "batch head query key"] | None = None
    bias: Float[Tensor, "#batch #head query key"] | None = None
    # a bias that is as good as one number a token: see `fading`
    decay: Float[Tensor, "batch head pos"] | None = None
    soft_cap: float | None = None
    sink: Float[Tensor, " head"] | None = None
    softmax_over: SoftmaxOver = "key"
    mask_applied: MaskApplied = "before"
    kernel: Kernel = "exp"
    w_o: Float[Tensor, "head d_head_v d_model"] | None = None  # a parameter, not counted in nbytes
    # whether other sites of its model have no softmax, so that this one tells its weights as theirs
    tells_hidden: bool = False
    muted: tuple[int, ...] = ()
    # λ where heads come in pairs, the second of which is subtracted (differential attention)
    minus: float | None = None
    # the factor of each head's z, in gated attention
    gate: Float[Tensor, "batch head query 1"] | None = None
    # what interventions made of z, before the mutes: z · z_scale + z_shift; None if there were none
    z_scale: Float[Tensor, "batch head query 1"] | None = None
    z_shift: Float[Tensor, "batch head query d_head_v"] | None = None
    # the factors with which q, k and v follow the stream: 0 where an intervention froze them; what
    # is missing follows it everywhere
    follows: Mapping[Literal["q", "k", "v"], Float[Tensor, "batch head pos 1"]] = field(
        default_factory=dict
    )
    query_tokens: TokenAxis = "tokens"
    key_tokens: TokenAxis = "tokens"

    @property
    def has_bias(self) -> bool:
        return self.bias is not None or self.decay is not None

    @property
    def whole_bias(self) -> Float[Tensor, "#batch #head query key"] | None:
        """What is added to the scores of all cells, a decay included: O(tokens²)."""
        return added(self.bias, None if self.decay is None else fading(self.decay))

    @property
    def rule(self) -> dict[str, Any]:
        """The arguments of `attend` that are the same for all its texts, heads and cells."""
        names = ("scale", "soft_cap", "softmax_over", "mask_applied", "kernel")
        return {name: getattr(self, name) for name in names}

    @property
    def z_factor(self) -> Float[Tensor, "batch head query 1"] | None:
        """The factor of pattern · v in z: that of the gate, then that of interventions."""
        if self.gate is None or self.z_scale is None:
            return self.z_scale if self.gate is None else self.gate
        return self.gate * self.z_scale

    @property
    def sizes(self) -> dict[str, int]:
        """The known sizes of the axes that tensors have besides batch and head."""
        sizes = {"row": self.mask.n_query, "key": self.mask.n_key}
        if self.q is not None:
            widths = [each.shape[-1] for each in (self.q, self.v) if each is not None]
            sizes["d_head"] = max(widths)  # latent attention has other values
        if self.w_o is not None:
            sizes["d_model"] = self.w_o.shape[-1]
        return sizes
