"""The parameters of an address, read from the page's tables."""

import re

import pytest

from model.facts import facts
from server.assets.folders import STATIC
from server.learning.choices import INDICES, KEYS, MASK_SHORTCUTS, ONE_OF
from server.learning.links import pairs

STATE = STATIC / "js" / "state"


def test_every_row_of_the_address_gives_its_parameters() -> None:
    [table] = re.findall(
        r"ROWS = \[\n(.*?)\n\];", (STATE / "address" / "rows.js").read_text(), re.DOTALL
    )
    calls = re.findall(r'^  \w+\("(\w+)"', table, re.MULTILINE)
    objects = re.findall(r"^  \{$", table, re.MULTILINE)
    spread = re.findall(r"^  \.\.\.(\w+)", table, re.MULTILINE)
    assert set(calls) < KEYS
    assert {"model", "text", "target", "pair", "muted", "kind", "layer", "head", "against"} < KEYS
    # not among the keys: the masks and the settings of views, which have tables of their own
    plain = KEYS - set(calls) - masks() - settings()
    assert len(plain) == len(objects) - 1
    assert spread == ["SOURCES", "SETTINGS"]


def settings() -> set[str]:
    tables = re.findall(r"settings: \{(.*?)\}", (STATE / "views.js").read_text(), re.DOTALL)
    return {key for table in tables for key in re.findall(r"(\w+): \[", table)}


def masks() -> set[str]:
    return {row["address"] for row in facts("masks")["rows"].values()}


def test_masks_and_the_settings_of_views_are_parameters() -> None:
    assert {"causal", "prefix", "block", "free"} < masks() < KEYS
    assert {"specials", "role", "over", "ranked", "counted"} < KEYS


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
