"""Which model a request is for, and the key that decides which replica gets it."""

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

import orjson

from model.film import base_of

_HEADS = re.compile(r"/api/models/([^/]+)/heads")
_TEXTS = ("texts", "ids", "targets", "pairs", "templates")


class Destination(NamedTuple):
    """A model, and a key: equal keys go to the same replica while it is healthy."""

    model: str
    key: str


def is_for_a_model(path: str) -> bool:
    """Whether a request to this path may need a model."""
    return path in ("/api/trace", "/api/study") or _HEADS.fullmatch(path) is not None


def destination(path: str, body: bytes, models: Sequence[str]) -> Destination | None:
    """Where to send a request; None if it names no model that we serve.

    The key is made from the texts alone, so a request with the same text but another mask, mute or
    tensor reaches the same cache. A model's head probe involves no text; all requests for it go to
    one replica.
    """
    probed = _HEADS.fullmatch(path)
    if probed is not None:
        of = base_of(probed[1])
        return Destination(of, "heads") if of in models else None
    try:
        request = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(request, dict):
        return None
    model = request.get("model")
    model = base_of(models[0] if model is None else str(model))
    if model not in models:
        return None
    texts = orjson.dumps([request.get(name) for name in _TEXTS])
    return Destination(model, hashlib.sha256(texts).hexdigest())
