"""The gallery of a native checkpoint: example sentences and the heads that show something in them.

`headlight train` writes it next to the weights (gallery.json), because other models have other
heads.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from model.errors import CheckpointError, InputError
from model.masks.rules import MaskSettings

GALLERY = "gallery.json"

Head = tuple[int, int]  # layer, head


@dataclass(frozen=True, slots=True)
class Against:
    """Side A of a comparison, where it differs from the entry; side B is the entry itself."""

    masks: MaskSettings = field(default_factory=MaskSettings)
    muted: tuple[Head, ...] = ()
    layer: int | None = None  # None: the entry's
    head: int | None = None
    model: str | None = None  # another one, by its name; None: the entry's


@dataclass(frozen=True, slots=True)
class Entry:
    """An example worth seeing, and what to look at in it. Field names are those of the API.

    `tries`, `view`, `matrix` and `right` hold names of whatever shows the gallery, which checks
    them when it loads one.
    """

    title: str  # a few words
    texts: tuple[str, ...]
    layer: int
    head: int
    query: int  # the token whose row to look at
    look: str  # one sentence
    label: str | None = None  # what the head does, in one word, if no metric names it
    does: str | None = None  # the same in a few words that complete "this head …"
    value: float | None = None  # its mean share of attention on held-out sentences
    next: str = ""  # one sentence: what to try next, and what happens
    tries: str | None = None  # the action that `next` suggests, if it has a name
    shown: int = 0  # index of the text to look at
    masks: MaskSettings = field(default_factory=MaskSettings)
    muted: tuple[Head, ...] = ()
    view: str = "heatmap"
    matrix: str = "pattern"
    key: int | None = None  # the key to follow step by step; None: the one with the largest weight
    right: str = "next"  # the prediction to show
    against: Against | None = None

    def __post_init__(self) -> None:
        if self.shown >= len(self.texts):
            raise ValueError(
                f"“{self.title}” shows text {self.shown} of {len(self.texts)}, counted from 0"
            )


def save_gallery(folder: Path, entries: list[Entry]) -> None:
    """Write gallery.json."""
    content = json.dumps([to_json(entry) for entry in entries], indent=2, ensure_ascii=False)
    (folder / GALLERY).write_text(content + "\n", encoding="utf-8")


def load_gallery(
    folder: Path, names: Mapping[str, Collection[str]] = MappingProxyType({})
) -> list[Entry]:
    """Read gallery.json; a checkpoint without one has an empty gallery.

    `names` are the values that a field of an entry may have, such as the names of the views.

    Raises:
        CheckpointError: the file exists but is not a gallery.
    """
    path = folder / GALLERY
    if not path.exists():
        return []
    try:
        entries: list[Entry] = list(
            _read(tuple[Entry, ...], json.loads(path.read_text(encoding="utf-8")), "the gallery")
        )
        for index, entry in enumerate(entries):
            _check_names(entry, names, f"the gallery, {index}")
    except (OSError, ValueError, InputError) as error:
        why = str(error).rstrip(".")
        raise CheckpointError(f"{path} is not a gallery: {why}.") from error
    return entries


def _check_names(entry: Entry, names: Mapping[str, Collection[str]], where: str) -> None:
    for name, known in names.items():
        given = getattr(entry, name)
        if given is not None and given not in known:
            raise ValueError(
                f"{where}: {name}: expected one of {', '.join(known)}, got {json.dumps(given)}"
            )


def to_json(value: Any) -> Any:
    """An entry as plain data, without fields that have their default value."""
    if is_dataclass(value):
        return {
            each.name: to_json(given)
            for each in fields(value)
            for given in [getattr(value, each.name)]
            if given != _default(each)
        }
    return [to_json(one) for one in value] if isinstance(value, tuple) else value


def _default(each: Any) -> object:
    made = each.default_factory
    return each.default if made is MISSING else made()


def _read(kind: Any, value: Any, where: str) -> Any:
    """Convert plain data to a `kind`, one of the types of an entry's fields.

    Raises:
        ValueError: the data does not match.
    """
    if is_dataclass(kind) and isinstance(value, dict):
        hints = get_type_hints(kind)
        needed = {each.name for each in fields(kind) if _default(each) is MISSING}
        if unknown := value.keys() - hints.keys():
            raise ValueError(f"{where} has the unknown field “{min(unknown)}”")
        if missing := needed - value.keys():
            raise ValueError(f"{where} lacks “{min(missing)}”")
        made: Any = kind
        return made(
            **{name: _read(hints[name], one, f"{where}: {name}") for name, one in value.items()}
        )
    args = get_args(kind)
    if get_origin(kind) is tuple and isinstance(value, list):
        kinds = [args[0]] * len(value) if args[-1] is ... else args
        if len(kinds) == len(value):
            pairs = enumerate(zip(kinds, value, strict=True))
            return tuple(_read(one, part, f"{where}, {place}") for place, (one, part) in pairs)
    if get_origin(kind) in (UnionType, Union):  # a Literal with | None is a Union
        if value is None and NoneType in args:
            return None
        return _read(next(one for one in args if one is not NoneType), value, where)
    if get_origin(kind) is Literal and value in args:
        return value
    if kind is float and type(value) in (int, float):
        return float(value)
    if kind in (str, bool) and type(value) is kind:
        return value
    if kind is int and type(value) is int and value >= 0:
        return value
    named = kind.__name__ if isinstance(kind, type) else str(kind).replace("typing.", "")
    raise ValueError(f"{where}: expected {named}, got {json.dumps(value, ensure_ascii=False)}")
