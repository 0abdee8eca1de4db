"""Tiny checkpoints of other families on disk, with random weights and distinct sizes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
import transformers as hf
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = (
    "the a cat dog key keys old cabinet near is are sat on mat boy girl saw her him . , !".split()
)
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "</s>"]
VOCAB = {word: id for id, word in enumerate(SPECIAL + WORDS)}
PAD, CLS, SEP, END = (VOCAB[name] for name in ("[PAD]", "[CLS]", "[SEP]", "</s>"))
N = len(VOCAB)
D, LAYERS, HEADS = 24, 3, 2


def tokenizer(
    template: str, pair: str | None = None, *, typed: bool = False
) -> hf.PreTrainedTokenizerFast:
    """A tokenizer of words, with the special tokens of a template and its own padding token."""
    backend = Tokenizer(models.WordLevel(VOCAB, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    backend.post_processor = processors.TemplateProcessing(
        single=template,
        pair=pair or f"{template} $B",
        special_tokens=[(name, VOCAB[name]) for name in ("[CLS]", "[SEP]", "</s>")],
    )
    # what a file may carry, and nobody asked for
    backend.enable_truncation(6)
    backend.enable_padding(length=6)
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=backend, pad_token="[PAD]", unk_token="[UNK]", mask_token="[MASK]",
        cls_token="[CLS]", sep_token="[SEP]", eos_token="</s>",
        model_input_names=["input_ids", *(["token_type_ids"] if typed else []), "attention_mask"],
    )  # fmt: skip


def of_bert() -> hf.PreTrainedTokenizerFast:
    return tokenizer("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", typed=True)


def save(model: hf.PreTrainedModel, words: hf.PreTrainedTokenizerFast, folder: Path) -> Path:
    """Save with `save_pretrained`, with weights large enough for distinct patterns, and biases."""
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                parameter.copy_(torch.randn_like(parameter) * parameter.shape[1] ** -0.5)
        for parameter in model.parameters():
            if parameter.dim() == 1:  # biases would be 0, and the gains of norms 1
                parameter.add_(0.2 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def bert(folder: Path) -> Path:
    config = hf.BertConfig(
        vocab_size=N, hidden_size=D, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
        intermediate_size=20, max_position_embeddings=40, pad_token_id=PAD,
    )  # fmt: skip
    return save(hf.BertForMaskedLM(config), of_bert(), folder)


def gpt2(folder: Path) -> Path:
    config = hf.GPT2Config(
        vocab_size=N, n_embd=D, n_layer=LAYERS, n_head=HEADS, n_positions=40,
        bos_token_id=END, eos_token_id=END,
    )  # fmt: skip
    return save(hf.GPT2LMHeadModel(config), tokenizer("$A"), folder)


def llama(folder: Path, *, layers: int = LAYERS, heads: int = 6) -> Path:
    config = hf.LlamaConfig(
        vocab_size=N, hidden_size=D, num_hidden_layers=layers, num_attention_heads=heads,
        num_key_value_heads=2, intermediate_size=20, max_position_embeddings=4_096,
        bos_token_id=CLS, eos_token_id=END,
    )  # fmt: skip
    return save(hf.LlamaForCausalLM(config), tokenizer("[CLS] $A"), folder)


def gemma2(folder: Path) -> Path:
    config = hf.Gemma2Config(
        vocab_size=N, hidden_size=D, num_hidden_layers=LAYERS, num_attention_heads=6,
        num_key_value_heads=2, head_dim=10, intermediate_size=20, sliding_window=3,
        attn_logit_softcapping=1.5, final_logit_softcapping=2.0, query_pre_attn_scalar=5,
        max_position_embeddings=40, pad_token_id=PAD, bos_token_id=CLS, eos_token_id=END,
    )  # fmt: skip
    return save(hf.Gemma2ForCausalLM(config), tokenizer("[CLS] $A"), folder)


def t5(folder: Path, *, decoder_layers: int = 3, heads: int = 4) -> Path:
    config = hf.T5Config(  # type: ignore[call-arg]  # its base class takes it
        vocab_size=N, d_model=D, d_kv=5, num_layers=2, num_decoder_layers=decoder_layers,
        num_heads=heads, d_ff=20,
        relative_attention_num_buckets=8, pad_token_id=PAD, eos_token_id=END,
        decoder_start_token_id=PAD,
    )  # fmt: skip
    return save(hf.T5ForConditionalGeneration(config), tokenizer("$A </s>"), folder)


def bart(folder: Path) -> Path:
    config = hf.BartConfig(
        vocab_size=N, d_model=D, encoder_layers=2, decoder_layers=3, encoder_attention_heads=3,
        decoder_attention_heads=4, encoder_ffn_dim=20, decoder_ffn_dim=20,
        max_position_embeddings=40, pad_token_id=PAD, bos_token_id=CLS, eos_token_id=SEP,
        decoder_start_token_id=SEP, forced_eos_token_id=None,
    )  # fmt: skip
    return save(hf.BartForConditionalGeneration(config), tokenizer("[CLS] $A [SEP]"), folder)


def bloom(folder: Path) -> Path:
    """A family that computes its attention by itself."""
    config = hf.BloomConfig(
        vocab_size=N, hidden_size=D, n_layer=LAYERS, n_head=HEADS, pad_token_id=PAD,
        bos_token_id=CLS, eos_token_id=END,
    )  # fmt: skip
    return save(hf.BloomForCausalLM(config), tokenizer("[CLS] $A"), folder)


FAMILIES: dict[str, Callable[[Path], Path]] = {
    family.__name__: family for family in (bert, gpt2, llama, gemma2, t5, bart, bloom)
}
# The same kinds of sites, but few of each: for tests whose time grows with the square of the sites.
SMALL: dict[str, Callable[[Path], Path]] = {
    "llama": partial(llama, layers=2, heads=4),
    "t5": partial(t5, decoder_layers=1, heads=2),
}
