"""The masks of a request."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, TypeAlias

from headlight.application import facts
from headlight.names import check_names

Kind: TypeAlias = Literal["self", "encoder", "decoder", "cross"]
Head: TypeAlias = "tuple[int, int] | tuple[int, int, Kind]"  # layer, head, and the kind of site


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A painted cell of the attention matrix, or many: None means all along that axis."""

    text: int | None = None
    layer: int | None = None
    head: int | None = None
    query: int | None = None
    key: int | None = None
    kind: Kind | None = None  # of the sites, in an encoder–decoder

    def document(self) -> dict[str, Any]:
        """The cell as the API takes it, without what is None."""
        return {name: value for name, value in asdict(self).items() if value is not None}


_USUAL: Mapping[str, Any] = {
    name: tuple(usual) if isinstance(usual := fact["default"], list) else usual
    for name, fact in facts("masks")["rows"].items()
}


@dataclass(frozen=True, kw_only=True)
class Masks:
    """Which query may attend to which key. The defaults leave everything as the model has it."""

    causal: bool | None = _USUAL["causal"]  # hide the future; None: as the model does
    padding: bool = _USUAL["padding"]  # block padding keys
    padding_side: Literal["left", "right"] = _USUAL["padding_side"]
    window: int | None = _USUAL["window"]  # only |query − key| < window; None: as the model does
    prefix: int | None = _USUAL["prefix"]  # so many tokens at the start all see each other
    sinks: int | None = _USUAL["sinks"]  # so many tokens at the start stay visible past the window
    blocked: tuple[Cell, ...] = _USUAL["blocked"]  # painted cells
    allowed: tuple[Cell, ...] = _USUAL["allowed"]  # painted cells that every mask leaves open

    @classmethod
    def of(cls, given: "Masks | Mapping[str, Any] | None") -> "Masks":
        """Masks, or the `masks` of a request to the API."""
        if isinstance(given, Masks):
            return given
        known = dict(given or {})
        check_names(known, MASKS, "masks")
        for name in PAINTED & known.keys():
            known[name] = tuple(_cell(cell, f"masks.{name}") for cell in known[name] or ())
        return cls(**known)

    def changed(self) -> dict[str, Any]:
        """What differs from the defaults."""
        default = Masks()
        each = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in each.items() if value != getattr(default, name)}

    def document(self) -> dict[str, Any]:
        """The masks as the API takes them, without the defaults."""
        return {
            name: [cell.document() for cell in value] if name in PAINTED else value
            for name, value in self.changed().items()
        }

    def of_texts(self, texts: range) -> "Masks":
        """The masks of some of the texts, which count from 0 again."""
        return replace(
            self,
            blocked=tuple(_shifted(self.blocked, texts)),
            allowed=tuple(_shifted(self.allowed, texts)),
        )


MASKS = tuple(field.name for field in fields(Masks))
PAINTED = frozenset(name for name, usual in _USUAL.items() if usual == ())
_CELL = tuple(field.name for field in fields(Cell))


def _cell(given: Cell | Mapping[str, Any], field: str) -> Cell:
    if isinstance(given, Cell):
        return given
    check_names(given, _CELL, field)
    return Cell(**given)


def _shifted(cells: Iterable[Cell], texts: range) -> Iterable[Cell]:
    for cell in cells:
        if cell.text is None:
            yield cell
        elif cell.text in texts:
            yield replace(cell, text=cell.text - texts.start)
