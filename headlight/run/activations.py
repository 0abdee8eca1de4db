"""Activations by name: those of TransformerLens, or our own."""

import re
from typing import Any, NamedTuple

from headlight.errors import RequestError
from headlight.http.steps import Steps, asked
from headlight.run.chosen import ChosenPosition, ChosenToken
from headlight.run.circuits import Circuits, Stack
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
    stack: Stack | None = None


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
            self,
            found.tensor,
            layers=layers,
            stack=found.stack,
            dtype="float16" if dtype == "float16" else "float32",
        )
        if found.layer is None:
            return whole
        return [each[0] for each in whole] if isinstance(whole, list) else whole[0]

    @asked
    def gradient(
        self,
        name: str,
        *,
        position: ChosenPosition = None,
        token: ChosenToken = None,
        against: ChosenToken = None,
    ) -> Steps[Tensor]:
        """The gradient of a token's logit, or of its lead over `against`, by an activation.

        Of the shape of the activation, which is one of `resid_pre`, `resid_mid`, `resid_post`,
        `mlp_out`, `q`, `k`, `v` and `z`, named as in `activation`. To first order, a small change
        of the activation moves the logit by (change * gradient).sum().

        Raises:
            RequestError: there is no such activation, or none that could be changed.
        """
        found = named(name, self.sites)
        two = self._batches[0].texts[0].target_tokens is not None
        stack = found.stack or ("decoder" if two else None)
        place = found.site or f"{f'{stack}.' if stack else ''}layers.{found.layer}"
        settings: dict[str, Any] = {"tensors": [found.tensor]}
        settings |= {"position": position, "token": token, "against": against}
        layer = found.layer
        if found.site is not None:
            layer = self._site_of(found.site, BaseSite).layer
        if layer is not None:
            settings["layers"] = [layer]
        key = f"gradients/{place}.{found.tensor}"
        each = []
        for part in self._parts():
            for some, settled, text in (
                yield from self._settled(part, {"analyse": {"gradients": settings}})
            ):
                arrays: list[Any] = []
                for request, answer in (yield from self._answers(some, settled)):
                    of_target = two and self._of_target(found)
                    rows = answer.document["target_tokens" if of_target else "tokens"]
                    for row, array in zip(rows, answer.tensors[key], strict=True):
                        real = sum(not token["padding"] for token in row)
                        cut = slice(None if request.needs_all_texts else real)
                        arrays.append(array[..., cut, :])
                each += arrays if text is None else [arrays[text]]
        return each[0] if self._request.single else each

    def _of_target(self, found: Named) -> bool:
        """Whether the positions are those of the target, in an encoder–decoder."""
        if found.site is None:
            return found.stack != "encoder"
        site = self._site_of(found.site, BaseSite)
        axis = "key" if found.tensor in ("k", "v") else "query"
        return bool(site.about[f"{axis}_tokens"] == "target_tokens")


def named(name: str, sites: tuple[str, ...]) -> Named:
    """What an activation's name stands for, in a run with these sites.

    Raises:
        RequestError: there is no such activation (code "unknown_activation").
    """
    plain = name.replace("hook_", "")
    if plain in FINAL:
        return Named(FINAL[plain])
    if match := re.fullmatch(r"(?:(encoder|decoder)\.)?(?:blocks|layers)\.(\d+)\.(.+)", plain):
        stack: Stack | None = match[1]  # type: ignore[assignment]
        layer, rest = int(match[2]), match[3]
        if rest in OF_STREAM:
            return Named(OF_STREAM[rest], layer=layer, stack=stack)
        plain = f"{f'{stack}.' if stack else ''}layers.{layer}.{OF_SITE.get(rest, rest)}"
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
