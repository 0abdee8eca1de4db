"""The page's table of masks (static/js/state/masks.js) has the same masks as the server."""

import re
from pathlib import Path

from model.mask_rules import ROWS, BlockedBy

TABLE = (Path(__file__).parents[2] / "static/js/state/masks.js").read_text()


def test_every_mask_of_a_request_has_a_row_on_the_page() -> None:
    assert re.findall(r'^    name: "(\w+)"', TABLE, re.MULTILINE) == list(ROWS)


def test_every_reason_has_its_bit() -> None:
    bits = [int(bit) for bit in re.findall(r"bit: (\d+),\s+angle", TABLE)]
    assert sorted(bits) == [reason.value for reason in BlockedBy]
