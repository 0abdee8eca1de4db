"""The source of our own transformer: padding changes nothing, and edits have their effects."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from model.errors import CheckpointError, InputError, LimitError, TextError
from model.masks.mask import BlockedSlice
from model.masks.rules import BlockedBy, Cell, MaskSettings, PaddingSide
from model.sources.native import NativeSource, real_positions
from model.sources.source import Inputs, MutedHead, Source
from model.trace.site import Site
from model.trace.tensors import TensorName
from model.trace.trace import Trace

WORDS = "the a cat dog sat ran on under mat tree and then saw red small".split()
texts = st.lists(st.sampled_from(WORDS), max_size=24).map(" ".join)
QUERY_SIDE: tuple[TensorName, ...] = ("q", "k", "v", "z", "result")


def relative(got: Tensor, expected: Tensor) -> float:
    return ((got - expected).abs().max() / expected.abs().max()).item()


def real_places(trace: Trace, text: int) -> list[int]:
    return [i for i, token in enumerate(trace.tokens[text]) if not token.padding]


def assert_same_for_real_tokens(batched: Trace, text: int, alone: Trace) -> None:
    real = real_places(batched, text)
    assert [batched.tokens[text][i] for i in real] == list(alone.tokens[0])
    assert batched.stages is not None and alone.stages is not None
    assert relative(batched.stages[-1, text, real], alone.stages[-1, 0]) <= 1e-5
    for many, one in zip(batched.sites, alone.sites, strict=True):
        found, expected = many.derive(many.tensors), one.derive(one.tensors)
        for name in QUERY_SIDE:
            assert relative(found[name][text][:, real], expected[name][0]) <= 1e-5
        pattern = found["pattern"][text]
        assert relative(pattern[:, real][:, :, real], expected["pattern"][0]) <= 1e-5
        padding = [i for i in range(pattern.shape[-1]) if i not in real]
        assert pattern[:, :, padding].eq(0).all()


# each example runs five passes: fewer of them
@settings(max_examples=20)
@given(first=texts, second=texts, side=st.sampled_from(["right", "left"]))
def test_padding_and_batching_change_nothing_for_real_tokens(
    source: NativeSource, first: str, second: str, side: PaddingSide
) -> None:
    masks = MaskSettings(padding_side=side)
    batched = source.trace(Inputs((first, second, "the cat"), masks=masks))
    for text, typed in enumerate((first, second, "the cat")):
        assert_same_for_real_tokens(batched, text, source.trace(Inputs((typed,))))


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("window", [None, 2])
@pytest.mark.parametrize("causal", [None, False])
@pytest.mark.parametrize(("prefix", "sinks"), [(None, None), (2, None), (None, 1)])
def test_padding_changes_nothing_under_the_other_masks_either(
    source: NativeSource,
    side: PaddingSide,
    window: int | None,
    causal: bool | None,
    prefix: int | None,
    sinks: int | None,
) -> None:
    masks = MaskSettings(
        causal=causal, window=window, prefix=prefix, sinks=sinks, padding_side=side
    )
    batched = source.trace(Inputs(("the red cat sat on the mat", "a dog ran"), masks=masks))
    assert len(real_places(batched, 1)) < len(real_places(batched, 0))
    assert_same_for_real_tokens(batched, 1, source.trace(Inputs(("a dog ran",), masks=masks)))


def test_a_prefix_is_read_both_ways(source: NativeSource) -> None:
    texts = ("the red cat sat on the mat",)
    plain = source.trace(Inputs(texts))
    prefix = source.trace(Inputs(texts, masks=MaskSettings(prefix=3)))
    whole = source.trace(Inputs(texts, masks=MaskSettings(causal=False)))
    n = len(plain.tokens[0])
    everything = source.trace(Inputs(texts, masks=MaskSettings(prefix=n + 2)))
    for site, other, all_of_it, both_ways in zip(
        *(trace.sites for trace in (plain, prefix, everything, whole)), strict=True
    ):
        before, after = (each.derive(["pattern"])["pattern"] for each in (site, other))
        assert before[0, :, 0, 1:].eq(0).all() and after[0, :, 0, 1:3].gt(0).all()
        assert after[0, :, :3, 3:].eq(0).all()
        assert torch.equal(all_of_it.mask.allows(), both_ways.mask.allows())
    assert whole.stages is not None and everything.stages is not None
    assert torch.equal(everything.stages, whole.stages)


def test_right_padding_changes_nothing_under_a_causal_mask_even_unmasked(
    source: NativeSource,
) -> None:
    pair = ("the red cat sat", "a dog")
    without = source.trace(Inputs(pair, masks=MaskSettings(padding=False)))
    alone = source.trace(Inputs(("a dog",)))
    assert without.stages is not None and alone.stages is not None
    assert relative(without.stages[-1, 1, real_places(without, 1)], alone.stages[-1, 0]) <= 1e-5
    left = source.trace(Inputs(pair, masks=MaskSettings(padding=False, padding_side="left")))
    assert left.stages is not None  # on the left, padding that is not masked does change them
    assert relative(left.stages[-1, 1, real_places(left, 1)], alone.stages[-1, 0]) > 1e-3


def test_padding_tokens_stand_where_they_were_asked_for(source: NativeSource) -> None:
    right = source.trace(Inputs(("the cat sat", "dog")))
    padding = right.tokens[1][-1]
    assert (padding.text, padding.start, padding.end, padding.special) == ("[PAD]", 3, 3, True)
    assert [token.padding for token in right.tokens[1]] == [False, False, True, True]
    assert {token.segment for row in right.tokens for token in row} == {0}
    assert real_places(right, 1) == [0, 1]
    left = source.trace(Inputs(("the cat sat", "dog"), masks=MaskSettings(padding_side="left")))
    assert real_places(left, 1) == [2, 3]
    assert (left.tokens[1][0].start, left.tokens[1][0].end) == (0, 0)
    assert {len(row) for row in (*right.tokens, *left.tokens)} == {4}


def test_left_padding_leaves_rows_with_nothing_and_lists_them(source: NativeSource) -> None:
    masks = MaskSettings(padding_side="left")
    trace = source.trace(Inputs(("the cat sat", "dog"), masks=masks))
    for site in trace.sites:
        assert site.blocked_slices == (BlockedSlice(1, None, 0), BlockedSlice(1, None, 1))
        got = site.derive(["pattern", "z"])
        assert got["pattern"][1, :, :2].eq(0).all() and got["z"][1, :, :2].eq(0).all()
    right = source.trace(Inputs(("the cat sat", "dog")))
    assert all(site.blocked_slices == () for site in right.sites)
    assert trace.stages is not None and trace.stages[-1].isfinite().all()


def test_real_positions_count_real_tokens() -> None:
    real = torch.tensor([[1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0]]).bool()
    got = real_positions(real)
    assert got[0].tolist() == [0, 1, 2, 3]
    assert got[1, 2:].tolist() == [0, 1]
    assert got[2, :2].tolist() == [0, 1]
    assert (got >= 0).all()


def patterns(trace: Trace) -> list[Tensor]:
    return [site.derive(["pattern"])["pattern"] for site in trace.sites]


def test_the_models_own_mask_is_causal_unless_it_is_taken_away(source: NativeSource) -> None:
    text = ("the red cat sat on a mat",)
    for causal in (None, True):
        trace = source.trace(Inputs(text, masks=MaskSettings(causal=causal)))
        assert all(pattern.triu(1).eq(0).all() for pattern in patterns(trace))
    free = source.trace(Inputs(text, masks=MaskSettings(causal=False)))
    assert all(pattern.triu(1).sum() > 0.1 for pattern in patterns(free))
    closed = source.trace(Inputs(text))
    assert free.stages is not None and closed.stages is not None
    assert relative(free.stages[-1], closed.stages[-1]) > 1e-3  # not only in the picture


def test_a_window_holds_in_the_pass_and_in_the_picture(source: NativeSource) -> None:
    text = "the red cat sat on a mat"
    trace = source.trace(Inputs((text,), masks=MaskSettings(window=1)))
    n = len(trace.tokens[0])
    for pattern in patterns(trace):
        torch.testing.assert_close(pattern, torch.eye(n).expand_as(pattern))
    # a token that sees only itself is the same wherever it stands
    assert trace.stages is not None
    alone = source.trace(Inputs(("the",)))
    assert alone.stages is not None
    assert relative(trace.stages[-1, 0, 0], alone.stages[-1, 0, 0]) <= 1e-5


def test_painted_cells_reach_their_text_layer_and_head_in_pass_and_picture(
    source: NativeSource,
) -> None:
    pair = ("the red cat sat", "a small dog ran")
    cell = Cell(text=1, layer=1, head=2, query=3, key=1)
    plain = source.trace(Inputs(pair))
    painted = source.trace(Inputs(pair, masks=MaskSettings(blocked=(cell,))))
    assert plain.stages is not None and painted.stages is not None
    before, after = patterns(plain), patterns(painted)
    torch.testing.assert_close(after[0], before[0])
    row = before[1][1, 2, 3].clone()
    row[1] = 0.0
    torch.testing.assert_close(after[1][1, 2, 3], row / row.sum())
    after[1][1, 2, 3] = before[1][1, 2, 3]
    torch.testing.assert_close(after[1], before[1])
    changed = (painted.stages[-1] - plain.stages[-1]).abs().amax(-1) > 1e-6
    assert changed.nonzero().tolist() == [[1, 3]]
    reasons = painted.sites[1].derive(["blocked_by"])["blocked_by"]
    assert reasons[1, 2, 3, 1] == BlockedBy.PAINTED
    assert painted.sites[0].derive(["blocked_by"])["blocked_by"].shape[1] == 1


def test_an_allowed_cell_wins_over_every_mask_in_the_pass(source: NativeSource) -> None:
    pair = ("the red cat sat", "a dog")
    free = (Cell(text=1, layer=0, query=0, key=4),)  # in the future, and padding
    blocked = (Cell(query=0, key=4),)
    trace = source.trace(Inputs(pair, masks=MaskSettings(window=2, blocked=blocked, allowed=free)))
    first, second = (site.derive(["blocked_by"])["blocked_by"] for site in trace.sites)
    everything = BlockedBy.CAUSAL | BlockedBy.PADDING | BlockedBy.WINDOW | BlockedBy.PAINTED
    assert first[1, 0, 0, 4] == 0
    assert second[1, 0, 0, 4] == everything
    assert first[0, 0, 0, 4] == everything & ~BlockedBy.PADDING
    assert patterns(trace)[0][1, :, 0, 4].gt(0).all()
    plain = source.trace(Inputs(pair, masks=MaskSettings(window=2, blocked=blocked)))
    assert plain.stages is not None and trace.stages is not None
    assert relative(trace.stages[-1, 1, 0], plain.stages[-1, 1, 0]) > 1e-4


def test_muting_reaches_the_pass_and_the_sites(source: NativeSource) -> None:
    text = ("the red cat sat",)
    plain = source.trace(Inputs(text))
    trace = source.trace(Inputs(text, muted=(MutedHead(1, 2), MutedHead(1, 0), MutedHead(1, 2))))
    assert trace.sites[0].muted == () and set(trace.sites[1].muted) == {0, 2}
    z = trace.sites[1].derive(["z"])["z"]
    assert z[:, [0, 2]].eq(0).all() and z[:, 1].ne(0).any()
    assert trace.stages is not None and plain.stages is not None
    ids = torch.tensor([[token.id for token in plain.tokens[0]]])
    expected = source.model(ids, muted=torch.tensor([[[0, 0, 0], [1, 0, 1]]]).bool()).resid
    torch.testing.assert_close(trace.stages[-1], expected)
    assert relative(trace.stages[-1], plain.stages[-1]) > 1e-3


def test_a_kind_that_the_model_has_changes_nothing(source: NativeSource) -> None:
    texts = ("the red cat sat",)
    cell = Cell(layer=1, head=2, query=3, key=1)
    plain, named = (
        source.trace(
            Inputs(
                texts,
                masks=MaskSettings(blocked=(replace(cell, kind=kind),)),
                muted=(MutedHead(0, 1, kind),),
            )
        )
        for kind in (None, "self")
    )
    assert [site.muted for site in plain.sites] == [site.muted for site in named.sites]
    assert plain.stages is not None and named.stages is not None
    assert torch.equal(plain.stages, named.stages)
    assert torch.equal(plain.sites[1].mask.blocked_by(), named.sites[1].mask.blocked_by())
    assert plain.sites[1].mask.blocked_by()[0, 2, 3, 1] == BlockedBy.PAINTED


def test_sites_and_info_name_each_other(source: NativeSource, checkpoint_folder: Path) -> None:
    assert isinstance(source, Source)
    trace = source.trace(Inputs(("the cat",)))
    assert [(s.name, s.kind, s.layer, s.n_heads) for s in trace.sites] == [
        (info.name, info.kind, info.layer, info.n_heads) for info in source.info.sites
    ]
    assert all(set(site.tensors) == set(source.info.tensors) for site in trace.sites)
    assert trace.sites[0].scale == pytest.approx(0.5)
    info = source.info
    assert (info.n_layers, info.n_heads, info.d_model, info.d_head) == (2, 3, 10, 4)
    assert (info.max_tokens, info.trained_tokens, info.causal) == (400, 16, True)
    assert info.predicts == trace.predicts == "next"
    assert (info.takes_targets, info.takes_pairs, info.lacks) == (False, False, "")
    assert info.n_parameters == sum(p.numel() for p in source.model.parameters())
    assert info.vocab_size == source.tokenizer.vocab_size
    assert (info.description, info.licence) == ("A small random model.", "CC0-1.0")
    with pytest.raises(CheckpointError):
        NativeSource("none", checkpoint_folder / "nothing")


def test_equal_inputs_give_equal_traces(source: NativeSource) -> None:
    assert Inputs(("the cat",)) == Inputs(("the cat",), masks=MaskSettings())
    assert hash(Inputs(("a",), muted=(MutedHead(0, 1),))) == hash(
        Inputs(("a",), muted=(MutedHead(0, 1),))
    )
    one, other = (source.trace(Inputs(("the cat sat",))) for _ in range(2))
    assert one.stages is not None and other.stages is not None
    assert torch.equal(one.stages[-1], other.stages[-1])


def test_a_long_text_is_derived_in_stripes_as_in_one(source: NativeSource) -> None:
    trace = source.trace(Inputs(("the cat sat on " * 77,)))
    assert len(trace.tokens[0]) == 309
    site: Site = trace.sites[0]
    whole = site.derive(["pattern"], heads=[1])["pattern"]
    part = site.derive(["pattern"], heads=[1], rows=slice(250, 262))["pattern"]
    torch.testing.assert_close(part, whole[:, :, 250:262])
    torch.testing.assert_close(whole.sum(-1), torch.ones(1, 1, 309))
    pooled = torch.nn.functional.adaptive_max_pool2d(whole, (32, 32))
    torch.testing.assert_close(site.thumbnail(32, heads=[1]), pooled)


# --- rows of ids --------------------------------------------------------------------------------


def test_a_row_of_ids_is_traced_like_the_text_of_its_words(source: NativeSource) -> None:
    typed = source.trace(Inputs(("the red cat sat", "a dog")))
    rows = [[t.id for t in row if not t.special] for row in typed.tokens]
    spelled = source.trace_ids(rows)
    assert [[t.id for t in row] for row in spelled.tokens] == [
        [t.id for t in row] for row in typed.tokens
    ]
    assert spelled.stages is not None and typed.stages is not None
    assert torch.equal(spelled.stages, typed.stages)
    assert all(torch.equal(*pair) for pair in zip(patterns(spelled), patterns(typed), strict=True))
    first = spelled.tokens[0]
    texts = [source.tokenizer.token_text(id) for id in rows[0]]
    assert [t.text for t in first] == ["[BOS]", *texts]
    joined = "".join(texts)
    assert all(joined[t.start : t.end] == t.text for t in first[1:])
    assert (first[0].special, first[0].end, first[-1].end) == (True, 0, len(joined))
    padding = spelled.tokens[1][-1]
    end = sum(len(source.tokenizer.token_text(id)) for id in rows[1])
    assert (padding.text, padding.start, padding.end) == ("[PAD]", end, end)


def test_ordinary_ids_are_the_vocabulary_without_its_special_tokens(source: NativeSource) -> None:
    special = {source.tokenizer.pad_id, source.tokenizer.bos_id}
    assert set(source.ordinary_ids) == set(range(source.tokenizer.vocab_size)) - special
    assert len(source.ordinary_ids) == source.tokenizer.vocab_size - 2
    for id in (*special, -1, source.tokenizer.vocab_size):
        with pytest.raises(InputError, match=f"Row 2 has the id {id};"):
            source.trace_ids([[7], [7, id]])
    with pytest.raises(InputError, match="at least one row"):
        source.trace_ids([])
    with pytest.raises(LimitError, match="Row 1 has 401 tokens") as caught:
        source.trace_ids([[7] * 400])
    assert caught.value.limit == 400
    assert source.trace_ids([[]]).tokens[0][0].text == "[BOS]"


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        (Inputs(()), "texts"),
        (Inputs(("a",), targets=("b",)), "targets"),
        (Inputs(("a",), pairs=("b",)), "pairs"),
        (Inputs(("a",), muted=(MutedHead(2, 0),)), "muted"),
        (Inputs(("a",), muted=(MutedHead(0, 3),)), "muted"),
        (Inputs(("a",), muted=(MutedHead(-1, 0),)), "muted"),
        (Inputs(("a",), muted=(MutedHead(0, -1),)), "muted"),
        (Inputs(("a",), muted=(MutedHead(0, 1, "cross"),)), "muted"),
        (Inputs(("a",), masks=MaskSettings(blocked=(Cell(layer=2),))), "masks.blocked"),
        (Inputs(("a",), masks=MaskSettings(blocked=(Cell(text=1),))), "masks.blocked"),
        (Inputs(("a",), masks=MaskSettings(blocked=(Cell(key=2),))), "masks.blocked"),
        (Inputs(("a",), masks=MaskSettings(allowed=(Cell(layer=-1),))), "masks.allowed"),
        (Inputs(("a",), masks=MaskSettings(allowed=(Cell(head=3),))), "masks.allowed"),
        (Inputs(("a",), masks=MaskSettings(blocked=(Cell(kind="cross"),))), "masks.blocked"),
    ],
)
def test_inputs_that_do_not_suit_are_refused(
    source: NativeSource, inputs: Inputs, field: str
) -> None:
    with pytest.raises(InputError) as caught:
        source.trace(inputs)
    assert (caught.value.code, caught.value.field) == ("invalid_input", field)


def test_a_text_that_is_too_long_is_refused_by_number(source: NativeSource) -> None:
    assert len(source.trace(Inputs(("cat " * 399,))).tokens[0]) == 400
    for longest, asked in ((400, None), (400, 1000), (7, 7)):
        with pytest.raises(LimitError, match="Text 2 has 401 tokens") as caught:
            source.trace(Inputs(("cat", "cat " * 400)), max_tokens=asked)
        assert (caught.value.code, caught.value.field) == ("too_many_tokens", "texts.1")
        assert caught.value.limit == longest


def test_half_a_surrogate_pair_is_refused_by_place(source: NativeSource) -> None:
    with pytest.raises(TextError) as caught:
        source.trace(Inputs(("cat", "a\ud800")))
    assert (caught.value.code, caught.value.field) == ("lone_surrogate", "texts.1")


@pytest.mark.parametrize("causal", (None, False))
@pytest.mark.parametrize("window", (None, 2))
def test_traces_together_are_those_alone(
    source: NativeSource, causal: bool | None, window: int | None
) -> None:
    masks = MaskSettings(causal=causal, window=window)
    each = [Inputs((text,), masks=masks) for text in ("a cat", "the dog sat on the mat", "")]
    for inputs, found in zip(each, source.trace_together(each), strict=True):
        alone = source.trace(inputs)
        assert found.tokens == alone.tokens
        assert found.nbytes <= alone.nbytes  # it keeps nothing of the others alive
        for site, expected in zip(found.sites, alone.sites, strict=True):
            tensors = site.derive(expected.tensors)
            for name, tensor in expected.derive(expected.tensors).items():
                torch.testing.assert_close(tensors[name], tensor, atol=1e-5, rtol=1e-5)
        assert found.stages is not None and alone.stages is not None
        torch.testing.assert_close(found.stages, alone.stages, atol=1e-5, rtol=1e-5)
