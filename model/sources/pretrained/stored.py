"""Sites that hold only patterns, for a model that computes its attention itself."""

from collections.abc import Mapping

from jaxtyping import Bool
from torch import Tensor

from model.masks.mask import site_mask
from model.masks.rules import MaskSettings
from model.sources.pretrained.body import ForwardResult
from model.sources.pretrained.opening.device import kept
from model.sources.pretrained.recording import AXES
from model.sources.source import SourceInfo
from model.trace.recorded import TokenAxis
from model.trace.site import Site


def stored_sites(
    result: ForwardResult,
    info: SourceInfo,
    settings: MaskSettings,
    real: Mapping[TokenAxis, Bool[Tensor, "batch pos"]],
    *,
    causal: bool,
) -> tuple[Site, ...]:
    """A site for each pattern, with the mask that the model's own attention applies."""
    sites = []
    for site in info.sites:
        pattern = result.placed[site.kind].patterns[site.layer]
        query_axis, key_axis = AXES[site.kind]
        mask = site_mask(
            settings,
            kind=site.kind,
            layer=site.layer,
            n_query=pattern.shape[2],
            n_key=pattern.shape[3],
            n_heads=site.n_heads,
            real_keys=real[key_axis],
            causal=causal and site.kind in ("self", "decoder"),
        )
        sites.append(
            Site(
                name=site.name,
                kind=site.kind,
                layer=site.layer,
                mask=mask,
                n_heads=site.n_heads,
                n_kv_heads=site.n_heads,
                scale=info.d_head**-0.5,
                stored_pattern=kept(pattern),
                query_tokens=query_axis,
                key_tokens=key_axis,
            )
        )
    return tuple(sites)
