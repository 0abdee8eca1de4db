"""What inseq attributes: a `FeatureAttributionOutput`, or the file that its `save` writes.

Its scores are [key, step] or [key, step, layer, head]; with a channel in the place of layer and
head, their length counts, as in inseq by default (Sarti et al. 2023). Keys are the source, or what
stands in the target; a step is a token that was generated.
"""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load

from headlight.errors import RequestError
from headlight.own.arrays import Layers
from headlight.own.outputs import Given

_OF_CHANNELS = "Granular"  # begins the names of classes whose last axis is a channel


def is_inseq(given: Any) -> bool:
    """Whether it is what inseq gives, or the name of a file, which has an ending."""
    if isinstance(given, str):
        return bool(Path(given).suffix)
    return isinstance(given, Path) or hasattr(given, "sequence_attributions")


def read_inseq(given: Any) -> Given:
    """The scores of the first sequence, as the weights of the tokens that were generated.

    Raises:
        RequestError: the file is not one of inseq, or holds no scores (code "not_attributions").
        OSError: there is no such file.
    """
    if not isinstance(given, (str, Path)):
        return _given(type(given.sequence_attributions[0]).__name__, given.sequence_attributions[0])
    try:
        document = json.loads(Path(given).read_text(encoding="utf-8"))
        if isinstance(document, dict) and {"nodes", "links"} <= document.keys():
            raise RequestError(
                f"{given} is an attribution graph, not attention. headlight.Graph.load(…).plot() "
                "draws it, and the page opens it as a file.",
                code="not_attributions",
            )
        [sequence, *_] = _plain(document)["sequence_attributions"]
        kind = str(sequence.get("__instance_type__", ["", ""])[1])
        return _given(kind, _plain(sequence))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise RequestError(
            f"{given} holds no attributions: expected the file of FeatureAttributionOutput.save of "
            f"inseq; {error!r:.80}.",
            code="not_attributions",
        ) from error


def _given(kind: str, sequence: Any) -> Given:
    source, target = _of(sequence, "source"), _of(sequence, "target")
    of_source = _array(_of(sequence, "source_attributions"))
    scores = _array(_of(sequence, "target_attributions")) if of_source is None else of_source
    if scores is None:
        raise RequestError(
            "This sequence has no scores of its tokens. Attribute it with a method of inseq that "
            "gives them.",
            code="not_attributions",
        )
    if kind.startswith(_OF_CHANNELS):
        scores = np.linalg.norm(scores, axis=2)
        scores /= np.maximum(np.nansum(scores, axis=0), 1e-12)
    while scores.ndim < 4:
        scores = scores[..., None]
    filled = np.nan_to_num(scores).astype(np.float32)  # what comes later has no number
    layers: Layers = {
        layer: filled[:, :, layer].transpose(2, 1, 0)[None] for layer in range(filled.shape[2])
    }
    return Given(
        {"cross": {"pattern": layers}},
        tokens=[_text(token) for token in (target if of_source is None else source)],
        target_tokens=[_text(token) for token in target[-filled.shape[1] :]],
    )


def _plain(value: Any) -> Any:
    """Without the wrappers of classes."""
    return value.get("attributes", value) if isinstance(value, dict) else value


def _of(sequence: Any, name: str) -> Any:
    return sequence[name] if isinstance(sequence, dict) else getattr(sequence, name)


def _array(value: Any) -> npt.NDArray[np.float64] | None:
    """Scores as they are, as lists, or as the base64 of a safetensors file."""
    if value is None:
        return None
    if isinstance(value, str):
        return next(iter(load(base64.b64decode(value)).values())).astype(np.float64)
    if isinstance(value, dict):
        value = value["__ndarray__"]
    detached = value.detach().cpu().float() if hasattr(value, "detach") else value
    return np.asarray(detached, dtype=np.float64)


def _text(token: Any) -> str:
    return str(
        _plain(token)["token"] if isinstance(token, dict) else getattr(token, "token", token)
    )
