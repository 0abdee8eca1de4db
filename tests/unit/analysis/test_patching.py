"""The patch bench: each cell is a run changed by hand, each estimate a gradient taken by hand."""

import math
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest
import torch
from torch import Tensor

from model.analysis.patching import Patching, patching
from model.core.checkpoint import SHIPPED
from model.errors import InputError, UnavailableError
from model.interventions import At, Donor, Intervention
from model.masks.rules import MaskSettings
from model.slices import sliced
from model.sources import muting
from model.sources.intervening import donor_inputs
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead, Source
from tests.unit.by_hand import by_hand

CLEAN, CORRUPTED = "the red cat sat on a mat", "the small dog sat on a tree"
POINT = {"head": "z", "mlp": "mlp_out"}


def patched(source: Source, text: str = CORRUPTED, clean: str = CLEAN, **asked: Any) -> Patching:
    given: dict[str, Any] = {}
    for name in ("masks", "muted"):
        if name in asked:
            given[name] = asked.pop(name)
    (found,) = several(source, (text,), clean, given, **asked)
    return found


def several(
    source: Source, texts: tuple[str, ...], clean: str, given: dict[str, Any], **asked: Any
) -> list[Patching]:
    inputs = Inputs(texts, **given)
    with torch.inference_mode():  # as on a server
        trace = source.trace(inputs)
        with torch.inference_mode(False):
            runner, other = (
                source.runner(inputs),
                source.runner(donor_inputs(inputs, Donor((clean,), ("It",)))),
            )
        return patching(trace, runner, other, source.info, **asked)


def test_only_the_largest_estimates_are_run(source: NativeSource) -> None:
    asked: dict[str, Any] = {"at": "head", "by": "head", "token": 7, "against": 12}
    whole, some, none = (patched(source, exact=exact, **asked) for exact in (None, 3, 0))
    every = [cell for layer in whole.layers for cell in layer.cells]
    for found, n in ((some, 3), (none, 0)):
        each = [cell for layer in found.layers for cell in layer.cells]
        assert [cell.estimate for cell in each] == pytest.approx([cell.estimate for cell in every])
        ran = [at for at, cell in enumerate(each) if cell.metric is not None]
        assert len(ran) == n
        for at, (here, there) in enumerate(zip(each, every, strict=True)):
            if at in ran:
                assert here.metric == pytest.approx(there.metric, abs=1e-5)
                assert here.restored == pytest.approx(there.restored, abs=1e-5)
            else:
                assert here.restored is None and not here.disagrees
    assert none.agreement is None
    numbers = [(cell.restored or 0.0, cell.estimate or 0.0) for cell in every]
    signs = [math.copysign(1, (a - b) * (x - y)) for (a, x), (b, y) in combinations(numbers, 2)]
    assert len(set(numbers)) == len(numbers)
    assert whole.agreement == pytest.approx(sum(signs) / len(signs), abs=1e-9)


def ids_of(source: NativeSource, text: str) -> Tensor:
    return torch.tensor([token.id for token in source.trace(Inputs((text,))).tokens[0]])


@pytest.mark.parametrize(
    ("at", "by"),
    [
        ("resid_pre", "position"),
        ("resid_mid", "position"),
        ("resid_post", "position"),
        ("mlp", "position"),
        ("head", "position"),
        ("head", "head"),
    ],
)
def test_each_cell_and_estimate_equals_a_run_by_hand(
    source: NativeSource, monkeypatch: pytest.MonkeyPatch, at: At, by: Any
) -> None:
    monkeypatch.setattr(muting, "PASS_TOKENS", 3 * 8)  # three rows a pass
    position, token, against = 5, 7, 12
    found = patched(source, at=at, by=by, position=position, token=token, against=against)
    point = POINT.get(at, at)
    there: dict[int, Tensor] = {}

    def keep(name: str, layer: int, x: Tensor) -> Tensor:
        if name == point:
            there[layer] = x.clone()
        return x

    def metric(logits: Tensor) -> Tensor:
        return logits[position, token] - logits[position, against]

    clean = metric(by_hand(source.model, ids_of(source, CLEAN), keep)).item()
    nudges: dict[int, Tensor] = {}
    here: dict[int, Tensor] = {}

    def nudge(name: str, layer: int, x: Tensor) -> Tensor:
        if name != point:
            return x
        here[layer] = x.detach().clone()
        nudges[layer] = torch.zeros_like(x, requires_grad=True)
        return x + nudges[layer]

    plain = metric(by_hand(source.model, ids_of(source, CORRUPTED), nudge))
    plain.backward()  # type: ignore[no-untyped-call]
    corrupted = plain.item()
    assert found.clean == pytest.approx(clean, abs=1e-4)
    assert found.corrupted == pytest.approx(corrupted, abs=1e-4)
    columns = range(3) if by == "head" else range(8)
    effects, errors = [], []
    for layer, column in product(range(2), columns):
        where: Any = (column,) if by == "head" else (..., column, slice(None))

        def patch(
            name: str, each: int, x: Tensor, layer: int = layer, where: Any = where
        ) -> Tensor:
            if (name, each) == (point, layer):
                x = x.clone()
                x[where] = there[layer][where]
            return x

        value = metric(by_hand(source.model, ids_of(source, CORRUPTED), patch)).item()
        gradient = nudges[layer].grad
        assert gradient is not None
        change = (there[layer] - here[layer])[where] * gradient[where]
        estimate = sum(change.flatten().tolist())
        cell = found.layers[layer].cells[column]
        assert cell.metric == pytest.approx(value, abs=1e-4)
        assert cell.restored == pytest.approx((value - corrupted) / (clean - corrupted), abs=1e-4)
        assert cell.estimate == pytest.approx(estimate / (clean - corrupted), abs=1e-4)
        effects.append(value - corrupted)
        errors.append((value - corrupted, estimate, cell.disagrees))
    largest = max(map(abs, effects))
    for effect, estimate, said in errors:
        far = abs(effect - estimate) > largest / 4
        other_sign = effect * estimate < 0 and max(abs(effect), abs(estimate)) > largest / 20
        assert said == (far or other_sign)
    assert {said for _, _, said in errors} == {True, False} or at in ("mlp", "resid_post")


def test_one_text_is_patched_as_among_others(source: NativeSource) -> None:
    """Texts that are not asked for need not align."""
    short = "the dog"
    (found,) = several(source, (short, CORRUPTED, short), CLEAN, {}, at="mlp", text=1)
    alone = patched(source, at="mlp")
    assert (found.text, alone.text) == (1, 0)
    assert found.pairs == alone.pairs
    for row, other in zip(found.layers, alone.layers, strict=True):
        for cell, same in zip(row.cells, other.cells, strict=True):
            assert cell.metric == pytest.approx(same.metric, abs=1e-4)
            assert cell.estimate == pytest.approx(same.estimate, abs=1e-4)
    with pytest.raises(InputError, match="texts 0 to 2") as caught:
        several(source, (short, CORRUPTED, short), CLEAN, {}, text=3)
    assert caught.value.field == "analyse.patching.text"


def test_a_cell_is_the_intervention_that_patches_it(source: NativeSource) -> None:
    """Under masks, mutes and interventions of the request."""
    more: dict[str, Any] = {"masks": MaskSettings(window=4), "muted": (MutedHead(0, 1),)}
    found = patched(source, at="head", by="position", token=3, metric="logit", **more)
    for layer, position in ((0, 2), (1, 7)):
        one = Intervention(
            kind="patch", at="head", layer=layer, positions=(position,), source=CLEAN
        )
        trace = source.trace(Inputs((CORRUPTED,), interventions=(one,), **more))
        assert trace.stages is not None and trace.unembed is not None
        expected = trace.unembed(trace.stages[-1, 0, 7])[3].item()
        assert found.layers[layer].cells[position].metric == pytest.approx(expected, abs=1e-4)
    assert (found.metric, found.against) == ("logit", None)


def test_the_whole_stream_restores_the_whole_answer() -> None:
    """The shipped model knows who looks into the mirror from one token."""
    found = patched(NativeSource("shipped", SHIPPED), "Robert saw", "Maria saw")
    assert (found.token.text, found.against and found.against.text) == ("herself", "himself")
    assert found.clean > 5 > -5 > found.corrupted
    first = [cell.restored for cell in found.layers[0].cells]
    assert first == pytest.approx([0, 1, 0], abs=1e-3)
    assert found.layers[0].cells[1].disagrees  # far from where the gradient was taken


def test_every_text_has_its_own_map(source: NativeSource) -> None:
    texts, given = (CORRUPTED, "a dog"), {"masks": MaskSettings(padding_side="left")}
    pairs = ((0, 7), (1, 6))
    together = several(source, texts, "the cat sat", given, pairs=pairs, at="mlp", token=2)
    alone = patched(source, "a dog", "the cat sat", pairs=((0, 2), (1, 1)), at="mlp", token=2)
    assert together[0].position == together[1].position == 7
    for layer, expected in zip(together[1].layers, alone.layers, strict=True):
        for cell, other in zip(layer.cells, expected.cells, strict=True):
            assert cell.metric == pytest.approx(other.metric, abs=1e-4)
            assert cell.estimate == pytest.approx(other.estimate, abs=1e-3)


def test_the_same_sentence_restores_nothing(source: NativeSource) -> None:
    found = patched(source, CLEAN, CLEAN)
    assert found.reason is not None and "nothing to restore" in found.reason
    cells = [cell for layer in found.layers for cell in layer.cells]
    assert all(cell.restored is cell.estimate is None for cell in cells)
    assert all(cell.metric == pytest.approx(found.clean, abs=1e-4) for cell in cells)


def test_it_tells_how_far_it_is(source: NativeSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(muting, "PASS_TOKENS", 5 * 8)
    seen: list[tuple[int, int]] = []
    with sliced(lambda done, total: seen.append((done, total)) if total else None):
        several(source, (CORRUPTED, CLEAN), CLEAN, {}, at="mlp")
    assert seen == [(0, 32), (5, 32), (10, 32), (15, 32), (16, 32), (21, 32), (26, 32), (31, 32)]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"clean": "the cat"}, "clean"),
        ({"pairs": ((0, 9),)}, "pairs"),
        ({"pairs": ((0, 0),)}, "position"),
        ({"token": 100_000}, "token"),
        ({"against": 100_000}, "against"),
        ({"position": 99}, "position"),
        ({"at": "mlp", "by": "head"}, "by"),
    ],
)
def test_what_is_refused(source: NativeSource, asked: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        patched(source, **asked)
    assert caught.value.field == f"analyse.patching.{field}"


def test_a_model_that_cannot_be_changed_there(source: NativeSource) -> None:
    inputs = Inputs((CORRUPTED,))
    info = replace(source.info, edited_at=("head",), edited_at_reason="only its heads.")
    runner = source.runner(inputs)
    with pytest.raises(UnavailableError, match="small: only its heads") as caught:
        patching(source.trace(inputs), runner, runner, info, at="mlp")
    assert caught.value.field == "analyse.patching.at"
