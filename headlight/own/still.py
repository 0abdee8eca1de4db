"""The still picture of arrays, for places that run no scripts."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from headlight.figures.panel import Panel
from headlight.figures.words import label
from headlight.inline.still import png_of
from headlight.own.recording import Recording


def png_of_head(recording: Recording, view: Mapping[str, Any]) -> bytes | None:
    """The heatmap of the first text as a PNG; None where `png_of` gives none, or for q, k and v.

    The page computes the pattern of those itself.
    """
    layer, head = int(view.get("layer", 0)), int(view.get("head", 0))
    sites = recording.trace["sites"]
    kind = view.get("kind") or sites[0]["kind"]  # as the page does
    for site in sites:
        pattern = recording.tensors.get(f"{site['name']}.pattern")
        if (site["layer"], site["kind"]) == (layer, kind) and head in site["heads"]:
            break
    else:
        return None
    if pattern is None:
        return None
    open_ = np.zeros(pattern.shape, np.uint8)
    blocked = recording.tensors.get(f"{site['name']}.blocked_by", open_)
    queries, keys = (
        tuple(label(token["text"]) for token in recording.trace[site[f"{axis}_tokens"]][0])
        for axis in ("query", "key")
    )
    return png_of(
        Panel(
            values=pattern[0, head],
            blocked=blocked[0, 0],
            queries=queries,
            keys=keys,
            layer=layer,
            head=head,
            kind=kind,
        )
    )
