"""What a reader can choose in the inspector: the parameters of an address, and their values.

Read off the page's own tables in static/js/state/, so that no name is listed twice.
"""

import json
import re
from typing import Any

from model.facts import facts
from server.assets.folders import STATIC

_MASKS = facts("masks")["rows"]
_TABLE, _READINGS, _MATRICES, _VIEWS, _PANELS = (
    (STATIC / f"js/state/{name}.js").read_text(encoding="utf-8")
    for name in ("address/rows", "address/readings", "matrices", "views", "panels")
)
[_ROWS] = re.findall(r"ROWS = \[\n(.*?)\n\];", _TABLE, re.DOTALL)


def _quoted(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r'"(\w+)"', text))


def _names_in(table: str) -> tuple[str, ...]:
    return tuple(re.findall(r'^ +(?:\{ )?name: "(\w+)"', table, re.MULTILINE))


def _words(row: dict[str, Any]) -> tuple[str, ...]:
    """The values of a mask in an address, where there are only a few."""
    options = row.get("choose", {"options": []})["options"]
    values = [option["value"] for option in options if option["value"] is not None]
    return tuple(value if isinstance(value, str) else json.dumps(value) for value in values)


# The settings of single views, with their values.
_VIEW_SETTINGS = {
    key: _quoted(values)
    for settings in re.findall(r"settings: \{(.*?)\}", _VIEWS, re.DOTALL)
    for key, values in re.findall(r"(\w+): \[(.*?)\]", settings, re.DOTALL)
}
_CONSTANTS = {
    "MATRIX_NAMES": _names_in(_MATRICES),
    "VIEW_NAMES": _names_in(_VIEWS),
    "PANEL_NAMES": _names_in(_PANELS),
} | {
    name: _quoted(values)
    for name, values in re.findall(
        r"^(?:export )?const (\w+) = .*\(\[(.+?)\]\);", f"{_READINGS}\n{_TABLE}", re.MULTILINE
    )
}
# The parameters of an address, but for the settings of a source, which are dotted.
KEYS = frozenset(
    (
        *re.findall(r'^  \w+\("(\w+)"', _ROWS, re.MULTILINE),
        *(
            key
            for names in re.findall(r"names: \[(.*?)\],$", _ROWS, re.M)
            for key in _quoted(names)
        ),
        *(row["address"] for row in _MASKS.values()),
        *_VIEW_SETTINGS,
    )
)
# Those with only a few values.
ONE_OF: dict[str, tuple[str, ...]] = {
    **{row["address"]: words for row in _MASKS.values() if (words := _words(row))},
    **{key: _CONSTANTS[name] for name, key in re.findall(r'among\((\w+), .*"(\w+)"', _ROWS)},
    **{key: _CONSTANTS[name] for key, name in re.findall(r'oneOf\("(\w+)", (\w+)\b', _ROWS)},
    **_VIEW_SETTINGS,
    "log": ("true", "false"),
}
# Those that are whole numbers.
INDICES = frozenset(
    (
        *re.findall(r'integer\(query\.get\("(\w+)"', _ROWS),
        *re.findall(r'number\("(\w+)", \w+, (?:\(text\) => )?integer', _ROWS),
        *(row["address"] for row in _MASKS.values() if "minimum" in row),
    )
)
# The keyboard shortcuts of the masks that have one.
MASK_SHORTCUTS: dict[str, str] = {
    name: key for name, row in _MASKS.items() if (key := row.get("choose", {}).get("key"))
}
