"""What the tests of the page's engine expect is still what Python computes."""

import json
from types import ModuleType
from typing import Any

import pytest

from tests.js.engine.data import (
    make_analyses,
    make_layers,
    make_masks,
    make_scratch,
    make_sites,
)

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    "module",
    (make_analyses, make_layers, make_masks, make_scratch, make_sites),
    ids=lambda each: each.FILE.stem,
)
def test_the_expected_numbers_are_those_of_today(module: ModuleType) -> None:
    expected = json.loads(module.FILE.read_text(encoding="utf-8"))
    found = json.loads(json.dumps(module.content()))  # tuples are lists now
    assert found == near(expected)


def near(value: Any) -> Any:
    """The same, with numbers that compare within the tolerance of the engine's tests."""
    if isinstance(value, list):
        return [near(each) for each in value]
    if isinstance(value, dict):
        return {name: near(each) for name, each in value.items()}
    return pytest.approx(value, abs=2e-6, rel=2e-6) if isinstance(value, float) else value
