"""Sweeps: many cases of one kind. `make test` runs a fixed sample, `make test-all` every case."""

from collections.abc import Iterable
from typing import Any

import pytest


def sweep(cases: Iterable[Any], sample: Iterable[Any]) -> list[Any]:
    """The cases of a parametrized test; those outside the sample are left to `make test-all`."""
    cases, sample = list(cases), list(sample)
    unknown = [case for case in sample if case not in cases]
    assert not unknown, f"The sample names cases that do not exist: {unknown}."
    return [
        case if case in sample else pytest.param(case, marks=pytest.mark.sweep) for case in cases
    ]
