"""Tensors derived from a trace: equal to those of the pass, and slices equal to the whole."""

import math
from dataclasses import replace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from model.core.attention import MultiHeadAttention, SoftmaxOver
from model.core.tokenizer import Token, Tokenizer
from model.core.transformer import Transformer
from model.errors import InputError, NumericsError, UnavailableError
from model.masks.mask import BlockedSlice, Mask
from model.masks.rules import Cell, MaskSettings
from model.scratch.mechanisms import configure
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.site import Site
from model.trace.tensors import TENSORS, TensorName
from model.trace.trace import Trace

BATCH, HEADS, D_HEAD, D_MODEL = 2, 4, 3, 10
BY_ROW: tuple[TensorName, ...] = (
    *(
        "q",
        "bias",
        "gate",
        "net",
        "hidden",
        "scores",
        "pattern",
        "z",
        "result",
        "norms",
        "value_weighted",
    ),
)


def site(
    n_query: int = 5,
    n_key: int = 7,
    *,
    seed: int = 0,
    painted_head: int | None = None,
    **settings: Any,
) -> Site:
    """Random tensors with every setting that enters the softmax, unless overridden."""
    g = torch.Generator().manual_seed(seed)

    def randn(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=g)

    mask = Mask(
        n_query,
        n_key,
        MaskSettings(
            window=max(n_key - 2, 1),
            blocked=(Cell(text=1, head=painted_head, query=2), Cell(key=1)),
        ),
        batch=BATCH,
        n_heads=HEADS,
    )
    return Site(
        **{
            "name": "layers.0",
            "kind": "self",
            "layer": 0,
            "mask": mask,
            "n_heads": HEADS,
            "n_kv_heads": HEADS,
            "scale": 0.8,
            "q": randn(BATCH, HEADS, n_query, D_HEAD),
            "k": randn(BATCH, HEADS, n_key, D_HEAD),
            "v": randn(BATCH, HEADS, n_key, D_HEAD),
            "bias": randn(BATCH, HEADS, n_query, n_key),
            "soft_cap": 2.0,
            "sink": randn(HEADS),
            "w_o": randn(HEADS, D_HEAD, D_MODEL),
            **settings,
        }
    )


@given(
    heads=st.none() | st.lists(st.integers(0, HEADS - 1), min_size=1, max_size=4),
    start=st.integers(0, 5),
    stop=st.integers(0, 5),
    softmax_over=st.sampled_from(["key", "query"]),
    painted_head=st.sampled_from([None, 1]),
    bias_texts=st.sampled_from([1, BATCH]),
    bias_heads=st.sampled_from([0, 1, HEADS]),
    muted=st.sampled_from([(), (1,), (0, 2)]),
    text=st.sampled_from([None, 0, 1]),
)
def test_some_heads_and_rows_equal_slices_of_the_whole(
    heads: list[int] | None,
    start: int,
    stop: int,
    softmax_over: SoftmaxOver,
    painted_head: int | None,
    bias_texts: int,
    bias_heads: int,
    muted: tuple[int, ...],
    text: int | None,
) -> None:
    whole_site = site(softmax_over=softmax_over, painted_head=painted_head, muted=muted)
    assert whole_site.bias is not None
    bias = whole_site.bias[:bias_texts, :bias_heads] if bias_heads else None
    whole_site = replace(whole_site, bias=bias, gate=torch.rand(BATCH, HEADS, 5, 1), minus=0.5)
    names = whole_site.tensors
    assert {*names, "bias", "hidden"} == set(TENSORS)
    whole = whole_site.derive(names)
    rows = slice(min(start, stop), max(start, stop))
    part = whole_site.derive(names, heads=heads, rows=rows, text=text)
    if text is not None:
        whole = {name: tensor[text : text + 1] for name, tensor in whole.items()}
    chosen = list(range(HEADS)) if heads is None else heads
    for name in set(BY_ROW) & set(names):
        torch.testing.assert_close(part[name], whole[name][:, chosen][:, :, rows])
    for name in ("k", "v"):
        torch.testing.assert_close(part[name], whole[name][:, chosen])
    reasons = whole["blocked_by"]
    if reasons.shape[1] > 1:
        reasons = reasons[:, chosen]
    assert torch.equal(part["blocked_by"], reasons[:, :, rows])


def test_derived_tensors_follow_the_formula() -> None:
    s = site(painted_head=1)
    assert s.q is not None and s.k is not None and s.v is not None
    assert s.bias is not None and s.sink is not None and s.w_o is not None
    got = s.derive(s.tensors)
    scores = 2.0 * torch.tanh(0.8 * (s.q @ s.k.mT) / 2.0) + s.bias
    torch.testing.assert_close(got["scores"], scores)
    allowed = s.mask.allows()
    mass = scores.exp() * allowed
    pattern = mass / (mass.sum(-1, keepdim=True) + s.sink.exp()[None, :, None, None])
    torch.testing.assert_close(got["pattern"], pattern)
    assert got["pattern"][~allowed].eq(0).all()
    torch.testing.assert_close(got["z"], pattern @ s.v)
    torch.testing.assert_close(got["result"], torch.einsum("bhqd,hdm->bhqm", pattern @ s.v, s.w_o))
    moved = torch.einsum("bhqk,bhkd,hdm->bhqkm", pattern, s.v, s.w_o)
    torch.testing.assert_close(got["norms"], moved.square().sum(-1).sqrt())
    assert torch.equal(got["blocked_by"], s.mask.blocked_by())
    weighted = pattern * s.v.norm(dim=-1)[:, :, None]
    sums = weighted.sum(-1, keepdim=True)
    expected = torch.where(sums > 0, weighted / sums, 0.0)
    torch.testing.assert_close(got["value_weighted"], expected)


def test_slices_with_nothing_allowed_are_listed_and_zero() -> None:
    s = site(painted_head=1)
    assert s.blocked_slices == (BlockedSlice(1, 1, 2),)
    got = s.derive(["pattern", "z", "result", "scores"])
    for name in ("pattern", "z", "result"):
        assert got[name][1, 1, 2].eq(0).all()
        assert not got[name][1, 0, 2].eq(0).all()
    assert not got["scores"][1, 1, 2].eq(0).any()
    columns = site(softmax_over="query")
    assert [(b.text, b.head, b.index) for b in columns.blocked_slices] == [
        (0, None, 1),
        (1, None, 1),
    ]
    assert columns.derive(["pattern"])["pattern"][:, :, :, 1].eq(0).all()


def test_a_norm_is_the_share_times_the_length_of_what_is_moved() -> None:
    # v · W_O is (3, 4), of length 5, then (0, 2), of length 2; each gets half of the attention
    s = Site(
        name="layers.0",
        kind="self",
        layer=0,
        mask=Mask(1, 2),
        n_heads=1,
        n_kv_heads=1,
        scale=1.0,
        q=torch.zeros(1, 1, 1, 2),
        k=torch.zeros(1, 1, 2, 2),
        v=torch.tensor([[[[1.0, 0.0], [0.0, -2.0]]]]),
        w_o=torch.tensor([[[3.0, 4.0], [0.0, 1.0]]]),
    )
    got = s.derive(["norms"])["norms"]
    assert got.shape == (1, 1, 1, 2)
    assert got.flatten().tolist() == pytest.approx([2.5, 1.0])


def test_a_muted_head_moves_nothing_and_a_blocked_cell_neither() -> None:
    s = site(muted=(1,))
    norms = s.derive(["norms"])["norms"]
    assert norms[:, 1].eq(0).all() and norms[:, [0, 2]].amax(dim=(2, 3)).gt(0).all()
    allowed = s.mask.allows().expand_as(norms)
    assert norms[~allowed].eq(0).all()
    assert s.derive(["norms"], heads=[])["norms"].shape == (BATCH, 0, 5, 7)


@pytest.mark.parametrize("resolution", [1, 7, 64, 299, 300, 999])
@pytest.mark.parametrize("softmax_over", ["key", "query"])
def test_thumbnail_is_the_max_pool_of_the_whole_across_the_stripes(
    resolution: int, softmax_over: SoftmaxOver
) -> None:
    s = site(300, 290, softmax_over=softmax_over, bias=None)
    whole = s.derive(["pattern"])["pattern"]
    height, width = min(resolution, 300), min(resolution, 290)
    got = s.thumbnail(resolution, heads=[2, 0])
    expected = F.adaptive_max_pool2d(whole[:, [2, 0]], (height, width))
    assert got.shape == (BATCH, 2, height, width)
    torch.testing.assert_close(got, expected)


@pytest.mark.parametrize("resolution", [1, 7, 128, 299, 999])
def test_a_pooled_cell_is_blocked_where_all_its_cells_are(resolution: int) -> None:
    mask = Mask(300, 290, MaskSettings(causal=True, window=9, blocked=(Cell(key=1),)))
    s = site(300, 290, mask=mask, bias=None, painted_head=None)
    whole = s.derive(["blocked_by"])["blocked_by"]
    size = (min(resolution, 300), min(resolution, 290))
    got = s.thumbnail(resolution, name="blocked_by")
    allowed = F.adaptive_max_pool2d((whole == 0).float(), size) > 0
    assert torch.equal(got == 0, allowed)
    for bit in (1, 4, 8):
        here = F.adaptive_max_pool2d((whole & bit).float(), size) > 0
        assert torch.equal((got & bit) > 0, here & ~allowed)


def stored_site(pattern: Tensor, v: Tensor | None) -> Site:
    """A site with a pattern and optionally values, but without q and k."""
    return Site(
        name="layers.0",
        kind="self",
        layer=0,
        mask=Mask(*pattern.shape[2:]),
        n_heads=pattern.shape[1],
        n_kv_heads=pattern.shape[1],
        scale=1.0,
        v=v,
        stored_pattern=pattern,
    )


def test_thumbnail_keeps_one_bright_cell() -> None:
    pattern = torch.zeros(BATCH, HEADS, 5, 7)
    pattern[1, 2, 4, 6] = 0.9
    s = site(q=None, k=None, v=None, w_o=None, stored_pattern=pattern)
    got = s.thumbnail(2)
    assert got[1, 2, 1, 1].item() == pytest.approx(0.9)
    assert got.sum().item() == pytest.approx(0.9)


def test_a_site_without_q_k_v_gives_its_stored_pattern_and_says_what_it_lacks() -> None:
    pattern = torch.rand(BATCH, HEADS, 5, 7)
    s = site(q=None, k=None, v=None, w_o=None, stored_pattern=pattern)
    assert {"pattern", "blocked_by"} <= set(s.tensors)
    assert not {"q", "scores", "z", "result", "norms"} & set(s.tensors)
    got = s.derive(["pattern"], heads=[2], rows=slice(1, 3))["pattern"]
    assert torch.equal(got, pattern[:, 2:3, 1:3])
    with pytest.raises(UnavailableError, match="does not have scores, z") as caught:
        s.derive(["scores", "z", "pattern"])
    assert (caught.value.code, caught.value.field) == ("unavailable", "select.tensors")
    without_w_o = site(w_o=None)
    for name in ("result", "norms"):
        assert name not in without_w_o.tensors
        with pytest.raises(UnavailableError, match=f"layers.0 does not have {name}; it has q"):
            without_w_o.derive([name])


@pytest.mark.parametrize("size", [1e-30, 1.0, 1e30])
def test_values_weigh_by_their_norm_and_no_attention_stays_none(size: float) -> None:
    pattern = torch.tensor([[[[0.5, 0.3, 0.2], [0.0, 0.0, 0.0]]]])
    v = size * torch.tensor([[[[3.0, 4.0], [0.0, -1.0], [0.0, 0.0]]]])  # norms 5, 1, 0
    s = stored_site(pattern, v=v)
    got = s.derive(["value_weighted"])["value_weighted"]
    assert got[0, 0, 0].tolist() == pytest.approx([2.5 / 2.8, 0.3 / 2.8, 0.0])
    assert got[0, 0, 1].tolist() == [0.0, 0.0, 0.0]
    nothing = stored_site(pattern, v=torch.zeros_like(v)).derive(["value_weighted"])
    assert nothing["value_weighted"].eq(0).all()
    assert s.thumbnail(1, name="value_weighted").item() == pytest.approx(2.5 / 2.8)
    assert "value_weighted" not in stored_site(pattern, v=None).tensors


@pytest.mark.parametrize("head", [-1, HEADS])
def test_a_head_that_is_not_there_is_refused(head: int) -> None:
    with pytest.raises(InputError, match="heads 0 to 3") as caught:
        site().derive(["pattern"], heads=[0, head])
    assert (caught.value.code, caught.value.field) == ("invalid_input", "select.heads")


@pytest.mark.parametrize("number", [math.nan, math.inf])
@pytest.mark.parametrize("name", sorted(set(BY_ROW) - {"bias", "gate", "net", "hidden"}))  # no q
def test_a_number_that_is_not_finite_raises(name: TensorName, number: float) -> None:
    s = site(soft_cap=None)
    assert s.q is not None
    s.q[0, 1, 3, 2] = number
    with pytest.raises(NumericsError, match=f"layers.0.{name}") as caught:
        s.derive([name])
    assert caught.value.code == "not_finite"
    s.derive([name], heads=[0, 2])  # the others are as they were


# --- what a source recorded ---------------------------------------------------------------------

TEXTS = ("The cat sat on the mat", "A red dog", "the tree saw a small cat and then ran")


def block_output(s: Site, model: Transformer) -> Tensor:
    """The attention output of a layer from its derived z, concatenated over heads, times W_O."""
    z = s.derive(["z"])["z"].transpose(1, 2).flatten(2)
    return z @ dict(model.named_parameters())[f"blocks.{s.layer}.attention.w_o.weight"].T


@pytest.mark.parametrize("muted", [(), (MutedHead(0, 1), MutedHead(1, 0), MutedHead(1, 2))])
def test_what_is_derived_is_what_the_pass_used(
    source: NativeSource, muted: tuple[MutedHead, ...]
) -> None:
    outputs: list[Tensor] = []
    modules = [m for m in source.model.modules() if isinstance(m, MultiHeadAttention)]
    hooks = [
        module.register_forward_hook(lambda _module, _inputs, ran: outputs.append(ran.output))
        for module in modules
    ]
    trace = source.trace(Inputs(TEXTS, muted=muted))
    for hook in hooks:
        hook.remove()
    assert len(outputs) == len(trace.sites) == 2
    for s, output in zip(trace.sites, outputs, strict=True):
        assert (block_output(s, source.model) - output).abs().max() <= 1e-5
        result = s.derive(["result"])["result"].sum(dim=1)
        assert (result - output).abs().max() <= 1e-5
        for head in s.muted:
            assert s.derive(["z"])["z"][:, head].eq(0).all()
            assert s.derive(["pattern"])["pattern"][:, head].ne(0).any()


def test_derived_pattern_equals_a_loop_over_its_cells(source: NativeSource) -> None:
    trace = source.trace(Inputs(TEXTS))
    pads = [[token.padding for token in row] for row in trace.tokens]
    n = len(trace.tokens[0])
    for s in trace.sites:
        pattern = s.derive(["pattern"])["pattern"]
        assert s.q is not None and s.k is not None
        for text in range(3):
            for head in range(s.n_heads):
                for query in range(n):
                    keys = [key for key in range(query + 1) if not pads[text][key]]
                    dots = [(s.q[text, head, query] @ s.k[text, head, key]).item() for key in keys]
                    grown = [math.exp(dot / math.sqrt(4)) for dot in dots]
                    expected = torch.zeros(n)
                    expected[keys] = torch.tensor(grown) / sum(grown)
                    assert (pattern[text, head, query] - expected).abs().max() <= 1e-5


# --- memory and predictions ---------------------------------------------------------------------


def trace_of(*sites: Site, **settings: Any) -> Trace:
    token = Token(3, "x", 0, 1, False)
    return Trace(model="m", tokens=((token,) * 5,) * BATCH, sites=sites, **settings)


def test_patterns_derived_together_are_those_derived_alone(source: NativeSource) -> None:
    cells = (Cell(layer=1, head=0, query=3, key=1), Cell(layer=1, query=2))
    settings = MaskSettings(blocked=cells, padding_side="left")
    for masks in (MaskSettings(), settings):
        trace = source.trace(
            Inputs(("a cat sat on", "a dog"), masks=masks, muted=(MutedHead(0, 1),))
        )
        together = trace.with_patterns()
        for alone, site in zip(trace.sites, together.sites, strict=True):
            for name in ("pattern", "norms", "z", "blocked_by"):
                for heads, rows in ((None, slice(None)), ([2, 0], slice(1, 3))):
                    expected = alone.derive([name], heads=heads, rows=rows)[name]
                    found = site.derive([name], heads=heads, rows=rows)[name]
                    torch.testing.assert_close(found, expected)
        assert together.sites[1].stored_pattern is not None
        assert trace.sites[1].stored_pattern is None


def test_nbytes_counts_a_shared_storage_once() -> None:
    stream = torch.zeros(BATCH, HEADS, 5, 3 * D_HEAD)
    q, k, v = stream.chunk(3, dim=-1)
    w_o = torch.zeros(HEADS, D_HEAD, D_MODEL)
    mask = Mask(5, 5, batch=BATCH, n_heads=HEADS)
    one = site(mask=mask, q=q, k=k, v=v, bias=None, sink=None, w_o=w_o)
    size = stream.numel() * 4 + mask.nbytes
    assert mask.nbytes == 2 * BATCH * 5 * 5  # what blocks each cell, and whether anything does
    assert trace_of(one).nbytes == size
    assert trace_of(one, replace(one, layer=1)).nbytes == size
    other = replace(one, v=v.clone())
    assert trace_of(one, other).nbytes == size + v.numel() * 4
    stages = torch.zeros(4, BATCH, 5, D_MODEL)
    assert trace_of(one, stages=stages).nbytes == size + stages.numel() * 4
    own = torch.ones(1, 1, 5, 5, dtype=torch.bool)
    masked = replace(one, mask=Mask(5, 5, batch=BATCH, n_heads=HEADS, own=own))
    assert trace_of(masked, replace(masked)).nbytes == size + 25
    scratch = trace_of(one, settings=configure())  # nothing else keeps its parameters
    assert scratch.nbytes == size + w_o.numel() * 4


def test_a_trace_holds_tokens_times_d_model_not_tokens_squared(source: NativeSource) -> None:
    for n, mask in ((50, 2 * 50 * 50), (200, 0)):  # a small one is kept as a matrix
        trace = source.trace(Inputs(("cat " * (n - 1),)))
        q_k_v = 3 * 2 * 3 * n * 4  # of 2 layers, 3 heads, d_head 4
        assert len(trace.tokens[0]) == n
        assert trace.nbytes == 4 * (q_k_v + 3 * n * 10) + mask  # and the stream, in float32


LOGITS = torch.tensor([[0.0, 2.0, 1.0, -1.0], [3.0, 0.0, 0.0, 1.0]])


def predicting() -> Trace:
    """Two texts of three tokens, the second padded; the stream is its own logits.

    Before the last layer, every token is as likely as any other, but "b" twice as likely first.
    """
    real, pad = Token(3, "x", 0, 1, False), Token(0, "[PAD]", 1, 1, True, padding=True)
    stages = torch.zeros(3, 2, 3, 4)
    stages[0, ..., 1] = math.log(2)
    stages[2] = 0.0
    stages[2, 0, 2], stages[2, 1, 1] = LOGITS
    stages[2, 0, 0] = torch.tensor([0.0, 0.0, 0.0, 5.0])
    return Trace(
        model="m",
        tokens=((real, real, real), (real, real, pad)),
        sites=(),
        stages=stages,
        unembed=lambda x: x,
        token_text="abcd".__getitem__,
    )


def test_prediction_reads_the_last_real_token() -> None:
    for temperature in (1.0, 0.5, 4.0):
        found = predicting().predict(top_k=9, temperature=temperature)
        for row, logits in zip(found, LOGITS, strict=True):
            expected = (logits / temperature).softmax(-1)
            assert len(row) == 4
            for candidate in row:
                assert candidate.text == "abcd"[candidate.id]
                assert candidate.probability == pytest.approx(
                    expected[candidate.id].item(), rel=1e-5
                )
            probabilities = [candidate.probability for candidate in row]
            assert probabilities == sorted(probabilities, reverse=True)
            assert sum(probabilities) == pytest.approx(1)


def test_prediction_at_a_position_and_of_the_top_few() -> None:
    found = predicting().predict(top_k=2, position=0)
    assert found[0][0].id == 3
    assert [len(row) for row in found] == [2, 2]
    assert found[1][0].probability == pytest.approx(0.25)  # nothing there: uniform


@pytest.mark.parametrize("temperature", [1e-300, 1e-40, 1e-3])
def test_a_tiny_temperature_is_the_likeliest_token(temperature: float) -> None:
    found = predicting().predict(top_k=2, temperature=temperature)
    assert [(row[0].id, row[0].probability) for row in found] == [(1, 1.0), (0, 1.0)]
    assert found[0][1].probability == 0.0


def test_each_text_is_read_at_its_first_mask_token_or_else_at_its_last_real_one() -> None:
    trace = predicting()
    assert trace.read_positions(None, "predict") == [2, 1]
    for read_at, places in (((1, None), [1, 1]), ((None, 0), [2, 0]), ((None, None), [2, 1])):
        masked = replace(trace, predicts="fill", read_at=read_at)
        assert masked.read_positions(None, "predict") == places
        assert masked.read_positions(2, "predict") == [2, 2]
        assert [lens.position for lens in masked.lens(top_k=1)] == places
    masked = replace(trace, read_at=(0, None))
    assert [row[0].id for row in masked.predict(top_k=1)] == [3, 0]


def test_padding_is_what_says_so_whatever_its_id() -> None:
    trace = predicting()
    real = trace.tokens[0][0]
    same_id = replace(trace, tokens=((real, real, real), (real, real, replace(real, padding=True))))
    assert same_id.read_positions(None, "predict") == [2, 1]


def test_the_target_is_read_where_there_is_one() -> None:
    trace = predicting()
    real, pad = trace.tokens[0][0], trace.tokens[1][2]
    decoder = replace(trace, target_tokens=((real, pad, pad), (real, real, pad)))
    found = decoder.predict(top_k=1)
    assert [row[0].id for row in found] == [3, 0]


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"position": 3}, "predict.position"),
        ({"position": -1}, "predict.position"),
        ({"temperature": 0.0}, "predict.temperature"),
        ({"temperature": -1.0}, "predict.temperature"),
        ({"temperature": math.nan}, "predict.temperature"),
        ({"temperature": math.inf}, "predict.temperature"),
        ({"top_k": 0}, "predict.top_k"),
    ],
)
def test_an_impossible_prediction_is_refused(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        predicting().predict(**{"top_k": 3} | settings)
    assert (caught.value.code, caught.value.field) == ("invalid_input", field)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"position": 3}, "analyse.lens.position"),
        ({"position": -1}, "analyse.lens.position"),
        ({"top_k": 0}, "analyse.lens.top_k"),
    ],
)
def test_an_impossible_lens_is_refused(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        predicting().lens(**{"top_k": 3} | settings)
    assert (caught.value.code, caught.value.field) == ("invalid_input", field)


def test_the_lens_reads_every_stage_and_follows_the_final_token() -> None:
    first, second = predicting().lens(top_k=2)
    assert (first.position, second.position) == (2, 1)
    assert [(stage.name, stage.layer) for stage in first.stages] == [
        ("embedding", None),
        ("layers.0", 0),
        ("layers.1", 1),
    ]
    # b is 2 / (1 + 2 + 1 + 1) at first, and what the second text ends with, a, is 1 / 5
    assert second.stages[0].candidates[0].text == "b"
    assert second.stages[0].candidates[0].probability == pytest.approx(0.4)
    assert [stage.final.text for stage in second.stages] == ["a", "a", "a"]
    expected = [0.2, 0.25, LOGITS[1].softmax(-1)[0].item()]
    assert [stage.final.probability for stage in second.stages] == pytest.approx(expected)
    assert all(len(stage.candidates) == 2 for stage in first.stages)


def test_a_decoders_lens_names_the_decoders_layers() -> None:
    trace = predicting()
    lens = replace(trace, target_tokens=trace.tokens[::-1]).lens(top_k=1)
    assert [one.position for one in lens] == [1, 2]
    assert [stage.name for stage in lens[0].stages] == [
        "embedding",
        "decoder.layers.0",
        "decoder.layers.1",
    ]


@pytest.mark.parametrize("position", [None, 2])
def test_the_last_stage_of_the_lens_is_the_prediction(
    source: NativeSource, position: int | None
) -> None:
    trace = source.trace(Inputs(TEXTS))
    lenses = trace.lens(top_k=3, position=position)
    predictions = trace.predict(top_k=3, position=position)
    assert len(lenses) == 3
    for lens, prediction in zip(lenses, predictions, strict=True):
        output = lens.stages[-1]
        assert [one.id for one in output.candidates] == [one.id for one in prediction]
        assert [one.probability for one in (*output.candidates, output.final)] == pytest.approx(
            [one.probability for one in (*prediction, prediction[0])]
        )
        assert all(stage.final.id == prediction[0].id for stage in lens.stages)
        assert len({stage.final.probability for stage in lens.stages}) == 3  # each its own


def test_a_trace_without_a_language_model_head_predicts_nothing() -> None:
    with pytest.raises(UnavailableError, match="language-model head") as caught:
        replace(predicting(), stages=None).predict(top_k=3)
    assert (caught.value.code, caught.value.field) == ("unavailable", "predict")
    with pytest.raises(UnavailableError, match="language-model head") as caught:
        replace(predicting(), stages=None).lens(top_k=3)
    assert (caught.value.code, caught.value.field) == ("unavailable", "analyse.lens")


def test_logits_that_are_not_finite_raise() -> None:
    trace = predicting()
    assert trace.stages is not None
    trace.stages[1, 0, 2, 1] = math.nan
    trace.predict(top_k=3)  # which reads the last stage only
    with pytest.raises(NumericsError):
        trace.lens(top_k=3)
    trace.stages[2, 0, 2, 1] = math.nan
    with pytest.raises(NumericsError):
        trace.predict(top_k=3)


def test_prediction_through_the_source_is_the_models(
    source: NativeSource, tokenizer: Tokenizer
) -> None:
    found = source.trace(Inputs(TEXTS)).predict(top_k=3, temperature=2.0)
    for text, row in zip(TEXTS, found, strict=True):
        ids = torch.tensor([[token.id for token in tokenizer.encode(text)]])
        logits = source.model.unembed(source.model(ids).resid)[0, -1]
        best = (logits / 2.0).softmax(-1).topk(3)
        assert [candidate.id for candidate in row] == best.indices.tolist()
        assert [candidate.probability for candidate in row] == pytest.approx(best.values.tolist())
        assert [candidate.text for candidate in row] == [
            tokenizer.token_text(candidate.id) for candidate in row
        ]
