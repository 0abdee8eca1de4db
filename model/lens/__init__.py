"""Lenses: what a model would predict if it stopped after each layer, and where it decided."""

from model.lens.decided import Decided, Settled, decided
from model.lens.fitting import find_lens, fit_lens, kept_lens
from model.lens.tuned import HeldOut, TunedLens

__all__ = [
    "Decided",
    "HeldOut",
    "Settled",
    "TunedLens",
    "decided",
    "find_lens",
    "fit_lens",
    "kept_lens",
]
