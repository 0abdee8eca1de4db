"""The masks that a reader may set: one row each, which is a field of `MaskSettings`.

A mask's default, limits, address, control and words are data, which the page, its engine and the
client read, too: static/js/facts/masks.json. The rule for the cells that it blocks or, for some
masks, unblocks, is here, and once more in the page's engine.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from enum import IntFlag
from typing import Any, Literal, NamedTuple, get_type_hints

from jaxtyping import Bool, Int
from torch import Tensor

from model.errors import InputError
from model.facts import facts

PaddingSide = Literal["left", "right"]

_BITS: Mapping[str, int] = {each["name"]: each["bit"] for each in facts("masks")["reasons"]}


class BlockedBy(IntFlag):
    """Why a cell is blocked. Reasons combine: a cell may be in the future and also padding."""

    CAUSAL = _BITS["causal"]
    PADDING = _BITS["padding"]
    WINDOW = _BITS["window"]
    PAINTED = _BITS["painted"]
    MODEL = _BITS["model"]  # another mask of the model's own


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell or many: None means *all* along that axis. Counts from 0, with left padding."""

    text: int | None = None
    layer: int | None = None
    head: int | None = None
    query: int | None = None
    key: int | None = None
    kind: str | None = None  # of the site, if a layer has several: encoder, decoder, cross


class Places(NamedTuple):
    """The cells that a rule is evaluated for: some query rows, and every key."""

    query: Int[Tensor, "row 1"]
    key: Int[Tensor, "1 key"]
    diagonal: int  # how far past itself a query may look under the causal mask
    real_keys: Bool[Tensor, "batch key"] | None  # False on padding; None if there is none


Cells = Bool[Tensor, "#row key"] | Bool[Tensor, "batch 1 #row key"]


@dataclass(frozen=True)
class Rule:
    """Which cells a mask affects, given the value of its setting."""

    reason: int  # a bit of `blocked_by`
    cells: Callable[[Any, Places], Cells]
    of_padding: bool = False  # skipped if there is no padding
    frees: bool = False  # it removes the reason from its cells instead of adding it
    # it compares positions in one text, so it does not apply to cross-attention, whose queries and
    # keys come from different texts
    within_text: bool = True


@dataclass(frozen=True)
class Row:
    """The meaning and limits of one setting, apart from its type and default."""

    about: str = ""  # its description in the API
    minimum: int | None = None  # of a number of tokens
    maximum: int | None = None
    edits: bool = True  # whether it changes any number
    rule: Rule | None = None  # None for painted cells, and for a setting of another mask


def _future(causal: bool, at: Places) -> Cells:
    return at.key > at.query + at.diagonal


def _padding(padding: bool, at: Places) -> Cells:
    assert at.real_keys is not None
    return ~at.real_keys[:, None, None, :]


def _far(window: int, at: Places) -> Cells:
    """Correct with padding on either side, because it shifts queries and keys equally."""
    return (at.query - at.key).abs() >= window


def _prefix(n: int, at: Places) -> Cells:
    """Where query and key are both among the first n real tokens."""
    if at.real_keys is None:
        return (at.query < n) & (at.key < n)
    first = _first(n, at.real_keys)  # for queries too, which are the same tokens
    return first[:, None, at.query[:, 0], None] & first[:, None, None, :]


def _sinks(n: int, at: Places) -> Cells:
    """Where the key is among the first n real tokens."""
    return at.key < n if at.real_keys is None else _first(n, at.real_keys)[:, None, None, :]


def _first(n: int, real: Bool[Tensor, "batch key"]) -> Bool[Tensor, "batch key"]:
    """The first n tokens of each text, not counting padding."""
    return real & (real.cumsum(1) <= n)


# The rules, by the names of the masks that have one.
_CELLS: Mapping[str, Callable[[Any, Places], Cells]] = {
    "causal": _future,
    "padding": _padding,
    "window": _far,
    "prefix": _prefix,
    "sinks": _sinks,
}


# What the API says of them; the words of the page and of figures are in the table.
_ABOUT: Mapping[str, str] = {
    "causal": "Whether to hide the future; null means as the model does.",
    "padding": "Block padding keys.",
    "window": (
        "Allow only cells with |query − key| < window; null means the model's own window, if "
        "it has one."
    ),
    "prefix": (
        "This many tokens at the start of each text all see each other, as in a prefix "
        "language model. It lifts only the causal mask; padding does not count as tokens. It "
        "does not apply to cross-attention. null turns it off."
    ),
    "sinks": (
        "This many tokens at the start of each text stay visible outside the window: the "
        "attention sinks of streaming attention. It lifts only the window; padding does not "
        "count as tokens. It does not apply to cross-attention. null turns it off."
    ),
    "blocked": "Cells to block.",
    "allowed": "Cells to allow, whatever any mask blocks.",
}


def _rule(name: str, reason: str, **more: bool) -> Rule:
    return Rule(_BITS[reason], _CELLS[name], **more)


ROWS: Mapping[str, Row] = {
    name: Row(
        about=_ABOUT.get(name, ""),
        **{each: fact[each] for each in ("minimum", "maximum", "edits") if each in fact},
        rule=_rule(name, **fact["rule"]) if "rule" in fact else None,
    )
    for name, fact in facts("masks")["rows"].items()
}


_USUAL: Mapping[str, Any] = {
    name: tuple(usual) if isinstance(usual := fact["default"], list) else usual
    for name, fact in facts("masks")["rows"].items()
}


@dataclass(frozen=True, slots=True)
class MaskSettings:
    """The masks that a reader set, before they are applied to a model and a text.

    None means the model's own. Cells in `allowed` win over every mask.

    Raises:
        InputError: a number is below its minimum.
    """

    causal: bool | None = _USUAL["causal"]
    padding: bool = _USUAL["padding"]
    padding_side: PaddingSide = _USUAL["padding_side"]
    window: int | None = _USUAL["window"]  # the token itself and window − 1 to each side
    prefix: int | None = _USUAL["prefix"]  # Raffel et al. 2020, figure 4; none if bidirectional
    sinks: int | None = _USUAL["sinks"]  # Xiao et al. 2023, section 3.2; none without a window
    blocked: tuple[Cell, ...] = _USUAL["blocked"]
    allowed: tuple[Cell, ...] = _USUAL["allowed"]

    def __post_init__(self) -> None:
        for name, row in ROWS.items():
            value = getattr(self, name)
            if row.minimum is not None and value is not None and value < row.minimum:
                tokens = "token" if row.minimum == 1 else "tokens"
                raise InputError(
                    f"Expected `{name}` to be at least {row.minimum} {tokens}; got {value}.",
                    field=f"masks.{name}",
                )

    def within(self, n: int) -> "MaskSettings":
        """Without painted cells past n tokens, for texts that are still being generated."""
        blocked, allowed = (
            tuple(cell for cell in cells if max(cell.query or 0, cell.key or 0) < n)
            for cells in (self.blocked, self.allowed)
        )
        return replace(self, blocked=blocked, allowed=allowed)

    def unedited(self) -> "MaskSettings":
        """The model's own masks. Settings that change no number stay as requested."""
        return replace(self, **_defaults(lambda row: row.edits))

    def across_texts(self) -> "MaskSettings":
        """The settings for cross-attention, without masks that compare positions in one text."""
        return replace(self, **_defaults(lambda row: row.rule is not None and row.rule.within_text))

    @property
    def painted(self) -> Mapping[str, tuple[Cell, ...]]:
        """The painted cells, by their field in a request."""
        return {"masks.blocked": self.blocked, "masks.allowed": self.allowed}

    @property
    def rules(self) -> list[tuple[Rule, Any]]:
        """Every rule that is on, with the value of its setting; rules that free cells come last."""
        return [
            (rule, value)
            for name, rule in RULES.items()
            for value in [getattr(self, name)]
            if value is not None and value is not False
        ]


def _defaults(chosen: Callable[[Row], bool]) -> dict[str, Any]:
    return {each.name: each.default for each in fields(MaskSettings) if chosen(ROWS[each.name])}


TYPES: Mapping[str, Any] = {name: get_type_hints(MaskSettings)[name] for name in ROWS}
RULES: Mapping[str, Rule] = dict(
    sorted(
        ((name, row.rule) for name, row in ROWS.items() if row.rule is not None),
        key=lambda named: named[1].frees,
    )
)
