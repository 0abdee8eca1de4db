"""Patching: how much of the answer comes back when one part is given its value of a clean run.

Two sentences of equal length differ in a few tokens; the model answers the clean one, and the
corrupted one differently. Each cell of the map is a run of the corrupted sentence in which one part
at one place is set to what it was in the clean run (activation patching: Meng et al. 2022; Wang et
al. 2022). Beside it stands an estimate from one backward pass, (clean − corrupted) · gradient
(attribution patching: Nanda 2023), which is fast and not always right.

Both sentences are read with the target or the second segment of the text. In an encoder–decoder,
parts of the encoder are patched at aligned tokens of the sentences, and those of the decoder at the
same tokens of the target.
"""

from model.analysis.patching.aligning import CLEAN, Pairs
from model.analysis.patching.bench import By, cells_of
from model.analysis.patching.report import Metric, PatchedCell, PatchedLayer, Patching, patching

__all__ = [
    "CLEAN",
    "By",
    "Metric",
    "Pairs",
    "PatchedCell",
    "PatchedLayer",
    "Patching",
    "cells_of",
    "patching",
]
