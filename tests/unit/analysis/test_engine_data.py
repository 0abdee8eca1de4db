"""What the tests of the page's engine expect is still what Python finds."""

import json
from typing import Any

import pytest

from model.analysis import METRICS
from tests.js.engine.data import make_analyses as module


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(module.FILE.read_text(encoding="utf-8"))
    return found


def test_the_metrics_are_described_alike(written: dict[str, Any]) -> None:
    assert written["probe"]["metrics"] == [metric.described() for metric in METRICS]


def test_scores_rollout_and_flow_of_made_up_patterns_are_those_of_today(
    written: dict[str, Any],
) -> None:
    found = json.loads(json.dumps(module.all_made_up()))  # tuples are lists now
    assert found == near(written["made_up"])


def near(value: Any) -> Any:
    """The same, with numbers that compare within the tolerance of the engine's tests."""
    if isinstance(value, list):
        return [near(each) for each in value]
    if isinstance(value, dict):
        return {name: near(each) for name, each in value.items()}
    return pytest.approx(value, abs=2e-5) if isinstance(value, float) else value
