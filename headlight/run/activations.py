"""Activations by name: those of TransformerLens, or our own."""

import re
from typing import Any, NamedTuple

from headlight.errors import RequestError
from headlight.http.steps import Steps, asked
from headlight.run.circuits import Circuits
from headlight.run.look import TENSORS, DType
from headlight.run.sites import BaseSite, Tensored
from headlight.run.tensors import Tensor

# What TransformerLens calls them after `blocks.N.`, and what we do.
OF_SITE = {f"attn.{name}": name for name in ("q", "k", "v", "z", "pattern", "result")}
OF_SITE |= {"attn.attn_scores": "scores"}
OF_STREAM = {name: name for name in ("resid_pre", "resid_mid", "resid_post", "mlp_out")}
OF_STREAM |= {"ln1.scale": "attn_scale", "ln2.scale": "mlp_scale"}
FINAL = {"ln_final.scale": "final_scale", "logits": "logits"}


class Named(NamedTuple):
    """What a name stands for: a tensor of a site, of a layer's stream, or of a whole stack."""

    tensor: str
    site: str | None = None
    layer: int | None = None


class Activations(Tensored, Circuits):
    """The part of a run that gives activations by their names."""

    @asked
    def activation(self, name: str, *, dtype: DType = "float32") -> Steps[Tensor]:
        """One activation of the run, by its name in TransformerLens or by ours.

        `blocks.3.hook_mlp_out` and `blocks.3.mlp_out` are the same, [position, d_model];
        `blocks.3.attn.hook_z` is `layers.3.z`, [head, position, d_head], heads first as all tensors
        of a site here; `ln_final.hook_scale` and `logits` belong to no layer. Every tensor of a
        site has the name of the site before it: `decoder.layers.2.cross.pattern`.

        Raises:
            RequestError: there is no such activation (code "unknown_activation").
        """
        found = named(name, self.sites)
        if found.site is not None:
            site: BaseSite = self._site_of(found.site, BaseSite)
            return (yield from BaseSite.tensor.steps(site, found.tensor, dtype=dtype))
        layers = None if found.layer is None else [found.layer]
        whole: Any = yield from Circuits.stream.steps(
            self, found.tensor, layers=layers, dtype="float16" if dtype == "float16" else "float32"
        )
        if found.layer is None:
            return whole
        return [each[0] for each in whole] if isinstance(whole, list) else whole[0]


def named(name: str, sites: tuple[str, ...]) -> Named:
    """What an activation's name stands for, in a run with these sites.

    Raises:
        RequestError: there is no such activation (code "unknown_activation").
    """
    plain = name.replace("hook_", "")
    if plain in FINAL:
        return Named(FINAL[plain])
    if match := re.fullmatch(r"(?:blocks|layers)\.(\d+)\.(.+)", plain):
        layer, rest = int(match[1]), match[2]
        if rest in OF_STREAM:
            return Named(OF_STREAM[rest], layer=layer)
        if rest in OF_SITE:
            rest = OF_SITE[rest]
        plain = f"layers.{layer}.{rest}"
    site, _, tensor = plain.rpartition(".")
    if site in sites and tensor in TENSORS:
        return Named(tensor, site=site)
    raise RequestError(
        f"There is no activation {name!r:.80}. Expected blocks.N. and one of "
        f"{', '.join((*OF_STREAM, *OF_SITE))}; a site ({', '.join(sites[:3])}, …) and one of "
        f"{', '.join(TENSORS)}; or {' or '.join(FINAL)}.",
        code="unknown_activation",
        field="name",
    )
