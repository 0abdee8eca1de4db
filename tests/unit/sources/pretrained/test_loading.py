"""Loading checkpoints, and one clear message for each that cannot be loaded."""

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
import torch
from safetensors.torch import load_file, save_file

from model.errors import CheckpointError
from model.sources.pretrained.head import what_it_predicts
from model.sources.pretrained.opening import loading
from model.sources.pretrained.opening.loading import load
from model.sources.pretrained.opening.messages import summary
from model.sources.pretrained.opening.place import find_folder
from tests.unit.sources.pretrained.conftest import Folder


@pytest.fixture
def copy(folder: Folder, tmp_path: Path) -> Path:
    """A checkpoint that the test may break."""
    return Path(shutil.copytree(folder("bert"), tmp_path / "bert"))


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("It lacks a library. See the page\nof its authors.", "It lacks a library."),
        ("It lacks a library.\nSee the page.", "It lacks a library."),
        ("No such file: a.b c\n", "No such file: a.b c"),
        ("one line without an end\nand another", "one line without an end"),
        ("x" * 400, "x" * 299 + "…"),
        ("", "ValueError"),
    ],
)
def test_a_librarys_message_ends_with_a_sentence(message: str, told: str) -> None:
    assert summary(ValueError(message)) == told


def edit_config(folder: Path, **changes: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def without_config(folder: Path) -> None:
    (folder / "config.json").unlink()


def without_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def pickled(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")


def cut_short(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


def not_json(folder: Path) -> None:
    (folder / "config.json").write_text("{")


def a_list(folder: Path) -> None:
    (folder / "config.json").write_text("[]")


def unknown_family(folder: Path) -> None:
    edit_config(folder, model_type="no_such_model")


def own_code(folder: Path) -> None:
    edit_config(folder, model_type="no_such_model", auto_map={"AutoModel": "code.Model"})


def unknown_class(folder: Path) -> None:
    edit_config(folder, architectures=["NoSuchModelForMaskedLM"])


def lacking_a_head(folder: Path) -> None:
    path = folder / "model.safetensors"
    kept = {name: t for name, t in load_file(path).items() if "predictions.transform" not in name}
    save_file(kept, path, {"format": "pt"})


def of_another_size(folder: Path) -> None:
    edit_config(folder, hidden_size=48)


def quantised(folder: Path) -> None:
    path = folder / "model.safetensors"
    save_file({n: (t * 100).to(torch.int8) for n, t in load_file(path).items()}, path)


def declared_quantised(folder: Path) -> None:
    edit_config(folder, quantization_config={"quant_method": "gptq"})


def not_finite(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    weights["bert.encoder.layer.1.output.dense.weight"][0, 0] = torch.nan
    save_file(weights, path)


def a_tokenizers_class(folder: Path) -> None:
    edit_config(folder, architectures=["BertTokenizer"])


def without_tokenizer(folder: Path) -> None:
    for path in folder.glob("*token*"):
        path.unlink()


def of_another_tokenizer(folder: Path) -> None:
    path = folder / "tokenizer.json"
    raw = json.loads(path.read_text())
    raw["model"]["vocab"] |= {f"more{i}": 30 + i for i in range(90)}
    path.write_text(json.dumps(raw))


def shard_missing(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    index = {"weight_map": {"a": "model-00001-of-00002.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (without_config, r"Expected config\.json in .*bert, but it is missing"),
        (without_weights, r"Expected model\.safetensors or .* both are missing"),
        (
            pickled,
            r"only in pytorch_model\.bin\. These are pickles, .* expected model\.safetensors",
        ),
        (cut_short, r"not a whole safetensors file: .* Copy or download it again"),
        (not_json, r"config\.json cannot be read as JSON"),
        (a_list, r"config\.json: expected a JSON object; got list"),
        (
            unknown_family,
            r"not a configuration that Transformers .* \(model_type 'no_such_model'\)",
        ),
        (own_code, r"It comes with custom code, which Headlight never runs"),
        (unknown_class, r"the architecture NoSuchModelForMaskedLM, which Transformers"),
        (lacking_a_head, r"lack \d+ tensors that BertForMaskedLM needs, cls\.predictions"),
        (of_another_size, r"do not fit its config\.json: .* has the shape \(.*\); expected \(.*48"),
        (quantised, r"as torch\.int8, so the checkpoint is quantised"),
        (declared_quantised, r"belongs to a quantised checkpoint, which Headlight cannot read"),
        (not_finite, r"has numbers in bert\.encoder\.layer\.1\.output\.dense\.weight that are not"),
        (a_tokenizers_class, r"the architecture BertTokenizer, which Transformers .* not"),
        (without_tokenizer, r"has no readable tokenizer; expected tokenizer\.json"),
        (of_another_tokenizer, r"has 118 tokens but the model embeds 28"),
        (shard_missing, r"names model-00001-of-00002\.safetensors, but .* does not contain them"),
    ],
)
def test_each_problem_has_a_clear_message(
    copy: Path, spoil: Callable[[Path], None], message: str
) -> None:
    spoil(copy)
    with pytest.raises(CheckpointError, match=message):
        load(str(copy))


def test_too_little_memory_is_reported_before_reading(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder("bert")
    monkeypatch.setattr(loading, "read_weights", None)
    size = sum(path.stat().st_size for path in place.glob("*.safetensors"))  # as float32
    few = "of its weights in float32, but only 0.0 GB are free. "
    for free, advice in (
        (1_000, "Use a smaller model or a larger machine."),
        (0.6 * size, "In bfloat16 they take 0.0 GB: set HEADLIGHT_DTYPE=bfloat16."),
    ):
        memory = SimpleNamespace(available=free)
        monkeypatch.setattr(psutil, "virtual_memory", lambda memory=memory: memory)
        with pytest.raises(CheckpointError, match=re.escape(few + advice)):
            load(str(place))


@pytest.mark.parametrize("place", ("/no/such/folder", "./nothing", "a/b/c"))
def test_a_path_that_is_not_there_is_not_looked_for_on_a_hub(place: str) -> None:
    with pytest.raises(CheckpointError, match="Expected a folder at"):
        find_folder(place)


def test_offline_a_hub_id_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(CheckpointError, match=r"HF_HUB_OFFLINE is set.*local folder"):
        find_folder("someone/some-model-that-is-not-here")


def test_progress_goes_from_nothing_to_all(folder: Folder) -> None:
    told: list[float] = []
    load(str(folder("gpt2")), told.append)
    assert len(told) > 10
    assert told == sorted(told)
    assert told[0] > 0 and told[-1] > 0.9


def test_weights_in_half_precision_are_run_in_float32(folder: Folder, copy: Path) -> None:
    path = copy / "model.safetensors"
    save_file({n: t.half() for n, t in load_file(path).items()}, path, {"format": "pt"})
    model = load(str(copy)).model
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}


def test_a_base_checkpoint_gets_no_head(folder: Folder, tmp_path: Path) -> None:
    model: Any = load(str(folder("bert"))).model.base_model
    with torch.no_grad():
        model.save_pretrained(tmp_path)
    for path in folder("bert").glob("*token*"):
        shutil.copy(path, tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["architectures"] == ["BertModel"]
    loaded = load(str(tmp_path)).model
    assert type(loaded).__name__ == "BertModel"
    assert what_it_predicts(loaded) is None
    edit_config(tmp_path, architectures=None)
    assert type(load(str(tmp_path)).model).__name__ == "BertModel"


def test_weights_are_named_by_their_hash_and_commit(copy: Path, tmp_path: Path) -> None:
    loaded = load(str(copy))
    content = (copy / "model.safetensors").read_bytes()
    assert (loaded.weights, loaded.revision) == (hashlib.sha256(content).hexdigest(), None)
    cached = tmp_path / "models--org--bert" / "snapshots" / "0123abc"
    shutil.copytree(copy, cached)
    again = load(str(cached))
    assert (again.weights, again.revision) == (loaded.weights, "0123abc")


def test_a_licence_is_read_off_the_card(copy: Path) -> None:
    assert load(str(copy)).licence == ""
    (copy / "README.md").write_text("---\nlanguage: en\nlicense: apache-2.0\n---\n# A card\n")
    assert load(str(copy)).licence == "apache-2.0"


@pytest.mark.parametrize("start", (None, 999))
def test_a_decoder_without_a_token_to_begin_with_is_refused(
    folder: Folder, tmp_path: Path, start: int | None
) -> None:
    copied = Path(shutil.copytree(folder("t5"), tmp_path / "t5"))
    edit_config(copied, decoder_start_token_id=start)
    (copied / "generation_config.json").unlink()
    with pytest.raises(CheckpointError, match=f"decoder_start_token_id.*got {start}"):
        load(str(copied))
