"""The settings of a mechanism on the page (static/js/sources/scratch/table.js) are the server's."""

import re
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pytest

from model.mechanisms import LIMITS, TYPES

ROOM = Path(__file__).parents[2] / "static/js"
TABLE = (ROOM / "sources/scratch/table.js").read_text().partition("export const SETTINGS = [")[2]
PACKINGS = (
    (ROOM / "sources/scratch/table.js").read_text().partition("PACKINGS = ")[2].partition(";")[0]
)
ROWS = {
    found[1]: found[0]
    for found in re.finditer(r'^  \{\s+name: "(\w+)".*?\},$', TABLE, re.MULTILINE | re.DOTALL)
}


def named(kind: Any) -> set[str]:
    """The names that a setting may have as its value."""
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return {value for part in parts if get_origin(part) is Literal for value in get_args(part)}


def test_every_setting_of_a_mechanism_has_a_row_on_the_page() -> None:
    assert set(ROWS) == set(TYPES)


def test_the_page_knows_the_type_of_every_setting() -> None:
    text = (ROOM / "types.d.ts").read_text()
    typed = text.partition("export interface Settings {")[2].partition("}")[0]
    assert re.findall(r"^  (\w+): ", typed, re.MULTILINE) == list(TYPES)


@pytest.mark.parametrize("name", TYPES)
def test_a_row_offers_what_the_server_takes(name: str) -> None:
    row, kind = ROWS[name], TYPES[name]
    kinds = {"flag": bool, "scale": float, "whole": int}
    said = re.findall(r'kind: "(\w+)"', row)
    if kinds.get(said[0]):
        assert kinds[said[0]] in (kind, *get_args(kind))
    offered = set(re.findall(r'\["(.*?)", "', row + PACKINGS if "PACKINGS" in row else row))
    assert {value for value in offered if value and not re.fullmatch(r"-?\d+", value)} == named(
        kind
    )


@pytest.mark.parametrize("name", TYPES)
def test_a_row_has_the_limits_of_the_server(name: str) -> None:
    bounds = re.findall(r"bounds: \[(.+?), (.+?)\]", ROWS[name])
    in_numbers = [tuple(2**31 - 1 if "**" in one else int(one) for one in pair) for pair in bounds]
    assert in_numbers == ([LIMITS[name]] if name in LIMITS else [])
