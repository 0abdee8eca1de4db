"""The parameters of an address."""

import pytest

from model.facts import facts
from server.pages.learning.choices import INDICES, KEYS, MASK_SHORTCUTS, ONE_OF
from server.pages.learning.links import pairs


def test_parameters_are_the_names_of_the_rows() -> None:
    assert {"model", "text", "target", "pair", "muted", "kind", "layer", "head", "against"} < KEYS
    assert not {"texts", "masks", "sources", "settings"} & KEYS


def test_masks_and_the_settings_of_views_are_parameters() -> None:
    assert {row["address"] for row in facts("masks")["rows"].values()} < KEYS
    assert {"specials", "role", "over", "arcs", "ranked", "counted"} < KEYS


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("kind", {"self", "cross"}),
        ("segments", {"all", "BA"}),
        ("scale", {"ink", "sea"}),
        ("view", {"heatmap", "text"}),
        ("matrix", {"pattern", "flow"}),
        ("right", {"next", "effects"}),
        ("specials", {"shown", "renormalised"}),
        ("arcs", {"off", "v"}),
        ("causal", {"true", "false"}),
        ("padding_side", {"left", "right"}),
    ],
)
def test_values_are_those_of_the_page(key: str, values: set[str]) -> None:
    assert values <= set(ONE_OF[key])
    with pytest.raises(ValueError, match=f"{key} is one of"):
        pairs(f"{key}=none")


@pytest.mark.parametrize("key", ["layer", "head", "query", "token", "top_k", "window", "sinks"])
def test_whole_numbers_are_checked(key: str) -> None:
    assert key in INDICES
    with pytest.raises(ValueError, match=f"{key} is a whole number"):
        pairs(f"{key}=1.5")


def test_shortcuts_of_masks_are_those_of_the_page() -> None:
    assert MASK_SHORTCUTS == {"causal": "c", "padding": "p"}


def test_lessons_may_use_the_old_names() -> None:
    assert {"log", "steps"} <= KEYS
    assert {"true", "false"} <= set(ONE_OF["log"])  # which was a flag
    assert "court" in ONE_OF["view"]
