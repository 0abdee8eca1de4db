"""Families beyond those of test_parity.py load, have correct traces, and predict.

Loading compares hidden states and every pattern with the family's own attention, on a padded batch;
`lacks` tells where they differ.
"""

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf

from model.errors import CheckpointError, InputError
from model.masks.rules import Cell, MaskSettings
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs, MutedHead
from tests.unit.sources.pretrained.checkpoints import END, PAD, SEP, N, of_bert, save, tokenizer

pytestmark = pytest.mark.long

IDS = {"vocab_size": N, "pad_token_id": PAD, "bos_token_id": 2, "eos_token_id": END}
PLAIN = IDS | {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 6}
PLAIN |= {"intermediate_size": 20}
GROUPED = PLAIN | {"num_key_value_heads": 2, "max_position_embeddings": 64}
EXPERTS = GROUPED | {"num_local_experts": 2, "num_experts_per_tok": 1}
BOTH = IDS | {"d_model": 24, "encoder_layers": 2, "decoder_layers": 2, "encoder_ffn_dim": 20}
BOTH |= {"encoder_attention_heads": 3, "decoder_attention_heads": 4, "decoder_ffn_dim": 20}
BOTH |= {"decoder_start_token_id": PAD, "max_position_embeddings": 64}
MASKED = {
    "Roberta": PLAIN | {"max_position_embeddings": 40, "pad_token_id": SEP},
    "Albert": PLAIN | {"embedding_size": 7},  # one module for all layers
    "Electra": PLAIN | {"embedding_size": 8},
    "DistilBert": {"vocab_size": N, "dim": 24, "n_layers": 2, "n_heads": 3, "hidden_dim": 20},
    "ModernBert": PLAIN | {"global_attn_every_n_layers": 2, "local_attention": 6},
}
CAUSAL: dict[str, dict[str, Any]] = {
    "OPT": IDS | {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3,
                  "ffn_dim": 20, "word_embed_proj_dim": 24},
    "GPTNeoX": PLAIN,
    "GPTBigCode": IDS | {"n_embd": 24, "n_layer": 2, "n_head": 3},
    "Mistral": GROUPED | {"sliding_window": 3},
    "Mixtral": EXPERTS,
    "Qwen3": GROUPED | {"head_dim": 6},
    "Phi": PLAIN,
    "Phi3": GROUPED,
    "Cohere": GROUPED,
    "Olmo2": GROUPED,
    "Granite": GROUPED | {"residual_multiplier": 0.5, "embedding_multiplier": 2.0},
    "GptOss": EXPERTS | {"head_dim": 6, "sliding_window": 3},  # sinks
}  # fmt: skip
PATTERNS_ONLY = {
    "Falcon": IDS | {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3},
    "Mpt": IDS | {"d_model": 24, "n_layers": 2, "n_heads": 3},
    "GPTJ": IDS | {"n_embd": 24, "n_layer": 2, "n_head": 3, "rotary_dim": 4},
}


def loaded(folder: Path, family: str, head: str, sizes: dict[str, Any]) -> PretrainedSource:
    torch.manual_seed(0)
    model = getattr(hf, f"{family}{head}")(getattr(hf, f"{family}Config")(**sizes))
    words = of_bert() if head == "ForMaskedLM" else tokenizer("[CLS] $A")
    return PretrainedSource.load(family, str(save(model, words, folder)))


@pytest.mark.parametrize("family", (*MASKED, *CAUSAL))
def test_everything_works(tmp_path: Path, family: str) -> None:
    fills = family in MASKED
    head = "ForMaskedLM" if fills else "LMHeadModel" if family == "GPT2" else "ForCausalLM"
    source = loaded(tmp_path, family, head, MASKED.get(family) or CAUSAL[family])
    info = source.info
    assert info.lacks == ""
    assert {"q", "result", "norms"} <= set(info.tensors)
    assert (info.predicts, info.causal) == ("fill" if fills else "next", not fills)
    trace = source.trace(Inputs(("the cat sat on the mat", "a dog")))
    assert len(trace.sites) == 2
    assert sum(told.probability for told in trace.predict(top_k=N)[1]) == pytest.approx(1)
    effects = source.mute_effects(Inputs(("the cat sat",)))[0].effects
    assert max(abs(effect.change or 0.0) for effect in effects) > 1e-4


def test_rules_of_these_families(tmp_path: Path) -> None:
    modern = loaded(tmp_path / "m", "ModernBert", "ForMaskedLM", MASKED["ModernBert"])
    long = Inputs(("the cat sat on the old mat near him",))
    assert [s.mask.settings.window for s in modern.trace(long).sites] == [None, 4]
    sunk = loaded(tmp_path / "o", "GptOss", "ForCausalLM", CAUSAL["GptOss"])
    sliding, whole = sunk.trace(long).sites
    assert (sliding.mask.settings.window, whole.mask.settings.window) == (3, None)
    assert sliding.sink is not None
    assert float(whole.derive(["pattern"])["pattern"].sum(-1).max()) < 1
    roberta = loaded(tmp_path / "r", "Roberta", "ForMaskedLM", MASKED["Roberta"])
    assert roberta.info.max_tokens == 40 - SEP - 1  # positions begin after the padding index


@pytest.mark.parametrize("family", ("Marian", "MBart", "Pegasus"))
def test_encoder_decoders_work(tmp_path: Path, family: str) -> None:
    head = "MTModel" if family == "Marian" else "ForConditionalGeneration"
    source = loaded(tmp_path, family, head, BOTH)
    assert source.info.lacks == ""
    kinds = [site.kind for site in source.info.sites]
    assert kinds == ["encoder", "encoder", "decoder", "cross", "decoder", "cross"]
    trace = source.trace(Inputs(("the cat sat",), targets=("a dog",)))
    assert sum(told.probability for told in trace.predict(top_k=N)[0]) == pytest.approx(1)


@pytest.mark.parametrize("family", PATTERNS_ONLY)
def test_a_family_with_its_own_attention_gives_only_patterns(tmp_path: Path, family: str) -> None:
    source = loaded(tmp_path, family, "ForCausalLM", PATTERNS_ONLY[family])
    assert "computes attention itself" in source.info.lacks and source.info.causal
    trace = source.trace(Inputs(("the cat sat", "a")))
    pattern = trace.sites[0].derive(["pattern"])["pattern"]
    torch.testing.assert_close(pattern[0].sum(-1), torch.ones(pattern.shape[1:3]))
    assert sum(told.probability for told in trace.predict(top_k=N)[0]) == pytest.approx(1)


@pytest.mark.parametrize("family", ("Mamba", "Rwkv"))
def test_a_model_without_attention_is_refused(tmp_path: Path, family: str) -> None:
    sizes = IDS | {"hidden_size": 24, "num_hidden_layers": 2}
    with pytest.raises(CheckpointError, match=f"{family}ForCausalLM has no attention"):
        loaded(tmp_path, family, "ForCausalLM", sizes)


MIXED = GROUPED | {"num_hidden_layers": 6}
# Attention in some layers; which ones, the configuration says.
HYBRIDS: dict[str, tuple[dict[str, Any], list[int]]] = {
    "Jamba": (
        MIXED | {"attn_layer_offset": 1, "attn_layer_period": 3, "num_experts": 2,
                 "use_mamba_kernels": False, "mamba_d_state": 4, "mamba_dt_rank": 2},
        [1, 4],
    ),
    # one attention module, shared by its layers
    "Zamba": (
        MIXED | {"attn_layer_offset": 1, "attn_layer_period": 3, "n_mamba_heads": 2,
                 "mamba_d_state": 4, "use_mamba_kernels": False},
        [2, 4],
    ),
    "Lfm2": (
        MIXED | {"layer_types": ["conv", "full_attention", "conv", "full_attention", "conv",
                                 "conv"]},
        [1, 3],
    ),
}  # fmt: skip


@pytest.mark.parametrize("family", HYBRIDS)
def test_layers_of_a_hybrid_keep_their_numbers(tmp_path: Path, family: str) -> None:
    sizes, layers = HYBRIDS[family]
    source = loaded(tmp_path, family, "ForCausalLM", sizes)
    first, second = layers
    names = [f"layers.{layer}" for layer in layers]
    assert [(site.name, site.layer) for site in source.info.sites] == list(
        zip(names, layers, strict=True)
    )
    assert (source.info.n_layers, source.info.lacks) == (6, "")
    trace = source.trace(Inputs(("the cat sat on the mat",)))
    assert [site.name for site in trace.sites] == names
    assert len(trace.lens(top_k=1)[0].stages) == 7  # of all layers
    # edits name the same layers
    cell = Cell(text=0, layer=second, head=None, query=4, key=1)
    painted = source.trace(Inputs(("the cat sat on the mat",), masks=MaskSettings(blocked=(cell,))))
    at = [site.derive(["pattern"])["pattern"][0, :, 4, 1] for site in painted.sites]
    assert bool(at[0].any()) and not bool(at[1].any())
    effects = source.mute_effects(Inputs(("the cat",), muted=(MutedHead(second, 0),)))[0].effects
    assert {effect.layer for effect in effects} == set(layers)
    assert [(e.layer, e.head) for e in effects if e.change is None] == [(second, 0)]
    with pytest.raises(InputError, match=f"in layers {first} and {second}; got 0"):
        source.trace(Inputs(("the cat",), muted=(MutedHead(0, 0),)))


SEEN = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2}
SEEN |= {"intermediate_size": 20, "image_size": 8, "patch_size": 4}
HEARD = BOTH | {"num_mel_bins": 8, "max_source_positions": 20, "max_target_positions": 20}
HEARD.pop("max_position_embeddings")


@pytest.mark.parametrize(
    ("family", "head", "sizes", "message"),
    [
        ("ViT", "ForImageClassification", SEEN, "takes images; Headlight reads text"),
        ("Whisper", "ForConditionalGeneration", HEARD, "takes audio; Headlight reads text"),
        (
            "CLIP",
            "Model",
            {"text_config": PLAIN, "vision_config": SEEN},
            "takes images together with text; Headlight reads text alone",
        ),
    ],
)
def test_a_model_of_images_or_sound_is_refused(
    tmp_path: Path, family: str, head: str, sizes: dict[str, Any], message: str
) -> None:
    with pytest.raises(CheckpointError, match=f"{family}{head} {message}"):
        loaded(tmp_path, family, head, sizes)
