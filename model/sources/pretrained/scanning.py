"""The selective scan of Mamba-2 as a site: linear attention whose past fades (Dao & Gu 2024).

Transformers calls one function of each modelling module for the scan. Ours takes its place in that
module, and passes a call on where nothing is recorded, or where scans are no sites of the model.
With C as the queries, Δ·B as the keys and x as the values, y = Σ (C·ΔB) · what is left of each
token: the weights that Ali et al. 2024 ("The Hidden Attention of Mamba Models") read off it. What
the layer adds of x itself (its skip D) is not attention, and is left as it is.
"""

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import torch.nn.functional as F
from einops import rearrange, repeat
from jaxtyping import Float
from torch import Tensor
from transformers import PreTrainedModel

from model.sources.pretrained.recording import IGNORED as OF_ATTENTION
from model.sources.pretrained.recording import UnsupportedError, current_recording

NAME = "mamba2_chunk_scan"
IGNORED = OF_ATTENTION | {"chunk_size", "return_final_states"}


_OURS = set[Callable[..., Any]]()  # in the places of their own, so that each is wrapped once


def record_scans(model: PreTrainedModel) -> bool:
    """Let recordings see the scans of this model's family; whether it has any."""
    modules = {sys.modules[type(part).__module__] for part in model.modules()}
    scanning = [module for module in modules if hasattr(module, NAME)]
    for module in scanning:
        own = getattr(module, NAME)
        if own not in _OURS:
            setattr(module, NAME, _recorded(own))
    return bool(scanning)


def _recorded(own: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(own)
    def scan(x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor, **given: Any) -> Any:
        recording = current_recording()
        if recording is None or not recording.scans:
            return own(x, dt, A, B, C, **given)
        return _scan(x, dt, A, B, C, **given)

    _OURS.add(scan)
    return scan


def _scan(
    x: Float[Tensor, "batch pos head d_head"],
    dt: Float[Tensor, "batch pos head"],
    A: Float[Tensor, " head"],
    B: Float[Tensor, "batch pos group d_state"],
    C: Float[Tensor, "batch pos group d_state"],
    *,
    D: Tensor | None = None,
    dt_bias: Tensor | None = None,
    dt_softplus: bool = False,
    dt_limit: Sequence[float] = (0.0, float("inf")),
    **other: Any,
) -> Float[Tensor, "batch pos head d_head"]:
    recording = current_recording()
    assert recording is not None
    unknown = sorted(k for k, value in other.items() if value is not None and k not in IGNORED)
    if unknown:
        raise UnsupportedError(f"its scan is called with {', '.join(unknown)}")
    step = dt if dt_bias is None else dt + dt_bias.to(dt.dtype)
    step = F.softplus(step) if dt_softplus else step
    step = rearrange(step.clamp(*dt_limit).float(), "batch pos head -> batch head pos")
    n = x.shape[2] // B.shape[2]  # heads that share a group
    q, k = (
        repeat(each.float(), "batch pos group d -> batch (group n) pos d", n=n) for each in (C, B)
    )
    v = rearrange(x.float(), "batch pos head d -> batch head pos d")
    decay = (step * A.float()[:, None]).cumsum(-1)
    z = recording.scan(q, k * step[..., None], v, decay)
    z = rearrange(z, "batch head pos d -> batch pos head d")
    # contiguous: Falcon-H1 takes a view of it
    return (z if D is None else z + D[:, None] * x.float()).contiguous()
