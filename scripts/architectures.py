"""Tries every text architecture of the installed Transformers, tiny and random: what can be shown?

    python -m scripts.architectures               # writes the table into docs/pretrained.md
    python -m scripts.architectures GPT2Model …   # says what happens with these

Each class of the auto classes for causal, masked and sequence-to-sequence language models, for
encoder–decoders and for base models is built from its own configuration, with small sizes, saved,
loaded as a checkpoint, and asked for what a first visit asks for.
"""

import dataclasses
import multiprocessing
import re
import signal
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import torch
import transformers as hf
from transformers.models.auto import modeling_auto

from model.errors import CheckpointError
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from tests.unit.sources.pretrained import checkpoints
from tests.unit.sources.pretrained.checkpoints import CLS, END, PAD, SEP, VOCAB, N

AUTO = ("CAUSAL_LM", "MASKED_LM", "SEQ_TO_SEQ_CAUSAL_LM", "BASE")
TABLE = Path(__file__).parent.parent / "docs" / "pretrained.md"
MARKS = "<!-- what `python -m scripts.architectures` writes -->", "<!-- to here -->"
TIMEOUT_S = 120  # of one class
MOST = 30_000_000  # parameters of a class whose sizes are not all known here

# Small sizes, by the names that configurations give them.
SIZES: dict[str, Any] = {
    name: size
    for size, names in (
        (N, "vocab_size src_vocab_size tgt_vocab_size unpadded_vocab_size"),
        (PAD, "pad_token_id decoder_start_token_id"),
        (CLS, "bos_token_id cls_token_id"),
        (SEP, "sep_token_id"),
        (END, "eos_token_id"),
        (VOCAB["[MASK]"], "mask_token_id"),
        (64, "max_position_embeddings n_positions max_seq_len n_ctx context_length"),
        (24, "hidden_size d_model n_embd emb_dim dim word_embed_proj_dim embedding_size"),
        (24, "embedding_dim lru_width"),
        (4, "num_hidden_layers n_layer n_layers num_layers"),
        (3, "decoder_layers num_decoder_layers"),
        (2, "encoder_layers num_encoder_layers"),
        (4, "num_attention_heads n_head n_heads num_heads attention_heads"),
        (4, "encoder_attention_heads decoder_attention_heads num_encoder_attention_heads"),
        (4, "num_decoder_attention_heads swa_num_attention_heads linear_num_value_heads"),
        (2, "num_key_value_heads swa_num_key_value_heads linear_num_key_heads"),
        (6, "head_dim d_kv d_head attention_head_size dim_head swa_head_dim global_head_dim"),
        (6, "v_head_dim linear_key_head_dim linear_value_head_dim"),
        (20, "intermediate_size encoder_ffn_dim decoder_ffn_dim ffn_dim d_ff dim_ff dff"),
        (20, "hidden_dim n_inner d_inner ffn_hidden_size feed_forward_size moe_hidden_size"),
        (20, "moe_intermediate_size shared_expert_intermediate_size intermediate_size_mlp"),
        (20, "prefix_dense_intermediate_size moe_shared_expert_intermediate_size"),
        (20, "shared_intermediate_size expert_ffn_hidden_size"),
        (4, "num_experts num_local_experts n_routed_experts moe_num_experts"),
        (2, "num_experts_per_tok moe_topk top_k_experts moe_k zero_expert_num"),
        (1, "n_shared_experts n_group topk_group num_shared_experts moe_num_shared_experts"),
        (1, "first_k_dense_replace num_dense_layers mamba_n_groups"),
        (8, "q_lora_rank kv_lora_rank index_head_dim local_attention mamba_n_heads"),
        (8, "relative_attention_num_buckets"),
        (4, "qk_rope_head_dim qk_nope_head_dim index_topk rotary_dim"),
        (4, "sliding_window attention_window_size sliding_window_size"),
        (4, "mamba_d_state state_size mamba_d_conv chunk_size mamba_chunk_size"),
        (6, "mamba_d_head"),
        (2, "index_n_heads mamba_expand mamba_dt_rank time_step_rank"),
        (48, "mamba_d_ssm"),
        (False, "use_mamba_kernels"),
    )
    for name in names.split()
}
# What a family needs beside these, or instead, by model_type.
LINEAR = ["linear_attention", "full_attention"] * 2
SLIDING = ["sliding_attention", "full_attention"] * 2
ROTARY = {"rope_type": "default", "rope_theta": 1e4}
SECTIONS = ROTARY | {"mrope_section": [1, 1, 1]}
OWN: dict[str, dict[str, Any]] = {
    **{key: {"decoder_start_token_id": PAD} for key in ("t5", "mt5", "umt5", "longt5")},
    **{
        key: {"rope_parameters": SECTIONS}
        for key in ("qwen2_vl_text", "qwen2_5_vl_text", "cosmos3_edge_text", "hunyuan_vl_text")
    },
    **{
        key: {"rope_parameters": SECTIONS | {"partial_rotary_factor": 1.0}}
        for key in ("glm4v_text", "glm_image_text", "glm_ocr_text", "glm4v_moe_text")
    },
    **{key: {"num_attention_heads": 6, "num_key_value_heads": 6} for key in ("phi", "persimmon")},
    "bailing_hybrid": {"layer_types": LINEAR},
    "bamba": {"attn_layer_indices": [1, 3]},
    "dbrx": {
        "attn_config": {"kv_n_heads": 2, "rope_theta": 1e4, "clip_qkv": 8.0},
        "ffn_config": {"ffn_hidden_size": 20, "moe_num_experts": 4, "moe_top_k": 2},
    },
    "cohere_compass_text": {
        "rope_parameters": {"full_attention": ROTARY, "sliding_attention": ROTARY}
    },
    "deepseek_v4": {"partial_rotary_factor": 0.67},
    "dots3_note_text": {"num_key_value_heads": 4},
    "esmc": {"num_key_value_heads": 4},
    "gemma3n_text": {
        "num_kv_shared_layers": 0,
        "altup_num_inputs": 2,
        "layer_types": SLIDING,
        "vocab_size_per_layer_input": N,
        "hidden_size_per_layer_input": 4,
        "laurel_rank": 4,
        "activation_sparsity_pattern": [0.0] * 4,
    },
    "gemma4_text": {"vocab_size_per_layer_input": N, "hidden_size_per_layer_input": 4},
    "glm5_next_text": {"num_key_value_heads": 4, "index_topk": 64},
    "gpt_neo": {"attention_types": [[["global", "local"], 2]]},
    "granitemoehybrid": {"layer_types": ["mamba", "attention"] * 2},
    "jamba": {"attn_layer_offset": 1, "attn_layer_period": 3, "mamba_dt_rank": 2},
    "kimi_linear": {"layer_types": LINEAR},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 2},
    "lilt": {"channel_shrink_ratio": 2},
    "luke": {"entity_vocab_size": 8, "entity_emb_size": 8},
    "mamba2": {"num_heads": 8},
    "mpnet": {"relative_attention_num_buckets": 32},
    "reformer": {"axial_pos_embds": False, "attn_layers": ["local", "lsh"]},
    "zamba": {
        "num_hidden_layers": 6,
        "attn_layer_offset": 1,
        "attn_layer_period": 3,
        "n_mamba_heads": 2,
        "num_attention_heads": 6,
    },
    "zamba2": {"layers_block_type": ["mamba", "hybrid"] * 2},
    "zaya": {"num_experts_per_tok": 1},
}


# Classes of which a configuration says that they look back alone.
DECODERS = ("ForCausalLM", "LMHeadModel", "ModelWithLMHead")


class Verdict(NamedTuple):
    """What happens with a class."""

    name: str
    family: str
    what: Literal["everything", "patterns", "refused", "not tried", "bug"]
    why: str = ""


def text_classes() -> list[str]:
    """The classes of the auto classes whose main input is text alone."""
    names = {"EncoderDecoderModel"}
    for auto in AUTO:
        kind = "MODEL" if auto == "BASE" else f"MODEL_FOR_{auto}"
        for given in getattr(modeling_auto, f"{kind}_MAPPING_NAMES").values():
            names |= {given} if isinstance(given, str) else set(given)
    return sorted(name for name in names if _reads_text(name))


def _reads_text(name: str) -> bool:
    try:
        kind: Any = getattr(hf, name)
        reads = kind.input_modalities
        return kind.main_input_name == "input_ids" and reads in ("text", ("text",), ["text"])
    except (AttributeError, ImportError):  # it needs a library that is not part of Transformers
        return False


def configured(kind: Any) -> Any:
    """A configuration of small sizes."""
    of = kind.config_class
    if of is hf.EncoderDecoderConfig:
        parts = [configured(hf.BertModel) for _ in range(2)]
        made = of.from_encoder_decoder_configs(*parts)
        made.decoder_start_token_id, made.pad_token_id = CLS, PAD
        return made
    own = {
        name: _sizes(part)
        for name, part in (of.sub_configs or {}).items()
        if dataclasses.is_dataclass(part)
    }
    config = of(**_sizes(of) | own | OWN.get(of.model_type, {}))
    config.is_decoder = kind.__name__.endswith(DECODERS)
    return config


def _sizes(of: Any) -> dict[str, Any]:
    known = {field.name for field in dataclasses.fields(of)}
    sizes = {name: size for name, size in SIZES.items() if name in known}
    if "qk_rope_head_dim" in known:  # latent attention: each head has keys, a part of them rotary
        sizes["head_dim"] = SIZES["qk_rope_head_dim"]
        sizes["num_key_value_heads"] = SIZES["num_attention_heads"]
    return sizes


def saved(kind: Any, folder: Path) -> None:
    """Write a tiny checkpoint of a class.

    Raises:
        ValueError: it would be large.
    """
    torch.manual_seed(0)
    config = configured(kind)
    with torch.device("meta"):
        n_parameters = sum(each.numel() for each in kind(config).parameters())
    if n_parameters > MOST:
        raise ValueError(f"it would have {n_parameters:,} parameters")
    fills = kind.__name__.endswith("ForMaskedLM")
    template = "$A </s>" if config.is_encoder_decoder else "[CLS] $A"
    words = checkpoints.of_bert() if fills else checkpoints.tokenizer(template)
    checkpoints.save(kind(config), words, folder)


def tried(name: str) -> Verdict:
    """Build, load and ask one class."""
    kind: Any = getattr(hf, name)
    family: str = kind.config_class.model_type
    with warnings.catch_warnings(action="ignore"), tempfile.TemporaryDirectory() as folder:
        try:
            saved(kind, Path(folder))
        except Exception as error:
            return Verdict(name, family, "not tried", f"{type(error).__name__}: {error}"[:300])
        try:
            source = PretrainedSource.load(family, folder)
        except CheckpointError as error:
            return Verdict(name, family, "refused", str(error).replace(folder, "…"))
        except Exception as error:
            return Verdict(name, family, "bug", repr(error)[:300])
        try:
            asked(source)
        except Exception as error:
            return Verdict(name, family, "bug", repr(error)[:300])
        lacks = source.info.lacks
        return Verdict(name, family, "patterns" if lacks else "everything", lacks)


def asked(source: PretrainedSource) -> None:
    """What a first visit asks for, and everything that it offers beside."""
    texts = "the cat sat on the mat near the old cabinet", "a dog"
    targets = ("a cat", "the") if source.info.takes_targets else None
    followed = not source.info.stream_lacks
    trace = source.trace(Inputs(texts, targets=targets, stream=followed))
    for site in trace.sites:
        pattern = site.derive(["pattern"])["pattern"]
        assert bool(pattern.isfinite().all()), f"{site.name} has weights that are not numbers"
    if source.info.predicts is not None:
        trace.predict(top_k=3)
        if not trace.lens_lacks:
            trace.lens(top_k=2)
    if not source.info.lacks and source.info.predicts is not None:
        source.mute_effects(Inputs(texts[1:], targets=targets and targets[1:]))


def in_time(name: str) -> Verdict:
    """As `tried`, within a time limit."""

    def end(*_: object) -> None:
        raise TimeoutError(f"it took more than {TIMEOUT_S} s")

    signal.signal(signal.SIGALRM, end)
    signal.alarm(TIMEOUT_S)
    try:
        return tried(name)
    finally:
        signal.alarm(0)


def all_tried(names: Sequence[str]) -> Iterator[Verdict]:
    """Try classes in processes of their own, as many as there are cores."""
    with multiprocessing.get_context("fork").Pool(maxtasksperchild=20) as pool:
        yield from pool.imap(in_time, names)


def table(verdicts: Iterable[Verdict]) -> str:
    """Families by what can be shown of them, and the reasons, in Markdown."""
    of: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name, family, what, why in verdicts:
        reason = re.sub(rf"\b{name}\b", "it", why).removeprefix("it ").rstrip(".")
        reason = " ".join(reason.split()).replace("|", "\\|")
        of[what, reason].add(family)
    lines = ["| what is shown | why not more | families |", "| --- | --- | --- |"]
    for what in ("everything", "patterns", "refused", "not tried", "bug"):
        reasons = [(why, families) for (is_, why), families in of.items() if is_ == what]
        for why, families in sorted(reasons, key=lambda one: (-len(one[1]), one[0])):
            lines.append(f"| {what} | {why} | {', '.join(sorted(families))} |")
    return "\n".join(lines)


def main() -> None:
    hf.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    hf.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    torch.set_num_threads(1)
    if names := sys.argv[1:]:
        for verdict in all_tried(names):
            print(verdict.name, verdict.what, verdict.why, sep=": ")
        return
    verdicts = []
    names = text_classes()
    for done, verdict in enumerate(all_tried(names), 1):
        verdicts.append(verdict)
        print(f"{done} of {len(names)}  {verdict.name}: {verdict.what}", flush=True)
    begin, end = MARKS
    text = TABLE.read_text("utf-8")
    before, after = text[: text.index(begin)], text[text.index(end) :]
    TABLE.write_text(f"{before}{begin}\n{table(verdicts)}\n{after}", "utf-8")


if __name__ == "__main__":
    main()
