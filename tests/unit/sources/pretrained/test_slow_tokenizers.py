"""Checkpoints whose tokenizers are plain Python and tell no places: none is refused for it."""

from pathlib import Path

import pytest
import torch
import transformers as hf

from model.errors import CheckpointError
from model.sources.pretrained.opening.loading import check
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from tests.unit.sources.pretrained import checkpoints

pytestmark = pytest.mark.long

RESIDUES = (
    "<cls>",
    "<pad>",
    "<eos>",
    "<unk>",
    *"LAGVSERTIDPKQNFYMHWCXBUZO.-",
    "<null_1>",
    "<mask>",
)


@pytest.fixture(scope="module")
def of_bytes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """ByT5: its tokenizer has no files at all, but for its settings."""
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("byt5")
    config = hf.T5Config(  # type: ignore[call-arg]  # its base class takes it
        vocab_size=384, d_model=12, d_kv=4, num_layers=1, num_decoder_layers=1, num_heads=2,
        d_ff=8, pad_token_id=0, eos_token_id=1, decoder_start_token_id=0,
    )  # fmt: skip
    hf.T5ForConditionalGeneration(config).save_pretrained(folder)
    hf.ByT5Tokenizer().save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def of_proteins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """ESM: a list of residues."""
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("esm")
    (folder / "vocab.txt").write_text("\n".join(RESIDUES))
    config = hf.EsmConfig(
        vocab_size=len(RESIDUES), hidden_size=12, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=8, pad_token_id=1, mask_token_id=len(RESIDUES) - 1,
        position_embedding_type="rotary", max_position_embeddings=64,
    )  # fmt: skip
    hf.EsmForMaskedLM(config).save_pretrained(folder)
    hf.EsmTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def test_bytes_have_the_characters_that_they_are_parts_of(of_bytes: Path) -> None:
    source = PretrainedSource.load("byt5", str(of_bytes))
    trace = source.trace(Inputs(("a我",), targets=("é",)))
    assert [token.text for token in trace.tokens[0]] == ["a", "我₁⁄₃", "我₂⁄₃", "我₃⁄₃", "</s>"]
    assert [(token.start, token.end) for token in trace.tokens[0][:2]] == [(0, 1), (1, 2)]
    assert trace.target_tokens is not None
    assert [token.text for token in trace.target_tokens[0]] == ["<pad>", "é₁⁄₂", "é₂⁄₂"]


def test_residues_stand_where_they_were_typed(of_proteins: Path) -> None:
    source = PretrainedSource.load("esm", str(of_proteins))
    [tokens] = source.trace(Inputs(("MK <mask> J",))).tokens
    assert [(token.text, token.start, token.special) for token in tokens] == [
        ("<cls>", 0, True),
        ("M", 0, False),
        ("K", 1, False),
        ("<mask>", 3, True),
        ("J", 10, False),  # unknown
        ("<eos>", 11, True),
    ]


def test_what_reads_a_file_of_sentencepiece_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model.sources.pretrained.opening.loading.find_spec", lambda name: None)
    folder = checkpoints.bert(tmp_path / "bert")
    for file in folder.glob("*token*"):
        file.unlink()
    (folder / "source.spm").write_bytes(b"pieces")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "Nobody"}')
    for look in (check, lambda folder: PretrainedSource.load("bert", str(folder))):
        with pytest.raises(CheckpointError, match=r"source\.spm .*pip install sentencepiece"):
            look(folder)
