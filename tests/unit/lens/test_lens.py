"""The tuned lens against a regression by numpy; when each prediction was decided, one by one."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.core.checkpoint import SHIPPED
from model.errors import NumericsError, UnavailableError
from model.lens import TunedLens, decided, fit_lens, kept_lens
from model.lens.fitting import RIDGE
from model.lens.texts import Texts, texts_for
from model.sources.native import NativeSource
from model.sources.source import Inputs, Source
from model.trace.trace import Trace

pytestmark = pytest.mark.long
TEXTS = ("The dogs that the girl saw near the river", "Maria saw herself", "")


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


@pytest.fixture(scope="module")
def texts(shipped: NativeSource) -> Texts:
    """Fewer than it is fitted on for readers."""
    own = texts_for(shipped)
    return Texts(own.description, own.fit[:100], own.held_out[:20])


@pytest.fixture(autouse=True)
def few(texts: Texts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.lens.fitting.texts_for", lambda source: texts)


@pytest.fixture(scope="module")
def lens(shipped: NativeSource, texts: Texts) -> TunedLens:
    with pytest.MonkeyPatch.context() as patch, torch.inference_mode():
        patch.setattr("model.lens.fitting.texts_for", lambda source: texts)
        return fit_lens(shipped)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADLIGHT_CACHE", str(tmp_path))
    return tmp_path / "lenses"


def stages_of(source: Source, texts: tuple[str, ...]) -> np.ndarray:
    """The stages of all tokens, each text run by itself, in double precision."""
    rows = []
    for text in texts:
        trace = source.trace(Inputs((text,)))
        assert trace.stages is not None
        rows.append(trace.stages[:, 0].double().numpy())
    return np.concatenate(rows, axis=1)


def divergence(source: Source, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """KL(y ‖ x) in nats for each token, of what both predict."""
    unembed = source.trace(Inputs(("a",))).unembed
    assert unembed is not None
    here, there = (
        unembed(torch.from_numpy(each).float()).double().log_softmax(-1).numpy() for each in (x, y)
    )
    found: np.ndarray = (np.exp(there) * (there - here)).sum(-1)
    return found


def test_its_maps_are_those_of_a_ridge_regression(
    shipped: NativeSource, texts: Texts, lens: TunedLens
) -> None:
    stages = stages_of(shipped, texts.fit)
    assert lens.tokens == stages.shape[1]
    last = stages[-1]
    for stage, x in enumerate(stages[:-1]):
        mean = x.mean(axis=0)
        spread = np.sqrt(RIDGE * (x - mean).var(axis=0).mean() * len(x))
        rows = np.concatenate([x - mean, spread * np.eye(x.shape[1])])
        target = last - x
        wanted = np.concatenate([target - target.mean(axis=0), np.zeros((x.shape[1], x.shape[1]))])
        slopes, *_ = np.linalg.lstsq(rows, wanted, rcond=None)
        np.testing.assert_allclose(lens.maps[stage].numpy(), slopes, atol=2e-3)
        expected = x + (x - mean) @ slopes + target.mean(axis=0)
        found = lens.at(stage, torch.from_numpy(x).float()).numpy()
        np.testing.assert_allclose(found, expected, atol=5e-3)


def test_it_says_how_well_it_does_on_other_texts(
    shipped: NativeSource, texts: Texts, lens: TunedLens
) -> None:
    assert len(set(texts.fit) & set(texts.held_out)) < 3  # short sentences can be drawn twice
    held = lens.held_out
    assert held.logit[-1] == held.tuned[-1] == 0
    assert all(tuned < logit / 2 for tuned, logit in zip(held.tuned, held.logit[:-1], strict=False))
    # of all tokens, not only those that it measured on, so not the same
    stages = stages_of(shipped, texts.held_out)
    for stage in range(len(stages) - 1):
        each = divergence(shipped, stages[stage], stages[-1])
        error = each.std() / np.sqrt(held.tokens)
        assert abs(held.logit[stage] - each.mean()) < 4 * error
        through = lens.at(stage, torch.from_numpy(stages[stage]).float()).double().numpy()
        each = divergence(shipped, through, stages[-1])
        assert abs(held.tuned[stage] - each.mean()) < 4 * each.std() / np.sqrt(held.tokens)


def test_each_prediction_is_settled_where_no_later_stage_says_another(
    shipped: NativeSource, lens: TunedLens
) -> None:
    trace = shipped.trace(Inputs(TEXTS))
    assert trace.stages is not None and trace.unembed is not None
    for text, found in enumerate(decided(trace, lens)):
        row = trace.tokens[text]
        assert found.positions == tuple(at for at, token in enumerate(row) if not token.padding)
        assert found.last_stage == shipped.info.n_layers
        assert found.tuned is not None
        for place, at in enumerate(found.positions):
            stages = trace.stages[:, text, at]
            [predicted] = trace.predict(top_k=1, position=at)[text]
            assert found.predictions[place].id == predicted.id
            assert found.predictions[place].probability == pytest.approx(
                predicted.probability, rel=1e-4
            )
            for settled, through in ((found.logit, lambda stage, x: x), (found.tuned, lens.at)):
                said = [
                    int(trace.unembed(through(stage, x)).argmax()) for stage, x in enumerate(stages)
                ]
                others = [stage for stage, id in enumerate(said) if id != predicted.id]
                assert settled.stages[place] == (others[-1] + 1 if others else 0)
    [plain, *_] = decided(trace)
    assert plain.tuned is None and plain.logit.held_out is None


def test_stages_are_read_through_it(shipped: NativeSource, lens: TunedLens) -> None:
    trace = shipped.trace(Inputs((TEXTS[0],)))
    assert trace.stages is not None and trace.unembed is not None
    [plain], [tuned] = trace.lens(top_k=3), trace.lens(top_k=3, through=lens.at)
    assert tuned.stages[-1] == plain.stages[-1]
    for stage in range(shipped.info.n_layers):
        p = trace.unembed(lens.at(stage, trace.stages[stage, 0, -1])).softmax(-1)
        best = tuned.stages[stage].candidates[0]
        assert best.id == int(p.argmax()) and best.probability == pytest.approx(
            float(p.max()), rel=1e-3
        )
        assert best != plain.stages[stage].candidates[0]


def test_it_is_fitted_once_for_the_same_weights(shipped: NativeSource, cache: Path) -> None:
    steps: list[tuple[int, int]] = []
    first = kept_lens(shipped, lambda done, total: steps.append((done, total)))
    total = 7 + 2 + shipped.info.n_layers
    assert steps[0] == (1, total) and steps[-1] == (total, total)
    again = kept_lens(shipped, lambda done, total: pytest.fail("it was fitted again"))
    assert torch.equal(again.maps, first.maps) and torch.equal(again.offsets, first.offsets)
    assert (again.held_out, again.fitted_on) == (first.held_out, first.fitted_on)
    [path] = cache.iterdir()
    path.write_bytes(path.read_bytes()[:-9])  # cut off
    assert TunedLens.read(path) is None
    assert torch.equal(kept_lens(shipped).maps, first.maps)
    kept_lens(shipped, dtype="bfloat16")  # other numbers, another lens
    assert len(list(cache.iterdir())) == 2


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"predicts": None}, "it predicts nothing"),
        ({"takes_targets": True}, "pairs"),
        ({"weights": None}, "fixed weights"),
        ({"d_model": 10_000}, r"need 1\.2 GB"),
    ],
)
def test_what_has_none_says_why(
    shipped: NativeSource, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], why: str
) -> None:
    monkeypatch.setattr(shipped, "info", replace(shipped.info, **changes))
    with pytest.raises(UnavailableError, match=why) as caught:
        kept_lens(shipped)
    assert caught.value.field == "analyse.lens.tuned"


def test_texts_that_a_model_cannot_read_are_left_out(
    shipped: NativeSource, texts: Texts, lens: TunedLens, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "dog " * (shipped.info.max_tokens + 1)
    more = replace(texts, fit=(*texts.fit, long))
    monkeypatch.setattr("model.lens.fitting.texts_for", lambda source: more)
    found = fit_lens(shipped)
    assert found.tokens == lens.tokens
    torch.testing.assert_close(found.maps, lens.maps, atol=1e-3, rtol=0)
    none = replace(texts, fit=(long,))
    monkeypatch.setattr("model.lens.fitting.texts_for", lambda source: none)
    with pytest.raises(UnavailableError, match="takes too few of the texts"):
        fit_lens(shipped)


def test_numbers_that_are_not_finite_are_no_lens(
    shipped: NativeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = shipped.trace

    def broken(inputs: Inputs, **limits: Any) -> Trace:
        return replace(trace(inputs, **limits), unembed=lambda x: x * float("nan"))

    monkeypatch.setattr(shipped, "trace", broken)
    with pytest.raises(NumericsError, match="logits are not finite"):
        fit_lens(shipped)


def test_its_file_says_what_it_was_fitted_on(lens: TunedLens, tmp_path: Path) -> None:
    path = tmp_path / "lens.safetensors"
    path.write_bytes(lens.packed())
    size = int.from_bytes(path.read_bytes()[:8], "little")
    said = json.loads(path.read_bytes()[8 : 8 + size])["__metadata__"]["lens"]
    assert json.loads(said)["fitted_on"] == "sentences and stories of the shipped model's grammar"
