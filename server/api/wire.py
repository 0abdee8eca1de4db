"""Encodes a trace as JSON, or as one safetensors file whose metadata holds the JSON part.

Both have the same numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson
from safetensors.numpy import save
from torch import Tensor

from model.errors import LimitError
from model.facts import limit
from model.message import Message
from model.trace.site import Site
from model.trace.trace import Trace
from server.api import analyses
from server.api.analyses.analysis import Runs, Tensors
from server.api.looks import ITEM_BYTES, JSON_BYTES, Array, Look, to_array
from server.api.schemas import Analyse, DType, Predict
from server.api.schemas.settings import SETTINGS, applied

Chosen = Sequence[tuple[Look, list[Site]]]  # each look with its sites

_TOKEN_BYTES = 160
MAX_PATTERN_NUMBERS = limit("pattern_numbers")  # up to so many, all patterns are kept meanwhile
_ADVICE = Message(
    "Ask for fewer heads, rows or layers, for a lower resolution, or for uint8 patterns."
)


def encode(
    trace: Trace,
    looks: Sequence[Look],
    predict: Predict | None,
    analyse: Analyse,
    runs: Runs | None = None,
    unedited: Trace | None = None,
    *,
    rendered: Sequence[str] | None = None,
    safetensors: bool,
    max_bytes: int,
) -> bytes:
    """The response to one request.

    `runs` is needed if an analysis runs the model again, and `unedited` if predictions are compared
    with those of the unedited run.

    Raises:
        InputError: this trace does not have a layer, head, row, position or token.
        UnavailableError: a site does not have a tensor, or the model does not predict.
        LimitError: the response would be larger than `max_bytes` (code "answer_too_large").
        NumericsError: a number is not finite.
    """
    chosen = [(look, look.choose(trace)) for look in looks]
    _check_size(trace, chosen, analyse, safetensors, max_bytes)
    predicted = _predicted(trace, predict, unedited)
    if _reads_patterns_often(trace, chosen, analyse):
        trace = trace.with_patterns()
        chosen = [(look, look.choose(trace)) for look in looks]
    found = analyses.read(trace, analyse, runs)
    arrays = [
        (look, site, dict(look.arrays(site, trace))) for look, sites in chosen for site in sites
    ]
    matrices = {
        name: to_array(tensor, _analysis_dtype(chosen), "select")
        for name, tensor in found.items()
        if isinstance(tensor, Tensor)
    }
    several = {
        name: {
            key: to_array(tensor, value.dtype, f"analyse.{name}")
            for key, tensor in value.tensors.items()
        }
        for name, value in found.items()
        if isinstance(value, Tensors)
    }
    document = _document(trace, chosen) | {"rendered": rendered} | predicted | found
    document |= dict.fromkeys((*matrices, *several))
    if not safetensors:
        if looks[0].part is not None:
            document["parts"] = {look.part: {} for look in looks}
        sites = {site["name"]: site for site in document["sites"]}
        for look, site, named in arrays:
            if look.part is None:
                sites[site.name]["tensors"] = named
            else:
                document["parts"][look.part][site.name] = named
        nested = {name: _nested(arrays) for name, arrays in several.items()}
        return orjson.dumps(document | matrices | nested, option=orjson.OPT_SERIALIZE_NUMPY)
    tensors = {
        f"{look.prefix}{site.name}.{name}": array
        for look, site, named in arrays
        for name, array in named.items()
    }
    named = {f"{name}/{key}": each for name, row in several.items() for key, each in row.items()}
    metadata = orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return save(tensors | matrices | named, {"trace": metadata})


def _nested(arrays: Mapping[str, Array]) -> dict[str, dict[str, Array]]:
    """{"layers.2.resid_pre": …} as {"layers.2": {"resid_pre": …}}."""
    nested: dict[str, dict[str, Array]] = {}
    for key, array in arrays.items():
        place, _, name = key.rpartition(".")
        nested.setdefault(place, {})[name] = array
    return nested


def _reads_patterns_often(trace: Trace, chosen: Chosen, analyse: Analyse) -> bool:
    """Whether the patterns are read several times, or of several sites, and are small enough."""
    numbers = sum(site.n_heads * site.mask.n_query * site.mask.n_key for site in trace.sites)
    if numbers * len(trace.tokens) > MAX_PATTERN_NUMBERS:
        return False
    most_sites = max((len(sites) for _, sites in chosen), default=0)
    return most_sites > 1 or any(one.reads_patterns for one in analyses.requested(analyse))


def _check_size(
    trace: Trace, chosen: Chosen, analyse: Analyse, safetensors: bool, max_bytes: int
) -> None:
    """Refuse a response that would be too large, before deriving anything for it."""
    number_bytes = ITEM_BYTES if safetensors else JSON_BYTES
    analysed = analyses.nbytes(trace, analyse, number_bytes[_analysis_dtype(chosen)])
    nbytes = sum(analysed.values())
    nbytes += _TOKEN_BYTES * sum(len(row) for row in (*trace.tokens, *(trace.target_tokens or ())))
    for look, sites in chosen:
        nbytes += look.nbytes(sites, len(trace.tokens), safetensors=safetensors)
    if nbytes > max_bytes:
        mostly = next((one for one, n in analysed.items() if n > nbytes / 2), None)
        advice = None if mostly is None else mostly.too_large
        raise LimitError(
            Message(
                "The response would take about {n} bytes; at most {most} are sent. {advice}",
                n=nbytes,
                most=max_bytes,
                advice=advice or _ADVICE,
            ),
            code="answer_too_large",
            field=f"analyse.{mostly.name}"
            if mostly is not None and advice is not None
            else chosen[0][0].field.partition(".")[0],
            limit=max_bytes,
        )


def _analysis_dtype(chosen: Chosen) -> DType:
    """The dtype of `select`; with `parts`, whose dtypes may differ, it is float32."""
    look = chosen[0][0]
    return look.select.dtype if look.part is None else "float32"


def _predicted(trace: Trace, predict: Predict | None, unedited: Trace | None) -> dict[str, Any]:
    """The predictions, the positions that they are read at, and the nuclei."""
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


def _document(trace: Trace, chosen: Chosen) -> dict[str, Any]:
    """The JSON part, for orjson. With several parts it lists every site with all heads."""
    look, sites = chosen[0]
    heads = None if look.part is not None else look.select.heads
    return {
        "model": trace.model,
        "tokens": trace.tokens,
        "target_tokens": trace.target_tokens,
        **_words(trace, chosen),
        **{name: None for name in SETTINGS},
        **({} if trace.settings is None else {trace.settings.name: applied(trace.settings)}),
        "sites": [_site(site, heads) for site in (sites if look.part is None else trace.sites)],
        "parts": None,
        "measured": trace.measured and [one._asdict() for one in trace.measured],
    }


def _words(trace: Trace, chosen: Chosen) -> dict[str, Any]:
    """The words of the texts, if any look is in words."""
    if all(look.select.units == "pieces" for look, _ in chosen):
        return {"words": None, "target_words": None}
    words, targets = (
        [[word._asdict() for word in row] for row in trace.words[axis]] or None
        for axis in ("tokens", "target_tokens")
    )
    return {"words": words, "target_words": targets}


def _site(site: Site, heads: list[int] | None) -> dict[str, Any]:
    blocked = [asdict(blocked) for blocked in site.blocked_slices]
    by_rows = site.softmax_over == "key"
    heads = list(range(site.n_heads)) if heads is None else heads
    return {
        "name": site.name,
        "kind": site.kind,
        "layer": site.layer,
        "heads": heads,
        "n_kv_heads": site.n_kv_heads,
        "scale": site.scale,
        "soft_cap": site.soft_cap,
        "has_bias": site.has_bias,
        "has_gate": site.gate is not None,
        "minus": site.minus,
        "sink": None if site.sink is None else site.sink[heads].tolist(),
        "softmax_over": site.softmax_over,
        "mask_applied": site.mask_applied,
        "kernel": site.kernel,
        "muted": site.muted,
        "query_tokens": site.query_tokens,
        "key_tokens": site.key_tokens,
        "blocked_rows": blocked if by_rows else [],
        "blocked_columns": [] if by_rows else blocked,
    }
