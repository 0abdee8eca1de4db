"""Arrays of any library as layers of (text, head, query, key) or (text, head, token, d_head)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from headlight.errors import RequestError

Layers = dict[int, npt.NDArray[np.float32]]  # by their number in the model

_SLACK = 0.02  # of a row's sum: float16 and bfloat16 round
_SINK = "The rest may have gone to a sink, as in gpt-oss, or to keys that are not given."
_OTHER = "Perhaps query and key are exchanged, or these are not shares of attention."


def to_numpy(given: Any) -> npt.NDArray[np.float32]:
    """An array of numpy, torch or jax, or lists, as float32; no library is imported for it."""
    if hasattr(given, "detach"):  # torch: perhaps on a GPU, and bfloat16, which numpy lacks
        given = given.detach().cpu().float().numpy()
    try:
        return np.asarray(given).astype(np.float32)
    except (TypeError, ValueError) as error:  # text, or lists of different lengths
        raise RequestError(f"Expected numbers in lists of equal lengths: {error}.") from None


def layers_of(name: str, given: Any) -> Layers:
    """An array for each layer, with four axes.

    Args:
        given: one array [layer, (text,) head, …, …]; or an array [(text,) head, …, …] for each
            layer, in a list or tuple, with None for a layer without one, or by its number.
    """
    if isinstance(given, Mapping):
        found = {int(layer): to_numpy(each) for layer, each in sorted(given.items())}
    elif isinstance(given, (list, tuple)) and any(
        each is None or _is_array(each) for each in given
    ):
        found = {layer: to_numpy(each) for layer, each in enumerate(given) if each is not None}
    else:
        whole = to_numpy(given)
        found = dict(enumerate(whole if whole.ndim in (4, 5) else [whole]))
    layers = {layer: _four(name, each) for layer, each in found.items()}
    if not layers:
        raise RequestError(f"{name} has no layers.", field=name)
    for place, layer in layers.items():
        _check_finite(name, place, layer)
    return layers


def _is_array(given: Any) -> bool:
    return hasattr(given, "shape")


def _four(name: str, array: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    if not 2 <= array.ndim <= 4 or array.size == 0:
        raise RequestError(
            f"{name} has a layer of the shape {list(array.shape)}; expected 2 to 4 axes, such as "
            "[text, head, query, key] for patterns and [text, head, token, d_head] for q, k and v.",
            field=name,
        )
    return array.reshape((1,) * (4 - array.ndim) + array.shape)


def _check_finite(name: str, layer: int, array: npt.NDArray[np.float32]) -> None:
    wrong = np.argwhere(~np.isfinite(array))
    if not len(wrong):
        return
    text, head, row, column = wrong[0]
    number = array[tuple(wrong[0])]
    advice = (
        "A row that may attend to nothing is NaN after a softmax: set it to zeros."
        if np.isnan(number)
        else "Give the pattern after the softmax, not masked scores."
    )
    more = f" and {len(wrong) - 1:,} more such numbers" if len(wrong) > 1 else ""
    raise RequestError(
        f"{name} has {number} at layer {layer}, text {text}, head {head}, row {row}, column "
        f"{column}{more}. {advice}",
        field=name,
    )


def check_pattern(name: str, layers: Layers) -> str | None:
    """What readers should know about rows that do not sum to 1; None: all do.

    Raises:
        RequestError: a share is negative.
    """
    worst, off, n_rows, below = (0.0, "", 1.0), 0, 0, True
    for layer, array in layers.items():
        if array.min() < -1e-6:
            raise RequestError(
                f"{name} has {array.min():.3g} in layer {layer}, but a share of attention is never "
                "negative. These may be scores: give the pattern after the softmax.",
                field=name,
            )
        sums = array.sum(axis=-1)
        wrong = np.where(sums == 0, 0, np.abs(sums - 1))
        n_rows += sums.size
        off += int((wrong > _SLACK).sum())
        below = below and not (sums > 1 + _SLACK).any()
        text, head, query = map(int, np.unravel_index(wrong.argmax(), wrong.shape))
        where = f"layer {layer}, text {text}, head {head}, query {query}"
        worst = max(worst, (float(wrong.max()), where, float(sums[text, head, query])))
    if not off:
        return None
    what = "No row of" if off == n_rows else f"{off:,} of {n_rows:,} rows of"
    verb = "sums" if off == n_rows else "do not sum"
    return (
        f"{what} {name} {verb} to 1; furthest is {worst[1]}, with a sum of {worst[2]:.3g}. The "
        f"numbers are shown as they are. {_SINK if below else _OTHER}"
    )
