"""How an answer depends on what the heads of a site read: derivatives, and parts taken away."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import torch
from einops import einsum
from jaxtyping import Float
from torch import Tensor

from model.errors import UnavailableError
from model.trace.site import Site

MAX_EXPONENT = 60.0  # of a change of a score: e to this power is as good as infinite


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadsRead:
    """What the heads of a site compute on one text, and how the answer changes with their z."""

    site: Site
    q: Float[Tensor, "head query d_head"]
    k: Float[Tensor, "head key d_head"]
    v: Float[Tensor, "head key d_head_v"]
    pattern: Float[Tensor, "head query key"]
    d_z: Float[Tensor, "head query d_head_v"]  # the derivative of the answer by z
    worth: Float[Tensor, "head query key"]  # v[key] · d_z[query]
    # the factors with which q, k and v follow the stream (head pos 1): 0 where they are frozen
    follows: Mapping[Literal["q", "k", "v"], Tensor]

    @classmethod
    def of(cls, site: Site, text: int, written: Float[Tensor, "pos d_model"]) -> "HeadsRead":
        """From the derivative of the answer by what the heads write to the stream.

        Raises:
            UnavailableError: the site has no q, k, v and W_O, or a softmax that is not over keys.
        """
        if site.q is None or site.k is None or site.v is None or site.w_o is None:
            raise UnavailableError(f"{site.name} has no q, k, v and W_O, so it has no routes.")
        if site.softmax_over != "key" or site.mask_applied != "before":
            raise UnavailableError(f"The softmax of {site.name} is not over keys.")
        d_z = einsum(written, site.w_o, "pos m, head d m -> head pos d")
        if site.z_factor is not None:
            d_z = d_z * site.z_factor[text]
        d_z[list(site.muted)] = 0.0
        read: Mapping[Literal["q", "k", "v"], Tensor]
        read = {"q": site.q[text], "k": site.k[text], "v": site.v[text]}
        return cls(
            site=site,
            **read,
            pattern=site.derive(["pattern"], text=text)["pattern"][0],
            d_z=d_z,
            worth=einsum(site.v[text], d_z, "head key d, head query d -> head query key"),
            follows={
                name: site.follows[name][text]
                if name in site.follows
                else torch.ones_like(x[..., :1])
                for name, x in read.items()
            },
        )

    def derivatives(self) -> tuple[Tensor, Tensor, Tensor]:
        """The derivatives of the answer by what q, k and v are before any is frozen."""
        mean = (self.pattern * self.worth).sum(-1, keepdim=True)
        d_scores = self.pattern * (self.worth - mean) * self.site.scale
        if self.site.soft_cap is not None:
            raw = einsum(self.q, self.k, "head query d, head key d -> head query key")
            capped = torch.tanh(raw * self.site.scale / self.site.soft_cap)
            d_scores = d_scores * (1 - capped.square())
        d_q = einsum(d_scores, self.k, "head query key, head key d -> head query d")
        d_k = einsum(d_scores, self.q, "head query key, head query d -> head key d")
        d_v = einsum(self.pattern, self.d_z, "head query key, head query d -> head key d")
        return d_q * self.follows["q"], d_k * self.follows["k"], d_v * self.follows["v"]

    def without_keys(
        self, head: int, query: int, parts: Float[Tensor, "part key"]
    ) -> Float[Tensor, "part key"]:
        """By how much the head gives less if one score of a row lacks one part; for each of them.

        What it gives is counted along `d_z`; the softmax of the row is computed anew.
        """
        share, worth, factor = self._row(head, query, parts)
        # summed, not subtracted from 1, because a share may be as good as 1
        apart = 1 - torch.eye(len(share), dtype=share.dtype)
        others, rest = apart @ share + self._sink(share), apart @ (share * worth)
        left = (rest + share * factor * worth) / (others + share * factor).clamp(min=1e-30)
        return ((share * worth).sum() - left).float()

    def without_query(
        self, head: int, query: int, parts: Float[Tensor, "part key"]
    ) -> Float[Tensor, " part"]:
        """The same if all scores of a row lack a part."""
        share, worth, factor = self._row(head, query, parts)
        left = (share * factor * worth).sum(-1)
        left = left / (self._sink(share) + (share * factor).sum(-1)).clamp(min=1e-30)
        return ((share * worth).sum() - left).float()

    def _sink(self, share: Float[Tensor, " key"]) -> Float[Tensor, ""]:
        """The share of a row that attends to nothing."""
        return share.new_zeros(()) if self.site.sink is None else 1 - share.sum()

    def _row(
        self, head: int, query: int, parts: Float[Tensor, "part key"]
    ) -> tuple[Tensor, Tensor, Tensor]:
        """A row's pattern and worth, and by which factors its exponentials change."""
        less = parts
        cap = self.site.soft_cap
        if cap is not None:
            raw = self.k[head] @ self.q[head, query] * self.site.scale
            less = cap * (torch.tanh(raw / cap) - torch.tanh((raw - parts) / cap))
        factor = (-less.double()).clamp(-MAX_EXPONENT, MAX_EXPONENT).exp()
        return self.pattern[head, query].double(), self.worth[head, query].double(), factor


def pulled_back(
    function: Callable[[Tensor], Tensor | tuple[Tensor, ...]], x: Tensor, *gradients: Tensor
) -> list[Tensor]:
    """The gradient with respect to x that each gradient of an output gives alone."""
    with torch.inference_mode(False), torch.enable_grad():
        x = x.detach().clone().requires_grad_()
        found = function(x)
        outputs = found if isinstance(found, tuple) else (found,)
        return [
            torch.autograd.grad(output, x, gradient.clone(), retain_graph=True)[0]
            for output, gradient in zip(outputs, gradients, strict=False)
        ]
