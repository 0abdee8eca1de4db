"""Which model a request is for, and what decides the replica that gets it."""

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

import orjson

_HEADS = re.compile(r"/api/models/([^/]+)/heads")
_TEXTS = ("texts", "targets", "pairs")


class Destination(NamedTuple):
    """A model, and a key: equal keys go to the same replica while it is healthy."""

    model: str
    key: str


def is_for_a_model(path: str) -> bool:
    """Whether a request to this address may need a model."""
    return path == "/api/trace" or _HEADS.fullmatch(path) is not None


def destination(path: str, body: bytes, models: Sequence[str]) -> Destination | None:
    """Where a request goes; None if it names no model of ours, so that no replica can answer it.

    The texts alone are the key: another mask, mute or tensor of the same text finds its trace, or
    what was computed on the way, in the same cache. What follows a model of no text (its probe)
    goes to one replica too.
    """
    probed = _HEADS.fullmatch(path)
    if probed is not None:
        return Destination(probed[1], "heads") if probed[1] in models else None
    try:
        request = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(request, dict):
        return None
    model = request.get("model")
    model = models[0] if model is None else model
    if model not in models:
        return None
    texts = orjson.dumps([request.get(name) for name in _TEXTS])
    return Destination(model, hashlib.sha256(texts).hexdigest())
