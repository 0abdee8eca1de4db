"""Masks: what each rule blocks, how reasons add up, and which slices are fully blocked."""

from itertools import product
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from model.errors import InputError
from model.masks.mask import BlockedSlice, Mask, site_mask, stripes_of
from model.masks.rules import BlockedBy, Cell, MaskSettings

BATCH, HEADS, QUERIES, KEYS, LAYERS = 2, 3, 5, 7, 4

cells = st.builds(
    Cell,
    text=st.none() | st.integers(0, BATCH - 1),
    head=st.none() | st.integers(0, HEADS - 1),
    query=st.none() | st.integers(0, QUERIES - 1),
    key=st.none() | st.integers(0, KEYS - 1),
)


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    """Arguments of a `Mask`; a strategy cannot build one: shape checks are random."""
    seed = draw(st.integers(0, 2**20))
    g = torch.Generator().manual_seed(seed)
    own_heads = draw(st.sampled_from([None, 1, HEADS]))
    own = None
    if own_heads is not None:
        own_batch = draw(st.sampled_from([1, BATCH]))
        own = torch.rand(own_batch, own_heads, QUERIES, KEYS, generator=g) > 0.3
    return {
        "n_query": QUERIES,
        "n_key": KEYS,
        "settings": {
            "causal": draw(st.booleans()),
            "padding": draw(st.booleans()),
            "window": draw(st.none() | st.integers(1, 9)),
            "prefix": draw(st.none() | st.integers(1, 6)),
            "sinks": draw(st.none() | st.integers(1, 4)),
            "blocked": tuple(draw(st.lists(cells, max_size=3))),
            "allowed": tuple(draw(st.lists(cells, max_size=2))),
        },
        "real_keys": torch.rand(BATCH, KEYS, generator=g) > 0.3 if draw(st.booleans()) else None,
        "own": own,
        "batch": BATCH,
        "n_heads": HEADS,
    }


def mask_of(rules: dict[str, Any]) -> Mask:
    return Mask(**rules | {"settings": MaskSettings(**rules["settings"])})


def names(cell: Cell, b: int, h: int, i: int, j: int) -> bool:
    pairs = ((cell.text, b), (cell.head, h), (cell.query, i), (cell.key, j))
    return all(wanted in (None, place) for wanted, place in pairs)


def is_first(mask: Mask, b: int, place: int, n: int | None) -> bool:
    """Whether a position holds one of the first n real tokens of a text."""
    real = [mask.real_keys is None or bool(mask.real_keys[b, j]) for j in range(place + 1)]
    return n is not None and real[-1] and sum(real) <= n


def by_hand(mask: Mask) -> Tensor:
    """The reasons for each cell, one rule at a time."""
    reasons = torch.zeros(BATCH, HEADS, QUERIES, KEYS, dtype=torch.uint8)
    asked = mask.settings
    for b, h, i, j in product(range(BATCH), range(HEADS), range(QUERIES), range(KEYS)):
        total = 0
        in_prefix = all(is_first(mask, b, place, asked.prefix) for place in (i, j))
        if asked.causal and j > i and not in_prefix:
            total += 1
        if asked.padding and mask.real_keys is not None and not mask.real_keys[b, j]:
            total += 2
        is_sink = is_first(mask, b, j, asked.sinks)
        if asked.window is not None and abs(i - j) >= asked.window and not is_sink:
            total += 4
        if any(names(cell, b, h, i, j) for cell in asked.blocked):
            total += 8
        if mask.own is not None:
            own = mask.own.expand(BATCH, HEADS, QUERIES, KEYS)
            total += 0 if own[b, h, i, j] else 16
        if any(names(cell, b, h, i, j) for cell in asked.allowed):
            total = 0
        reasons[b, h, i, j] = total
    return reasons


@given(rules())
def test_reasons_add_up_and_allowed_wins(rules: dict[str, Any]) -> None:
    mask = mask_of(rules)
    got, expected = mask.blocked_by(), by_hand(mask)
    assert got.dtype == torch.uint8
    assert got.shape[1] in (1, HEADS)
    assert torch.equal(got.expand_as(expected), expected)
    assert torch.equal(mask.allows().expand_as(expected), expected == 0)
    if mask.is_open:
        assert expected.eq(0).all()


@given(rules(), st.integers(0, QUERIES), st.integers(0, QUERIES))
def test_rows_asked_for_are_rows_of_the_whole(rules: dict[str, Any], start: int, stop: int) -> None:
    mask = mask_of(rules)
    some = slice(min(start, stop), max(start, stop))
    assert torch.equal(mask.blocked_by(some), mask.blocked_by()[:, :, some])
    assert torch.equal(mask.allows(some), mask.allows()[:, :, some])


@given(rules())
def test_slices_with_nothing_allowed_are_listed(rules: dict[str, Any]) -> None:
    mask = mask_of(rules)
    allowed = by_hand(mask) == 0
    for listed, dim in ((mask.blocked_rows, 3), (mask.blocked_columns, 2)):
        found = set()
        for blocked in listed:
            heads = range(HEADS) if blocked.head is None else [blocked.head]
            found |= {(blocked.text, head, blocked.index) for head in heads}
        expected = {tuple(place) for place in (~allowed.any(dim)).nonzero().tolist()}
        assert found == expected


def test_blocked_rows_and_columns_of_a_long_mask_cross_the_stripes() -> None:
    n = 300
    mask = Mask(
        n, n, MaskSettings(causal=True, blocked=(Cell(query=290), Cell(key=280), Cell(key=3)))
    )
    assert mask.blocked_rows == (BlockedSlice(0, None, 290),)
    assert mask.blocked_columns == (BlockedSlice(0, None, 3), BlockedSlice(0, None, 280))
    assert [(rows.start, rows.stop) for rows in stripes_of(n)] == [(0, 256), (256, 300)]


def test_a_slice_blocked_in_one_head_names_the_head() -> None:
    mask = Mask(5, 7, MaskSettings(blocked=(Cell(text=1, head=2, query=4),)), batch=2, n_heads=3)
    assert mask.blocked_rows == (BlockedSlice(1, 2, 4),)
    assert mask.blocked_by().shape == (2, 3, 5, 7)


@pytest.mark.parametrize(
    ("window", "causal", "row_three"),
    [
        (1, False, [0, 0, 0, 1, 0, 0, 0]),
        (2, False, [0, 0, 1, 1, 1, 0, 0]),
        (3, False, [0, 1, 1, 1, 1, 1, 0]),
        (2, True, [0, 0, 1, 1, 0, 0, 0]),
        (3, True, [0, 1, 1, 1, 0, 0, 0]),
        (99, True, [1, 1, 1, 1, 0, 0, 0]),
    ],
)
def test_window_counts_the_token_itself(window: int, causal: bool, row_three: list[int]) -> None:
    mask = Mask(7, 7, MaskSettings(causal=causal, window=window))
    assert mask.allows()[0, 0, 3].long().tolist() == row_three


@given(rules())
def test_no_row_sees_past_its_visible_keys(rules: dict[str, Any]) -> None:
    mask = mask_of(rules)
    for row in range(QUERIES):
        rows = slice(row, row + 1)
        unseen = mask.allows(rows).clone()
        unseen[..., mask.visible_keys(rows)] = False
        assert not unseen.any()


def test_tokens_of_a_prefix_see_each_other_and_nothing_else_new() -> None:
    causal = Mask(5, 5, MaskSettings(causal=True)).allows()
    prefix = Mask(5, 5, MaskSettings(causal=True, prefix=3)).allows()
    assert prefix[0, 0].long().tolist() == [
        [1, 1, 1, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
    ]
    assert bool((prefix | ~causal).all())
    assert Mask(5, 5, MaskSettings(causal=False, prefix=3)).is_open


def test_a_prefix_frees_the_causal_mask_alone() -> None:
    settings = MaskSettings(causal=True, prefix=4, window=2, blocked=(Cell(query=1, key=2),))
    own = torch.ones(1, 1, 5, 5, dtype=torch.bool)
    own[..., 2, 3] = False
    reasons = Mask(5, 5, settings, own=own).blocked_by()[0, 0]
    assert reasons[0, 2:4].tolist() == [BlockedBy.WINDOW] * 2
    assert reasons[1, 2] == BlockedBy.PAINTED and reasons[2, 3] == BlockedBy.MODEL
    assert reasons[0, 4] == BlockedBy.CAUSAL | BlockedBy.WINDOW and reasons[0, 1] == 0


def test_sinks_stay_visible_beside_a_window_and_never_ahead() -> None:
    streaming = Mask(6, 6, MaskSettings(causal=True, window=2, sinks=2))
    assert streaming.allows()[0, 0].long().tolist() == [
        [1, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0],
        [1, 1, 1, 0, 0, 0],
        [1, 1, 1, 1, 0, 0],
        [1, 1, 0, 1, 1, 0],
        [1, 1, 0, 0, 1, 1],
    ]
    assert Mask(6, 6, MaskSettings(sinks=2)).is_open


def test_sinks_free_the_models_own_window_and_nothing_painted() -> None:
    asked = MaskSettings(sinks=1, blocked=(Cell(query=3, key=0),))
    reasons = composed(asked, window=2, padded=False).blocked_by()[0, 0]
    assert reasons[4].tolist() == [0, *[BlockedBy.WINDOW] * 2, 0, 0]
    assert reasons[3, 0] == BlockedBy.PAINTED


def test_sinks_are_the_first_real_tokens() -> None:
    real = torch.tensor([[False, False, True, True, True, True, True, True]])
    reasons = Mask(8, 8, MaskSettings(window=1, sinks=2), real_keys=real).blocked_by()[0, 0]
    assert reasons[7].tolist() == [*[BlockedBy.PADDING + BlockedBy.WINDOW] * 2, 0, 0, 4, 4, 4, 0]


@pytest.mark.parametrize("padding", [True, False])
def test_padding_does_not_count_as_a_first_token(padding: bool) -> None:
    real = torch.tensor([[False, False, True, True, True], [True, True, False, False, False]])
    settings = MaskSettings(causal=True, padding=padding, prefix=4)
    reasons = Mask(5, 5, settings, real_keys=real, batch=2).blocked_by()[:, 0]
    assert reasons[0, 2:, 2:].eq(0).all() and reasons[1, :2, :2].eq(0).all()
    assert (reasons[0, 0, 1:] & BlockedBy.CAUSAL).all()  # the padding sees no farther
    assert reasons[1, 0, 2:].eq(BlockedBy.CAUSAL + BlockedBy.PADDING * padding).all()


def test_bits_are_the_ones_that_the_page_reads() -> None:
    assert [flag.value for flag in BlockedBy] == [1, 2, 4, 8, 16]
    assert [flag.name for flag in BlockedBy] == ["CAUSAL", "PADDING", "WINDOW", "PAINTED", "MODEL"]


def composed(
    settings: MaskSettings,
    *,
    padded: bool = True,
    window: int | None = None,
    causal: bool = True,
    **of_site: Any,
) -> Mask:
    real = torch.ones(BATCH, 5, dtype=torch.bool)
    if padded:
        real[1, 3:] = False
    return site_mask(
        settings,
        layer=2,
        n_query=5,
        n_key=5,
        n_heads=HEADS,
        real_keys=real,
        causal=causal,
        window=window,
        **of_site,
    )


def test_settings_left_open_are_the_models_own() -> None:
    own = composed(MaskSettings(), window=2)
    assert own.settings == MaskSettings(causal=True, window=2) and own.real_keys is not None
    asked = MaskSettings(causal=False, window=4, padding=False)
    assert composed(asked, window=2).settings == asked
    assert composed(MaskSettings(causal=True)).settings.causal
    assert composed(MaskSettings(), padded=False).real_keys is None


def test_without_any_rule_the_mask_is_open() -> None:
    assert composed(MaskSettings(causal=False), padded=False).is_open
    for settings in (
        MaskSettings(),
        MaskSettings(causal=False, window=9),
        MaskSettings(causal=False, blocked=(Cell(),)),
    ):
        assert not composed(settings, padded=False).is_open
    assert not composed(MaskSettings(causal=False)).is_open
    assert composed(MaskSettings(causal=False, padding=False)).is_open


def test_painted_cells_belong_to_their_layer() -> None:
    cells = (Cell(layer=1, query=0), Cell(layer=2, query=1), Cell(query=2))
    mask = composed(MaskSettings(causal=False, blocked=cells), padded=False)
    assert mask.settings.blocked == cells[1:]
    allowed = composed(MaskSettings(allowed=(Cell(layer=2, query=0, key=4), Cell(layer=3))))
    assert allowed.allows()[:, 0, 0].long().tolist() == [[1, 0, 0, 0, 1]] * 2


@pytest.mark.parametrize("kind", ["self", "encoder", "decoder", "cross"])
def test_painted_cells_belong_to_their_kind_of_site(kind: str) -> None:
    cells = (
        Cell(kind="decoder", query=0),
        Cell(kind="cross", query=1),
        Cell(query=2),
        Cell(kind="cross", layer=3, query=3),
        Cell(kind="decoder", layer=2, query=4),
    )
    settings = MaskSettings(causal=False, blocked=cells, allowed=cells[::-1])
    mask = composed(settings, padded=False, kind=kind)
    kept = {"decoder": (0, 2, 4), "cross": (1, 2)}.get(kind, (2,))
    assert mask.settings.blocked == tuple(cells[place] for place in kept)
    assert mask.settings.allowed == mask.settings.blocked[::-1]


def test_a_site_is_self_attention_by_default() -> None:
    cells = (Cell(kind="cross"), Cell(kind="self", query=0))
    assert composed(MaskSettings(blocked=cells)).settings.blocked == cells[1:]


def test_cross_attention_has_no_masks_of_places_of_the_readers() -> None:
    asked = MaskSettings(causal=True, window=2, prefix=3, sinks=1)
    cross = composed(asked, causal=False, kind="cross")
    assert cross.settings == MaskSettings(causal=False) and cross.real_keys is not None
    assert composed(asked, causal=False, padded=False, kind="cross").is_open
    assert composed(MaskSettings(causal=True, padding=False), causal=False, kind="cross").is_open
    for kind in ("self", "encoder", "decoder"):
        assert composed(asked, causal=False, kind=kind).settings == asked


def test_another_mask_of_the_models_own_blocks_with_the_others() -> None:
    own = torch.ones(1, 1, 5, 5, dtype=torch.bool)
    own[..., 4, 0] = False
    mask = composed(MaskSettings(allowed=(Cell(head=1, query=4),)), own=own)
    reasons = mask.blocked_by()
    assert reasons[0, 0, 4].tolist() == [BlockedBy.MODEL, 0, 0, 0, 0]
    assert reasons[0, 1, 4].eq(0).all()
    assert reasons[0, 0, 0].tolist() == [0, *[BlockedBy.CAUSAL] * 4]


@pytest.mark.parametrize("window", [0, -3])
def test_an_empty_window_is_refused(window: int) -> None:
    with pytest.raises(InputError, match="at least 1 token") as caught:
        MaskSettings(window=window)
    assert caught.value.field == "masks.window"


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        (Cell(text=2), "text 2"),
        (Cell(head=3), "head 3"),
        (Cell(query=5), "query 5"),
        (Cell(key=7), "key 7"),
        (Cell(key=-1), "key -1"),
    ],
)
def test_a_painted_cell_outside_is_refused(cell: Cell, told: str) -> None:
    for name in ("blocked", "allowed"):
        settings = MaskSettings(**{name: (cell,)})  # type: ignore[arg-type]
        with pytest.raises(InputError, match=told) as caught:
            Mask(QUERIES, KEYS, settings, batch=BATCH, n_heads=HEADS)
        assert caught.value.field == f"masks.{name}"
