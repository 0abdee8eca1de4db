"""Jobs in slices: cancelled, out of time, or interrupted by other jobs."""

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import pytest
import torch

from model.slices import end_slice
from server.errors import BusyError, OutOfTime
from server.http.metrics import Metrics
from server.run.tracing import Cancelled, Job, Workers
from server.settings import Settings

TIMEOUT_S = 30


@pytest.fixture
def start() -> Iterator[Callable[..., Workers]]:
    started = []

    def start(**settings: Any) -> Workers:
        started.append(Workers(Settings(**settings), Metrics()))
        return started[-1]

    yield start
    for workers in started:
        workers.stop()


class Sliced:
    """Work in slices, each of which waits for the test's permission."""

    def __init__(self, slices: int) -> None:
        self.slices = slices
        self.done = 0
        self.begun = threading.Event()
        self._permits = threading.Semaphore(0)

    def let(self, slices: int) -> None:
        self._permits.release(slices)

    def __call__(self) -> int:
        for slice_ in range(1, self.slices + 1):
            self.done = slice_
            self.begun.set()
            assert self._permits.acquire(timeout=TIMEOUT_S)
            end_slice(slice_, self.slices)
        return self.done


def test_job_gives_its_result_and_its_progress(start: Callable[..., Workers]) -> None:
    work = Sliced(3)
    job = Job(work, cost=1)
    start().submit(job)
    work.let(3)
    assert job.future.result(TIMEOUT_S) == 3
    assert (job.done, job.total) == (3, 3)


def test_a_failed_job_lets_go_of_its_run(start: Callable[..., Workers]) -> None:
    """Without a collection of garbage. The cause of an error has frames, too."""
    held: list[weakref.ref[torch.Tensor]] = []

    def deeper() -> None:
        pattern = torch.zeros(4)
        held.append(weakref.ref(pattern))
        raise KeyError(pattern.shape)

    def work() -> None:
        pattern = torch.zeros(4)
        held.append(weakref.ref(pattern))
        try:
            deeper()
        except KeyError as error:
            raise ValueError("refused") from error

    gc.disable()
    try:
        job = Job(work, cost=1)
        start().submit(job)
        with pytest.raises(ValueError, match="refused"):
            job.future.result(TIMEOUT_S)
        assert [each() for each in held] == [None, None]
    finally:
        gc.enable()


def test_cancelled_job_ends_at_its_next_slice(start: Callable[..., Workers]) -> None:
    workers, work = start(), Sliced(5)
    job = Job(work, cost=1)
    workers.submit(job)
    assert work.begun.wait(TIMEOUT_S)
    workers.cancel(job)
    work.let(5)
    with pytest.raises(Cancelled):
        job.future.result(TIMEOUT_S)
    assert work.done == 1
    after = Job(lambda: "next", cost=1)
    workers.submit(after)
    assert after.future.result(TIMEOUT_S) == "next"


def test_cancelled_job_that_waits_never_runs(start: Callable[..., Workers]) -> None:
    workers, work, ran = start(), Sliced(1), threading.Event()
    running, waiting = Job(work, cost=1), Job(ran.set, cost=1)
    workers.submit(running)
    assert work.begun.wait(TIMEOUT_S)
    workers.submit(waiting)
    workers.cancel(waiting)
    with pytest.raises(Cancelled):
        waiting.future.result(TIMEOUT_S)
    work.let(1)
    assert running.future.result(TIMEOUT_S) == 1
    assert not ran.is_set()


def test_job_that_takes_too_long_is_stopped(start: Callable[..., Workers]) -> None:
    workers, work = start(compute_timeout_s=0.001), Sliced(100)
    job = Job(work, cost=1)
    workers.submit(job)
    assert work.begun.wait(TIMEOUT_S)
    threading.Event().wait(0.01)
    work.let(100)
    with pytest.raises(OutOfTime, match=r"took more than 0\.001 s and was stopped"):
        job.future.result(TIMEOUT_S)
    assert work.done < 100


def test_others_run_between_the_slices_of_a_long_job(
    start: Callable[..., Workers], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.run.tracing.workers.SHORT_S", 0)
    workers, long = start(), Sliced(3)
    job = Job(long, cost=10_000, participant="long")
    workers.submit(job)
    assert long.begun.wait(TIMEOUT_S)
    seen: list[int] = []
    short = Job(lambda: seen.append(long.done), cost=0.001, participant="short")
    workers.submit(short)
    long.let(1)
    short.future.result(TIMEOUT_S)
    assert not job.future.done()
    long.let(2)
    assert job.future.result(TIMEOUT_S) == 3
    assert seen == [1]


def test_a_job_sees_nothing_of_the_one_that_waits_for_it(
    start: Callable[..., Workers], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.run.tracing.workers.SHORT_S", 0)
    kept: ContextVar[str] = ContextVar("kept", default="nothing")
    workers, long = start(), Sliced(2)
    seen: list[tuple[str, bool, int]] = []

    def see() -> None:
        seen.append((kept.get(), torch.is_grad_enabled(), threading.get_ident()))
        kept.set("changed")

    def work() -> str:
        kept.set("mine")
        with torch.inference_mode(False), torch.enable_grad():
            long()
        return kept.get()

    job = Job(work, cost=10_000, participant="long")
    workers.submit(job)
    assert long.begun.wait(TIMEOUT_S)
    others = [Job(see, cost=0.001, participant=name) for name in ("short", "shorter")]
    for other in others:
        workers.submit(other)
    long.let(2)
    assert job.future.result(TIMEOUT_S) == "mine"
    for other in others:
        other.future.result(TIMEOUT_S)
    assert [each[:2] for each in seen] == 2 * [("nothing", False)]
    assert threading.get_ident() not in {thread for *_, thread in seen}


def test_equal_jobs_never_run_together(start: Callable[..., Workers]) -> None:
    workers, work = start(concurrency=2), Sliced(2)
    first = Job(work, cost=1, participant="a", key="same")
    second = Job(lambda: work.done, cost=0.001, participant="b", key="same")
    other = Job(lambda: work.done, cost=5, participant="c", key="other")
    workers.submit(first)
    assert work.begun.wait(TIMEOUT_S)
    workers.submit(second)
    workers.submit(other)
    assert other.future.result(TIMEOUT_S) == 1
    assert not second.future.done()
    work.let(2)
    assert second.future.result(TIMEOUT_S) == 2


def test_stopping_ends_what_runs_and_what_waits(start: Callable[..., Workers]) -> None:
    workers, work = start(), Sliced(9)
    running, waiting = Job(work, cost=1), Job(lambda: None, cost=1)
    workers.submit(running)
    assert work.begun.wait(TIMEOUT_S)
    workers.submit(waiting)
    stopping = threading.Thread(target=workers.stop)
    stopping.start()
    with pytest.raises(BusyError) as raised:
        waiting.future.result(TIMEOUT_S)
    assert raised.value.code == "stopping"
    work.let(1)
    with pytest.raises(BusyError) as raised:
        running.future.result(TIMEOUT_S)
    assert raised.value.code == "stopping"
    assert work.done == 1
    stopping.join(TIMEOUT_S)
    again = Job(lambda: "up", cost=1)
    workers.submit(again)  # in case the app starts again
    assert again.future.result(TIMEOUT_S) == "up"
