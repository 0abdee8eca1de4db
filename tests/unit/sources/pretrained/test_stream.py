"""The residual stream of every family: its parts sum to it, and attention reads it as recorded.

The hidden states that Transformers itself returns are the reference.
"""

import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf
from torch import Tensor

from model.analysis.attribution import attribution
from model.analysis.cell import cell
from model.analysis.paths.search import paths
from model.errors import UnavailableError
from model.interventions import Intervention
from model.masks.rules import MaskSettings
from model.sources.pretrained.source import PretrainedSource
from model.sources.pretrained.stream.steps import UnfollowedError
from model.sources.source import Inputs, MutedHead
from model.trace.recorded import TokenAxis
from model.trace.stream import FrozenNorm, HeadsWrite, Read, Renorm, Write, summands
from model.trace.stream_tensors import stream_tensors
from model.trace.trace import Trace
from tests.sweeps import sweep
from tests.unit.sources.pretrained import checkpoints
from tests.unit.sources.pretrained.checkpoints import save, tokenizer
from tests.unit.sources.pretrained.test_families import (
    BOTH,
    CAUSAL,
    HYBRIDS,
    MASKED,
    PATTERNS_ONLY,
    loaded,
)

pytestmark = pytest.mark.long

TEXTS = ("the cat sat on the mat near the old cabinet .", "a dog", "the key is old !")
TARGETS = ("her cat is", "the dog", "")
# heads that are one matrix, or have a soft cap after it; the others transform the stream first
LINEAR = ("gpt2", "llama", "t5", "bart", *CAUSAL, "Jamba", "Lfm2", "Marian", "MBart", "Pegasus")
FAMILIES = ("bert", "gemma2", *LINEAR, *MASKED)
PARALLEL = ("GPTNeoX", "Phi", "Cohere")  # their feed-forward networks run beside attention
NORMED_QUERIES = ("Qwen3", "Olmo2", "Lfm2")
LACKS = {
    **dict.fromkeys(("bloom", *PATTERNS_ONLY), "computes attention itself"),
    "Zamba": "its attention reads something other than the stream",
}
TOLERANCE = 1e-5
# One family of each kind of block: norms after it, between and around, parallel parts, normed
# queries, experts, sinks, one module for all layers, a hybrid, and encoder–decoders of both kinds.
SAMPLE = (
    *("bert", "gemma2", "gpt2", "t5", "GPTNeoX", "Qwen3", "Olmo2"),
    *("Mixtral", "GptOss", "Albert", "Jamba", "Marian"),
)
SWEEP = sweep(FAMILIES, SAMPLE)

Open = Callable[[str], PretrainedSource]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Open, Callable[[str], Any]]:
    folders: dict[str, Path] = {}

    @cache
    def source(family: str) -> PretrainedSource:
        folder = folders[family] = tmp_path_factory.mktemp("stream") / family
        if family in checkpoints.FAMILIES:
            torch.manual_seed(0)
            return PretrainedSource.load(family, str(checkpoints.FAMILIES[family](folder)))
        sizes: dict[str, Any] = MASKED | CAUSAL | PATTERNS_ONLY
        sizes |= {name: of for name, (of, _) in HYBRIDS.items()}
        sizes |= dict.fromkeys(("Marian", "MBart", "Pegasus"), BOTH)
        head = {"Marian": "MTModel", "MBart": "ForConditionalGeneration"}
        head |= {"Pegasus": "ForConditionalGeneration"}
        usual = "ForMaskedLM" if family in MASKED else "ForCausalLM"
        return loaded(folder, family, head.get(family, usual), sizes[family])

    @cache
    def eager(family: str) -> Any:
        source(family)
        config = hf.AutoConfig.from_pretrained(folders[family])
        kind = getattr(hf, config.architectures[0])
        return kind.from_pretrained(folders[family], attn_implementation="eager").eval()

    return source, eager


def traced(source: PretrainedSource, **more: Any) -> Trace:
    targets = TARGETS if source.info.takes_targets else None
    return source.trace(Inputs(TEXTS, targets=targets, stream=True, **more))


def real(rows: Any) -> Tensor:
    return torch.tensor([[not token.padding for token in row] for row in rows])


def tokens(trace: Trace, axis: TokenAxis) -> Any:
    return trace.tokens if axis == "tokens" else trace.target_tokens


def through(norm: FrozenNorm | None, x: Tensor, text: int) -> Tensor:
    """A norm with its frozen scale, of the stream at all positions of a text."""
    if norm is None:
        return x
    x = norm.push(x[None], text, torch.arange(len(x)))[0]
    return x if norm.bias is None else x + norm.bias


def summed(trace: Trace, axis: TokenAxis, text: int, until: Any = None) -> Tensor:
    """The sum of the parts at all positions of a text."""
    n = len(tokens(trace, axis)[text])
    found = summands(trace.streams[axis], trace.sites, text=text, positions=range(n), until=until)
    assert len(set(found.parts)) == len(found.parts)
    return found.vectors.sum(dim=0)


def assert_close(one: Tensor, other: Tensor) -> None:
    """Within the tolerance, relative to the size of the stream."""
    size = max(1.0, other.abs().max().item())
    torch.testing.assert_close(one, other, atol=TOLERANCE * size, rtol=0)


def given(family: str, trace: Trace) -> dict[str, Tensor]:
    inputs = {}
    for prefix, rows in (("", trace.tokens), ("decoder_", trace.target_tokens)):
        if rows is not None:
            inputs[f"{prefix}input_ids"] = torch.tensor([[t.id for t in row] for row in rows])
            inputs[f"{prefix}attention_mask"] = real(rows).long()
    if family == "Roberta":  # its tokens include the one that its positions take for padding
        n = len(trace.tokens[0])
        inputs["position_ids"] = torch.arange(n).expand(len(trace.tokens), n) + checkpoints.SEP + 1
    return inputs


@torch.inference_mode()
def hidden_states(family: str, model: Any, trace: Trace) -> dict[TokenAxis, tuple[Tensor, ...]]:
    """What Transformers gives for each layer, and last the normed stream."""
    output = model(**given(family, trace), output_hidden_states=True, use_cache=False)
    if trace.target_tokens is None:
        return {"tokens": output.hidden_states}
    last = (*output.encoder_hidden_states[:-1], output.encoder_last_hidden_state)
    return {"tokens": last, "target_tokens": output.decoder_hidden_states}


@pytest.mark.parametrize("family", SWEEP)
def test_the_parts_sum_to_what_transformers_gives(opened: Any, family: str) -> None:
    source, eager = opened[0](family), opened[1](family)
    assert source.info.stream_lacks == ""
    trace = traced(source)
    layers = stream_tensors(trace, ["resid_pre"])
    compared = 0
    for axis, hidden in hidden_states(family, eager, trace).items():
        stream, kept = trace.streams[axis], real(tokens(trace, axis))
        for text, here in enumerate(kept):
            whole = through(stream.final, summed(trace, axis, text), text)
            assert_close(whole[here], hidden[-1][text, here])
        prefix = "" if len(trace.streams) == 1 else "encoder." if axis == "tokens" else "decoder."
        for layer, expected in enumerate(hidden[:-1]):
            assert_close(layers[f"{prefix}layers.{layer}.resid_pre"][kept], expected[kept])
            compared += 1
    assert compared == len(layers) >= 2


@pytest.mark.parametrize("family", SWEEP)
@pytest.mark.parametrize("side", ["right", "left"])
def test_the_parts_sum_to_the_stream_of_an_edited_run(opened: Any, family: str, side: Any) -> None:
    source = opened[0](family)
    if side == "left" and not source._found.pads_left:
        side = "right"
    muted = tuple(MutedHead(site.layer, 1, site.kind) for site in source.info.sites[:1])
    masks = MaskSettings(window=4, padding_side=side)
    trace = traced(source, masks=masks, muted=muted)
    axis: TokenAxis = "tokens" if trace.target_tokens is None else "target_tokens"
    assert trace.stages is not None
    for text, here in enumerate(real(trace.read_tokens)):
        whole = through(trace.streams[axis].final, summed(trace, axis, text), text)
        assert_close(whole[here], trace.stages[-1, text, here])
    at = [0, 3, 4] if axis == "tokens" else [0, 2]
    few = summands(trace.streams[axis], trace.sites, text=0, positions=at).vectors.sum(dim=0)
    assert_close(few, summed(trace, axis, 0)[at])


@pytest.mark.parametrize("family", SWEEP)
def test_the_parts_sum_to_a_stream_that_was_changed(opened: Any, family: str) -> None:
    """Everywhere it can be: what an intervention adds to the stream is a part of its own."""
    source = opened[0](family)
    axis: TokenAxis = "target_tokens" if source.info.takes_targets else "tokens"
    stack: Any = "decoder" if source.info.takes_targets else None
    layers = source.info.sites[0].layer, source.info.sites[-1].layer
    places = [(at, layer) for at in source.info.edited_at for layer in layers]
    changes = tuple(
        Intervention(kind="scale", at=at, layer=layer, site=stack, factor=0.5, positions=(0, 2))
        for at, layer in places
    )
    trace = traced(source, interventions=changes)
    plain = traced(source)
    assert trace.stages is not None and plain.stages is not None
    assert not torch.allclose(trace.stages[-1], plain.stages[-1], atol=1e-3)
    for text, here in enumerate(real(trace.read_tokens)):
        whole = through(trace.streams[axis].final, summed(trace, axis, text), text)
        assert_close(whole[here], trace.stages[-1, text, here])
    posts = stream_tensors(trace, ["resid_post"])
    last = [post for name, post in posts.items() if name.startswith(stack or "")][-1]
    for text, here in enumerate(real(trace.read_tokens)):
        whole = through(trace.streams[axis].final, last[text], text)
        assert_close(whole[here], trace.stages[-1, text, here])
    added = {
        step.part.layer: step.out
        for step in trace.streams[axis].steps
        if isinstance(step, Write) and step.part.kind == "intervention"
    }
    assert set(added) == {layer for at, layer in places if at.startswith("resid")}
    for out in added.values():
        assert (out[0, [0, 2]] != 0).any() and (out[0, [1, 3]] == 0).all()


@pytest.mark.parametrize("family", SWEEP)
def test_attention_reads_q_k_v_from_the_stream(opened: Any, family: str) -> None:
    source = opened[0](family)
    side: Any = "left" if source._found.pads_left else "right"
    trace = traced(source, masks=MaskSettings(padding_side=side))
    reads = [
        (axis, step)
        for axis, stream in trace.streams.items()
        for step in stream.steps
        if isinstance(step, Read)
    ]
    assert sorted(step.site for _, step in reads) == list(range(len(trace.sites)))
    for axis, step in reads:
        site = trace.sites[step.site]
        if family in NORMED_QUERIES:
            assert step.lacks == "its q is not linear in the stream, because it is normed or gated"
        else:
            assert step.lacks == ""
        assert site.q is not None and site.k is not None and site.v is not None
        for text, here in enumerate(real(tokens(trace, axis))):
            x = through(step.norm, summed(trace, axis, text, step), text)[None]
            made = step.project(x, text)
            wanted = [site.q[text], site.k[text], site.v[text]][: len(made)]
            assert len(made) == (1 if step.reads == "q" else 3)
            for one, other in zip(made, wanted, strict=True):
                assert_close(one[0][:, here], other[:, here])
            at = [2, 0, 1, 0]  # some positions, one of them twice
            some = step.project(x[:, at], text, at)
            for one, other in zip(some, made, strict=True):
                assert_close(one[0], other[0][:, at])
            if step.project_other is None:
                assert site.kind != "cross"
                continue
            encoder = trace.streams["tokens"]
            x = through(encoder.final, summed(trace, "tokens", text), text)[None]
            for one, other in zip(step.project_other(x, text), (site.k, site.v), strict=True):
                assert_close(one[0], other[text])


@pytest.mark.parametrize("family", SWEEP)
def test_projections_of_parts_sum_to_the_projection_of_the_whole(opened: Any, family: str) -> None:
    trace = traced(opened[0](family))
    for axis, stream in trace.streams.items():
        for step in stream.steps:
            if not isinstance(step, Read) or step.lacks:
                continue
            n = len(tokens(trace, axis)[0])
            found = summands(stream, trace.sites, text=0, positions=range(n), until=step)
            parts, at = found.vectors, torch.arange(n)
            if step.norm is not None:
                parts = step.norm.push(parts, 0, at)
            nothing = step.project(torch.zeros_like(parts[:1]), 0)
            each = step.project(parts, 0)
            whole = step.project(parts.sum(dim=0, keepdim=True), 0)
            for one, of_parts, zero in zip(whole, each, nothing, strict=True):
                assert_close((of_parts - zero).sum(dim=0) + zero[0], one[0])


@pytest.mark.parametrize("family", SWEEP)
def test_feed_forward_networks_make_what_they_write_of_the_stream(opened: Any, family: str) -> None:
    trace = traced(opened[0](family))
    for axis, stream in trace.streams.items():
        for n, step in enumerate(stream.steps):
            if not isinstance(step, Write) or step.part.kind != "mlp":
                continue
            assert step.function is not None
            # a parallel network reads what attention reads, so it stands before its heads
            before = stream.steps[n - 1]
            assert isinstance(before, Read if family in PARALLEL else HeadsWrite | Renorm | Write)
            x = through(step.reads, summed(trace, axis, 0, step), 0)[None]
            assert_close(step.function(x), step.out[:1])


def test_between_parts_that_run_beside_each_other_there_is_no_stream(opened: Any) -> None:
    for family in PARALLEL:
        trace = traced(opened[0](family))
        found = stream_tensors(trace, ["resid_pre", "mlp_out", "resid_post"])
        assert len(found) == 3 * len(trace.sites)
        with pytest.raises(UnavailableError, match="has no resid_mid"):
            stream_tensors(trace, ["resid_mid"])


@pytest.mark.parametrize("family", SWEEP)
def test_attribution_sums_to_the_logit(opened: Any, family: str) -> None:
    source, eager = opened[0](family), opened[1](family)
    trace = traced(source)
    with torch.inference_mode():
        logits = eager(**given(family, trace), use_cache=False).logits
    for text, found in enumerate(attribution(trace)):
        assert found.logit == pytest.approx(
            logits[text, found.position, found.token.id].item(), abs=1e-4
        )
        total = sum(each.value for each in found.contributions)
        whole = total + (found.soft_cap or 0.0) + found.remainder
        assert whole == pytest.approx(found.logit, abs=1e-4)
        assert (found.soft_cap is not None) == (family == "gemma2")
        bias = getattr(eager.get_output_embeddings(), "bias", None)
        if family in LINEAR:  # the remainder is the bias of the head, which Phi has
            expected = 0.0 if bias is None else bias[found.token.id].item()
            assert found.remainder == pytest.approx(expected, abs=1e-4)
        if family == "gemma2":  # its soft cap is 2 here
            assert 2 * torch.tensor(total / 2).tanh().item() == pytest.approx(found.logit, abs=1e-4)
            assert found.soft_cap == pytest.approx(found.logit - total, abs=1e-4)
            assert abs(found.remainder) < 1e-4
        per_head = {(p.part.site, p.part.head): p.value for p in found.contributions}
        for one in found.sources:
            assert sum(one.values) == pytest.approx(per_head[one.site, one.head], abs=1e-4)


@pytest.mark.parametrize("family", SWEEP)
def test_a_cell_is_the_sum_of_its_parts(opened: Any, family: str) -> None:
    trace = traced(opened[0](family))
    for kind in dict.fromkeys(site.kind for site in trace.sites):
        site = [site for site in trace.sites if site.kind == kind][-1]

        def found(site: Any = site) -> Any:
            layer, kind = site.layer, site.kind
            return cell(trace, layer=layer, head=1, query=1, key=0, kind=kind, text=0)[0]

        if family in NORMED_QUERIES:
            with pytest.raises(UnavailableError, match="its q is not linear in the stream"):
                found()
            continue
        one = found()
        scores = site.derive(["scores"], text=0)["scores"]
        assert one.score == pytest.approx(scores[0, 1, 1, 0].item(), abs=1e-5)
        total = one.values.sum().item() + (one.soft_cap or 0.0) + (one.bias or 0.0)
        assert total == pytest.approx(one.score, abs=1e-4)
        assert len(one.values) == len(one.query_parts) and abs(one.remainder) < 1e-4


@pytest.mark.parametrize("family", ("gemma2", "bert", "t5", *PARALLEL))
def test_routes_are_followed_and_cut(opened: Any, family: str) -> None:
    source = opened[0](family)
    targets = ("her cat is",) if source.info.takes_targets else None
    inputs = Inputs(("the cat sat on the mat",), targets=targets, stream=True)
    (found,) = paths(source.trace(inputs), source.runner(inputs), limit=10)
    assert found.edges
    assert not found.opaque
    with pytest.raises(UnavailableError, match="cannot be followed \\(it computes attention"):
        attribution(traced(opened[0]("bloom")))


@pytest.mark.parametrize("family", LACKS)
def test_a_stream_that_cannot_be_followed_has_a_reason(opened: Any, family: str) -> None:
    source = opened[0](family)
    assert LACKS[family] in source.info.stream_lacks
    trace = traced(source)
    assert trace.streams == {} and trace.stream_lacks == source.info.stream_lacks


def test_a_run_that_cannot_be_followed_says_so_in_a_sentence(
    opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unfollowed(*given: object) -> None:
        raise UnfollowedError("its attention reads something other than the stream")

    source = opened[0]("gpt2")
    monkeypatch.setattr("model.sources.pretrained.source.streams_of", unfollowed)
    message = "stream of gpt2 could not be followed in this run: its attention reads something"
    with pytest.raises(UnavailableError, match=message):
        traced(source)


def test_parts_have_names(opened: Any) -> None:
    def names(family: str, axis: TokenAxis = "tokens") -> list[Any]:
        steps = traced(opened[0](family)).streams[axis].steps
        kinds: dict[Any, str] = {HeadsWrite: "heads", Renorm: "norm", Read: "read"}
        return [
            (step.part.kind, step.part.layer) if isinstance(step, Write) else kinds[type(step)]
            for step in steps
        ]

    assert names("gpt2")[:6] == [
        *(("embedding", None), ("position", None), "read", "heads", ("mlp", 0), "read")
    ]
    embedded = [("embedding", None), ("segment", None), ("position", None), "norm", "read"]
    assert names("bert")[:8] == [*embedded, "heads", "norm", ("mlp", 0)]
    both = ["read", "heads", "read", "heads", ("mlp", 0)]
    assert names("t5", "target_tokens")[:6] == [("embedding", None), *both]
    # a state-space model or a convolution, where there is no attention
    assert names("Jamba")[:6] == [
        *(("embedding", None), ("mixer", 0), ("mlp", 0), "read", "heads", ("mlp", 1))
    ]
    assert ("mixer", 5) in names("Lfm2")


def test_the_modules_of_each_layer_are_told(opened: Any) -> None:
    source = opened[0]("gemma2")
    model, plan = source._body.model.model, source._found.stream
    assert plan is not None and [each.layer for each in plan.layers] == [0, 1, 2]
    for layer, parts in zip(model.layers, plan.layers, strict=True):
        assert parts.attention == (layer.self_attn,) and parts.w_o == (layer.self_attn.o_proj,)
        assert parts.mlp is layer.post_feedforward_layernorm


@pytest.mark.parametrize("family", ("gpt2", "llama", "t5"))
def test_what_is_kept_is_counted(opened: Any, family: str) -> None:
    source = opened[0](family)
    targets = TARGETS if source.info.takes_targets else None
    plain = source.trace(Inputs(TEXTS, targets=targets))
    assert plain.streams == {}
    trace = traced(source)
    tensors = {
        tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes()
        for stream in trace.streams.values()
        for tensor in stream.tensors
    }
    written = sum(
        step.out.numel() * 4
        for stream in trace.streams.values()
        for step in stream.steps
        if isinstance(step, Write)
    )
    assert trace.nbytes - plain.nbytes == sum(tensors.values())
    # besides what is written: scales, and what attention was called with (rotary angles)
    n = sum(len(rows) * len(rows[0]) for rows in (trace.tokens, trace.target_tokens) if rows)
    assert written < sum(tensors.values()) < written + 4 * n * 20


def test_a_run_beside_a_followed_one_is_not_followed(opened: Any) -> None:
    source = opened[0]("llama")
    alone = source.trace(Inputs(("a cat sat",)))
    found: list[Trace] = []

    def run() -> None:
        found.extend(source.trace(Inputs(("a cat sat",))) for _ in range(20))

    other = threading.Thread(target=run)
    other.start()
    followed = [traced(source) for _ in range(5)]
    other.join()
    assert alone.stages is not None and len(found) == 20
    for trace in found:
        assert trace.streams == {} and trace.stages is not None
        assert torch.equal(trace.stages, alone.stages)
    first = summed(followed[0], "tokens", 0)
    assert all(torch.equal(summed(each, "tokens", 0), first) for each in followed)


def test_a_sum_that_does_not_hold_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A layer that changes its stream in a way that no addition shows."""
    forward = hf.models.llama.modeling_llama.LlamaDecoderLayer.forward

    def changed(layer: Any, *args: Any, **kwargs: Any) -> Tensor:
        found: Tensor = forward(layer, *args, **kwargs)
        found.data[..., 0] *= 1.5
        return found

    monkeypatch.setattr(hf.models.llama.modeling_llama.LlamaDecoderLayer, "forward", changed)
    source = PretrainedSource.load("changed", str(checkpoints.llama(tmp_path)))
    assert "its parts differ from its last hidden states by" in source.info.stream_lacks
    assert source.info.lacks == "" and traced(source).streams == {}


def test_a_layer_that_is_not_a_sum_has_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forward = hf.models.llama.modeling_llama.LlamaDecoderLayer.forward
    monkeypatch.setattr(
        hf.models.llama.modeling_llama.LlamaDecoderLayer,
        "forward",
        lambda *args, **kwargs: forward(*args, **kwargs).tanh(),
    )
    config = hf.LlamaConfig(
        vocab_size=checkpoints.N, hidden_size=24, num_hidden_layers=2, num_attention_heads=6,
        num_key_value_heads=2, intermediate_size=20, pad_token_id=checkpoints.PAD,
    )  # fmt: skip
    saved = save(hf.LlamaForCausalLM(config), tokenizer("[CLS] $A"), tmp_path)
    source = PretrainedSource.load("squashed", str(saved))
    assert source.info.stream_lacks == (
        "its last hidden states are not the sum of what its parts write"
    )
