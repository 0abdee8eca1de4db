"""Frames of a film: what is written, what is read back, and how much 8 bits change."""

from pathlib import Path
from typing import Any

import pytest
import torch

from model.core.checkpoint import SHIPPED
from model.errors import CheckpointError, InputError
from model.film import (
    Film,
    base_of,
    frame_path,
    frames_in,
    in_bytes,
    load_frame,
    read_film,
    save_frame,
    write_film,
)
from model.sources.native import NativeSource
from model.sources.registry import Frames, Load, Registry
from model.sources.source import Inputs
from model.training.evaluation import filmed
from model.training.evaluation.filmed import mute_effects, pack
from model.training.recipe.frames import frame_steps

CURVES = {"loss": [3.0, 2.0, 1.0]}
HEADS: dict[str, list[list[list[float | None]]]] = {"induction": [[[0.0]], [[None]], [[0.5]]]}


@pytest.fixture
def folder(checkpoint_folder: Path, tmp_path: Path) -> Path:
    """A checkpoint with two frames, which are other weights than its own."""
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path / name).write_bytes((checkpoint_folder / name).read_bytes())
    weights = NativeSource("own", tmp_path).model.state_dict()
    for step, factor in ((0, 0.5), (20, 0.75)):
        save_frame(tmp_path, step, {name: factor * tensor for name, tensor in weights.items()})
    write_film(tmp_path, Film((0, 20, 50), CURVES, HEADS))
    return tmp_path


def test_a_frame_is_the_model_after_a_step(folder: Path) -> None:
    own = NativeSource("own", folder).model.state_dict()
    frame = NativeSource("own@20", folder, 20)
    for name, tensor in frame.model.state_dict().items():
        torch.testing.assert_close(tensor, 0.75 * own[name], rtol=1e-3, atol=1e-6)
    assert frame.info.weights != NativeSource("own", folder).info.weights
    assert read_film(folder) == Film((0, 20, 50), CURVES, HEADS)
    assert frames_in(folder) == (0, 20)


def test_8_bits_are_off_by_half_a_step_of_their_row_at_most(folder: Path) -> None:
    torch.manual_seed(0)
    weights = {"w": torch.randn(7, 40) * torch.logspace(-3, 1, 7)[:, None], "b": torch.randn(5)}
    save_frame(folder, 30, weights, bits=8)
    read = load_frame(folder, 30)
    assert read.keys() == weights.keys() and torch.equal(read["b"], weights["b"])
    half = weights["w"].abs().amax(-1, keepdim=True) / 127 / 2
    assert ((read["w"] - weights["w"]).abs() <= half * 1.0001).all()
    sizes = [sum(t.nbytes for t in kept.values()) for kept in (in_bytes(weights), weights)]
    assert sizes[0] < 0.4 * sizes[1]
    assert torch.equal(in_bytes({"z": torch.zeros(2, 3)})["z"], torch.zeros(2, 3).to(torch.int8))


def test_a_film_that_does_not_fit_its_frames_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="no step 7"):
        NativeSource("own@7", folder, 7)
    frame_path(folder, 20).write_bytes(b"broken")
    with pytest.raises(CheckpointError, match="cannot be read"):
        NativeSource("own@20", folder, 20)
    frame_path(folder, 20).unlink()
    with pytest.raises(CheckpointError, match="but the folder has frames of"):
        read_film(folder)
    (folder / "film" / "film.json").write_text('{"steps": [0, 50]}')
    with pytest.raises(CheckpointError, match=r"does not describe a film: .*'curves'"):
        read_film(folder)
    (folder / "film" / "film.json").unlink()
    with pytest.raises(CheckpointError, match="never measured"):
        read_film(folder)
    frame_path(folder, 0).unlink()
    assert read_film(folder) is None


def test_the_steps_of_a_model_are_models(folder: Path) -> None:
    film = read_film(folder)
    assert film is not None

    def opened(step: int) -> Load:
        return lambda progress: NativeSource(f"own@{step}", folder, step)

    registry = Registry(
        {"own": lambda progress: NativeSource("own", folder)},
        films={"own": Frames(film, {step: opened(step) for step in film.steps[:-1]})},
    )
    assert registry.names == ("own",), "the menu of models does not list them"
    inputs = Inputs(("the cat",))
    early, late = (registry.get(name).trace(inputs).sites[0] for name in ("own@0", "own"))
    assert early.q is not None and late.q is not None and not torch.allclose(early.q, late.q)
    with pytest.raises(InputError, match="no such step"):
        registry.get("own@50")
    with pytest.raises(InputError, match="This server has own"):
        registry.get("other@20")
    assert [base_of(name) for name in ("own@20", "own", "a@b", "@")] == ["own", "own", "a@b", "@"]


def test_a_film_is_packed_into_another_folder(folder: Path, tmp_path_factory: Any) -> None:
    small = tmp_path_factory.mktemp("small")
    packed = pack(folder, small, [20])
    assert packed.steps == (20, 50) and packed.curves == {"loss": [2.0, 1.0]}
    assert read_film(small) == packed and frames_in(small) == (20,)
    assert packed.rounding is not None and 0 < packed.rounding < 0.1
    own, less = (NativeSource("one", each, 20).model.state_dict() for each in (folder, small))
    for name, tensor in own.items():
        assert (tensor - less[name]).abs().max() <= tensor.abs().max() / 127
    with pytest.raises(InputError, match="no step 7"):
        pack(folder, tmp_path_factory.mktemp("empty"), [7])
    with pytest.raises(InputError, match="has a film already"):
        pack(folder, small, [20])


def test_a_run_keeps_more_of_its_beginning() -> None:
    steps = sorted(frame_steps(3_600))
    assert len(steps) == 39 and steps[0] == 0 and steps[-1] < 3_600
    assert sum(step <= 500 for step in steps) > sum(step > 500 for step in steps) - 3
    assert frame_steps(12) <= frozenset(range(12)) and 0 in frame_steps(1)


def test_the_effect_of_a_head_is_the_loss_without_its_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(filmed, "N_MUTED", 4)
    monkeypatch.setattr(filmed, "N_TEXTS", 4)
    source = NativeSource("shipped", SHIPPED)
    effects = mute_effects(source)
    n_layers, n_heads, d_head = (getattr(source.info, n) for n in ("n_layers", "n_heads", "d_head"))
    assert [len(row) for row in effects] == [n_heads] * n_layers
    before = filmed.mean_loss(source)
    layer, head = 1, 3
    output = source.model.layers[layer].attention.w_o
    assert output is not None
    output.weight.data[:, head * d_head : (head + 1) * d_head] = 0.0  # so it adds nothing
    assert filmed.mean_loss(source) - before == pytest.approx(effects[layer][head], abs=1e-4)
    assert abs(effects[layer][head]) > 1e-3
