"""Adapters: a base checkpoint with changes to its weights, kept in a folder of their own."""

import importlib.util
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import peft
import pytest
import torch
import transformers as hf
from safetensors.torch import load_file, save_file

from model.errors import CheckpointError
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from tests.unit.sources.pretrained.conftest import Folder

pytestmark = pytest.mark.long

TEXTS = ("the cat sat on the mat", "a dog")
TARGETS = {"gpt2": ["c_attn", "c_proj"], "llama": ["q_proj", "v_proj", "o_proj"]}


def make(base: Path, folder: Path, family: str) -> Any:
    """Save a LoRA adapter of a base, with weights large enough to matter; peft's own model."""
    kind = getattr(hf, hf.AutoConfig.from_pretrained(base).architectures[0])
    model = kind.from_pretrained(base, attn_implementation="eager").eval()
    config = peft.LoraConfig(
        r=3, lora_alpha=5, target_modules=TARGETS[family], fan_in_fan_out=family == "gpt2"
    )
    adapted = peft.get_peft_model(model, config)
    torch.manual_seed(1)
    with torch.no_grad():
        for name, parameter in adapted.named_parameters():
            if "lora_" in name:
                parameter.copy_(torch.randn_like(parameter) * 0.4)
    adapted.save_pretrained(str(folder))
    return adapted.eval()


@pytest.fixture
def pair(folder: Folder, tmp_path: Path) -> Path:
    """The folder of an adapter, beside its base."""
    base = shutil.copytree(folder("llama"), tmp_path / "base")
    make(base, tmp_path / "adapter", "llama")
    return tmp_path / "adapter"


def edit(folder: Path, **changes: object) -> None:
    path = folder / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize("family", TARGETS)
def test_attention_equals_that_of_peft(folder: Folder, tmp_path: Path, family: str) -> None:
    adapted = make(folder(family), tmp_path / "adapter", family)
    source = PretrainedSource.load("adapted", str(tmp_path / "adapter"))
    plain = PretrainedSource.load("plain", str(folder(family)))
    assert source.info.lacks == ""
    assert source.info.weights != plain.info.weights
    assert source.info.description.endswith(f"from {family} with the adapter adapter")
    trace, before = (one.trace(Inputs(TEXTS[:1])) for one in (source, plain))
    ids = torch.tensor([[token.id for token in trace.tokens[0]]])
    with torch.inference_mode():
        theirs = adapted(input_ids=ids, output_attentions=True)
    assert len(theirs.attentions) == len(trace.sites)
    for site, unadapted, expected in zip(trace.sites, before.sites, theirs.attentions, strict=True):
        pattern = site.derive(["pattern"])["pattern"]
        torch.testing.assert_close(pattern, expected, rtol=0, atol=1e-5)
        assert float((unadapted.derive(["pattern"])["pattern"] - pattern).abs().max()) > 1e-2
    assert trace.unembed is not None and trace.stages is not None
    torch.testing.assert_close(trace.unembed(trace.stages[-1]), theirs.logits, rtol=1e-4, atol=1e-5)
    # W_O is the adapted one
    here, there = (one.sites[0].w_o for one in (trace, before))
    assert here is not None and there is not None
    assert float((here - there).abs().max()) > 1e-2


@pytest.mark.parametrize("named", ("base", "elsewhere/base", "/no/such/folder/base", "org/base"))
def test_a_base_is_found_beside_its_adapter(pair: Path, named: str) -> None:
    edit(pair, base_model_name_or_path=named)
    assert PretrainedSource.load("adapted", str(pair)).info.n_layers == 3


def without_base(pair: Path) -> None:
    shutil.rmtree(pair.parent / "base")


def on_a_hub(pair: Path) -> None:
    without_base(pair)
    edit(pair, base_model_name_or_path="someone/base")


def unnamed(pair: Path) -> None:
    edit(pair, base_model_name_or_path=None)


def without_weights(pair: Path) -> None:
    (pair / "adapter_model.safetensors").unlink()


def of_another_size(pair: Path) -> None:
    edit(pair, r=4)


def of_other_modules(pair: Path) -> None:
    edit(pair, target_modules=["q_proj"])


def of_fewer_layers(pair: Path) -> None:
    path = pair / "adapter_model.safetensors"
    save_file({n: t for n, t in load_file(path).items() if "layers.1" not in n}, path)


def of_virtual_tokens(pair: Path) -> None:
    config = {"peft_type": "PROMPT_TUNING", "num_virtual_tokens": 2, "task_type": "CAUSAL_LM"}
    config |= {"base_model_name_or_path": "base"}
    (pair / "adapter_config.json").write_text(json.dumps(config))


def not_finite(pair: Path) -> None:
    path = pair / "adapter_model.safetensors"
    save_file({n: t * torch.inf for n, t in load_file(path).items()}, path)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (without_base, r"adapter of .*base, which was not found\. Put the base .* into .*base, or"),
        (on_a_hub, r"adapter of someone/base, which was not found\. Put .* HF_HUB_OFFLINE is set"),
        (unnamed, r"should name the base checkpoint .*; got None"),
        (without_weights, r"Expected adapter_model\.safetensors beside .* but it is missing"),
        (of_another_size, r"does not fit its base .*size mismatch|does not fit its base"),
        (
            of_other_modules,
            r"the adapter changes 6 tensors of this base, .*o_proj",
        ),
        (of_fewer_layers, r"does not fit .*base: the adapter changes 18 tensors .* has 12 of them"),
        (of_virtual_tokens, r"PROMPT_TUNING adapter, which adds virtual tokens"),
        (not_finite, r"has numbers in .*lora_A.* that are not finite"),
    ],
)
def test_each_problem_has_a_clear_message(
    pair: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None], message: str
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(pair.parent / "cache"))
    spoil(pair)
    with pytest.raises(CheckpointError, match=message):
        PretrainedSource.load("adapted", str(pair))


def test_without_peft_the_message_says_what_to_install(
    pair: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "model.sources.pretrained.opening.adapter.find_spec",
        lambda name: None if name == "peft" else find(name),
    )
    with pytest.raises(CheckpointError, match=r'extra `lora`: pip install "peft'):
        PretrainedSource.load("adapted", str(pair))
