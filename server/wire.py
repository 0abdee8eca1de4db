"""A trace as bytes: JSON, or one safetensors file whose metadata holds the JSON part.

Both hold the same numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import orjson
import torch
from numpy.typing import NDArray
from safetensors.numpy import save
from torch import Tensor

from model.errors import InputError, LimitError, UnavailableError
from model.site import Site
from model.trace import Trace
from server import analysis
from server.schemas import Analyse, DType, Predict, Select
from server.schemas.scratch import ran

Array = NDArray[Any]

_ITEM_BYTES: Mapping[DType, int] = {"float32": 4, "float16": 2, "uint8": 1}
_JSON_BYTES: Mapping[DType, int] = {
    "float32": 13,
    "float16": 9,
    "uint8": 4,
}  # measured, and a little more
_TOKEN_BYTES = 140
_ADVICE = "Ask for fewer heads, rows or layers, for a lower resolution, or for uint8 patterns."
_ROLLOUT_ADVICE = "Most of it is the rollout: send shorter texts, or leave it out."


def encode(
    trace: Trace,
    select: Select,
    predict: Predict | None,
    analyse: Analyse,
    run_mutes: analysis.RunMutes | None = None,
    unedited: Trace | None = None,
    *,
    safetensors: bool,
    max_bytes: int,
) -> bytes:
    """The answer to one request. `run_mutes` is needed where its effects are asked for, and the
    `unedited` trace where predictions are held against it.

    Raises:
        InputError: a layer, head, row, position or token that this trace does not have.
        UnavailableError: a tensor that a site cannot give, or predictions of a model without them.
        LimitError: the answer would be larger than `max_bytes` (code "answer_too_large").
        NumericsError: a number that is not finite.
    """
    sites = _choose(trace, select)
    _check_size(trace, sites, select, analyse, safetensors, max_bytes)
    predicted = _predicted(trace, predict, unedited)
    found = analysis.read(trace, analyse, run_mutes)
    arrays = {site.name: dict(_arrays(site, select)) for site in sites}
    rollout = None if found["rollout"] is None else _array(found["rollout"], select.dtype)
    document = _document(trace, sites, select) | predicted | found | {"rollout": None}
    if not safetensors:
        for site in document["sites"]:
            site["tensors"] = arrays[site["name"]]
        document["rollout"] = rollout
        return orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)
    tensors = {
        f"{site}.{name}": array for site, named in arrays.items() for name, array in named.items()
    }
    if rollout is not None:
        tensors["rollout"] = rollout
    return save(tensors, {"trace": orjson.dumps(document).decode()})


def _choose(trace: Trace, select: Select) -> list[Site]:
    """The sites asked for, each able to give what is asked of it."""
    known = {site.layer for site in trace.sites}
    for layer in select.layers or ():
        if layer not in known:
            raise InputError(
                f"{trace.model} has layers {min(known)} to {max(known)}; got {layer}.",
                field="select.layers",
            )
    sites = [
        site
        for site in trace.sites
        if (select.layers is None or site.layer in select.layers)
        and (select.kinds is None or site.kind in select.kinds)
    ]
    for site in sites:
        if select.rows is not None and select.rows[1] > site.mask.n_query:
            raise InputError(
                f"{site.name} has query rows [0, {site.mask.n_query}); got "
                f"[{select.rows[0]}, {select.rows[1]}).",
                field="select.rows",
                limit=site.mask.n_query,
            )
        for head in select.heads or ():
            if head >= site.n_heads:
                raise InputError(
                    f"{site.name} has heads 0 to {site.n_heads - 1}; got {head}.",
                    field="select.heads",
                )
        missing = [name for name in select.tensors if name not in site.tensors]
        if missing:
            raise UnavailableError(
                f"{site.name} cannot give {', '.join(missing)}; it has {', '.join(site.tensors)}.",
                field="select.tensors",
            )
    return sites


def _check_size(
    trace: Trace,
    sites: Sequence[Site],
    select: Select,
    analyse: Analyse,
    safetensors: bool,
    max_bytes: int,
) -> None:
    """Refuse an answer that would be too large, before anything is derived for it."""
    batch = len(trace.tokens)
    number_bytes = _ITEM_BYTES if safetensors else _JSON_BYTES
    rollout = number_bytes[select.dtype] * analysis.rollout_cells(trace, analyse)
    nbytes = rollout + analysis.nbytes(trace, analyse)
    nbytes += _TOKEN_BYTES * sum(len(row) for row in (*trace.tokens, *(trace.target_tokens or ())))
    for site in sites:
        heads = site.n_heads if select.heads is None else len(select.heads)
        for name in select.tensors:
            dtype: DType = "uint8" if name == "blocked_by" else select.dtype
            nbytes += batch * heads * _cells(site, name, select) * number_bytes[dtype]
    if nbytes > max_bytes:
        mostly_rollout = rollout > nbytes / 2
        raise LimitError(
            f"The answer would take about {nbytes:,} bytes; this server sends at most "
            f"{max_bytes:,}. {_ROLLOUT_ADVICE if mostly_rollout else _ADVICE}",
            code="answer_too_large",
            field="analyse.rollout" if mostly_rollout else "select",
            limit=max_bytes,
        )


def _cells(site: Site, name: str, select: Select) -> int:
    """Numbers of one head of one text."""
    rows, keys = site.mask.n_query, site.mask.n_key
    if select.rows is not None:
        rows = select.rows[1] - select.rows[0]
    if select.resolution is not None:
        rows, keys = min(select.resolution, rows), min(select.resolution, keys)
    if name in ("bias", "scores", "pattern", "norms", "blocked_by"):
        return rows * keys
    assert site.q is not None  # a site without it gives patterns only
    if name in ("k", "v"):
        return keys * site.q.shape[-1]
    wide = name == "result" and site.w_o is not None
    return rows * (site.w_o.shape[-1] if wide and site.w_o is not None else site.q.shape[-1])


def _arrays(site: Site, select: Select) -> Iterator[tuple[str, Array]]:
    if select.resolution is not None:
        for name in select.tensors:
            if name == "pattern":
                small = site.thumbnail(select.resolution, heads=select.heads)
                yield name, _array(small, select.dtype)
            else:
                reasons = site.blocked_thumbnail(select.resolution, heads=select.heads)
                yield name, _array(reasons, "uint8")
        return
    rows = slice(None) if select.rows is None else slice(*select.rows)
    for name, tensor in site.derive(select.tensors, heads=select.heads, rows=rows).items():
        yield name, _array(tensor, "uint8" if name == "blocked_by" else select.dtype)


def _array(tensor: Tensor, dtype: DType) -> Array:
    """Numbers in the type asked for, laid out as both encodings want them."""
    if dtype == "uint8" and tensor.is_floating_point():
        tensor = (255 * tensor).round().to(torch.uint8)
    elif dtype == "float16":
        tensor = tensor.half()
        if not bool(tensor.isfinite().all()):
            raise InputError(
                "float16 holds numbers up to 65,504, and some here are larger. Ask for float32.",
                code="dtype_overflow",
                field="select.dtype",
            )
    return np.ascontiguousarray(tensor.numpy())


def _predicted(trace: Trace, predict: Predict | None, unedited: Trace | None) -> dict[str, Any]:
    """What comes next, where it is read, and what of it is the nucleus."""
    if predict is None:
        return {"predictions": None, "predicted_at": None, "nucleus": None}
    read = predict.model_dump(include={"position", "temperature", "top_p"})
    return {
        "predictions": trace.predict(
            **read, top_k=predict.top_k, tokens=predict.tokens, unedited=unedited
        ),
        "predicted_at": trace.read_positions(predict.position, "predict"),
        "nucleus": None if predict.top_p is None else trace.nuclei(**read),
    }


def _document(trace: Trace, sites: Sequence[Site], select: Select) -> dict[str, Any]:
    """The JSON part, as orjson takes it."""
    return {
        "model": trace.model,
        "tokens": trace.tokens,
        "target_tokens": trace.target_tokens,
        "scratch": None if trace.scratch is None else ran(trace.scratch),
        "sites": [_site(site, select) for site in sites],
    }


def _site(site: Site, select: Select) -> dict[str, Any]:
    blocked = [asdict(blocked) for blocked in site.blocked_slices]
    by_rows = site.softmax_over == "key"
    heads = list(range(site.n_heads)) if select.heads is None else select.heads
    return {
        "name": site.name,
        "kind": site.kind,
        "layer": site.layer,
        "heads": heads,
        "n_kv_heads": site.n_kv_heads,
        "scale": site.scale,
        "soft_cap": site.soft_cap,
        "has_bias": site.bias is not None,
        "sink": None if site.sink is None else site.sink[heads].tolist(),
        "softmax_over": site.softmax_over,
        "mask_applied": site.mask_applied,
        "muted": site.muted,
        "query_tokens": site.query_tokens,
        "key_tokens": site.key_tokens,
        "blocked_rows": blocked if by_rows else [],
        "blocked_columns": [] if by_rows else blocked,
    }
