"""Every row of the shared tables (static/js/facts/) has its rule, and says nothing twice."""

from typing import get_args

from headlight.request import masks as client
from model.analysis import metrics
from model.facts import facts, limit
from model.kinds import SiteKind
from model.masks import rules as mask_rules
from model.trace import tensors
from server.api.analyses import ANALYSES
from server.pages.learning.choices import KEYS
from server.settings import Settings


def test_every_metric_sums_cells_or_has_a_number_for_each_row() -> None:
    assert not metrics._CELLS.keys() & metrics._VALUES.keys()
    named = {metric.name for metric in metrics.METRICS}
    assert metrics._CELLS.keys() | metrics._VALUES.keys() == named


def test_every_tensor_is_derived() -> None:
    assert tensors._DERIVE.keys() == facts("tensors").keys()
    for row in facts("tensors").values():
        assert set(row.get("reads", ())) < facts("tensors").keys()


def test_every_analysis_is_listed_for_the_page() -> None:
    assert [one.name for one in ANALYSES] == [row["name"] for row in facts("analyses")]


def test_every_mask_that_blocks_or_frees_has_its_rule() -> None:
    ruled = {name for name, row in facts("masks")["rows"].items() if "rule" in row}
    assert mask_rules._CELLS.keys() == ruled


def test_no_parameter_of_an_address_has_two_rows() -> None:
    rows = facts("addresses")
    of_views = [key for view in facts("views") for key in view.get("settings", {})]
    of_masks = [row["address"] for row in facts("masks")["rows"].values()]
    plain = [name for row in rows if "of" not in row for name in row.get("names", [row["key"]])]
    named = [*plain, *of_views, *of_masks]
    assert len(set(named)) == len(named)
    assert set(named) == KEYS


def test_kinds_and_limits_are_those_of_the_types_and_settings() -> None:
    assert facts("kinds") == list(get_args(SiteKind)) == list(get_args(client.Kind))
    assert Settings().max_texts == limit("texts")
