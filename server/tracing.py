"""Who computes what, and when: a queue, a cache of traces, and equal requests that run once."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from typing import TypeVar

import torch

from model.sources.source import Inputs, Source
from model.trace import Trace
from server.errors import BusyError
from server.metrics import Metrics
from server.settings import Settings

T = TypeVar("T")
Key = tuple[int, Inputs]  # of a source, by identity: two may have one name

# What a trace costs beside its tensors, in Python objects: itself, and each token or painted cell.
_TRACE_BYTES, _ITEM_BYTES = 16_384, 512


class Tracer:
    """Runs sources for many requests at once. It blocks: call it from a thread."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self.queue = Queue(settings, metrics)
        self._cache = TraceCache(settings.cache_bytes)
        self._running: dict[Key, Future[Trace]] = {}
        self._lock = threading.Lock()  # of the cache and of what is running

    def look(self, source: Source, inputs: Inputs, read: Callable[[Trace], T]) -> T:
        """Read something off the trace of these inputs, computed or remembered.

        Both the run and `read` happen in a slot and under inference mode.

        Raises:
            BusyError: too many requests wait, or this one waited too long.
            Whatever the source or `read` raises.
        """
        key = (id(source), inputs)
        with self._lock:
            trace, running = self._cache.get(key), self._running.get(key)
            if trace is None and running is None:
                mine = self._running[key] = Future[Trace]()
        if trace is not None:
            self._metrics.hits.inc()
        elif running is not None:
            self._metrics.joined.inc()
            trace = self.queue.join(running)
        else:
            self._metrics.misses.inc()
            return self._run(key, mine, source, read)
        with self.queue.slot():
            return read(trace)

    def _run(
        self, key: Key, future: Future[Trace], source: Source, read: Callable[[Trace], T]
    ) -> T:
        """Run, for all that wait for it. They get a failure too, but nobody after them does."""
        try:
            with self.queue.slot():
                trace = source.trace(key[1], max_tokens=self._settings.max_tokens)
                self._metrics.computed.inc()
                with self._lock:
                    self._cache.put(key, trace)
                    self._metrics.cache_bytes.set(self._cache.nbytes)
                    del self._running[key]
                future.set_result(trace)
                return read(trace)
        except BaseException as error:
            if not future.done():
                with self._lock:
                    del self._running[key]
                future.set_exception(error)
            raise


class Queue:
    """A bounded wait for a bounded number of slots."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._slots = threading.Semaphore(settings.concurrency)
        self._size = settings.queue_size
        self._timeout_s = settings.queue_timeout_s
        self._metrics = metrics
        self._waiting = 0
        self._lock = threading.Lock()

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold one of the slots."""
        if not self._slots.acquire(blocking=False):
            with self.place():
                if not self._slots.acquire(timeout=self._timeout_s):
                    raise self._too_late()
        try:
            with torch.inference_mode():
                yield
        finally:
            self._slots.release()

    def join(self, future: Future[T]) -> T:
        """Wait, as one of the queue, for what another request computes."""
        with self.place():
            try:
                return future.result(self._timeout_s)
            except FutureTimeout:
                if future.done():
                    raise
                raise self._too_late() from None

    @contextmanager
    def place(self) -> Iterator[None]:
        """Be one of those who wait."""
        with self._lock:
            if self._waiting >= self._size:
                self._metrics.refused.inc()
                raise BusyError(
                    f"The server is busy: {self._waiting} requests wait. Try again in a moment.",
                    limit=self._size,
                )
            self._waiting += 1
        self._metrics.queue.inc()
        try:
            yield
        finally:
            self._metrics.queue.dec()
            with self._lock:
                self._waiting -= 1

    def _too_late(self) -> BusyError:
        self._metrics.refused.inc()
        return BusyError(
            f"The server is busy: this request waited {self._timeout_s:g} s. Try again in a moment."
        )


class TraceCache:
    """The traces looked at last, bounded by the memory that they hold. Its owner locks it."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._traces: OrderedDict[Key, tuple[Trace, int]] = OrderedDict()
        self.nbytes = 0

    def get(self, key: Key) -> Trace | None:
        if key not in self._traces:
            return None
        self._traces.move_to_end(key)
        return self._traces[key][0]

    def put(self, key: Key, trace: Trace) -> None:
        """Remember a new trace and forget the oldest; one larger than the cache is not kept."""
        cost = _cost(key[1], trace)
        if cost > self._max_bytes:
            return
        self._traces[key] = (trace, cost)
        self.nbytes += cost
        while self.nbytes > self._max_bytes:
            _, (_, freed) = self._traces.popitem(last=False)
            self.nbytes -= freed


def _cost(inputs: Inputs, trace: Trace) -> int:
    tokens = sum(len(row) for row in (*trace.tokens, *(trace.target_tokens or ())))
    cells = len(inputs.masks.blocked) + len(inputs.masks.allowed)
    return trace.nbytes + _TRACE_BYTES + _ITEM_BYTES * (tokens + cells)
