"""The source of mechanisms from scratch: weights, words, masks, and deliberate mistakes."""

from typing import Any

import pytest
import torch
from safetensors.torch import save
from torch import Tensor

from model.errors import InputError, LimitError, UnavailableError
from model.interventions import Intervention
from model.masks.rules import Cell, MaskSettings
from model.scratch.mechanisms import MechanismId, configure
from model.scratch.network import MAX_TOKENS, ScratchNetwork
from model.sources.native import NativeSource
from model.sources.scratch import ScratchSource
from model.sources.source import Inputs, MutedHead, Source
from model.trace.settings import Size, SourceSettings
from model.trace.tensors import TensorName
from model.trace.trace import Trace

SOURCE = ScratchSource("scratch")
TEXT = "the cat sat on the mat"
N = 6


def run(
    id: MechanismId = "multi-head",
    texts: tuple[str, ...] = (TEXT,),
    *,
    targets: tuple[str, ...] | None = None,
    masks: MaskSettings | None = None,
    muted: tuple[MutedHead, ...] = (),
    interventions: tuple[Intervention, ...] = (),
    weights: dict[str, Tensor] | None = None,
    **changes: Any,
) -> Trace:
    uploaded = None if weights is None else save(weights)
    config = configure(id, changes, uploaded)
    masks = masks or MaskSettings()
    changed: dict[str, Any] = {"muted": muted, "interventions": interventions}
    inputs = Inputs(texts, targets, masks=masks, **changed, settings=config)
    return SOURCE.trace(inputs)


def tensor(trace: Trace, name: TensorName, layer: int = 0) -> Tensor:
    return trace.sites[layer].derive([name])[name]


def pattern(id: MechanismId = "multi-head", *args: Any, **changes: Any) -> Tensor:
    return tensor(run(id, *args, **changes), "pattern")


def test_it_is_a_source_that_says_what_it_cannot() -> None:
    assert isinstance(SOURCE, Source)
    assert SOURCE.info.settings == "scratch" and SOURCE.info.predicts is None
    with pytest.raises(UnavailableError, match="no vocabulary"):
        SOURCE.trace_ids([[1]])
    with pytest.raises(UnavailableError, match="no language-model head"):
        SOURCE.mute_effects(Inputs((TEXT,)))


def test_weights_are_those_after_manual_seed() -> None:
    network = ScratchNetwork(configure("multi-head", {"seed": 5}))
    torch.manual_seed(5)
    attention = network.blocks[0].attention
    for linear in (attention.w_q, attention.w_k, attention.w_v, attention.w_o):
        assert linear is not None
        torch.testing.assert_close(linear.weight.data, torch.randn(32, 32) / 32**0.5)


def test_another_seed_is_another_pattern_and_the_same_seed_the_same() -> None:
    assert not torch.equal(pattern(seed=1), pattern(seed=2))
    assert torch.equal(pattern(seed=1), pattern(seed=1))


def test_a_word_has_its_vector_in_every_text_and_at_every_place() -> None:
    first = tensor(run("average", ("cat the",)), "v")[0, 0]
    second = tensor(run("average", ("sat on a Cat",)), "v")[0, 0]
    assert torch.equal(first[0], second[3])


@pytest.mark.parametrize("id", ["fused-multi-head", "padded-batch"])
def test_every_packing_read_right_gives_the_same_heads_and_misread_others(id: MechanismId) -> None:
    packings = ("qkv head d_head", "head qkv d_head", "d_head qkv head")
    right = [pattern(id, packing=packing) for packing in packings]
    for other in right[1:]:
        torch.testing.assert_close(other, right[0])
    misread = pattern(id, packing=packings[2], read_as=packings[0])
    assert (misread - right[0]).abs().max() > 0.05


def test_fused_and_separate_projections_hold_the_same_weights() -> None:
    fused = pattern("fused-multi-head", d_head=8)
    torch.testing.assert_close(fused, pattern("multi-head"))


def test_scores_have_variance_d_head_without_a_scale_and_one_with_it() -> None:
    many = " ".join(f"word{n}" for n in range(200))
    for scale, theory in ((1.0, 16.0), ("1/sqrt(d_head)", 1.0), ("1/sqrt(d_model)", 0.25)):
        trace = run("multi-head", (many,), scale=scale, d_model=64)
        assert tensor(trace, "scores").var().item() == pytest.approx(theory, rel=0.1)


def test_softmax_over_queries_gives_columns_that_sum_to_one() -> None:
    got = pattern("single-head", softmax_over="query")
    torch.testing.assert_close(got.sum(2), torch.ones(1, 1, N))
    assert (got.sum(3) - 1).abs().max() > 0.1


def test_a_mask_after_the_softmax_loses_what_it_blocks() -> None:
    late, right = pattern("single-head", mask_applied="after"), pattern("single-head")
    free = pattern("single-head", masks=MaskSettings(causal=False))
    torch.testing.assert_close(late, free.tril())
    assert late.sum(3)[0, 0, 0] < 0.9 and late.triu(1).eq(0).all()
    torch.testing.assert_close(right.sum(3), torch.ones(1, 1, N))


def test_a_late_mask_is_what_the_forward_pass_used() -> None:
    """The second layer's q depends on the first one's output, so the mistake must change it."""
    q = [tensor(run("block", mask_applied=at), "q", 1) for at in ("before", "after")]
    assert (q[0] - q[1]).abs().max() > 0.1


@pytest.mark.parametrize(("diagonal", "seen"), [(1, 1), (0, 0), (-1, -1)])
def test_the_causal_mask_off_by_one(diagonal: int, seen: int) -> None:
    trace = run("single-head", causal_diagonal=diagonal)
    got = tensor(trace, "pattern")[0, 0]
    assert torch.equal(got > 0, torch.ones(N, N).tril(seen) > 0)
    blocked = [one.index for one in trace.sites[0].blocked_slices]
    assert blocked == ([0] if diagonal < 0 else [])


def test_a_row_without_an_allowed_key_is_zero_and_listed() -> None:
    masks = MaskSettings(blocked=(Cell(query=3),))
    trace = run(masks=masks)
    assert tensor(trace, "pattern")[0, :, 3].eq(0).all()
    assert tensor(trace, "z")[0, :, 3].eq(0).all()
    assert [(one.head, one.index) for one in trace.sites[0].blocked_slices] == [(None, 3)]


def test_right_padding_under_a_causal_mask_changes_nothing_for_real_tokens() -> None:
    texts = ("the cat", TEXT)
    on, off = (run("single-head", texts, masks=MaskSettings(padding=p)) for p in (True, False))
    assert torch.equal(tensor(on, "z")[0, :, :2], tensor(off, "z")[0, :, :2])
    on, off = (run("multi-head", texts, masks=MaskSettings(padding=p)) for p in (True, False))
    assert (tensor(on, "z")[0, :, :2] - tensor(off, "z")[0, :, :2]).abs().max() > 0.05


@pytest.mark.parametrize("positions", ["none", "sinusoidal", "rotary", "learned"])
def test_only_positions_know_the_order(positions: str) -> None:
    order = [3, 0, 5, 1, 4, 2]
    words = "one two three four five six".split()
    z = tensor(run(texts=(" ".join(words),), positions=positions), "z")[0]
    moved = tensor(run(texts=(" ".join(words[i] for i in order),), positions=positions), "z")[0]
    change = (moved - z[:, order]).abs().max()
    assert change < 1e-5 if positions == "none" else change > 0.05


def test_padding_on_the_left_shifts_no_position() -> None:
    alone = tensor(run("multi-head", ("a b",), positions="learned"), "z")[0]
    masks = MaskSettings(padding_side="left")
    padded = tensor(run("multi-head", ("a b", TEXT), positions="learned", masks=masks), "z")[0]
    torch.testing.assert_close(padded[:, 4:], alone)


def test_a_muted_head_is_silent_for_the_layers_after_it() -> None:
    q = [tensor(run("block", muted=muted), "q", 1) for muted in ((), (MutedHead(0, 2),))]
    assert (q[0] - q[1]).abs().max() > 0.01


def test_cross_attention_looks_from_targets_into_texts() -> None:
    trace = run("cross-attention", ("the cat sat", "a b c d"), targets=("who", "one two"))
    [site] = trace.sites
    assert (site.name, site.kind, site.query_tokens) == ("layers.0.cross", "cross", "target_tokens")
    got = tensor(trace, "pattern")
    assert got.shape == (2, 4, 2, 4)
    assert got[0, :, :, 3].eq(0).all()  # padding of the source
    torch.testing.assert_close(got.sum(3), torch.ones(2, 4, 2))


def test_a_patch_reads_its_source_with_the_target_of_each_text() -> None:
    texts, targets, source = ("the cat sat", "a b"), ("who", "one two"), "a cat ran"
    patch = Intervention(kind="patch", at="head", layer=0, head=2, source=source, text=1)
    found = tensor(run("cross-attention", texts, targets=targets, interventions=(patch,)), "z")
    plain = tensor(run("cross-attention", texts, targets=targets), "z")
    there = tensor(run("cross-attention", (source,), targets=targets[1:]), "z")
    torch.testing.assert_close(found[1, 2, :2], there[0, 2])
    torch.testing.assert_close(found[0], plain[0])
    torch.testing.assert_close(found[1, [0, 1, 3]], plain[1, [0, 1, 3]])
    assert (found[1, 2] - plain[1, 2]).abs().max() > 0.01


def test_cross_attention_without_a_second_text_says_why() -> None:
    with pytest.raises(InputError, match="from one text into another") as raised:
        run("cross-attention")
    assert raised.value.field == "targets"
    with pytest.raises(InputError, match="leave out `targets`"):
        run("multi-head", targets=("who",))


def test_other_sources_refuse_a_mechanism(source: Source) -> None:
    with pytest.raises(InputError, match="leave out `scratch`"):
        source.trace(Inputs(("the cat",), settings=configure()))


@pytest.mark.parametrize("text", ["", "  "])
def test_a_text_without_words_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no tokens") as raised:
        run(texts=(TEXT, text))
    assert raised.value.field == "texts.1"


def test_a_text_that_is_too_long_is_refused() -> None:
    assert len(run(texts=("a " * MAX_TOKENS,)).tokens[0]) == MAX_TOKENS
    with pytest.raises(LimitError, match="at most 256"):
        run(texts=("a " * (MAX_TOKENS + 1),))


def test_characters_may_be_the_tokens() -> None:
    trace = run(texts=("a bc",), tokens="characters")
    assert [token.text for token in trace.tokens[0]] == ["a", " ", "b", "c"]


def test_uploaded_tensors_take_the_place_of_drawn_ones() -> None:
    w_q = torch.zeros(32, 32)
    trace = run(weights={"layers.0.attention.w_q.weight": w_q})
    assert tensor(trace, "q").eq(0).all() and not tensor(trace, "k").eq(0).all()
    vectors = torch.randn(7, 8)
    trace = run("average", weights={"embedding.weight": vectors})
    torch.testing.assert_close(tensor(trace, "v")[0, 0], vectors[[1, 2, 3, 4, 1, 5]])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"w_q": torch.zeros(2)}, "There is no parameter 'w_q' here. The mechanism has embedding"),
        ({"layers.0.attention.w_q.weight": torch.zeros(2, 3)}, r"the shape \(32, 32\);"),
        ({"embedding.weight": torch.zeros(7, 3)}, r"the shape \(tokens, 32\);"),
        ({"embedding.weight": torch.zeros(2)}, r"the shape \(tokens, 32\);"),
        ({"embedding.weight": torch.zeros(3, 32)}, "has 3 rows; these texts need 6"),
        ({"embedding.weight": torch.full((6, 32), torch.nan)}, "finite numbers"),
        ({"embedding.weight": torch.zeros(6, 32, dtype=torch.int64)}, "have a floating dtype"),
        ({"embedding.weight": torch.full((6, 32), 3e38)}, "beyond the range of float32"),
        ({"embedding.weight": torch.full((6, 32), 1e16)}, "beyond the range of float32"),
    ],
)
def test_unsuitable_weights_are_refused_with_a_reason(
    weights: dict[str, Tensor], message: str
) -> None:
    with pytest.raises(InputError, match=message) as raised:
        run(weights=weights)
    assert raised.value.field == "scratch.weights"


@pytest.mark.parametrize("content", [b"", b"no", b"\xff" * 64, save({"a": torch.zeros(2)})[:-3]])
def test_what_is_no_safetensors_file_is_refused(content: bytes) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        SOURCE.trace(Inputs((TEXT,), settings=configure("multi-head", {}, content)))


class Others(SourceSettings):
    name = "other"
    size = Size(1, 2, 3, False)
    nbytes = 0


def test_settings_of_another_source_are_refused_by_their_name(source: NativeSource) -> None:
    refusing: tuple[Source, ...] = (SOURCE, source)
    for one in refusing:
        with pytest.raises(InputError, match="leave out `other`") as caught:
            one.trace(Inputs((TEXT,), settings=Others()))
        assert caught.value.field == "other"


def test_size_of_a_run_follows_its_parameters() -> None:
    config = configure("block", {"n_layers": 3, "n_heads": 2, "d_model": 10, "d_ff": 7})
    layers, channels, products, one_character = config.size
    assert (layers, channels, one_character) == (3, 10, False)
    assert products == 3 * 10 * (4 * 10 + 2 * 7)
    assert configure("block", {"tokens": "characters"}).size.one_character


def test_no_stream_and_a_reason() -> None:
    source = ScratchSource("scratch")
    trace = source.trace(Inputs(texts=("a dog",), stream=True))
    assert trace.streams == {} and source.info.stream_lacks == trace.stream_lacks
    with pytest.raises(UnavailableError, match=r"cannot be followed \(that of mechanisms from"):
        trace.stream("tokens", "it cannot be sent", field="analyse.stream")
