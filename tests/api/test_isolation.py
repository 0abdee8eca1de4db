"""What a request gets is a function of the request alone, whatever runs between its slices."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from functools import partial
from itertools import chain, cycle
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch

from model.errors import HeadlightError
from model.slices import EndSlice
from server.analyses import REQUESTS
from server.app import create_app
from server.circuits import Asked
from server.circuits import compute as circuits
from server.metrics import Metrics
from server.schemas import TraceRequest
from server.settings import Settings
from server.tracing import Job
from server.tracing.workers import Workers
from tests.sweeps import sweep
from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.long

TIMEOUT_S = 60
TEXT, OTHER = "the cat sat on the mat", "the dog sat on the mat"
ACT = {"layer": 0, "head": 0}
ANALYSES: Mapping[str, Mapping[str, Any]] = {
    "scores": {"scores": True},
    "specials": {"specials": True, "rollout": True},
    "match": {"match": {"cells": [[2, 1], [4, 0]]}},
    "rollout": {"rollout": True},
    "lens": {"lens": {}},
    "stream": {"stream": {}},
    "attribution": {"attribution": {}},
    "top_keys": {"top_keys": {}},
    "far_links": {"far_links": {"min_distance": 2}},
    "overview": {"overview": {}},
    "cell": {"cell": {**ACT, "layer": 1, "query": 3, "key": 1}},
    "composition": {"composition": True},
    "weight_composition": {"weight_composition": True},
    "mute_effects": {"mute_effects": {}},
    "paths": {"paths": {"limit": 3}},
    "patching": {"patching": {"clean": OTHER, "by": "head", "at": "head"}},
    "flow": {"flow": True},
    "court": {"court": {"steps": 1}},
    "other_attention": {"other_attention": {"restarts": 1, "steps": 2}},
}
INTERVENTIONS: Mapping[str, Mapping[str, Any]] = {
    "scaled": {"kind": "scale", "at": "mlp", "layer": 0, "factor": 50},
    "zeroed": {"kind": "zero", **ACT},
    "averaged": {"kind": "mean", "at": "resid_post", "layer": 0, "texts": [OTHER]},
    "patched": {"kind": "patch", "layer": 1, "source": OTHER},
}
# what reads, or changes, most of what a run keeps; and what takes the least time
TELLING, QUICK = ("stream", "cell", "scaled", "circuits", "zeroed"), ("plain", "muted")
# families that compute attention themselves, so that much is refused
PARTLY = ("bloom",)


class Answered(NamedTuple):
    """The body of an answer, or the code of the error that stands for one."""

    body: bytes = b""
    error: str = ""


class Asking:
    """A model without caches, and all that people ask of it."""

    def __init__(self, model: str, folder: Path | None) -> None:
        more: dict[str, Any] = {} if folder is None else {"models": f"{model}={folder}"}
        self.model = model
        self.settings = Settings(cache_bytes=0, answer_cache_bytes=0, **more)
        self.state = create_app(self.settings).state
        with self.state.models.use(model) as source:
            info = source.info
        end = " [MASK]" if info.predicts == "fill" else ""
        self.kind = info.sites[0].kind
        plain: dict[str, Any] = {"model": model, "texts": [TEXT + end]}
        if info.takes_targets:
            plain["targets"] = ["the dog sat"]
        muted = [0, 1, self.kind] if info.takes_targets else [0, 1]
        self.requests = {"plain": plain, "muted": plain | {"muted": [muted]}}
        self.requests["unmasked"] = plain | {"masks": {"causal": False}}
        for name, analysis in ANALYSES.items():
            self.requests[name] = plain | {"analyse": with_end(analysis, end)}
        self.requests["cell"]["analyse"]["cell"]["kind"] = self.kind
        for name, one in INTERVENTIONS.items():
            edited = plain | {"interventions": [with_end(one, end)]}
            self.requests[name] = edited
        self.requests["scaled"]["analyse"] = {"mute_effects": {}}
        self.names = (*self.requests, "circuits")

    @torch.inference_mode()
    def answer(self, name: str) -> Answered:
        """Compute an answer, in this thread."""
        try:
            if name == "circuits":
                asked = Asked(self.model, 1, 0, self.kind, token=7, pairs=True)
                with self.state.models.use(self.model) as source:
                    return Answered(circuits(source, asked))
            request = TraceRequest.model_validate(self.requests[name])
            inputs = request.to_inputs(self.settings)
            compute = self.state.answers.compute
            return Answered(compute(request, inputs, self.model, "application/json"))
        except HeadlightError as error:
            return Answered(error=error.code)


def with_end(value: Any, end: str) -> Any:
    """The same request, for sentences that end so."""
    if isinstance(value, Mapping):
        return {key: with_end(of, end) for key, of in value.items()}
    if isinstance(value, list):
        return [with_end(of, end) for of in value]
    return value + end if value == OTHER else value


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Asking]:
    def of(model: str) -> Asking:
        if model == "shipped":
            return Asking(model, None)
        torch.manual_seed(0)
        return Asking(model, FAMILIES[model](tmp_path_factory.mktemp(model) / model))

    return of


def ran_by(workers: Workers, work: Callable[[], Any]) -> Any:
    job = Job(work, cost=1)
    workers.submit(job)
    return job.future.result(TIMEOUT_S)


class Crowded(Workers):
    """One thread. After each slice of the first job, the turn of another has come."""

    def __init__(self, first: Callable[[], Any], others: Iterator[Callable[[], Any]]) -> None:
        super().__init__(Settings(concurrency=1), Metrics())
        self.first = Job(first, cost=1e9, participant="first")
        self.others = others
        self.futures: list[Future[Any]] = []

    def _between(self, job: Job, n_waiting: int) -> EndSlice:
        between = super()._between(job, n_waiting)

        def crowded(done: int, total: int) -> None:
            other = Job(next(self.others), cost=0, participant="others")
            self.futures.append(other.future)
            self.submit(other)
            between(done, total)
            assert other.future.done(), "it runs meanwhile"

        return crowded if job is self.first else between


@pytest.fixture
def gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs give way after every slice, short as it may be."""
    monkeypatch.setattr("server.tracing.workers.SHORT_S", -1)


@pytest.mark.usefixtures("gives_way")
@pytest.mark.parametrize("model", sweep(("shipped", *FAMILIES), ("shipped", "llama", "t5")))
def test_a_job_is_not_touched_by_another_at_any_of_its_slices(
    asking: Callable[[str], Asking], model: str
) -> None:
    """At each slice another one runs: each in turn; from then on, during the telling ones, those
    again, and during the others, those that are quick."""
    asked = asking(model)
    quiet = Workers(Settings(concurrency=1), Metrics())  # as many threads of torch, bit for bit
    alone = {name: ran_by(quiet, partial(asked.answer, name)) for name in asked.names}
    quiet.stop()
    refused = {name: one.error for name, one in alone.items() if one.error}
    assert not refused or model in PARTLY, refused
    each, ran = iter(asked.names), list[str]()

    def others(during: str) -> Iterator[Callable[[], Answered]]:
        for name in chain(each, cycle(TELLING if during in TELLING else QUICK)):
            ran.append(name)
            yield partial(asked.answer, name)

    for name in asked.names:
        ran.clear()
        workers = Crowded(partial(asked.answer, name), others(name))
        workers.submit(workers.first)
        assert workers.first.future.result(TIMEOUT_S) == alone[name], f"{name} among {ran}"
        for other, future in zip(ran, workers.futures, strict=True):
            assert future.result(TIMEOUT_S) == alone[other], f"{other} during {name}"
        workers.stop()
    assert next(each, None) is None, "each has run during another one"


def test_every_analysis_is_asked_for() -> None:
    assert {each for analysis in ANALYSES.values() for each in analysis} == set(REQUESTS)
