"""Runs that are kept: loaded from a file or unpickled, in a process that has no server."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headlight
from headlight import Client, RequestError
from headlight.interventions import scale

TEXTS = ["Maria saw herself in the mirror", "The cat", "A dog ran."]


def test_a_saved_run_is_loaded_with_what_it_was_saved_with(hl: Client, tmp_path: Path) -> None:
    run = (
        hl.trace("Maria saw herself in the mirror")
        .mute((2, 3))
        .block(query="saw", key="Maria")
        .intervene(scale(0.5, at="mlp", layer=1))
        .trace()
    )
    path = run.save(
        tmp_path / "run.safetensors", tensors=["pattern", "z"], stream=["resid_mid", "logits"]
    )
    kept = headlight.load(path)
    assert kept.tokens == run.tokens and kept.sites == run.sites
    assert (kept.request, kept.model, kept.weights) == (run.request, run.model, run.weights)
    np.testing.assert_array_equal(kept.pattern, run.pattern)
    np.testing.assert_array_equal(kept.site("layers.2").z, run.site("layers.2").z)
    np.testing.assert_array_equal(kept.stream("resid_mid"), run.stream("resid_mid"))
    np.testing.assert_array_equal(
        kept.activation("blocks.1.hook_resid_mid"), run.stream("resid_mid")[1]
    )
    np.testing.assert_array_equal(kept.logits, run.logits)
    some: dict[str, Any] = {"layers": [0, 2], "positions": (2, 5)}
    np.testing.assert_array_equal(kept.stream("resid_mid", **some), run.stream("resid_mid", **some))
    assert list(kept.predictions) == list(run.predictions)
    assert kept.link() == run.link() and kept.program() == run.program()
    again = hl.trace(kept.request)
    assert np.abs(again.compare(kept).pattern).max() < 1e-6
    for more in (
        lambda: kept.site("layers.0").q,
        lambda: kept.scores,
        lambda: kept.stream("mlp_out"),
        lambda: kept.mute((0, 0)).trace(),
        lambda: kept.save(tmp_path / "other.safetensors"),
        lambda: kept.save(tmp_path / "other.html"),
    ):
        with pytest.raises(RequestError, match="without a server") as caught:
            more()
        assert caught.value.code == "not_kept"


def test_several_texts_are_loaded_without_their_padding(hl: Client, tmp_path: Path) -> None:
    run = hl.trace(TEXTS[:2])
    kept = headlight.load(run.save(tmp_path / "run.safetensors"))
    assert [array.shape for array in kept.pattern] == [(3, 8, 7, 7), (3, 8, 3, 3)]
    for one, other in zip(kept.pattern, run.pattern, strict=True):
        np.testing.assert_array_equal(one, other)
    assert kept[1].tokens == run[1].tokens


def test_a_pickled_run_keeps_what_was_fetched(hl: Client, tmp_path: Path) -> None:
    run = hl.trace(TEXTS)  # two batches
    pattern, scores = run.pattern, run.scores
    path = tmp_path / "run.pickle"
    path.write_bytes(pickle.dumps(run))
    program = (
        "import pickle, sys, json; run = pickle.load(open(sys.argv[1], 'rb'))\n"
        "sums = [one.sum().item() for one in run.pattern]\n"
        "told = [sums, len(run.scores), str(run.tokens[1]), 'torch' in sys.modules]\n"
        "print(json.dumps(told))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    sums, n_scores, tokens, has_torch = json.loads(done.stdout)
    assert sums == [one.sum().item() for one in pattern]
    assert n_scores == len(scores) and "cat" in tokens and not has_torch
    twice = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(run))))
    np.testing.assert_array_equal(twice.pattern[2], pattern[2])


def test_what_is_no_saved_run_is_told(hl: Client, tmp_path: Path) -> None:
    plain = tmp_path / "plain.safetensors"
    saved = hl.trace("The cat").save(tmp_path / "run.safetensors")
    from safetensors.numpy import save_file

    save_file({"x": np.zeros(3, "float32")}, plain)
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"not a file")
    newer = tmp_path / "newer.safetensors"
    newer.write_bytes(saved.read_bytes().replace(b'\\"format\\": 1', b'\\"format\\": 9'))
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(saved.read_bytes()[:-100])
    for path, said in (
        (plain, "saved run"),
        (broken, "saved run"),
        (newer, "newer"),
        (cut, "saved run"),
    ):
        with pytest.raises(RequestError, match=said) as caught:
            headlight.load(path)
        assert caught.value.code == "not_a_run"
    with pytest.raises(FileNotFoundError):
        headlight.load(tmp_path / "none.safetensors")
