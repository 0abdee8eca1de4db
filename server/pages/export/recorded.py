"""One run of any model, recorded: what went into attention, from which the page derives the rest.

static/js/engine/sources/recorded.js reads it. k and v of grouped queries are kept once a group.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

import orjson
import torch
from safetensors.numpy import save
from torch import Tensor

from model.errors import LimitError
from model.message import Message
from model.sources.source import Source
from model.trace.tensors import TENSORS
from model.trace.trace import Trace
from server.api import wire
from server.api.looks import Array, Look, to_array
from server.api.schemas import Predict, Select, TraceRequest
from server.api.schemas.settings import SETTINGS
from server.pages.export.answers import answers
from server.pages.export.packing import in_byte_planes
from server.pages.export.page import Contents
from server.settings import Settings

Half = Literal["float16", "float32"]

MAX_BYTES = 64 * 1024**2  # of the numbers: a page with more is slow to open
TOP_K = 100  # predictions that are kept for each text
RECORDED = {"texts", "targets", "pairs", "special_tokens", "masks", "muted"}  # of a request
ONE_RUN = Message(
    "This page is one file, made by Headlight. It holds one recorded run and derives every "
    "number from it, so it works without a network, and its content policy keeps it from "
    "loading or sending anything."
)
LACKS = "this file holds one recorded run, and not the model"
_AGREES = {
    "float16": Message("float16, so they agree with the model's own to about three decimal digits"),
    "float32": Message("float32, as the model computed them"),
}


def recorded(
    source: Source,
    rows: Mapping[str, dict[str, Any]],
    request: TraceRequest,
    dtype: Half,
    limits: Mapping[str, int],
    settings: Settings,
) -> Contents:
    """The contents of a file with one run, and with the mechanisms from scratch.

    Args:
        rows: the models as GET /api/models describes them, by name.

    Raises:
        HeadlightError: the model cannot run this, or the file would be too large.
    """
    run = replace(request.to_inputs(settings), stream=True)
    trace = source.trace(run, max_tokens=settings.max_tokens)
    predicts = source.info.predicts is not None
    answer = wire.encode(
        trace,
        [Look(Select(layers=[]), part="none")],  # a look with a name lists every site
        Predict(top_k=min(TOP_K, source.info.vocab_size)) if predicts else None,
        request.analyse,
        safetensors=True,
        max_bytes=MAX_BYTES,
    )
    inputs = request.model_dump(include=RECORDED)
    name = source.info.name
    told = answers(source, run, trace, settings)
    shown = _shown(rows[name], inputs) | {"answers": sorted({one.name for one in told})}
    tensors = dict(_tensors(trace, dtype))
    nbytes = sum(array.nbytes for array in tensors.values())
    if nbytes > MAX_BYTES:
        raise LimitError(
            Message(
                "The recording would take {n} bytes; a page holds at most {most}. Shorten the "
                "text, or record it as float16.",
                n=nbytes,
                most=MAX_BYTES,
            ),
            code="answer_too_large",
            limit=MAX_BYTES,
        )
    more = {
        "model": json.dumps(shown),
        "request": json.dumps(inputs),
        "answers": orjson.dumps(told).decode(),
    }
    file = in_byte_planes(save(tensors, {"trace": _metadata(answer)["trace"], **more}))
    types = {name: "recorded"} | {each: each for each in SETTINGS}
    sources = [{"type": kind, "name": each} for each, kind in types.items()]
    return Contents(
        models=[shown, *(rows[each] for each in SETTINGS)],
        gallery=[],
        limits=limits,
        inside={
            "sources.json": json.dumps(sources).encode(),
            f"{name}/trace.safetensors": file,
        },
        about=_about(shown, trace, dtype),
    )


def _tensors(trace: Trace, dtype: Half) -> Iterator[tuple[str, Array]]:
    for site in trace.sites:
        group = site.n_heads // site.n_kv_heads
        found = {
            "q": site.q,
            "k": None if site.k is None else site.k[:, ::group],
            "v": None if site.v is None else site.v[:, ::group],
            "pattern": site.stored_pattern,
            **_bias(site.whole_bias),
            "gate": None if site.gate is None else site.gate[..., 0],
            "blocked_by": site.mask.blocked_by(),
        }
        for name, tensor in found.items():
            if tensor is not None:
                as_it_is = tensor.dtype == torch.uint8
                yield (
                    f"{site.name}.{name}",
                    to_array(tensor, "uint8" if as_it_is else dtype, "dtype"),
                )


def _bias(bias: Tensor | None) -> dict[str, Tensor]:
    """A bias (batch, head, query, key) that depends on key - query alone as its diagonals.

    They are (batch, head, diagonal), from that of the last query and the first key to that of the
    first query and the last key. Any other bias is kept whole.
    """
    if bias is None:
        return {}
    if not torch.equal(bias[..., 1:, 1:], bias[..., :-1, :-1]):
        return {"bias": bias}
    return {"bias_diagonals": torch.cat([bias[..., 1:, 0].flip(-1), bias[..., 0, :]], dim=-1)}


def _metadata(file: bytes) -> dict[str, str]:
    length = int.from_bytes(file[:8], "little")
    found: dict[str, str] = json.loads(file[8 : 8 + length])["__metadata__"]
    return found


def _shown(row: dict[str, Any], inputs: dict[str, Any]) -> dict[str, Any]:
    """The model as the page shows it: it can do nothing that needs another run."""
    kept = [name for name in row["tensors"] or () if "w_o" not in TENSORS[name].needs]
    recorded = inputs | {
        "targets": inputs["targets"] or [],
        "special_tokens": inputs["special_tokens"] is not False,
    }
    return row | {"lacks": LACKS, "tensors": kept, "recorded": recorded}


def _about(row: dict[str, Any], trace: Trace, dtype: Half) -> list[str]:
    longest = max(len(tokens) for tokens in (*trace.tokens, *(trace.target_tokens or ())))
    weights = [hash_of(row["weights"])] if row["weights"] else []
    return [
        ONE_RUN,
        model_of(row),
        *weights,
        Message("The model itself is not inside, so other texts, masks and mutes cannot be shown."),
        Message("Recorded: {n} tokens, in {numbers}.", n=longest, numbers=_AGREES[dtype]),
    ]


def model_of(row: Mapping[str, Any]) -> Message:
    """What a page says of the model that it shows."""
    return Message(
        "Model: {name}. {description} Licence: {licence}.",
        name=row["name"],
        description=row["description"],
        licence=row["licence"] or Message("not stated"),
    )


def hash_of(weights: str) -> Message:
    return Message("SHA-256 of its weights: {hash}.", hash=weights)
