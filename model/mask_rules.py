"""The masks that a reader may ask for: one row each, a field of `MaskSettings`.

A row has all that the program knows of a mask: its default and limits, what a request says of it,
and the rule that tells which cells it blocks, or gives back to another mask. The request's schema,
the command line and the mask of a site (`model/masks.py`) read the rows, so a new mask is a new
row here, with its rule.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import IntFlag
from typing import Any, Literal, NamedTuple, get_type_hints

from jaxtyping import Bool, Int
from torch import Tensor

from model.errors import InputError

PaddingSide = Literal["right", "left"]


class BlockedBy(IntFlag):
    """Why a cell is blocked. Reasons add up: a cell may be both in the future and padding."""

    CAUSAL = 1
    PADDING = 2
    WINDOW = 4
    PAINTED = 8
    MODEL = 16  # another mask of the model's own


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell, or many: None means *all* of that axis. Counts from 0, left padding included."""

    text: int | None = None
    layer: int | None = None
    head: int | None = None
    query: int | None = None
    key: int | None = None
    kind: str | None = None  # of the site: encoder, decoder, cross, where a layer has several


class Places(NamedTuple):
    """The cells that a rule is asked about: some query rows, and every key."""

    query: Int[Tensor, "row 1"]
    key: Int[Tensor, "1 key"]
    diagonal: int  # how far past itself a query may look under the causal mask
    real_keys: Bool[Tensor, "batch key"] | None  # False: padding; None: there is none


Cells = Bool[Tensor, "#row key"] | Bool[Tensor, "batch 1 #row key"]


@dataclass(frozen=True)
class Rule:
    """Which cells a mask is about, by the value of its setting."""

    reason: BlockedBy
    cells: Callable[[Any, Places], Cells]
    of_padding: bool = False  # nothing to ask where there is none
    frees: bool = False  # it takes the reason away from its cells instead of giving it to them
    # it compares places in one text; a cross-attention site, whose queries and keys are of
    # different texts, goes without it
    within_text: bool = True


@dataclass(frozen=True)
class Row:
    """What there is to know of one setting beside its type and default."""

    about: str = ""  # in the description of the API
    least: int | None = None  # of a whole number, which counts tokens
    most: int | None = None
    edits: bool = True  # False: it changes no number
    rule: Rule | None = None  # None: painted cells, or a setting of another mask


def _row(about: str = "", rule: Rule | None = None, **rest: Any) -> dict[str, Row]:
    return {"row": Row(about, rule=rule, **rest)}


def _future(causal: bool, at: Places) -> Cells:
    return at.key > at.query + at.diagonal


def _padding(padding: bool, at: Places) -> Cells:
    assert at.real_keys is not None
    return ~at.real_keys[:, None, None, :]


def _far(window: int, at: Places) -> Cells:
    """Right for padding on either side, which shifts queries and keys alike."""
    return (at.query - at.key).abs() >= window


def _prefix(n: int, at: Places) -> Cells:
    """Where query and key are both among the first n real tokens."""
    if at.real_keys is None:
        return (at.query < n) & (at.key < n)
    first = _first(n, at.real_keys)  # of the queries, too: they are the same tokens
    return first[:, None, at.query[:, 0], None] & first[:, None, None, :]


def _sinks(n: int, at: Places) -> Cells:
    """Where the key is among the first n real tokens."""
    return at.key < n if at.real_keys is None else _first(n, at.real_keys)[:, None, None, :]


def _first(n: int, real: Bool[Tensor, "batch key"]) -> Bool[Tensor, "batch key"]:
    """The first n tokens of each text, of which padding is none."""
    return real & (real.cumsum(1) <= n)


@dataclass(frozen=True, slots=True)
class MaskSettings:
    """The masks that a reader asked for, before they meet a model and a text.

    None is the model's own. Cells in `allowed` win over every mask.

    Raises:
        InputError: a number below the least that makes sense.
    """

    causal: bool | None = field(
        default=None,
        metadata=_row("null is the model's own.", Rule(BlockedBy.CAUSAL, _future)),
    )
    padding: bool = field(
        default=True,
        metadata=_row(
            "Block padding keys.",
            Rule(BlockedBy.PADDING, _padding, of_padding=True, within_text=False),
        ),
    )
    padding_side: PaddingSide = field(default="right", metadata=_row(edits=False))
    window: int | None = field(  # the token itself and window − 1 to each side
        default=None,
        metadata=_row(
            "Allow |query − key| < window; null is the model's own.",
            Rule(BlockedBy.WINDOW, _far),
            least=1,
            most=1_000_000,
        ),
    )
    prefix: int | None = field(  # Raffel et al. 2020, figure 4; in a bidirectional model nothing
        default=None,
        metadata=_row(
            "The first so many tokens of each text see each other, also ahead: a prefix language "
            "model. It frees cells of the causal mask alone, and padding does not count. Not of "
            "cross-attention; null is off.",
            Rule(BlockedBy.CAUSAL, _prefix, frees=True),
            least=1,
            most=1_000_000,
        ),
    )
    sinks: int | None = field(  # Xiao et al. 2023, section 3.2; without a window nothing
        default=None,
        metadata=_row(
            "The first so many tokens of each text stay visible beside a window: attention sinks, "
            "as streaming attention keeps them. It frees cells of the window alone, and padding "
            "does not count. Not of cross-attention; null is off.",
            Rule(BlockedBy.WINDOW, _sinks, frees=True),
            least=1,
            most=1_000_000,
        ),
    )
    blocked: tuple[Cell, ...] = field(default=(), metadata=_row())
    allowed: tuple[Cell, ...] = field(default=(), metadata=_row("These win over every mask."))

    def __post_init__(self) -> None:
        for name, row in ROWS.items():
            value = getattr(self, name)
            if row.least is not None and value is not None and value < row.least:
                tokens = "token" if row.least == 1 else "tokens"
                raise InputError(
                    f"Expected `{name}` to be at least {row.least} {tokens}; got {value}.",
                    field=f"masks.{name}",
                )

    def within(self, n: int) -> "MaskSettings":
        """Without the cells past n tokens: of texts that are still to grow."""
        blocked, allowed = (
            tuple(cell for cell in cells if max(cell.query or 0, cell.key or 0) < n)
            for cells in (self.blocked, self.allowed)
        )
        return replace(self, blocked=blocked, allowed=allowed)

    def unedited(self) -> "MaskSettings":
        """The model's own masks; what changes no number stays as it was asked for."""
        return replace(self, **_defaults(lambda row: row.edits))

    def across_texts(self) -> "MaskSettings":
        """As cross-attention has them: without what compares places in one text."""
        return replace(self, **_defaults(lambda row: row.rule is not None and row.rule.within_text))

    @property
    def painted(self) -> Mapping[str, tuple[Cell, ...]]:
        """The painted cells, by the field of a request that names them."""
        return {"masks.blocked": self.blocked, "masks.allowed": self.allowed}

    @property
    def rules(self) -> list[tuple[Rule, Any]]:
        """Every rule that is on, with the value of its setting; those that free come last."""
        return [
            (rule, value)
            for name, rule in RULES.items()
            for value in [getattr(self, name)]
            if value is not None and value is not False
        ]


def _defaults(chosen: Callable[[Row], bool]) -> dict[str, Any]:
    return {each.name: each.default for each in fields(MaskSettings) if chosen(ROWS[each.name])}


ROWS: Mapping[str, Row] = {each.name: each.metadata["row"] for each in fields(MaskSettings)}
TYPES: Mapping[str, Any] = {name: get_type_hints(MaskSettings)[name] for name in ROWS}
RULES: Mapping[str, Rule] = dict(
    sorted(
        ((name, row.rule) for name, row in ROWS.items() if row.rule is not None),
        key=lambda named: named[1].frees,
    )
)
