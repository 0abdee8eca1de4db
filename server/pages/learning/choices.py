"""What a reader can choose in the inspector: the parameters of an address, and their values."""

import json
from collections.abc import Iterator
from typing import Any

from model.facts import facts

_MASKS = facts("masks")["rows"]


def _rows() -> Iterator[dict[str, Any]]:
    """The table of addresses, with the rows of the tables that it names."""
    for row in facts("addresses"):
        match row.get("of"):
            case None:
                yield row
            case "views":
                for view in facts("views"):
                    for key, values in view.get("settings", {}).items():
                        yield {"key": key, "one_of": values}
            case "masks":
                yield {"key": "masks", "names": [mask["address"] for mask in _MASKS.values()]}


def _names(row: dict[str, Any]) -> list[str]:
    names: list[str] = row.get("names", [row["key"]])
    return names


def _words(row: dict[str, Any]) -> tuple[str, ...]:
    """The values, where there are only a few."""
    match row:
        case {"one_of": str() as table}:
            names = (each if isinstance(each, str) else each["name"] for each in facts(table))
            return (*names, *row.get("was", ()))
        case {"one_of": words}:
            return (*words, *row.get("was", ()))
        case {"flag": flag}:
            return (flag, "false" if flag == "true" else "0")
    return ()


def _words_of_mask(row: dict[str, Any]) -> tuple[str, ...]:
    options = row.get("choose", {"options": []})["options"]
    values = [option["value"] for option in options if option["value"] is not None]
    return tuple(value if isinstance(value, str) else json.dumps(value) for value in values)


_ROWS = tuple(_rows())
# The parameters of an address, but for the settings of a source, which are dotted.
KEYS = frozenset(name for row in _ROWS for name in _names(row))
# Those with only a few values.
ONE_OF: dict[str, tuple[str, ...]] = {
    **{name: words for row in _ROWS if (words := _words(row)) for name in _names(row)},
    **{mask["address"]: words for mask in _MASKS.values() if (words := _words_of_mask(mask))},
}
# Those that are whole numbers.
INDICES = frozenset(
    (
        *(row["key"] for row in _ROWS if "whole" in row),
        *(mask["address"] for mask in _MASKS.values() if "minimum" in mask),
    )
)
# The keyboard shortcuts of the masks that have one.
MASK_SHORTCUTS: dict[str, str] = {
    name: key for name, row in _MASKS.items() if (key := row.get("choose", {}).get("key"))
}
