"""GGUF files: read once, served like any other checkpoint, refused with what to do."""

from pathlib import Path
from types import SimpleNamespace

import gguf
import numpy as np
import pytest
import torch
import transformers as hf
from tokenizers.pre_tokenizers import ByteLevel

from model.errors import CheckpointError, InputError
from model.sources.opening import open_source
from model.sources.pretrained.opening import gguf as reading
from model.sources.source import Inputs
from server.run.finding import check_place

pytestmark = pytest.mark.long
LAYERS, HEADS, KV_HEADS, WIDE, INNER = 2, 4, 2, 32, 48
SPECIAL = ["<|endoftext|>", "<|pad|>"]
TOKENS = [*SPECIAL, *sorted(ByteLevel.alphabet()), "th", "Ġt"]
NORMS = ("attn_norm", "ffn_norm")


def shapes() -> dict[str, tuple[int, int]]:
    """The weights of one layer, as llama.cpp names them."""
    narrow = WIDE * KV_HEADS // HEADS
    return {
        "attn_q": (WIDE, WIDE),
        "attn_k": (narrow, WIDE),
        "attn_v": (narrow, WIDE),
        "attn_output": (WIDE, WIDE),
        "ffn_gate": (INNER, WIDE),
        "ffn_up": (INNER, WIDE),
        "ffn_down": (WIDE, INNER),
    }


def written(path: Path, *, architecture: str = "llama") -> Path:
    """A small model with random weights, quantised to eight bits where blocks of 32 fit."""
    numbers = np.random.default_rng(0)
    file = gguf.GGUFWriter(path, architecture)
    file.add_context_length(64)
    file.add_embedding_length(WIDE)
    file.add_block_count(LAYERS)
    file.add_feed_forward_length(INNER)
    file.add_head_count(HEADS)
    file.add_head_count_kv(KV_HEADS)
    file.add_rope_dimension_count(WIDE // HEADS)
    file.add_layer_norm_rms_eps(1e-5)
    file.add_rope_freq_base(10_000.0)
    file.add_vocab_size(len(TOKENS))
    file.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    file.add_string("general.license", "cc0-1.0")
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre("default")
    file.add_token_list(TOKENS)
    file.add_token_types([3] * len(SPECIAL) + [1] * (len(TOKENS) - len(SPECIAL)))
    file.add_token_merges(["t h", "Ġ t"])
    file.add_eos_token_id(0)
    file.add_pad_token_id(1)

    def add(name: str, shape: tuple[int, ...], *, small: bool = False) -> None:
        values = numbers.normal(0, 0.3, shape).astype(np.float32)
        if small and shape[-1] % 32 == 0:
            kind = gguf.GGMLQuantizationType.Q8_0
            file.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)
        else:
            file.add_tensor(name, values)

    add("token_embd.weight", (len(TOKENS), WIDE))
    add("output_norm.weight", (WIDE,))
    for layer in range(LAYERS):
        for name in NORMS:
            add(f"blk.{layer}.{name}.weight", (WIDE,))
        for name, shape in shapes().items():
            add(f"blk.{layer}.{name}.weight", shape, small=True)
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()
    return path


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("gguf") / "Tiny.Q8_0.gguf")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADLIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_it_is_read_once_and_its_patterns_are_those_of_the_weights(file: Path, cache: Path) -> None:
    done: list[float] = []
    source = open_source("tiny", str(file), done.append)
    assert done == sorted(done) and 0.9 < done[-1] <= 1.0
    info = source.info
    assert (info.n_layers, info.n_heads, info.predicts) == (LAYERS, HEADS, "next")
    assert info.licence == "cc0-1.0" and not info.lacks
    assert "Tiny.Q8_0.gguf: 8-bit (Q8_0), read back as float16" in info.description

    [folder] = (cache / "gguf").iterdir()
    model = hf.LlamaForCausalLM.from_pretrained(folder, attn_implementation="eager").float().eval()
    trace = source.trace(Inputs(("the cat",)))
    with torch.inference_mode():
        ids = torch.tensor([[token.id for token in trace.tokens[0]]])
        output = model(ids, output_attentions=True)
    for site, pattern in zip(trace.sites, output.attentions, strict=True):
        torch.testing.assert_close(site.derive(["pattern"])["pattern"], pattern)

    # the numbers are those of the file, but for the rounding to float16
    held = {one.name: one for one in gguf.GGUFReader(file).tensors}
    down = held["blk.1.ffn_down.weight"]
    stored = gguf.quants.dequantize(down.data, down.tensor_type)
    now = model.model.layers[1].mlp.down_proj.weight.detach().numpy()
    np.testing.assert_allclose(now, stored, rtol=1e-3, atol=1e-6)


def test_a_second_time_nothing_is_converted(
    file: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = reading.folder_of(file)
    monkeypatch.setattr(reading, "convert", None)
    assert reading.folder_of(file) == folder


def test_who_is_interrupted_leaves_nothing_behind(
    file: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reading.folder_of(file, interrupted)
    assert list((cache / "gguf").iterdir()) == []


def test_what_cannot_be_read_is_refused_with_what_to_do(
    file: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CheckpointError, match=r"rwkv6 is not supported.* reads .*llama.*qwen2"):
        reading.folder_of(written(tmp_path / "other.gguf", architecture="rwkv6"))
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(file.read_bytes()[:2_000])
    with pytest.raises(CheckpointError, match=r"not a whole GGUF file.*again\."):
        reading.folder_of(cut)
    with pytest.raises(CheckpointError, match="Expected a GGUF file at"):
        reading.folder_of(tmp_path / "none.gguf")
    with pytest.raises(InputError, match="There is no file"):
        check_place("none", str(tmp_path / "none.gguf"))
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1))
    with pytest.raises(CheckpointError, match="GB of memory to be read back"):
        reading.folder_of(file)


def test_without_its_library_the_message_says_how_to_install_it(
    file: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "find_spec", lambda name: None)
    with pytest.raises(CheckpointError, match=r"needs gguf and accelerate.*pip install"):
        reading.folder_of(file)


@pytest.mark.parametrize(
    ("kind", "words"),
    [(3, "4-bit (Q4_1), read back as float16"), (1, "float16"), (9_999, "read as float16")],
)
def test_what_the_weights_were_is_told(kind: int, words: str) -> None:
    assert reading._weights_were(kind) == words
