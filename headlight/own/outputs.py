"""What libraries give, as layers by kind of attention: outputs of Transformers, named arrays."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from headlight.errors import RequestError
from headlight.own.arrays import Layers, layers_of, to_numpy

Groups = dict[str, dict[str, Layers]]  # by kind of attention, then by tensor

_FIELDS = {
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}
_NONE = (
    "This output has no attentions. Run the model with output_attentions=True, and load it with "
    'attn_implementation="eager".'
)
# What the words of a name say, as static/js/own/names.js has it
_PARTS = {
    "q": {"q", "query", "queries"},
    "k": {"k", "key", "keys"},
    "v": {"v", "value", "values"},
    "pattern": {"pattern", "patterns", "attention", "attentions", "attn", "attns", "probs"}
    | {"weights", "softmax"},
}
_NEVER = {"proj", "weight", "bias", "norm", "ln", "embed", "mlp", "mask", "scores", "logits", "z"}
_NEVER |= {"result", "out", "output", "input", "blocked", "norms", "weighted"}
# Of the hooks of TransformerLens, most are at something that is called attention
_OTHER_HOOK = re.compile(r"\bhook_(?!(pattern|(rot_)?[qkv])$)")
_HOOKED = re.compile(r"hook_(rot_)?[qkv]$")  # (text, position, head, d_head)


@dataclass(frozen=True)
class Given:
    """The groups of arrays, and what else is known of them.

    Attributes:
        ids: of the tokens that a model generated; the last of them is neither a key nor a query.
        tokens, target_tokens: the labels of a table.
    """

    groups: Groups
    ids: Any = None
    tokens: list[str] | None = None
    target_tokens: list[str] | None = None


def read(given: Any, *, two: bool) -> Given:
    """Patterns, as a library gives them. `two`: queries and keys are two sequences."""
    whole = "cross" if two else "self"
    fields = _fields(given, whole)
    if fields is not None:
        if not fields:
            raise RequestError(_NONE)
        if hasattr(given, "sequences"):
            return Given(_joined(fields, given), ids=given.sequences)
        return Given({kind: _pattern(kind, layers) for kind, layers in fields.items()})
    if isinstance(given, (list, tuple)) and not _holds(given):
        raise RequestError(_NONE)
    if hasattr(given, "columns") and hasattr(given, "index"):
        return _table(given, two)
    if hasattr(given, "items") and any(isinstance(name, str) for name, _ in given.items()):
        return Given(_named(given.items(), whole))
    return Given({whole: _pattern(whole, given)})


def _pattern(kind: str, layers: Any) -> dict[str, Layers]:
    return {"pattern": layers_of(_FIELDS.get(kind, "attentions"), layers)}


def _fields(given: Any, whole: str) -> dict[str, Any] | None:
    """The attentions of an output by kind, without empty ones; None: it is not an output."""
    names = ("attentions", *_FIELDS.values())
    if not any(hasattr(given, name) for name in names):
        return None
    found = {kind: getattr(given, field, None) for kind, field in _FIELDS.items()}
    found = {kind: layers for kind, layers in found.items() if _holds(layers)}
    own = getattr(given, "attentions", None)
    if _holds(own):  # beside cross-attention, they are those of a decoder
        found = {"decoder" if found else whole: own} | found
    return found


def _holds(layers: Any) -> bool:
    if isinstance(layers, (list, tuple)):
        return any(_holds(layer) for layer in layers)
    return layers is not None


def _joined(fields: Mapping[str, Any], output: Any) -> Groups:
    """What `generate` gives: for each generated token, the layers of its run."""
    n_texts = len(output.sequences)
    beams = getattr(output, "beam_indices", None)
    rows = None if beams is None else np.asarray(_plain(beams)).astype(int)
    groups: Groups = {}
    for kind, steps in fields.items():
        if kind == "encoder":
            layers = layers_of(_FIELDS[kind], steps)
            groups[kind] = {
                "pattern": {
                    place: np.repeat(layer, n_texts // len(layer), axis=0)
                    for place, layer in layers.items()
                }
            }
            continue
        each = [layers_of(_FIELDS.get(kind, "attentions"), step) for step in steps]
        groups[kind] = {
            "pattern": {
                layer: _stacked([step[layer] for step in each], rows, n_texts, cut=kind != "cross")
                for layer in each[0]
            }
        }
    return groups


def _stacked(steps: Sequence[Any], rows: Any, n_texts: int, *, cut: bool) -> Any:
    """The queries of all steps below each other.

    Args:
        steps: (row, head, query, key) each, with ever more keys.
        rows: (text, step): the row of a beam that each token comes from, -1 after the end.
        cut: whether a key is a token that was a query, so that more is room that a cache keeps.
    """
    n_query = sum(step.shape[2] for step in steps)
    n_key = n_query if cut else max(step.shape[3] for step in steps)
    joined = np.zeros((n_texts, steps[0].shape[1], n_query, n_key), np.float32)
    start = 0
    for at, step in enumerate(steps):
        end, width = start + step.shape[2], min(n_key, step.shape[3])
        for text in range(n_texts):
            row = text if rows is None else rows[text][at] if at < len(rows[text]) else -1
            if row >= 0:
                joined[text, :, start:end, :width] = step[row][..., :width]
        start = end
    return joined


def _table(given: Any, two: bool) -> Given:
    """A data frame: a row for each query, a column for each key."""
    queries, keys = ([str(name) for name in axis] for axis in (given.index, given.columns))
    two = two or queries != keys
    kind = "cross" if two else "self"
    groups = {kind: _pattern(kind, to_numpy(given.to_numpy()))}
    return Given(groups, tokens=keys, target_tokens=queries if two else None)


def _named(arrays: Iterable[tuple[Any, Any]], whole: str) -> Groups:
    """Arrays whose names say what they are, as in an ActivationCache or of saved nodes."""
    found: dict[str, dict[str, dict[int, Any]]] = {}
    names = []
    for name, value in arrays:
        names.append(str(name))
        part, layer, kind = _meaning(str(name))
        array = _array(value)
        if part is None or array is None:
            continue
        if _HOOKED.search(str(name)):
            array = np.moveaxis(to_numpy(array), -2, -3)
        layers = found.setdefault(kind, {}).setdefault(part, {})
        if layer not in layers or "rot" in str(name):  # what enters q·k has its positions
            layers[layer] = array
    groups: Groups = {}
    for kind, parts in found.items():
        wanted = ("pattern",) if "pattern" in parts else ("q", "k", "v")
        if all(part in parts for part in wanted):
            groups[kind] = {part: layers_of(part, parts[part]) for part in wanted}
    if not groups:
        shown = ", ".join(names[:6]) + (" …" if len(names) > 6 else "")
        raise RequestError(
            f"No array is called a pattern, or q, k and v. The names are: {shown}. Give names such "
            "as `blocks.0.attn.hook_pattern` or `layers.0.attention`."
        )
    if len(groups) == 1 and "cross" not in groups:
        return {whole: next(iter(groups.values()))}
    return {"decoder" if kind == "self" else kind: parts for kind, parts in groups.items()}


def _meaning(name: str) -> tuple[str | None, int, str]:
    """What an array is, its layer, and its kind of attention."""
    words = re.findall(r"[a-z]+|\d+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    known = None if _NEVER & set(words) or _OTHER_HOOK.search(name) else {*words}
    part = next((part for part, said in _PARTS.items() if known and said & known), None)
    layer = next((int(word) for word in words if word.isdigit()), 0)
    kinds = ("cross", "encoder", "decoder")
    if part is None and words and set(words) - {"layer", "layers"} <= {str(layer)}:
        part = "pattern"  # "layer_3" says nothing else
    return part, layer, next((kind for kind in kinds if kind in words), "self")


def _array(value: Any) -> Any:
    """An array, or the patterns among what an attention module returned; None: there are none."""
    value = value if hasattr(value, "shape") else getattr(value, "value", value)
    if isinstance(value, (list, tuple)):
        return next((each for each in value if len(getattr(each, "shape", ())) == 4), None)
    return value if hasattr(value, "shape") and len(value.shape) >= 2 else None


def _plain(array: Any) -> Any:
    return array.detach().cpu() if hasattr(array, "detach") else array
