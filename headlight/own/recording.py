"""A recording of a reader's own arrays, as static/js/engine/sources/recorded.js reads it."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from headlight.errors import RequestError
from headlight.own.arrays import Layers
from headlight.own.tokens import documents, rows_of
from headlight.request.masks import Masks

_CAUSAL = 1  # the bit of `blocked_by`
_EXACT = 1_000_000  # numbers that are kept as float32; more become float16
MAX_BYTES = 64_000_000  # of arrays in a picture: with more, notebooks and browsers become slow
_NAMES = {
    "self": "layers.{}",
    "encoder": "encoder.layers.{}",
    "decoder": "decoder.layers.{}.self",
    "cross": "decoder.layers.{}.cross",
}
_VECTORS = ["q", "k", "v", "scores", "z", "value_weighted"]
LACKS = "this picture has arrays, not the model itself"


@dataclass(frozen=True)
class Recording:
    """What a page needs to show arrays: the model as it lists it, and a safetensors file.

    `trace` and `tensors` are what the file holds.
    """

    model: Mapping[str, Any]
    file: bytes
    trace: Mapping[str, Any]
    tensors: Mapping[str, npt.NDArray[Any]]
    texts: list[str]
    targets: list[str]


def record(
    groups: Mapping[str, Mapping[str, Layers]],
    *,
    tokens: Any,
    target_tokens: Any,
    tokenizer: Any = None,
    spare: str | None = None,
    causal: bool | None,
    scale: float | None,
    name: str,
) -> Recording:
    """Record arrays.

    Args:
        groups: by kind of attention, then by tensor: `pattern`, or `q`, `k` and `v`.
        spare: the tokens of which there may be one more than places, the last.
    """
    sites, tensors = [], {}
    sizes: dict[str, tuple[int, int]] = {}
    for kind, parts in groups.items():
        for layer in next(iter(parts.values())):
            arrays = {part: layers[layer] for part, layers in parts.items()}
            site = _site(kind, layer, arrays, scale)
            n_text, n_query, n_key = _size(arrays)
            for axis, n in ((site["query_tokens"], n_query), (site["key_tokens"], n_key)):
                if sizes.setdefault(axis, (n_text, n)) != (n_text, n):
                    raise RequestError(
                        f"The shapes do not agree: {site['name']} has {n_text} × {n} {axis}, "
                        f"others have {sizes[axis][0]} × {sizes[axis][1]}. Two sequences need "
                        "`target_tokens`, or kinds such as `cross`.",
                    )
            sites.append(site)
            tensors.update({f"{site['name']}.{part}": each for part, each in arrays.items()})
            if _is_causal(kind, arrays, causal):
                bits = np.triu(np.full((n_query, n_key), _CAUSAL, np.uint8), 1)
                tensors[f"{site['name']}.blocked_by"] = np.tile(bits, (n_text, 1, 1, 1))
    given = {"tokens": tokens, "target_tokens": target_tokens}
    found = {
        axis: documents(rows_of(given[axis], *n, axis, tokenizer, spare=axis == spare))
        for axis, n in sizes.items()
    }
    keys, texts = found.get("tokens", found[min(found)])
    queries, targets = found.get("target_tokens", (None, []))
    trace = {"model": name, "tokens": keys, "target_tokens": queries, "sites": sites}
    trace |= dict.fromkeys(
        ("predictions", "predicted_at", "nucleus", "scores", "lens", "mute_effects")
    )
    masks = {**asdict(Masks()), "blocked": [], "allowed": []}
    inputs = {"texts": texts, "targets": targets, "pairs": None, "masks": masks, "muted": []}
    model = _model(name, sites, keys, inputs, vectors="q" in next(iter(groups.values())))
    metadata = {"trace": trace, "model": model, "request": inputs}
    compact = _compact(tensors)
    _check_size(compact)
    file = save(compact, {key: json.dumps(value) for key, value in metadata.items()})
    return Recording(model, file, trace, tensors, texts, targets)


def _check_size(tensors: Mapping[str, npt.NDArray[Any]]) -> None:
    n_bytes = sum(array.nbytes for array in tensors.values())
    if n_bytes > MAX_BYTES:
        raise RequestError(
            f"These arrays would put {n_bytes / 1e6:,.0f} MB into the notebook; at most "
            f"{MAX_BYTES / 1e6:,.0f} MB can be shown. Give some of the layers, heads or tokens, as "
            "in `attentions[:2]`, or save the arrays as a file and drop it on the page "
            "(docs/own-tensors.md).",
            code="too_large",
            limit=MAX_BYTES,
        )


def _size(arrays: Mapping[str, npt.NDArray[Any]]) -> tuple[int, int, int]:
    """The numbers of texts, queries and keys."""
    if "pattern" in arrays:
        n_text, _, n_query, n_key = arrays["pattern"].shape
        return n_text, n_query, n_key
    q, k, v = arrays["q"].shape, arrays["k"].shape, arrays["v"].shape
    if q[0] != k[0] or q[3] != k[3] or q[1] % k[1] or k[:3] != v[:3]:
        raise RequestError(
            f"The shapes do not agree: q {list(q)}, k {list(k)}, v {list(v)} (text, head, token, "
            "d_head). k and v need equal heads and tokens, and q a multiple of those heads."
        )
    return q[0], q[2], k[2]


def _is_causal(kind: str, arrays: Mapping[str, npt.NDArray[Any]], causal: bool | None) -> bool:
    if kind not in ("self", "decoder"):
        return False
    if causal is None and "pattern" in arrays:
        pattern = arrays["pattern"]
        return pattern.shape[-1] > 1 and not np.triu(pattern, 1).any()
    return bool(causal)


def _site(
    kind: str, layer: int, arrays: Mapping[str, npt.NDArray[Any]], scale: float | None
) -> dict[str, Any]:
    n_heads = arrays["pattern" if "pattern" in arrays else "q"].shape[1]
    q = arrays.get("q")
    return {
        "name": _NAMES[kind].format(layer),
        "kind": kind,
        "layer": layer,
        "heads": list(range(n_heads)),
        "n_kv_heads": arrays["k"].shape[1] if "k" in arrays else n_heads,
        "scale": scale or (1.0 if q is None else 1 / math.sqrt(q.shape[3])),
        "soft_cap": None,
        "has_bias": False,
        "has_gate": False,
        "minus": None,
        "sink": None,
        "softmax_over": "key",
        "mask_applied": "before",
        "kernel": "exp",
        "muted": [],
        "blocked_rows": [],
        "blocked_columns": [],
        "query_tokens": "target_tokens" if kind in ("decoder", "cross") else "tokens",
        "key_tokens": "target_tokens" if kind == "decoder" else "tokens",
    }


def _model(
    name: str,
    sites: list[dict[str, Any]],
    keys: list[list[dict[str, Any]]],
    inputs: Mapping[str, Any],
    *,
    vectors: bool,
) -> dict[str, Any]:
    """The arrays as GET /api/models describes a model."""
    zeros = ("d_model", "d_head", "vocab_size", "n_parameters")
    unknown = ("library_class", "trained_on", "unknown_id", "predicts", "d_ff", "norm", "licence")
    return {
        **dict.fromkeys(zeros, 0),
        **dict.fromkeys((*unknown, "mechanisms", "settings"), None),
        "name": name,
        "description": "From arrays of your own.",
        "n_layers": max(site["layer"] for site in sites) + 1,
        "n_heads": max(len(site["heads"]) for site in sites),
        "max_tokens": len(keys[0]),
        "trained_tokens": len(keys[0]),
        "causal": False,
        "residual": True,
        "takes_targets": bool(inputs["targets"]),
        "takes_pairs": False,
        "takes_messages": False,
        "classes": [],
        "lacks": LACKS,
        "stream_lacks": LACKS,
        "recorded": inputs,
        "state": "ready",
        "progress": 1.0,
        "error": None,
        "sites": [
            {key: site[key] for key in ("name", "kind", "layer")} | {"n_heads": len(site["heads"])}
            for site in sites
        ],
        "tensors": ["pattern", "blocked_by", *(_VECTORS if vectors else ())],
    }


def _compact(tensors: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    small = sum(array.size for array in tensors.values()) <= _EXACT
    fits = {
        name: small or array.dtype == np.uint8 or np.abs(array).max() >= 65504
        for name, array in tensors.items()
    }
    return {
        name: np.ascontiguousarray(array if fits[name] else array.astype(np.float16))
        for name, array in tensors.items()
    }
