"""Who computes what, and when: a queue, a cache, and equal requests that run once."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import torch

from model.errors import LimitError
from model.predictions import MuteEffects
from model.sources.source import Inputs, Source
from model.trace import Trace
from server.errors import BusyError
from server.metrics import Metrics
from server.settings import Settings

T = TypeVar("T")

# What an entry of the cache costs beside its tensors, in Python objects: itself, and each token,
# painted cell or effect.
_ENTRY_BYTES, _ITEM_BYTES = 16_384, 512
GIVE_WAY_S = 1.0  # that background work lets those who wait go first, each time


class Key(NamedTuple):
    """What determines what is remembered."""

    source: int  # by identity: two may have one name
    inputs: Inputs
    muting: tuple[int | None, int | None] | None = None  # position, token; None is the trace


class Tracer:
    """Runs sources for many requests at once. It blocks: call it from a thread."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self.queue = Queue(settings, metrics)
        self._cache = Cache(settings.cache_bytes)
        self._running: dict[Key, Future[Any]] = {}
        self._lock = threading.Lock()  # of the cache and of what is running

    def look(self, source: Source, inputs: Inputs, read: Callable[[Trace], T]) -> T:
        """Read something off the trace of these inputs, computed or remembered.

        Both the run and `read` happen in a slot and under inference mode.

        Raises:
            BusyError: too many requests wait, or this one waited too long.
            Whatever the source or `read` raises.
        """
        key = Key(id(source), inputs)
        trace, running = self._find(key)
        if trace is not None:
            self._metrics.hits.inc()
        elif running is not None:
            self._metrics.joined.inc()
            trace = self.queue.join(running)
        else:
            self._metrics.misses.inc()
            with self._settling(key), self.queue.slot():
                trace = source.trace(inputs, max_tokens=self._settings.max_tokens)
                self._metrics.computed.inc()
                self._settle(key, trace, trace.nbytes + _ITEM_BYTES * _n_tokens(trace))
                return read(trace)
        with self.queue.slot():
            return read(trace)

    def mute_effects(
        self,
        source: Source,
        inputs: Inputs,
        trace: Trace,
        position: int | None,
        token: int | None,
    ) -> list[MuteEffects]:
        """What muting each head does to a token, computed or remembered.

        For a `read` of the trace of these inputs: it runs in the slot that is held there.

        Raises:
            LimitError: it would run too many tokens (code "too_many_runs").
            Whatever the source raises.
        """
        self._check_runs(source, trace)
        key = Key(id(source), inputs, (position, token))
        known, running = self._find(key)
        if known is not None or running is not None:
            found: list[MuteEffects] = known if running is None else self.queue.join(running)
            return found
        with self._settling(key):
            effects = source.mute_effects(
                inputs, position=position, token=token, max_tokens=self._settings.max_tokens
            )
            self._metrics.muted.inc()
            self._settle(key, effects, _ITEM_BYTES * sum(len(found.effects) for found in effects))
        return effects

    def forget(self, source: Source) -> None:
        """Drop what was computed with a source that goes; its traces hold on to its weights."""
        with self._lock:
            self._cache.drop(id(source))
            self._metrics.cache_bytes.set(self._cache.nbytes)

    def _check_runs(self, source: Source, trace: Trace) -> None:
        tokens, limit = _n_tokens(trace), self._settings.max_mute_tokens
        heads = sum(site.n_heads for site in source.info.sites)
        if tokens * heads > limit:
            raise LimitError(
                f"The effects of muting would run {tokens:,} tokens (padding, too) for each of "
                f"{heads:,} heads, so {tokens * heads:,}; this server runs at most {limit:,} for "
                f"one request, here {limit // heads:,} for each head. Send fewer or shorter texts.",
                code="too_many_runs",
                field="analyse.mute_effects",
                limit=limit,
            )

    def _find(self, key: Key) -> tuple[Any, Future[Any] | None]:
        """What is known, or who computes it. Where neither is, whoever asked does."""
        with self._lock:
            known, running = self._cache.get(key), self._running.get(key)
            if known is None and running is None:
                self._running[key] = Future()
            return known, running

    def _settle(self, key: Key, value: object, cost: int) -> None:
        """Remember what was computed, and hand it to all that wait for it."""
        with self._lock:
            self._cache.put(key, value, cost + _key_cost(key))
            self._metrics.cache_bytes.set(self._cache.nbytes)
            future = self._running.pop(key)
        future.set_result(value)

    @contextmanager
    def _settling(self, key: Key) -> Iterator[None]:
        """Those who wait for it get a failure too, but nobody after them does."""
        future = self._running[key]
        try:
            yield
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
        self._changed = threading.Condition()  # of how many wait

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

    @contextmanager
    def background(self) -> Iterator[Callable[[], None]]:
        """Hold one of the slots for work that nobody waits for, however long it takes to get one.

        Calling what is yielded gives way: those who wait have their turn, then it goes on.
        """

        def enter() -> None:
            with self._changed:  # within limits, so that a busy server gets on with it as well
                self._changed.wait_for(lambda: self._waiting == 0, GIVE_WAY_S)
            self._slots.acquire()

        def give_way() -> None:
            self._slots.release()
            enter()

        enter()
        try:
            with torch.inference_mode():
                yield give_way
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
        with self._changed:
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
            with self._changed:
                self._waiting -= 1
                self._changed.notify_all()

    def _too_late(self) -> BusyError:
        self._metrics.refused.inc()
        return BusyError(
            f"The server is busy: this request waited {self._timeout_s:g} s. Try again in a moment."
        )


class Cache:
    """What was looked at last, bounded by the memory that it holds. Its owner locks it."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._entries: OrderedDict[Key, tuple[Any, int]] = OrderedDict()
        self.nbytes = 0

    def get(self, key: Key) -> Any | None:
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def put(self, key: Key, value: object, cost: int) -> None:
        """Remember something new and forget the oldest; what exceeds the cache is not kept."""
        if cost > self._max_bytes:
            return
        self._entries[key] = (value, cost)
        self.nbytes += cost
        while self.nbytes > self._max_bytes:
            _, (_, freed) = self._entries.popitem(last=False)
            self.nbytes -= freed

    def drop(self, source: int) -> None:
        """Forget all of one source."""
        for key in [key for key in self._entries if key.source == source]:
            self.nbytes -= self._entries.pop(key)[1]


def _key_cost(key: Key) -> int:
    masks, scratch = key.inputs.masks, key.inputs.scratch
    weights = 0 if scratch is None else len(scratch.weights or b"")
    return _ENTRY_BYTES + weights + _ITEM_BYTES * (len(masks.blocked) + len(masks.allowed))


def _n_tokens(trace: Trace) -> int:
    return sum(len(row) for row in (*trace.tokens, *(trace.target_tokens or ())))
