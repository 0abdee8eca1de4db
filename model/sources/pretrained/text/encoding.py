"""Encodes texts with any tokenizer of Transformers: ids, and where each of them stands."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from transformers import PreTrainedTokenizerBase

from model.sources.pretrained.text.aligning import Place, places_of

# A tokenizer file may have padding and truncation settings, which would silently cut texts.
AS_TYPED: dict[str, Any] = {"padding": False, "truncation": False, "verbose": False}


class Encoded(NamedTuple):
    """A text or two segments. What the tokenizer inserts has no segment."""

    ids: list[int]
    places: list[Place]  # each in its segment
    segments: list[int | None]
    types: list[int]  # the model's token types


def encode(
    tokenizer: PreTrainedTokenizerBase, text: str, pair: str | None = None, *, added: bool = True
) -> Encoded:
    """`added`: with the special tokens that the tokenizer adds.

    A text that begins with the token that would be added before it, as a prompt that was pasted
    does, gets no second one, which no model has seen.
    """
    asked: dict[str, Any] = AS_TYPED | {"return_token_type_ids": True, "add_special_tokens": added}
    if tokenizer.is_fast:
        found = tokenizer(text, pair, return_offsets_mapping=True, **asked)
        places = [tuple(place) for place in found["offset_mapping"]]
        types = found["token_type_ids"]
        return _once(Encoded(found["input_ids"], places, found.sequence_ids(), types))
    found = tokenizer(text, pair, **asked)
    parts = (text,) if pair is None else (text, pair)
    return _once(_with_places(tokenizer, parts, found["input_ids"], found.get("token_type_ids")))


def _once(encoded: Encoded) -> Encoded:
    """Without the first token, if it was added and the next one, which was typed, is the same."""
    ids, places, segments, types = encoded
    if len(ids) < 2 or ids[0] != ids[1] or segments[0] is not None or segments[1] is None:
        return encoded
    return Encoded(ids[1:], places[1:], segments[1:], types[1:])


def encode_target(tokenizer: PreTrainedTokenizerBase, text: str, *, added: bool = True) -> Encoded:
    """A text for the decoder, which a tokenizer may treat in another way."""
    asked: dict[str, Any] = AS_TYPED | {"add_special_tokens": added}
    if tokenizer.is_fast:
        found = tokenizer(text_target=text, return_offsets_mapping=True, **asked)
        places = [tuple(place) for place in found["offset_mapping"]]
        return Encoded(found["input_ids"], places, found.sequence_ids(), [0] * len(places))
    ids = tokenizer(text_target=text, **asked)["input_ids"]
    return _with_places(tokenizer, (text,), ids, None)


def _with_places(
    tokenizer: PreTrainedTokenizerBase,
    parts: Sequence[str],
    ids: list[int],
    types: list[int] | None,
) -> Encoded:
    """Those of a tokenizer that tells no places: each segment is encoded alone, and found again."""
    places: list[Place] = [(0, 0)] * len(ids)
    segments: list[int | None] = [None] * len(ids)
    at = 0
    for segment, text in enumerate(parts):
        own = tokenizer(text, add_special_tokens=False, **AS_TYPED)["input_ids"]
        while ids[at : at + len(own)] != own and at < len(ids):
            at += 1
        pieces = [None if id == tokenizer.unk_token_id else _piece(tokenizer, id) for id in own]
        for offset, place in enumerate(places_of(pieces, text)[: len(ids) - at]):
            places[at + offset], segments[at + offset] = place, segment
        at += len(own)
    return Encoded(ids, places, segments, types or [0] * len(ids))


def _piece(tokenizer: PreTrainedTokenizerBase, id: int) -> str:
    return str(tokenizer.convert_ids_to_tokens(id) or "")
