"""What a reader can choose in the inspector: the parameters of an address, and their values.

Read off the page's own tables in static/js/state/, so that no name is listed twice.
"""

import re
from types import UnionType
from typing import Any, Literal, get_args, get_origin

from model.mask_rules import TYPES as MASK_TYPES
from server.assets.folders import STATIC

_TABLE, _READINGS, _MASKS, _MATRICES, _VIEWS, _PANELS = (
    (STATIC / f"js/state/{name}.js").read_text(encoding="utf-8")
    for name in ("address/rows", "address/readings", "masks", "matrices", "views", "panels")
)
[_ROWS] = re.findall(r"ROWS = \[\n(.*?)\n\];", _TABLE, re.DOTALL)


def _quoted(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r'"(\w+)"', text))


def _names_in(table: str) -> tuple[str, ...]:
    return tuple(re.findall(r'^ +(?:\{ )?name: "(\w+)"', table, re.MULTILINE))


def _words(kind: Any) -> tuple[str, ...]:
    """The values of a mask's type in an address, where there are only a few."""
    kinds = get_args(kind) if get_origin(kind) is UnionType else (kind,)
    if bool in kinds:
        return ("true", "false")
    return get_args(kind) if get_origin(kind) is Literal else ()


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
        *re.findall(r'^    address: "(\w+)"', _MASKS, re.MULTILINE),
        *_VIEW_SETTINGS,
    )
)
# Those with only a few values.
ONE_OF: dict[str, tuple[str, ...]] = {
    **{name: words for name, kind in MASK_TYPES.items() if (words := _words(kind))},
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
        *(name for name, kind in MASK_TYPES.items() if int in get_args(kind)),
    )
)
# The keyboard shortcuts of the masks that have one.
MASK_SHORTCUTS: dict[str, str] = {
    name: key[0]
    for name, row in re.findall(r'^    name: "(\w+)",\n((?:    .*\n)+)', _MASKS, re.MULTILINE)
    if (key := re.findall(r'\bkey: "(\w)"', row))
}
