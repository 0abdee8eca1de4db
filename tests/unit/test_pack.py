"""Packed style sheets say what the ones that we edit say."""

import re

from scripts.pack import squeezed
from server.pages.assets.folders import STATIC

SHEET = """/* a comment; { } */
.one,
.two > a:hover { /* another */
  color: red; /* of two
  lines */

  background:
    linear-gradient(to right, var(--a), var(--b)) left / 1px 2px;
}
"""


def test_only_comments_and_white_space_go() -> None:
    assert squeezed(SHEET) == (
        ".one,\n.two > a:hover{color:red;background:"
        "linear-gradient(to right, var(--a), var(--b)) left / 1px 2px}"
    )


def test_every_sheet_keeps_its_rules() -> None:
    for path in sorted(STATIC.glob("css/*.css")):
        sheet = path.read_text("utf-8")
        strings = re.findall(r"\"[^\"\n]*\"", re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL))
        assert not [each for each in strings if "/*" in each or "  " in each], path.name
        packed = squeezed(sheet)
        assert packed.count("{") == re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL).count("{")
        assert [each for each in strings if each not in packed] == []
        assert "/*" not in packed and "\n\n" not in packed
