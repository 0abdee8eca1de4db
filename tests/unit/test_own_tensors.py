"""The programs in docs/own-tensors.md run, and the page reads from their files what they meant."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModel

from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "own-tensors.md").read_text()
NODE = shutil.which("node")
TEXT = "the cat sat on the mat"

needs_node = pytest.mark.skipif(NODE is None, reason="Node.js reads the files as the page does")


def programs(heading: str) -> list[str]:
    """The Python programs of a section."""
    section = DOCS.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


def run(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **given: Any) -> Any:
    """What the page draws from the file that a program writes."""
    monkeypatch.chdir(folder)
    exec(compile(program, "docs/own-tensors.md", "exec"), given)
    return opened(next(folder.glob("mine.*")))


def opened(path: Path) -> Any:
    assert NODE is not None
    driver = ROOT / "tests" / "js" / "own" / "driver.mjs"
    done = subprocess.run([NODE, driver, path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def eager(checkpoint: Path, tokens: list[str]) -> list[torch.Tensor]:
    """The model's own patterns."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(checkpoint)
    model = AutoModel.from_pretrained(checkpoint, attn_implementation="eager")
    inputs = tokenizer(TEXT, return_tensors="pt")
    assert tokenizer.convert_ids_to_tokens(inputs["input_ids"][0].tolist()) == tokens
    with torch.inference_mode():
        return list(model(**inputs, output_attentions=True).attentions)


def raw(page: Any) -> list[str]:
    """The tokens of the only text, without the spaces before them."""
    return [token.strip() for token in page["tokens"][0]]


@needs_node
def test_vectors_from_torch_give_their_causal_patterns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, heads, 5, 4).half() for heads in (6, 3, 3))
    tokens = ["<s>", "▁The", "▁cat", "s", "▁sit"]
    page = run(programs("PyTorch")[0], tmp_path, monkeypatch, q=q, k=k, v=v, tokens=tokens)
    scores = q.float() @ k.float().repeat_interleave(2, dim=1).transpose(2, 3) / 2
    hidden = torch.ones(5, 5, dtype=torch.bool).triu(1)
    expected = scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)
    torch.testing.assert_close(torch.tensor(page["patterns"])[:, 0], expected)
    assert page["tokens"] == [["<s>", "The", " cat", "s", " sit"]]
    assert page["texts"] == ["The cats sit"]
    assert [site["n_kv_heads"] for site in page["sites"]] == [3, 3]


@needs_node
@pytest.mark.parametrize("family", ["bert", "llama"])
@pytest.mark.parametrize("program", [0, 1], ids=["patterns", "vectors"])
def test_files_from_transformers_hold_the_model_s_own_patterns(
    family: str, program: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(0)
    checkpoint = FAMILIES[family](tmp_path / "checkpoint")
    code = programs("Transformers")[program]
    page = run(code, tmp_path, monkeypatch, name=str(checkpoint))
    expected = eager(checkpoint, raw(page))
    torch.testing.assert_close(
        torch.tensor(page["patterns"]), torch.stack(expected), atol=2e-6, rtol=1e-5
    )
    assert page["causal"] == (family == "llama") and page["remarks"] == []
    grouped = family == "llama" and program == 1
    assert {site["n_kv_heads"] for site in page["sites"]} == {
        2 if grouped else expected[0].shape[1]
    }


@needs_node
def test_a_compressed_archive_from_numpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = np.random.default_rng(0).dirichlet(np.ones(4), size=(3, 2, 4)).astype("float32")
    tokens = ["Ein", "Bär", "läuft", "😀"]
    page = run(programs("JAX and NumPy")[0], tmp_path, monkeypatch, pattern=pattern, tokens=tokens)
    np.testing.assert_array_equal(
        np.array(page["patterns"], dtype="float32")[:, 0],
        pattern.astype("float16").astype("float32"),
    )
    assert raw(page) == tokens


@needs_node
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f2", "<f4", ">f4", "<f8"])
def test_what_numpy_writes_is_read(
    version: tuple[int, int], order: str, dtype: str, tmp_path: Path
) -> None:
    pattern = np.random.default_rng(0).dirichlet(np.ones(5), size=(3, 5)).astype(dtype)
    path = tmp_path / "pattern.npy"
    with path.open("wb") as file:
        np.lib.format.write_array(file, np.asarray(pattern, order=order), version)  # type: ignore[call-overload]
    expected = pattern.astype("float32")
    np.testing.assert_allclose(np.array(opened(path)["patterns"])[0, 0], expected, atol=1e-7)
