"""Tensors derived from a trace equal those that Transformers computes with its own attention.

At every site and head, with padding in the batch, under masks of a reader's own, with heads muted.
"""

from pathlib import Path
from typing import Any, get_args

import pytest
import torch
import transformers as hf
from torch import Tensor

from model.masks.rules import Cell, MaskSettings
from model.sources.pretrained import recording
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs, MutedHead
from model.trace.recorded import SiteKind
from model.trace.site import Site
from model.trace.trace import Trace
from tests.unit.sources.pretrained.checkpoints import HEADS, LAYERS, PAD, N, save, tokenizer
from tests.unit.sources.pretrained.conftest import Folder, Load

pytestmark = pytest.mark.long

TEXTS = ("the cat sat on the mat near the old cabinet .", "a dog", "the key is old !")
TARGETS = ("her cat is", "the dog", "")
RECORDED = ("bert", "gpt2", "llama", "gemma2", "t5", "bart")
SINGLE = ("bert", "gpt2", "llama", "gemma2")
TOLERANCE = 1e-5


def traced(load: Load, family: str, **settings: Any) -> Trace:
    targets = TARGETS if family in ("t5", "bart") else None
    return load(family).trace(Inputs(TEXTS, targets=targets, **settings))


def given(trace: Trace) -> dict[str, Tensor]:
    """The same tokens, as inputs of a Transformers model."""
    inputs = {}
    for prefix, rows in (("", trace.tokens), ("decoder_", trace.target_tokens)):
        if rows is not None:
            inputs[f"{prefix}input_ids"] = torch.tensor([[t.id for t in row] for row in rows])
            inputs[f"{prefix}attention_mask"] = real(rows).long()
    return inputs


def real(rows: Any) -> Tensor:
    return torch.tensor([[not token.padding for token in row] for row in rows])


@torch.inference_mode()
def run(model: Any, inputs: dict[str, Tensor]) -> Any:
    return model(**inputs, output_attentions=True, output_hidden_states=True, use_cache=False)


def patterns(output: Any) -> dict[SiteKind, tuple[Tensor, ...]]:
    names = {"self": "attentions", "encoder": "encoder_attentions"}
    names |= {"decoder": "decoder_attentions", "cross": "cross_attentions"}
    return {kind: output.get(names[kind]) or () for kind in get_args(SiteKind)}


def assert_same_patterns(trace: Trace, output: Any) -> None:
    """At every real query."""
    compared = 0
    for kind, of_kind in patterns(output).items():
        sites = [site for site in trace.sites if site.kind == kind]
        assert [site.layer for site in sites] == list(range(len(of_kind)))
        for site, pattern in zip(sites, of_kind, strict=True):
            rows = trace.tokens if site.query_tokens == "tokens" else trace.target_tokens
            derived = site.derive(["pattern"])["pattern"]
            assert derived.shape == pattern.shape
            apart = (derived - pattern).abs().amax(dim=(1, 3))[real(rows)]
            assert apart.max() <= TOLERANCE, site.name
            compared += 1
    assert compared == len(trace.sites) > 0


@pytest.mark.parametrize("family", RECORDED)
def test_patterns_equal_the_models_own_with_padding_on_the_right(
    load: Load, eager: Any, family: str
) -> None:
    trace = traced(load, family)
    assert load(family).info.lacks == ""
    output = run(eager(family), given(trace))
    assert_same_patterns(trace, output)
    hidden = output.decoder_hidden_states if family in ("t5", "bart") else output.hidden_states
    tokens = real(trace.read_tokens)
    assert trace.stages is not None
    assert (trace.stages[-1][tokens] - hidden[-1][tokens]).abs().max() <= TOLERANCE


@pytest.mark.parametrize("family", RECORDED)
def test_predictions_equal_the_models_own(load: Load, eager: Any, family: str) -> None:
    trace = traced(load, family)
    logits = run(eager(family), given(trace)).logits
    for text, place in enumerate(trace.read_positions(None, "")):
        expected = logits[text, place].double().softmax(-1)
        for told in trace.predict(top_k=40)[text]:
            assert told.probability == pytest.approx(expected[told.id].item(), abs=1e-6)
        # the last stage of the lens is the output
        last = trace.lens(top_k=1)[text].stages[-1]
        assert last.candidates[0].probability == pytest.approx(expected.max().item(), abs=1e-6)


@pytest.mark.parametrize("family", ("gpt2", "llama", "gemma2", "bert"))
def test_padding_on_the_left_shifts_nothing(load: Load, eager: Any, family: str) -> None:
    trace = traced(load, family, masks=MaskSettings(padding_side="left"))
    for text, typed in enumerate(TEXTS):
        alone = load(family).trace(Inputs((typed,)))
        assert trace.stages is not None and alone.stages is not None
        kept = real(trace.tokens)[text]
        apart = trace.stages[-1, text][kept] - alone.stages[-1, 0]
        assert apart.abs().max() <= TOLERANCE
        output = run(eager(family), given(alone))
        for site, pattern in zip(trace.sites, output.attentions, strict=True):
            derived = site.derive(["pattern"])["pattern"][text][:, kept][..., kept]
            assert (derived - pattern[0]).abs().max() <= TOLERANCE


def additive(allowed: Tensor) -> Tensor:
    return torch.zeros(allowed.shape).masked_fill(~allowed, torch.finfo(torch.float32).min)


@pytest.mark.parametrize("family", ("bert", "gpt2", "llama"))
@pytest.mark.parametrize("causal", (True, False))
def test_masks_of_a_readers_own_reach_every_layer(
    load: Load, eager: Any, family: str, causal: bool
) -> None:
    blocked = (Cell(query=5, key=2), Cell(text=0, key=1), Cell(text=2, query=1, key=1))
    freed = (Cell(text=0, query=1, key=4),)
    masks = MaskSettings(causal=causal, window=4, blocked=blocked, allowed=freed)
    trace = load(family).trace(Inputs(TEXTS[:1] * 3, masks=masks))
    n = len(trace.tokens[0])
    place = torch.arange(n)
    apart = place[:, None] - place[None]
    allowed = (apart.abs() < 4).expand(3, 1, n, n).clone()
    if causal:
        allowed &= apart >= 0
    allowed[:, :, 5, 2] = allowed[0, :, :, 1] = allowed[2, :, 1, 1] = False
    allowed[0, :, 1, 4] = True
    inputs = given(trace) | {"attention_mask": additive(allowed)}
    output = run(eager(family), inputs)
    assert bool(allowed.any(-1).all())  # a row with nothing allowed is 0 here, and noise there
    for site, pattern in zip(trace.sites, output.attentions, strict=True):
        assert (site.derive(["pattern"])["pattern"] - pattern).abs().max() <= TOLERANCE
    assert trace.sites[0].mask.settings.causal is causal
    assert torch.equal(trace.sites[0].mask.allows().expand_as(allowed), allowed)


@pytest.mark.parametrize("family", RECORDED)
def test_muting_a_head_equals_zeroing_its_columns_of_w_o(
    load: Load, eager: Any, family: str
) -> None:
    source = load(family)
    plain = traced(load, family)
    for kind in dict.fromkeys(site.kind for site in plain.sites):
        muted = (MutedHead(1, 1, kind),)
        trace = traced(load, family, muted=muted)
        place = next(i for i, s in enumerate(plain.sites) if (s.kind, s.layer) == (kind, 1))
        w_o = source._found.w_o[place]
        assert w_o is not None and plain.stages is not None and trace.stages is not None
        kept = w_o[1].clone()
        w_o[1] = 0.0  # the model's own parameter, seen by heads
        try:
            zeroed = traced(load, family)
        finally:
            w_o[1] = kept
        assert zeroed.stages is not None
        assert (trace.stages - zeroed.stages).abs().max() <= TOLERANCE
        assert (trace.stages - plain.stages).abs().max() > 1e-3
        assert trace.sites[place].muted == (1,)
        assert trace.sites[place].derive(["z"])["z"][:, 1].eq(0).all()


@pytest.mark.parametrize("family", ("bert", "gpt2", "t5"))
def test_each_mute_effect_is_the_difference_of_two_traces(load: Load, family: str) -> None:
    source, targets = load(family), TARGETS if family == "t5" else None
    inputs = Inputs(TEXTS, targets=targets, muted=(MutedHead(0, 0),))
    plain = source.trace(inputs)
    found = source.mute_effects(inputs)
    for text, effects in enumerate(found):
        before = {p.id: p.probability for p in plain.predict(top_k=99)[text]}
        assert effects.token.probability == pytest.approx(before[effects.token.id])
        heads = [(s.kind, s.layer, h) for s in source.info.sites for h in range(s.n_heads)]
        assert [(e.kind, e.layer, e.head) for e in effects.effects] == heads
        for effect in (effects.effects[1], effects.effects[-1]):
            assert effect.change is not None
            more = MutedHead(effect.layer, effect.head, effect.kind)  # type: ignore[arg-type]  # a kind of site
            again = source.trace(Inputs(TEXTS, targets=targets, muted=(*inputs.muted, more)))
            after = {p.id: p.probability for p in again.predict(top_k=99)[text]}
            ratio = after[effects.token.id] / before[effects.token.id]
            assert effect.change == pytest.approx(torch.tensor(ratio).log().item(), abs=1e-5)
        assert effects.effects[0].change is None


@pytest.mark.parametrize("family", RECORDED)
def test_result_adds_up_to_what_attention_writes(load: Load, family: str) -> None:
    source = load(family)
    trace = traced(load, family)
    for site, w_o in zip(trace.sites, source._found.w_o, strict=True):
        derived = site.derive(["z", "result", "norms", "pattern", "v"])
        z, result = derived["z"], derived["result"]
        by_hand = torch.einsum("bhqd,hdm->bhqm", z, w_o)
        assert (result - by_hand).abs().max() <= TOLERANCE
        moved = torch.einsum("bhkd,hdm->bhkm", derived["v"], w_o).norm(dim=-1)
        expected = derived["pattern"] * moved[:, :, None]
        assert (derived["norms"] - expected).abs().max() <= TOLERANCE


def test_a_family_with_its_own_attention_gives_its_own_patterns(load: Load, eager: Any) -> None:
    source = load("bloom")
    assert "computes attention itself" in source.info.lacks
    assert source.info.tensors == ("pattern", "blocked_by")
    trace = source.trace(Inputs(TEXTS))
    output = run(eager("bloom"), given(trace))
    assert_same_patterns(trace, output)
    assert len(trace.sites) == LAYERS and trace.sites[0].n_heads == HEADS
    assert source.info.causal
    expected = output.logits[0, -1].double().softmax(-1)
    told = trace.predict(top_k=1)[0][0]
    assert told.probability == pytest.approx(expected.max().item(), abs=1e-6)


FINAL_NORMS = {
    "gpt2": "transformer.ln_f",
    "llama": "model.norm",
    "gemma2": "model.norm",
    "t5": "decoder.final_layer_norm",
    "bloom": "transformer.ln_f",
    "bert": None,  # its layers end in norms of their own
    "bart": None,
}


@pytest.mark.parametrize("family", FINAL_NORMS)
def test_every_stage_of_the_lens_is_read_through_the_final_norm(
    load: Load, eager: Any, family: str
) -> None:
    trace = traced(load, family)
    output = run(eager(family), given(trace))
    hidden = output.decoder_hidden_states if family in ("t5", "bart") else output.hidden_states
    name = FINAL_NORMS[family]
    norm = (lambda x: x) if name is None else eager(family).get_submodule(name)
    tokens = real(trace.read_tokens)
    assert trace.stages is not None and len(trace.stages) == len(hidden)
    for stage, there in zip(trace.stages[:-1], hidden[:-1], strict=True):
        with torch.inference_mode():
            assert (stage - norm(there))[tokens].abs().max() <= TOLERANCE


def test_if_our_attention_differs_the_models_own_patterns_are_shown(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = recording._z
    monkeypatch.setattr(recording, "_z", lambda *given, **named: right(*given, **named) + 0.1)
    source = PretrainedSource.load("wrong", str(folder("gpt2")))
    assert "its hidden states differ from ours by" in source.info.lacks
    assert source.info.tensors == ("pattern", "blocked_by")


def test_if_our_pattern_differs_the_models_own_is_shown(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    derive = Site.derive

    def blurred(site: Site, names: Any, **named: Any) -> Any:
        return {name: tensor * 0.9 for name, tensor in derive(site, names, **named).items()}

    monkeypatch.setattr(Site, "derive", blurred)
    source = PretrainedSource.load("wrong", str(folder("gpt2")))
    assert source.info.lacks == "its pattern differs from ours in layers.0"


def test_a_head_that_is_not_what_the_model_says_is_not_used(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "model.sources.pretrained.source.unembedding", lambda model, body: lambda resid: resid
    )
    source = PretrainedSource.load("wrong", str(folder("gpt2")))
    assert source.info.predicts is None and source.info.lacks == ""


def test_second_segments_have_the_type_that_the_model_knows(load: Load, eager: Any) -> None:
    pairs = ("a dog is near", "him", "the boy saw her")
    trace = load("bert").trace(Inputs(TEXTS, pairs=pairs))
    types = torch.tensor([[token.segment for token in row] for row in trace.tokens])
    assert types.sum(1).tolist() == [5, 2, 5]
    output = run(eager("bert"), given(trace) | {"token_type_ids": types})
    assert_same_patterns(trace, output)
    blind = run(eager("bert"), given(trace))
    assert (output.attentions[0] - blind.attentions[0]).abs().max() > 1e-3


def test_segments_without_types_of_their_own_are_all_of_one_type(
    tmp_path: Path, folder: Folder
) -> None:
    words = tokenizer("[CLS] $A [SEP]", "[CLS] $A [SEP] [SEP] $B [SEP]")
    saved = save(hf.BertForMaskedLM.from_pretrained(folder("bert")), words, tmp_path)
    source = PretrainedSource.load("untyped", str(saved))
    trace = source.trace(Inputs(("the cat sat",), pairs=("a dog",)))
    assert [token.segment for token in trace.tokens[0]] == [0] * 6 + [1] * 3
    model = hf.BertForMaskedLM.from_pretrained(saved, attn_implementation="eager").eval()
    assert_same_patterns(trace, run(model, given(trace)))  # Transformers, too, then gives none


def test_masks_that_differ_by_row_hold_for_each_row_of_the_mute_effects(tmp_path: Path) -> None:
    config = hf.Llama4TextConfig(
        vocab_size=N, hidden_size=24, num_hidden_layers=2, num_attention_heads=6,
        num_key_value_heads=2, intermediate_size=20, intermediate_size_mlp=20, head_dim=6,
        num_local_experts=2, attention_chunk_size=4, max_position_embeddings=64, pad_token_id=PAD,
    )  # fmt: skip
    saved = save(hf.Llama4ForCausalLM(config), tokenizer("[CLS] $A"), tmp_path)
    source = PretrainedSource.load("chunked", str(saved))
    inputs = Inputs(("cat the " * 5, "a dog"))
    assert source.info.lacks == "" and source.trace(inputs).sites[0].mask.own is not None
    found = source.mute_effects(inputs)
    for text, effects in enumerate(found):
        before = source.trace(inputs).predict(top_k=N)[text]
        effect = effects.effects[3]
        muted = Inputs(inputs.texts, muted=(MutedHead(effect.layer, effect.head),))
        after = {p.id: p.probability for p in source.trace(muted).predict(top_k=N)[text]}
        ratio = after[effects.token.id] / {p.id: p.probability for p in before}[effects.token.id]
        assert effect.change == pytest.approx(torch.tensor(ratio).log().item(), abs=1e-5)
