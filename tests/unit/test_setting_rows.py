"""The page's rows of settings (static/js/sources/scratch/table.js) fit those of the server."""

import re
from pathlib import Path

import pytest

from model.mechanisms import LIMITS, TYPES
from server.schemas.scratch import setting_of

ROOM = Path(__file__).parents[2] / "static/js"
TABLE = (ROOM / "sources/scratch/table.js").read_text()
PACKINGS = TABLE.partition("PACKINGS = ")[2].partition(";")[0]
ROWS = {
    found[1]: found[0]
    for found in re.finditer(
        r'^  \{\s+name: "(\w+)".*?\},$',
        TABLE.partition("export const SETTINGS = [")[2],
        re.MULTILINE | re.DOTALL,
    )
}


def test_every_setting_of_a_mechanism_has_a_label_on_the_page() -> None:
    assert set(ROWS) == set(TYPES)


def test_the_page_knows_the_type_of_every_setting() -> None:
    text = (ROOM / "types.d.ts").read_text()
    typed = text.partition("export interface Settings {")[2].partition("}")[0]
    assert re.findall(r"^  (\w+): ", typed, re.MULTILINE) == list(TYPES)


@pytest.mark.parametrize("name", TYPES)
def test_a_list_on_the_page_offers_what_the_server_takes(name: str) -> None:
    setting, row = setting_of(name), ROWS[name]
    offered = re.findall(r'\["(.*?)", "', row + PACKINGS if "PACKINGS" in row else row)
    numbers = [value for value in offered if re.fullmatch(r"-?\d+", value)]
    assert ("" in offered) == (setting.nullable and bool(setting.options))
    assert {*offered} - {*numbers, ""} == {*setting.options}
    least, most = setting.limits or (0, 0)
    assert all(least <= int(value) <= most for value in numbers)


def test_a_setting_is_described_by_its_type() -> None:
    described = {name: setting_of(name) for name in TYPES}
    assert described["scale"].type == "number"
    assert described["scale"].options == ["1/sqrt(d_head)", "1/sqrt(d_model)"]
    assert described["scale"].limits == [0, 100]
    assert (described["d_head"].type, described["d_head"].nullable) == ("integer", True)
    assert (described["residual"].type, described["residual"].limits) == ("flag", None)
    assert (described["norm"].type, described["norm"].options) == (
        "option",
        ["none", "pre", "post"],
    )
    limited = {name: tuple(row.limits) for name, row in described.items() if row.limits}
    assert limited == LIMITS
