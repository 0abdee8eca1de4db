"""The tuned lens over HTTP: it is fitted in the background, at the first request for it."""

import time
from pathlib import Path
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient

from model.core.checkpoint import SHIPPED
from model.lens import decided, kept_lens
from model.lens.texts import Texts, texts_for
from model.sources.native import NativeSource
from model.sources.registry import Registry
from model.sources.source import Inputs
from tests.api.conftest import Serve
from tests.api.test_error_shape import assert_shape

pytestmark = pytest.mark.long
TEXT = "The dogs that the girl saw near the river"


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


@pytest.fixture(autouse=True)
def fitted_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shipped: NativeSource) -> None:
    monkeypatch.setenv("HEADLIGHT_CACHE", str(tmp_path))
    own = texts_for(shipped)
    few = Texts(own.description, own.fit[:100], own.held_out[:10])
    monkeypatch.setattr("model.lens.fitting.texts_for", lambda source: few)


@pytest.fixture
def client(serve: Serve, shipped: NativeSource) -> TestClient:
    return serve(Registry({"shipped": lambda progress: shipped}))


def ask(client: TestClient, **analyse: Any) -> Any:
    return client.post(
        "/api/trace", json={"texts": [TEXT], "select": {"layers": []}, "analyse": analyse}
    )


def fitted(client: TestClient, **analyse: Any) -> Any:
    """The answer, once the lens is there."""
    end = time.monotonic() + 60
    while (answer := ask(client, **analyse)).status_code == 503:
        assert answer.json()["error"]["code"] == "lens_fitting"
        assert time.monotonic() < end
        time.sleep(0.05)
    return answer


def test_the_first_request_starts_the_fit_and_does_not_wait(client: TestClient) -> None:
    answer = ask(client, decided={"tuned": True})
    error = assert_shape(answer, 503, "lens_fitting")
    assert error["message"].startswith("The tuned lens of shipped is being fitted")
    assert int(answer.headers["Retry-After"]) >= 1
    # nothing else waits for it
    assert ask(client, decided={}).status_code == 200
    assert fitted(client, decided={"tuned": True}).status_code == 200


def test_it_is_the_lens_of_the_model(client: TestClient, shipped: NativeSource) -> None:
    asked = {"decided": {"tuned": True}, "lens": {"tuned": True, "top_k": 2, "position": 4}}
    answer = fitted(client, **asked).json()
    with torch.inference_mode():
        lens = kept_lens(shipped)  # the one that the server kept
        trace = shipped.trace(Inputs((TEXT,)))
        [own], [read] = decided(trace, lens), trace.lens(top_k=2, position=4, through=lens.at)
    [found] = answer["decided"]
    assert own.tuned is not None
    assert found["tuned"] == {
        "stages": list(own.tuned.stages),
        "held_out": pytest.approx(lens.held_out.tuned),
    }
    assert found["logit"]["stages"] == list(own.logit.stages)
    assert found["fitted_on"] == lens.fitted_on
    assert found["last_stage"] == shipped.info.n_layers
    [stages] = [one["stages"] for one in answer["lens"]]
    for got, wanted in zip(stages, read.stages, strict=True):
        assert [one["id"] for one in got["candidates"]] == [one.id for one in wanted.candidates]
    plain = ask(client, lens={"top_k": 2, "position": 4}).json()["lens"][0]["stages"]
    assert plain[-1] == stages[-1] and plain[1] != stages[1]


def test_without_a_tuned_lens_nothing_is_fitted(client: TestClient, tmp_path: Path) -> None:
    [found] = ask(client, decided={}).json()["decided"]
    assert found["tuned"] is found["fitted_on"] is found["logit"]["held_out"] is None
    assert len(found["positions"]) == len(found["predictions"]) == len(found["logit"]["stages"])
    assert not (tmp_path / "lenses").exists()


def test_a_model_that_can_have_none_says_so_again_and_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model.lens.fitting.MOST_NUMBERS", 10)
    for _ in range(2):
        answer = fitted(client, lens={"tuned": True})
        error = assert_shape(answer, 422, "unavailable")
        assert error["field"] == "analyse.lens.tuned" and "its maps would need" in error["message"]


def test_a_lens_goes_with_its_model_and_is_read_again(
    client: TestClient, shipped: NativeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fitted(client, decided={"tuned": True}).json()
    app: Any = client.app
    app.state.models._registry.on_unload(shipped)
    assert not app.state.lenses._runs
    monkeypatch.setattr("model.lens.fitting.fit_lens", lambda *_: pytest.fail("fitted again"))
    assert fitted(client, decided={"tuned": True}).json() == first
