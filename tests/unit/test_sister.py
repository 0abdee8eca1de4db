"""The sister of the shipped model: the film in the package is what it says it is."""

import pytest

from model.core.checkpoint import SISTER
from model.film import read_film
from model.sources.native import NativeSource
from model.training.evaluation.filmed import mean_loss

LARGEST = 14e6  # bytes


@pytest.mark.long
def test_it_is_small_and_measured() -> None:
    assert sum(path.stat().st_size for path in SISTER.rglob("*") if path.is_file()) <= LARGEST
    film = read_film(SISTER)
    assert film is not None and film.rounding is not None
    assert film.steps[0] == 0 and len(film.mutes) == len(film.steps) >= 8
    for step, loss in zip(film.steps, film.curves["loss"], strict=True):
        kept = None if step == film.steps[-1] else step
        assert mean_loss(NativeSource("one", SISTER, kept)) == pytest.approx(loss, abs=0.02), step
