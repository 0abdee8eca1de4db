"""The mask of one attention site: which query may attend to which key, and what blocks the rest.

A mask is kept as rules (`model/masks/rules.py`), not as a matrix: `blocked_by` evaluates them for a
few query rows at a time, so that long texts do not take quadratic memory. Two conventions meet here
and nowhere else: `allows` is boolean with True for *may attend* (as in torch's
scaled_dot_product_attention), while `blocked_by` is a bit field of the reasons.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from jaxtyping import Bool, UInt8
from torch import Tensor

from model.errors import InputError
from model.lazy import lazy
from model.masks.rules import BlockedBy, Cell, MaskSettings, Places, Rule

STRIPE = 256  # query rows at a time, when a whole matrix is read but not kept
STRIPE_CELLS = 1_000_000  # in all heads; a stripe has fewer rows if they would hold more
SMALL_CELLS = 16_384  # in all heads and texts; a mask up to this size is also kept as a matrix


@dataclass(frozen=True, slots=True)
class BlockedSlice:
    """A row or column whose cells are all blocked, so that it has no distribution.

    If `head` is None, this is so in every head.
    """

    text: int
    head: int | None
    index: int


@dataclass(frozen=True, eq=False)
class Mask:
    """The mask of one attention site, as rules."""

    n_query: int
    n_key: int
    # resolved for this site: nothing is left to the model, and there are only the painted cells of
    # this site, whose layer and kind are not read again
    settings: MaskSettings = field(default_factory=MaskSettings)
    # how far past itself a query may look under the causal mask; 1 and −1 shift the mask by one
    diagonal: int = 0
    real_keys: Bool[Tensor, "batch key"] | None = None  # False on padding; None if there is none
    own: Bool[Tensor, "#batch #head query key"] | None = None  # another mask of the model's own
    batch: int = 1
    n_heads: int = 1
    _painted_heads: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        sizes = {"text": self.batch, "head": self.n_heads, "query": self.n_query, "key": self.n_key}
        painted = self.settings.painted
        for where, cells in painted.items():
            for cell in cells:
                _check(cell, where, sizes)
        named = any(cell.head is not None for cells in painted.values() for cell in cells)
        object.__setattr__(self, "_painted_heads", named)

    @property
    def is_open(self) -> bool:
        """Whether nothing can be blocked, so that attention needs no mask at all."""
        cell_by_cell = self.own is not None or bool(self.settings.blocked)
        return not cell_by_cell and all(rule.frees for rule, _ in self._rules)

    def blocked_by(self, rows: slice = slice(None)) -> UInt8[Tensor, "batch head query key"]:
        """The reasons for some query rows, as combined `BlockedBy` bits; 0 means allowed.

        The head axis has size 1 unless some rule differs between heads.
        """
        return self._whole[:, :, rows] if self.is_small else self._reasons(rows)

    def allows(self, rows: slice = slice(None)) -> Bool[Tensor, "batch head query key"]:
        """True where a query may attend to a key, for some query rows."""
        return self._allowed[:, :, rows] if self.is_small else self._reasons(rows) == 0

    @property
    def is_small(self) -> bool:
        """Whether the matrix is kept once it is made, because a view needs it several times."""
        return self._n_cells <= SMALL_CELLS

    @property
    def nbytes(self) -> int:
        """The memory that it holds or may come to hold: tensors of rules, and a small matrix."""
        kept = self._n_cells if self.is_small else 0
        rules = (tensor for tensor in (self.real_keys, self.own) if tensor is not None)
        return 2 * kept + sum(tensor.untyped_storage().nbytes() for tensor in rules)

    @property
    def _n_cells(self) -> int:
        return self.batch * self._n_matrices * self.n_query * self.n_key

    @property
    def _n_matrices(self) -> int:
        """The size of the head axis: 1 unless some rule differs between heads."""
        own_heads = 1 if self.own is None else self.own.shape[1]
        return self.n_heads if self._painted_heads else own_heads

    def visible_keys(self, rows: slice) -> slice:
        """A range of keys that includes all that these rows can see, found without any matrix."""
        causal = any(rule.reason == BlockedBy.CAUSAL for rule, _ in self._rules)
        frees = any(rule.reason == BlockedBy.CAUSAL and rule.frees for rule, _ in self._rules)
        if not causal or frees or self.settings.allowed:
            return slice(None)
        return slice(rows.stop + max(self.diagonal, 0))

    @lazy
    def _whole(self) -> UInt8[Tensor, "batch head query key"]:
        return self._reasons(slice(None))

    @lazy
    def _allowed(self) -> Bool[Tensor, "batch head query key"]:
        return self._whole == 0

    @lazy
    def _rules(self) -> list[tuple[Rule, Any]]:
        """The rules that are on, with the values of their settings."""
        return [
            (rule, value)
            for rule, value in self.settings.rules
            if self.real_keys is not None or not rule.of_padding
        ]

    def _reasons(self, rows: slice) -> UInt8[Tensor, "batch head query key"]:
        """Evaluate the rules for some query rows."""
        start, stop, _ = rows.indices(self.n_query)
        places = Places(
            query=torch.arange(start, stop)[:, None],
            key=torch.arange(self.n_key)[None, :],
            diagonal=self.diagonal,
            real_keys=self.real_keys,
        )
        shape = (self.batch, self._n_matrices, stop - start, self.n_key)
        reasons = torch.zeros(shape, dtype=torch.uint8)
        for rule, value in self._rules:
            bits = rule.cells(value, places).to(torch.uint8) * rule.reason
            if rule.frees:
                reasons &= ~bits
            else:
                reasons |= bits
        if self.own is not None:
            reasons |= (~self.own[:, :, start:stop]).to(torch.uint8) * BlockedBy.MODEL
        for hit in _hits(self.settings.blocked, reasons.shape, start):
            reasons |= hit.to(torch.uint8) * BlockedBy.PAINTED
        for hit in _hits(self.settings.allowed, reasons.shape, start):
            reasons.masked_fill_(hit, 0)
        return reasons

    @lazy
    def blocked_rows(self) -> tuple[BlockedSlice, ...]:
        """Queries that may attend to nothing."""
        if self.is_open:
            return ()
        any_allowed = [self.allows(rows).any(dim=3) for rows in stripes_of(self.n_query)]
        return _blocked_slices(torch.cat(any_allowed, dim=2))

    @lazy
    def blocked_columns(self) -> tuple[BlockedSlice, ...]:
        """Keys that nothing may attend to."""
        if self.is_open:
            return ()
        any_allowed = [self.allows(rows).any(dim=2) for rows in stripes_of(self.n_query)]
        return _blocked_slices(torch.stack(any_allowed).any(dim=0))


def stripe_rows(n_heads: int, n_key: int) -> int:
    """How many query rows of these heads are read at a time."""
    return min(STRIPE, max(1, STRIPE_CELLS // max(1, n_heads * n_key)))


def stripes_of(n_query: int) -> list[slice]:
    """The query rows in stripes of `STRIPE`."""
    return [slice(start, min(start + STRIPE, n_query)) for start in range(0, n_query, STRIPE)]


def site_mask(
    settings: MaskSettings,
    *,
    layer: int,
    kind: str = "self",
    n_query: int,
    n_key: int,
    n_heads: int,
    real_keys: Bool[Tensor, "batch key"],
    causal: bool,
    diagonal: int = 0,
    window: int | None = None,
    own: Bool[Tensor, "#batch #head query key"] | None = None,
) -> Mask:
    """Combine the reader's settings with the model's own rules at a site.

    `causal` and `window` are the model's own and apply if the settings leave them open. A
    cross-attention site, whose queries and keys come from different texts, has neither. `real_keys`
    is False on padding.
    """
    if kind == "cross":
        settings = settings.across_texts()
    return Mask(
        n_query=n_query,
        n_key=n_key,
        settings=replace(
            settings,
            causal=causal if settings.causal is None else settings.causal,
            window=window if settings.window is None else settings.window,
            blocked=_of_site(settings.blocked, layer, kind),
            allowed=_of_site(settings.allowed, layer, kind),
        ),
        diagonal=diagonal,
        real_keys=None if bool(real_keys.all()) else real_keys,
        own=own,
        batch=real_keys.shape[0],
        n_heads=n_heads,
    )


def _of_site(cells: Iterable[Cell], layer: int, kind: str) -> tuple[Cell, ...]:
    return tuple(
        cell for cell in cells if cell.layer in (None, layer) and cell.kind in (None, kind)
    )


def _blocked_slices(any_allowed: Bool[Tensor, "batch head slice"]) -> tuple[BlockedSlice, ...]:
    every_head = any_allowed.shape[1] == 1
    return tuple(
        BlockedSlice(text, None if every_head else head, index)
        for text, head, index in (~any_allowed).nonzero().tolist()
    )


def _check(cell: Cell, field: str, sizes: Mapping[str, int]) -> None:
    for axis, size in sizes.items():
        index = getattr(cell, axis)
        if index is not None and not 0 <= index < size:
            raise InputError(
                f"A painted cell names {axis} {index}, but this trace has {size} "
                f"(0 to {size - 1}). Use null for all of them.",
                field=field,
            )


def _hits(
    cells: tuple[Cell, ...], shape: torch.Size, start: int
) -> Iterator[Bool[Tensor, "#batch #head #query #key"]]:
    """Where the cells lie in a block of rows that begins at `start`.

    Yields one tensor for each combination of axes that cells name, with size 1 along the others, so
    that ten thousand cells take only a few operations.
    """
    groups: defaultdict[tuple[bool, ...], list[list[int]]] = defaultdict(list)
    for cell in cells:
        if cell.query is None or start <= cell.query < start + shape[2]:
            query = None if cell.query is None else cell.query - start
            index = (cell.text, cell.head, query, cell.key)
            groups[tuple(axis is not None for axis in index)].append([axis or 0 for axis in index])
    for named, indices in groups.items():
        sizes = [size if axis else 1 for size, axis in zip(shape, named, strict=True)]
        hit = torch.zeros(sizes, dtype=torch.bool)
        hit[tuple(torch.tensor(indices).T)] = True
        yield hit
