"""Short ways to make interventions: `run.intervene(scale(0.5, layer=2, head=3))`."""

from headlight.request.interventions import (
    Intervention,
    add,
    freeze_pattern,
    freeze_values,
    mean,
    patch,
    resample,
    scale,
    zero,
)

__all__ = [
    "Intervention",
    "add",
    "freeze_pattern",
    "freeze_values",
    "mean",
    "patch",
    "resample",
    "scale",
    "zero",
]
