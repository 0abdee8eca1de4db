"""Sweeps: many cases of one kind. `make test` runs a fixed sample, `make test-all` every case."""

from collections.abc import Iterable
from typing import Any

import pytest

is_whole = False  # tests/conftest.py sets it: `make test-all`


def some(cases: Iterable[Any], every: int) -> list[Any]:
    """Every so many of the cases, the first and the last among them; all in `make test-all`."""
    cases = list(cases)
    return cases if is_whole else [*cases[:-1:every], *cases[-1:]]


def sweep(cases: Iterable[Any], sample: Iterable[Any], *, spread: bool = False) -> list[Any]:
    """The cases of a parametrized test; those outside the sample are left to `make test-all`.

    `spread`: each case is a tuple with a value for each of several names.
    """
    cases, sample = list(cases), list(sample)
    unknown = [case for case in sample if case not in cases]
    assert not unknown, f"The sample names cases that do not exist: {unknown}."
    return [
        pytest.param(
            *(case if spread else (case,)),
            marks=() if case in sample else pytest.mark.sweep,
        )
        for case in cases
    ]
