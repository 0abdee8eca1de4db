"""What inseq attributes, in files that it wrote, and as it gives it."""

import base64
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import load

import headlight
from headlight import RequestError
from headlight.own.inseq import is_inseq, read_inseq

# `inseq` 0.7.1 wrote them, of a tiny random GPT-2 that goes on with “the old cat sat on”
DATA = Path(__file__).parent / "data"
WRITTEN = ["mat", "is", "are", "are"]


def scores(name: str) -> npt.NDArray[np.float32]:
    """[key, step, …]"""
    document = json.loads((DATA / name).read_text())
    sequence = document["attributes"]["sequence_attributions"][0]["attributes"]
    found: npt.NDArray[np.float32] = load(base64.b64decode(sequence["target_attributions"]))[
        "attribution"
    ]
    return found


def test_attention_has_its_layers_and_heads() -> None:
    given, wanted = read_inseq(DATA / "inseq_attention.json"), scores("inseq_attention.json")
    layers = given.groups["cross"]["pattern"]
    assert len(layers) == 3 and layers[0].shape == (1, 2, 4, 9)  # text, head, step, key
    for layer, head, step, key in ((0, 0, 0, 0), (1, 1, 2, 6), (2, 1, 3, 4)):
        assert layers[layer][0, head, step, key] == wanted[key, step, layer, head]
    assert (layers[1][0, 0, 0, 5:] == 0).all() and np.isnan(wanted[5:, 0, 1, 0]).all()
    assert given.target_tokens == WRITTEN
    assert given.tokens == ["the", "old", "cat", "sat", "on", *WRITTEN]


def test_of_channels_the_length_counts() -> None:
    given, wanted = read_inseq(DATA / "inseq_saliency.json"), scores("inseq_saliency.json")
    [layer] = given.groups["cross"]["pattern"].values()
    lengths = np.nan_to_num(np.sqrt((wanted.astype(float) ** 2).sum(-1)))  # key, step
    np.testing.assert_allclose(layer[0, 0], (lengths / lengths.sum(0)).T, atol=1e-6)
    np.testing.assert_allclose(layer.sum(-1), 1, atol=1e-5)


def test_what_inseq_gives_is_taken_as_it_is(tmp_path: Path) -> None:
    path = DATA / "inseq_attention.json"

    class Sequence(SimpleNamespace):
        pass

    document = json.loads(path.read_text())["attributes"]["sequence_attributions"][0]["attributes"]
    tokens: list[Any] = [SimpleNamespace(**one["attributes"]) for one in document["target"]]
    of = Sequence(
        source=tokens[:5],
        target=tokens,
        source_attributions=None,
        target_attributions=scores(path.name),
    )
    given = read_inseq(SimpleNamespace(sequence_attributions=[of]))
    written = read_inseq(path)
    assert (given.tokens, given.target_tokens) == (written.tokens, written.target_tokens)
    for one, other in zip(
        given.groups["cross"]["pattern"].values(),
        written.groups["cross"]["pattern"].values(),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)
    assert is_inseq(str(path)) and not is_inseq([[1.0]])
    picture = headlight.show(path, layer=1, head=1)
    assert "are" in picture.page.decode()


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    for content in (
        "[1, 2]",
        "{",
        '{"sequence_attributions": []}',
        '{"sequence_attributions": [1]}',
    ):
        path.write_text(content)
        with pytest.raises(RequestError, match="holds no attributions"):
            headlight.show(path)
    bare = {"source": [], "target": ["a"], "source_attributions": None, "target_attributions": None}
    path.write_text(json.dumps({"sequence_attributions": [bare]}))
    with pytest.raises(RequestError, match="no scores"):
        headlight.show(path)
    path.write_text('{"metadata": {}, "nodes": [], "links": []}')
    with pytest.raises(RequestError, match=r"Graph.load\(…\).plot\(\)"):
        headlight.show(path)
