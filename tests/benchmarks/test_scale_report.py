"""The tables of benchmarks/scale.py: the comparison, and where they are written."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks._scale.compared import Figure
from benchmarks._scale.costs import Costs
from benchmarks._scale.report import Grid, filled, write
from benchmarks.scale import DOCUMENT

GRID = Grid("machines", "A title", ("Machine", "people"), [("2 cores", "100"), ("4 cores", "200")])
ROOT = Path(__file__).parents[2]
NAMES = ("costs", "compared", "machines", "plans", "routing")


def test_a_table_replaces_what_stands_between_its_marks() -> None:
    text = "a\n<!-- scale: machines -->\nold\n<!-- scale: end -->\nb <!-- scale: end -->\n"
    found = filled(text, GRID, "Measured today.")
    assert "old" not in found
    assert "| 4 cores | 200 |" in found
    assert found.startswith("a\n") and found.endswith("b <!-- scale: end -->\n")
    assert filled(found, GRID, "Measured today.") == found


def test_a_document_without_a_mark_stays_as_it_is(tmp_path: Path) -> None:
    document = tmp_path / "a.md"
    document.write_text("nothing\n")
    write([GRID], "Measured today.", document)
    assert document.read_text() == "nothing\n"


@pytest.mark.parametrize("name", NAMES)
def test_every_table_has_its_place_in_the_document(name: str) -> None:
    assert f"<!-- scale: {name} -->\n" in (ROOT / DOCUMENT).read_text()


@pytest.mark.parametrize(
    ("measured", "simulated", "agrees"),
    [(100, 114, True), (100, 86, True), (100, 116, False), (0, 0, True), (0, 1, False)],
)
def test_what_is_further_off_than_15_percent_is_marked(
    measured: float, simulated: float, agrees: bool
) -> None:
    assert Figure("a figure", measured, simulated).agrees is agrees


def test_costs_survive_json() -> None:
    costs = Costs(1, 2, 3, 4, 5, 6, 7, 8, spread=(0.5, 1.5))
    assert Costs.read(json.loads(json.dumps(asdict(costs)))) == costs
