"""The head that a link of the inspector shows: a file must not open with one that is missing.

The rules are those of static/js/state/fitting/missing.js.
"""

import re
from collections.abc import Mapping
from typing import Any, get_args
from urllib.parse import parse_qsl

from model.errors import InputError
from model.trace.recorded import SiteKind


def check_head(query: str, model: Mapping[str, Any]) -> None:
    """Refuse a link to a head that the model lacks.

    Args:
        query: the query string. As in the page, a number that makes no sense is skipped.
        model: as GET /api/models describes it; a model with settings may have other heads.

    Raises:
        InputError: there is no such kind of layers, no such layer, or no such head in it.
    """
    asked = dict(reversed(parse_qsl(query.removeprefix("?"))))  # of several, the first counts
    if model["settings"] or not asked.keys() & {"kind", "layer", "head"}:
        return
    name, sites = model["name"], model["sites"]
    kinds = list(dict.fromkeys(site["kind"] for site in sites))
    kind = asked.get("kind", "self")
    if kind == "self" or kind not in get_args(SiteKind):  # what a link leaves out
        kind = kinds[0]
    layers = [site["n_heads"] for site in sites if site["kind"] == kind]
    layer, head = (_number(asked.get(key, "")) for key in ("layer", "head"))
    what = "layer" if kind == "self" else f"{kind} layer"
    if not layers:
        raise InputError(f"This link asks for {what}s, but {name} has none.")
    if layer >= len(layers):
        raise InputError(
            f"This link asks for {what} {layer}, but {name} has {what}s 0 to {len(layers) - 1}."
        )
    if head >= layers[layer]:
        raise InputError(
            f"This link asks for head {head}, but {what} {layer} of {name} has heads 0 to "
            f"{layers[layer] - 1}."
        )


def _number(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,10}", text) else 0
