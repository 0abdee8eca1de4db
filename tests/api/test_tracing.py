"""The cache, equal requests that run once, and the queue, with a source that can be paused."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient

from model.errors import InputError
from model.sources.native import NativeSource
from model.sources.registry import Progress, Registry
from model.sources.source import Inputs
from model.trace.trace import Trace
from server.run.readiness import TEST_INPUTS
from tests.api.conftest import Serve, Wrapped

pytestmark = pytest.mark.long

TIMEOUT_S = 30


class Slow(Wrapped):
    """The tiny model, which counts its runs, and does not finish one while it is held."""

    def __init__(self, source: NativeSource) -> None:
        super().__init__(source)
        self._go = threading.Event()
        self._go.set()
        self.runs: list[str] = []
        self.error: Exception | None = None

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        if inputs == TEST_INPUTS:
            return super().trace(inputs, max_tokens=max_tokens)
        self.runs.append(inputs.texts[0])
        assert self._go.wait(TIMEOUT_S)
        if self.error is not None:
            raise self.error
        return super().trace(inputs, max_tokens=max_tokens)

    @contextmanager
    def held(self) -> Iterator[None]:
        self._go.clear()
        try:
            yield
        finally:
            self._go.set()


@pytest.fixture
def slow(tiny: NativeSource) -> Slow:
    return Slow(tiny)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(16) as pool:
        yield pool


def until(condition: Callable[[], bool]) -> None:
    """Wait until another thread has made the condition true."""
    woken = threading.Event()
    for _ in range(TIMEOUT_S * 100):
        if condition():
            return
        woken.wait(0.01)
    raise AssertionError("It did not happen.")


def served(serve: Serve, slow: Slow, **settings: Any) -> TestClient:
    return serve(Registry({"slow": lambda progress: slow}), **settings)


def post(client: TestClient, text: str, **request: Any) -> Any:
    return client.post("/api/trace", json={"texts": [text], **request})


def metric(client: TestClient, name: str) -> float:
    lines = client.get("/metrics").text.splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"headlight_{name} "))


def test_equal_request_is_answered_from_memory(serve: Serve, slow: Slow) -> None:
    client = served(serve, slow)
    first, again = post(client, "a cat"), post(client, "a cat")
    assert (again.content, again.headers) == (first.content, first.headers)
    assert metric(client, "answers_remembered_total") == 1
    assert metric(client, "cache_hits_total") == 0
    as_tensors = client.post(
        "/api/trace", json={"texts": ["a cat"]}, headers={"Accept": "application/safetensors"}
    )
    assert as_tensors.content != first.content
    assert slow.runs == ["a cat"]


def test_refusal_is_not_remembered(serve: Serve, slow: Slow) -> None:
    client = served(serve, slow)
    slow.error = InputError("Expected something else.", code="odd")
    assert post(client, "a cat").status_code == 422
    slow.error = None
    assert post(client, "a cat").status_code == 200


def test_remembered_answers_hold_no_more_than_they_may(serve: Serve, slow: Slow) -> None:
    client = served(serve, slow, answer_cache_bytes=30_000)
    for text in ("a", "the", "cat", "dog", "sat", "on", "mat", "ran", "she", "he", "was", "fox"):
        post(client, text)
    assert 0 < metric(client, "answer_cache_bytes") <= 30_000
    assert post(client, "a").status_code == 200
    assert metric(client, "answers_remembered_total") == 0  # evicted; its trace is cached
    assert slow.runs.count("a") == 1


def test_second_look_runs_nothing(serve: Serve, slow: Slow) -> None:
    client = served(serve, slow)
    first = post(client, "a cat")
    again = post(client, "a cat", select={"tensors": ["q", "scores"], "layers": [1]})
    assert (first.status_code, again.status_code) == (200, 200)
    assert slow.runs == ["a cat"]
    assert metric(client, "cache_hits_total") == metric(client, "cache_misses_total") == 1
    assert metric(client, "cache_bytes") > 0


@pytest.mark.parametrize(
    "other",
    [
        {"texts": ["a cat", "a"]},
        {"masks": {"causal": False}},
        {"masks": {"padding": False}},
        {"masks": {"padding_side": "left"}},
        {"masks": {"window": 2}},
        {"masks": {"blocked": [{"key": 0}]}},
        {"masks": {"allowed": [{"key": 0}]}},
        {"muted": [[0, 0]]},
    ],
)
def test_whatever_determines_a_trace_makes_another(
    serve: Serve, slow: Slow, other: dict[str, Any]
) -> None:
    client = served(serve, slow)
    assert post(client, "a cat").status_code == 200
    assert post(client, "a cat", **other).status_code == 200
    assert len(slow.runs) == 2


def test_cache_forgets_what_was_looked_at_longest_ago(serve: Serve, slow: Slow) -> None:
    client = served(serve, slow, cache_bytes=60_000, answer_cache_bytes=0)  # three short traces
    for text in ("a", "the", "cat", "a", "dog", "a", "the"):
        assert post(client, text).status_code == 200
    assert slow.runs == ["a", "the", "cat", "dog", "the"]
    assert 0 < metric(client, "cache_bytes") <= 60_000


def test_trace_larger_than_the_cache_is_not_kept(serve: Serve, slow: Slow) -> None:
    client = served(serve, slow, cache_bytes=0, answer_cache_bytes=0)
    assert post(client, "a").status_code == post(client, "a").status_code == 200
    assert slow.runs == ["a", "a"]
    assert metric(client, "cache_bytes") == 0


def test_equal_requests_in_flight_run_once(
    serve: Serve, slow: Slow, pool: ThreadPoolExecutor
) -> None:
    client = served(serve, slow)
    with slow.held():
        answers = [pool.submit(post, client, "a cat") for _ in range(5)]
        until(lambda: metric(client, "traces_joined_total") == 4)
        assert not any(answer.done() for answer in answers)
    assert [answer.result().status_code for answer in answers] == [200] * 5
    assert len({answer.result().content for answer in answers}) == 1
    assert slow.runs == ["a cat"]


class Batch(Slow):
    """The same, and it counts the texts that it runs in one pass."""

    def __init__(self, source: NativeSource) -> None:
        super().__init__(source)
        self.native = source
        self.passes: list[int] = []

    def trace_together(
        self, each: Sequence[Inputs], *, max_tokens: int | None = None
    ) -> list[Trace]:
        self.passes.append(len(each))
        return self.native.trace_together(each, max_tokens=max_tokens)


def test_requests_that_wait_run_in_one_pass(
    serve: Serve, tiny: NativeSource, pool: ThreadPoolExecutor
) -> None:
    batch = Batch(tiny)
    client = served(serve, batch, max_tokens=9)
    others = ("the cat sat", "a dog", "she ran", "he sat on the mat")
    with batch.held():
        first = pool.submit(post, client, "a")
        until(lambda: batch.runs == ["a"])
        answers = {text: pool.submit(post, client, text) for text in others}
        until(lambda: metric(client, "queue") == len(others))
    assert first.result().status_code == 200
    until(lambda: batch.passes == [4])
    assert batch.runs == ["a"]
    until(lambda: metric(client, "traces_batched_total") == 4)
    alone = served(serve, Slow(tiny), max_tokens=9)
    for text, answer in answers.items():
        together, expected = answer.result().json(), post(alone, text).json()
        assert together["tokens"] == expected["tokens"]
        for site, other in zip(together["sites"], expected["sites"], strict=True):
            found, wanted = (torch.tensor(one["tensors"]["pattern"]) for one in (site, other))
            torch.testing.assert_close(found, wanted, atol=1e-5, rtol=0)


def test_one_bad_request_does_not_fail_those_that_wait_with_it(
    serve: Serve, tiny: NativeSource, pool: ThreadPoolExecutor
) -> None:
    batch = Batch(tiny)
    client = served(serve, batch, max_tokens=6)
    texts = ("the cat sat", "a cat " * 9, "a dog")
    with batch.held():
        first = pool.submit(post, client, "a")
        until(lambda: batch.runs == ["a"])
        answers = [pool.submit(post, client, text) for text in texts]
        until(lambda: metric(client, "queue") == len(texts))
    assert first.result().status_code == 200
    assert [answer.result().status_code for answer in answers] == [200, 422, 200]
    assert batch.passes == [3]


def test_a_failed_run_releases_waiting_requests_and_is_not_cached(
    serve: Serve, slow: Slow, pool: ThreadPoolExecutor
) -> None:
    client = served(serve, slow)
    slow.error = InputError("Expected something else.", code="odd")
    with slow.held():
        answers = [pool.submit(post, client, "a cat") for _ in range(3)]
        until(lambda: metric(client, "traces_joined_total") == 2)
    assert [answer.result().json()["error"]["code"] for answer in answers] == ["odd"] * 3
    slow.error = None
    assert post(client, "a cat").status_code == 200
    assert slow.runs == ["a cat"] * 2


def test_full_queue_answers_503_at_once_and_empties_again(
    serve: Serve, slow: Slow, pool: ThreadPoolExecutor
) -> None:
    client = served(serve, slow, queue_size=2)
    with slow.held():
        answers = [pool.submit(post, client, text) for text in ("a", "the", "cat")]
        until(lambda: metric(client, "queue") == 2)
        refused = post(client, "dog")
        assert not any(answer.done() for answer in answers)
        # requests that cost nothing are still answered
        assert client.get("/healthz").status_code == client.get("/").status_code == 200
    assert refused.status_code == 503
    assert int(refused.headers["retry-after"]) >= 1
    error = refused.json()["error"]
    assert (error["code"], error["limit"]) == ("busy", 2)
    assert [answer.result().status_code for answer in answers] == [200] * 3
    assert metric(client, "queue") == 0
    assert metric(client, "busy_total") == 1
    assert post(client, "dog").status_code == 200


def test_equal_requests_wait_without_taking_room(
    serve: Serve, slow: Slow, pool: ThreadPoolExecutor
) -> None:
    client = served(serve, slow, queue_size=0)
    with slow.held():
        answers = [pool.submit(post, client, "a") for _ in range(3)]
        until(lambda: metric(client, "traces_joined_total") == 2)
        assert post(client, "the").status_code == 503
        assert metric(client, "queue") == 0
    assert [answer.result().status_code for answer in answers] == [200] * 3


def test_a_request_that_waits_too_long_gets_a_503(
    serve: Serve, slow: Slow, pool: ThreadPoolExecutor
) -> None:
    client = served(serve, slow, queue_timeout_s=0.05)
    with slow.held():
        first = pool.submit(post, client, "a")
        until(lambda: slow.runs == ["a"])
        refused = post(client, "the")
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "busy")
        assert "retry-after" in refused.headers
    assert first.result().status_code == 200
    assert slow.runs == ["a"]


def test_no_more_than_concurrency_run_together(
    serve: Serve, slow: Slow, pool: ThreadPoolExecutor
) -> None:
    client = served(serve, slow, concurrency=2)
    with slow.held():
        answers = [pool.submit(post, client, text) for text in ("a", "the", "cat", "dog")]
        until(lambda: metric(client, "queue") == 2)
        assert len(slow.runs) == 2
    assert [answer.result().status_code for answer in answers] == [200] * 4
    assert len(slow.runs) == 4


def test_long_queue_leaves_threads_for_the_rest(serve: Serve, slow: Slow) -> None:
    client = served(serve, slow, queue_size=60)  # Starlette alone has 40 threads
    with ThreadPoolExecutor(61) as pool, slow.held():
        answers = [pool.submit(post, client, "a" * n) for n in range(61)]
        until(lambda: metric(client, "queue") == 60)  # /metrics and files take a thread
        assert client.get("/static/js/state/store.js").status_code == 200
    assert {answer.result().status_code for answer in answers} == {200}


def test_requests_waiting_for_a_model_count_as_waiting(
    serve: Serve, tiny: NativeSource, pool: ThreadPoolExecutor
) -> None:
    go = threading.Event()

    def load(progress: Progress) -> NativeSource:
        assert go.wait(TIMEOUT_S)
        return tiny

    client = serve(Registry({"quick": lambda progress: tiny, "slow": load}), queue_size=1)
    first = pool.submit(post, client, "a", model="slow")
    until(lambda: metric(client, "queue") == 1)
    assert post(client, "the", model="slow").json()["error"]["code"] == "busy"
    assert post(client, "a", model="quick").status_code == 200
    go.set()
    assert first.result().status_code == 200


def test_failure_while_reading_keeps_the_trace_and_frees_the_thread(
    serve: Serve, slow: Slow
) -> None:
    client = served(serve, slow)
    for _ in range(2):
        assert post(client, "a", select={"heads": [9]}).status_code == 422
    assert post(client, "a").status_code == 200
    assert slow.runs == ["a"]
