"""What a request gets is a function of the request alone, whatever runs between its slices."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from itertools import chain, cycle
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch

from model.errors import HeadlightError
from model.slices import EndSlice, sliced
from server.api.analyses import Analyse
from server.api.circuits import Asked
from server.api.circuits import compute as circuits
from server.api.schemas import TraceRequest
from server.app import create_app
from server.http.metrics import Metrics
from server.run.tracing import Cancelled, Job
from server.run.tracing.workers import Workers
from server.settings import Settings
from tests.asked import ANALYSES, requests_of
from tests.sweeps import some, sweep
from tests.unit.sources.pretrained.checkpoints import FAMILIES, SMALL

pytestmark = pytest.mark.long

TIMEOUT_S = 60
# what reads, or changes, most of what a run keeps; and what takes the least time
TELLING, QUICK = ("stream", "cell", "scaled", "circuits", "zeroed"), ("plain", "muted")
# families that compute attention themselves, so that much is refused
PARTLY = ("bloom",)


class Answered(NamedTuple):
    """The body of an answer, or the code of the error that stands for one."""

    body: bytes = b""
    error: str = ""


class Asking:
    """A model, and all that people ask of it, without caches unless they get room."""

    def __init__(self, model: str, folder: Path | None, cache_bytes: int = 0) -> None:
        more: dict[str, Any] = {} if folder is None else {"models": f"{model}={folder}"}
        self.model = model
        self.settings = Settings(cache_bytes=cache_bytes, answer_cache_bytes=cache_bytes, **more)
        self.state = create_app(self.settings).state
        with self.state.models.use(model) as source:
            info = source.info
        self.kind = info.sites[0].kind
        self.requests = requests_of(model, info.predicts, self.kind, info.d_model)
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


@pytest.fixture
def asking(tmp_path: Path) -> Callable[..., Asking]:
    def of(model: str, cache_bytes: int = 0) -> Asking:
        if model == "shipped":
            return Asking(model, None, cache_bytes)
        torch.manual_seed(0)
        return Asking(model, {**FAMILIES, **SMALL}[model](tmp_path / model), cache_bytes)

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
    monkeypatch.setattr("server.run.tracing.workers.SHORT_S", -1)


@pytest.mark.usefixtures("gives_way")
@pytest.mark.parametrize("model", sweep(("shipped", *FAMILIES), ("shipped", "llama", "t5")))
def test_a_job_is_not_touched_by_another_at_any_of_its_slices(
    asking: Callable[..., Asking], model: str
) -> None:
    """At each slice another one runs: each in turn; from then on, during the telling ones, those
    again, and during the others, those that are quick."""
    asked = asking(model)
    quiet = Workers(Settings(concurrency=1), Metrics())  # as many threads of torch, bit for bit
    alone = {name: ran_by(quiet, partial(asked.answer, name)) for name in asked.names}
    quiet.stop()
    refused = {name: one.error for name, one in alone.items() if one.error}
    refused.pop("edges", None)  # where the stream is no plain sum of what is written
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


def test_nothing_is_kept_of_a_run_that_ended_early(asking: Callable[..., Asking]) -> None:
    """Whoever asks for the same afterwards gets what a server without caches gives."""
    asked, keeping = asking("shipped"), asking("shipped", cache_bytes=100_000_000)
    for name in asked.names:
        n_slices = 0

        def count(done: int, total: int) -> None:
            nonlocal n_slices
            n_slices += 1

        with sliced(count):
            alone = asked.answer(name)
        for last in some(range(n_slices), every=5):
            left = iter(range(last))

            def end(done: int, total: int, left: Iterator[int] = left) -> None:
                if next(left, None) is None:
                    raise Cancelled

            keeping.state.tracer.forget_all()
            with sliced(end), pytest.raises(Cancelled):
                keeping.answer(name)
            assert keeping.answer(name) == alone, f"{name}, ended after slice {last}"


def test_every_analysis_is_asked_for() -> None:
    assert {each for analysis in ANALYSES.values() for each in analysis} == set(
        Analyse.model_fields
    )
