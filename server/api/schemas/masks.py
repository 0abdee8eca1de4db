"""The edits that a request may make: masks, painted cells and muted heads."""

from collections.abc import Sequence
from typing import Annotated, Any, get_args

from pydantic import AfterValidator, Field, WithJsonSchema, create_model

from model.facts import limit
from model.kinds import SiteKind as Kind
from model.masks.rules import ROWS, TYPES, Cell, MaskSettings
from model.sources.source import MutedHead
from server.api.fields import MAX_INDEX, Index, Request

MAX_CELLS = limit("cells")
KINDS = get_args(Kind)


class PaintedCell(Request):
    """One cell of the attention matrix, or many: null means all along that axis."""

    text: Index | None = None
    layer: Index | None = None
    head: Index | None = None
    query: Index | None = None
    key: Index | None = None
    kind: Kind | None = Field(
        default=None,
        description="For an encoder–decoder: the kind of sites to paint; null means all kinds.",
    )


def _mask_fields() -> dict[str, Any]:
    """The settings of `model/masks/rules.py`, declared as pydantic fields."""
    found: dict[str, Any] = {}
    for name, row in ROWS.items():
        kind, default = TYPES[name], getattr(MaskSettings(), name)
        options: dict[str, Any] = {"description": row.about or None, "default": default}
        if kind == tuple[Cell, ...]:
            kind, options = list[PaintedCell], options | {"default": [], "max_length": MAX_CELLS}
        elif row.minimum is not None:
            kind = Annotated[int, Field(ge=row.minimum, le=row.maximum)] | None
        found[name] = (kind, Field(**options))
    return found


class Masks(create_model("Masks", __base__=Request, **_mask_fields())):  # type: ignore[misc]
    """Which query may attend to which key."""

    def to_settings(self) -> MaskSettings:
        """The settings for the model. The order and repetition of painted cells do not matter."""
        given: dict[str, Any] = {name: getattr(self, name) for name in ROWS}
        painted = {name: _cells(value) for name, value in given.items() if isinstance(value, list)}
        return MaskSettings(**given | painted)


def _layer_head_kind(named: list[Any]) -> list[Any]:
    numbers, kind = named[:2], named[2:]
    if (
        len(numbers) != 2
        or len(kind) > 1
        or not all(type(number) is int and 0 <= number <= MAX_INDEX for number in numbers)
        or not set(map(repr, kind)) <= set(map(repr, KINDS))
    ):
        raise ValueError('expected [layer, head] or [layer, head, kind], such as [2, 5, "cross"]')
    return named


_INDEX_SCHEMA = {"type": "integer", "minimum": 0, "maximum": MAX_INDEX}
NamedHead = Annotated[
    list[Any],
    AfterValidator(_layer_head_kind),
    WithJsonSchema(
        {
            "type": "array",
            "items": {"anyOf": [_INDEX_SCHEMA, {"type": "string", "enum": list(KINDS)}]},
            "minItems": 2,
            "maxItems": 3,
        }
    ),
]


def muted_heads(named: Sequence[Sequence[Any]]) -> tuple[MutedHead, ...]:
    return tuple(sorted({MutedHead(*head) for head in named}, key=repr))


def _cells(painted: Sequence[PaintedCell]) -> tuple[Cell, ...]:
    cells = {Cell(c.text, c.layer, c.head, c.query, c.key, c.kind) for c in painted}
    return tuple(sorted(cells, key=repr))
