"""Weights in few bytes: the rounding that predicts the same."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load, load_file

from model.core.checkpoint import SHIPPED, load_checkpoint, save_checkpoint
from server.pages.export import compact as module
from server.pages.export.compact import (
    PATTERN,
    Agreement,
    Rounding,
    _agreement,
    _Run,
    _to_fraction,
    compact,
)
from tests.exported import out_of_planes

pytestmark = pytest.mark.long


def test_rounding_a_fraction_gives_the_nearest_number_with_that_many_bits() -> None:
    numbers = torch.tensor([1.0, -1.0, 1.25, 1.5, -1.75, 1.1249, 3.9999, 0.0, -1e-3])
    rounded = _to_fraction(2)(numbers)
    expected = [1.0, -1.0, 1.25, 1.5, -1.75, 1.0, 4.0, 0.0, -1.0 * 2**-10]
    assert rounded.tolist() == expected
    assert torch.equal(
        numbers, torch.tensor([1.0, -1.0, 1.25, 1.5, -1.75, 1.1249, 3.9999, 0, -1e-3])
    )


@pytest.mark.parametrize(
    ("same", "pattern", "passes"),
    [(9, 0.0, False), (10, PATTERN, True), (10, 1.1 * PATTERN, False)],
)
def test_all_sentences_and_all_patterns_must_agree(same: int, pattern: float, passes: bool) -> None:
    assert Agreement(10, same, pattern, 0.0).passes == passes


def test_the_first_rounding_that_predicts_the_same_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "SENTENCES", 40)
    coarse, fine = (Rounding(str(bits), torch.float32, _to_fraction(bits)) for bits in (4, 21))
    monkeypatch.setattr(module, "ROUNDINGS", (coarse, fine, module.ROUNDINGS[-1]))
    chosen = compact.__wrapped__(SHIPPED)
    assert chosen.name == "21"
    assert (chosen.agreement.sentences, chosen.agreement.same_places) == (40, 40)
    assert 0 < chosen.agreement.pattern < 1e-4
    assert 0 < chosen.agreement.probability < 1e-4
    exact = load_file(SHIPPED / "model.safetensors")
    for name, tensor in load(out_of_planes(chosen.weights)).items():
        assert torch.equal(tensor, _to_fraction(21)(exact[name]))


def test_weights_that_float16_holds_exactly_are_stored_so(
    checkpoint_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "SENTENCES", 20)
    checkpoint = load_checkpoint(checkpoint_folder)
    for parameter in checkpoint.model.parameters():
        parameter.data = parameter.data.half().float()
    save_checkpoint(tmp_path, checkpoint)
    chosen = compact(tmp_path)
    assert chosen.name == "float16"
    assert chosen.agreement == Agreement(20, 20, 0.0, 0.0)
    assert "20 of 20" in str(chosen.agreement)
    file = out_of_planes(chosen.weights)
    assert {tensor.dtype for tensor in load(file).values()} == {torch.float16}


def test_a_sentence_counts_only_if_every_place_is_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = _Run(
        torch.zeros(2, 5), torch.tensor([[1, 2, 3], [4, 0, 1]]), torch.zeros(1, 2, 1, 1, 1)
    )
    after = before._replace(places=torch.tensor([[1, 3, 2], [4, 0, 1]]))
    monkeypatch.setattr(module, "_run", lambda model, ids: after)
    model, ids = load_checkpoint(SHIPPED).model, torch.zeros(2, 1, dtype=torch.long)
    assert _agreement(model, [ids], [before]).same_places == 1


def test_roundings_lose_no_step_between_float16_and_exact() -> None:
    """One bit more of fraction at each step: a file takes the fewest that pass, never more."""
    names = [rounding.name for rounding in module.ROUNDINGS]
    between = [f"float32 with {bits} of 23 bits of fraction" for bits in range(16, 23)]
    assert names == ["float16", *between, "float32"]
    number = torch.tensor([1 + 2**-23 + 2**-12])  # needs all 23 bits
    errors = [(r.round(number).double() - number).abs().item() for r in module.ROUNDINGS]
    assert errors[-1] == 0
    assert all(
        0 < error <= 2.0 ** -(bits + 1)
        for bits, error in zip(range(16, 23), errors[1:-1], strict=True)
    )
