"""Computes traces on the worker threads and caches them."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, NamedTuple, TypeVar

import torch

from model.errors import InputError, LimitError
from model.lens import TunedLens
from model.message import Message
from model.sources.answering.answer import Probe, Similarity
from model.sources.answering.answered import seen
from model.sources.generation import Generated
from model.sources.runner import Runner
from model.sources.source import Batching, Continues, Inputs, Source
from model.trace.predictions import MuteEffects
from model.trace.trace import Trace
from server.errors import BusyError
from server.http.metrics import Metrics
from server.run.tracing.cache import Cache
from server.run.tracing.jobs import Cancelled, Job
from server.run.tracing.memory import Memory, memory_limit
from server.run.tracing.workers import Workers
from server.settings import Settings

# Bytes of a cache entry beside its tensors: a fixed part, each token, painted cell or effect, and
# each character of its texts.
_ENTRY_BYTES, _ITEM_BYTES, _CHARACTER_BYTES = 16_384, 512, 4


T = TypeVar("T")


class Key(NamedTuple):
    """The key of a cached result."""

    source: int  # its id(), because two sources may have the same name
    inputs: Inputs
    analysis: tuple[str, Hashable] | None = None  # its name and settings; None: the trace


class Tracer:
    """Runs sources and caches their results."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings = settings
        self._metrics = metrics
        self.workers = Workers(settings, metrics)
        self._cache = Cache(settings.cache_bytes, metrics.cache_bytes)
        self.answers = Cache(settings.answer_cache_bytes, metrics.answer_cache_bytes)  # as bytes
        limit = memory_limit(settings.memory_bytes, settings.workers)
        self.memory = Memory(limit, self.forget_all)

    async def run(self, job: Job, gone: Awaitable[None] | None = None) -> Any:
        """Queue a job and wait for its result. It is cancelled when the client has `gone`.

        Raises:
            BusyError: too many requests are waiting, or this one waited too long.
            Cancelled: the client has gone.
            OutOfTime: the job took longer than allowed.
            Whatever the job raises.
        """
        self.workers.submit(job)
        waited = self.settings.queue_timeout_s
        timer = asyncio.get_running_loop().call_later(
            waited, self.workers.withdraw, job, self._too_late()
        )
        done = asyncio.wrap_future(job.future)
        leaves = None if gone is None else asyncio.ensure_future(gone)
        try:
            await asyncio.wait(
                {done} if leaves is None else {done, leaves}, return_when=asyncio.FIRST_COMPLETED
            )
            if not done.done():
                raise Cancelled
            return done.result()
        finally:
            timer.cancel()
            if leaves is not None:
                leaves.cancel()
            if not done.done():
                self.workers.cancel(job)
                done.cancel()

    def trace(self, source: Source, inputs: Inputs) -> Trace:
        """The trace of these inputs, computed or from the cache. Call it inside a job.

        Raises:
            Whatever the source raises.
        """
        key = Key(id(source), inputs)
        known: Trace | None = self._cache.get(key)
        if known is not None:
            self._metrics.hits.inc()
            return known
        self._metrics.misses.inc()
        limit = self.settings.max_tokens
        trace = seen(source, inputs, max_tokens=limit).trace(inputs, max_tokens=limit)
        self._metrics.computed.inc()
        self._remember(key, trace)
        return trace

    def trace_together(self, source: Source, each: Sequence[Inputs]) -> None:
        """Compute and cache the uncached ones of these in one pass. Call it inside a job.

        If an input is invalid, nothing happens; its own job will report the error.
        """
        keys = dict.fromkeys(Key(id(source), inputs) for inputs in each)
        new = [key for key in keys if self._cache.get(key) is None]
        if len(new) < 2 or not isinstance(source, Batching) or not self.settings.cache_bytes:
            return
        try:
            traces = source.trace_together(
                [key.inputs for key in new], max_tokens=self.settings.max_tokens
            )
        except InputError:
            return
        for key, trace in zip(new, traces, strict=True):
            self._metrics.computed.inc()
            self._metrics.batched.inc()
            self._remember(key, trace)

    def runs(
        self, source: Source, inputs: Inputs, trace: Trace, lens: Callable[[], TunedLens]
    ) -> "TracedRuns":
        """Further runs for the analyses of a trace; `lens` gives the tuned lens of the source."""
        return TracedRuns(self, source, inputs, trace, lens)

    def cached(
        self,
        source: Source,
        inputs: Inputs,
        name: str,
        settings: Hashable,
        compute: Callable[[], T],
    ) -> T:
        """A result of further runs, computed or from the cache. Call it inside a job."""
        key = Key(id(source), inputs, (name, settings))
        known: T | None = self._cache.get(key)
        if known is not None:
            return known
        found = compute()
        self._metrics.muted.inc()
        self._cache.put(key, found, _cost(key) + _ITEM_BYTES * _items(found))
        return found

    def forget(self, source: Source) -> None:
        """Drop the results of an unloaded source; its traces would keep its weights in memory."""
        self._cache.drop(lambda key: isinstance(key, Key) and key.source == id(source))
        self.answers.drop()  # their keys do not name the source; they are cheap to recompute

    async def shutdown(self) -> None:
        """Stop all running and waiting jobs; each fails with a 503 (code "stopping")."""
        await asyncio.to_thread(self.workers.stop)

    def forget_all(self) -> None:
        """Empty the caches."""
        self._cache.drop()
        self.answers.drop()

    def _remember(self, key: Key, trace: Trace) -> None:
        nbytes = _cost(key) + trace.nbytes + _ITEM_BYTES * _n_tokens(trace)
        self._cache.put(key, trace, nbytes)

    def _too_late(self) -> BusyError:
        waited = self.settings.queue_timeout_s
        seconds = f"{waited:g}"
        return BusyError(
            Message(
                "The server is busy: this request waited {seconds} s. Try again in a moment.",
                seconds=seconds,
            ),
            wait_s=waited,
        )


class TracedRuns:
    """Runs a model again for the analyses of a trace, and caches what they find."""

    def __init__(
        self,
        tracer: Tracer,
        source: Source,
        inputs: Inputs,
        trace: Trace,
        lens: Callable[[], TunedLens],
    ) -> None:
        self.lens = lens
        self._tracer = tracer
        self._source = source
        self._seen = seen(source, inputs, max_tokens=tracer.settings.max_tokens)
        self.info = self._seen.info
        self.inputs = inputs
        self._trace = trace

    def mute_effects(self, position: int | None, token: int | None) -> list[MuteEffects]:
        """How muting each head changes a token's probability.

        Raises:
            LimitError: it would need too many runs (code "too_many_runs").
            Whatever the source raises.
        """
        heads = sum(site.n_heads for site in self._source.info.sites)
        each = Message("{n} head", "{n} heads", n=heads)
        self.check(heads, each, Message("Muting each head in turn"), "analyse.mute_effects")
        max_tokens = self._tracer.settings.max_tokens
        return self.cached(
            "mute_effects",
            (position, token),
            lambda: self._seen.mute_effects(
                self.inputs, position=position, token=token, max_tokens=max_tokens
            ),
        )

    def runner(self, inputs: Inputs) -> Runner:
        """A runner of these inputs, which may differ from those of the trace.

        Gradients can flow through it, outside `torch.inference_mode`.

        Raises:
            Whatever the source raises.
        """
        with torch.inference_mode(False), torch.no_grad():  # so that gradients may flow later
            limit = self._tracer.settings.max_tokens
            source = seen(self._source, inputs, max_tokens=limit)
            return source.runner(inputs, max_tokens=limit)

    def continued(self, inputs: Inputs) -> Generated:
        """The texts of these inputs with the tokens that they ask to generate.

        Raises:
            Whatever the source raises.
        """
        assert isinstance(self._source, Continues)  # it predicts next tokens
        return self._source.continued(inputs, max_tokens=self._tracer.settings.max_tokens)

    def check(self, n: int, each: Message, what: Message, field: str) -> None:
        """Refuse to run the texts of the trace too often, `n` times: for each of what `each` says.

        Raises:
            LimitError: code "too_many_runs".
        """
        tokens, limit = _n_tokens(self._trace), self._tracer.settings.max_mute_tokens
        total = tokens * n
        if total > limit:
            raise LimitError(
                Message(
                    "{what} would run {tokens} tokens (including padding) for each of {each}, "
                    "{total} in total; at most {most} are run per request. Send fewer or shorter "
                    "texts.",
                    what=what,
                    tokens=tokens,
                    each=each,
                    total=total,
                    most=limit,
                ),
                code="too_many_runs",
                field=field,
                limit=limit,
            )

    def cached(self, name: str, settings: Hashable, compute: Callable[[], T]) -> T:
        """The result of `compute`, or that of an earlier call for the same inputs."""
        return self._tracer.cached(self._source, self.inputs, name, settings, compute)


def _items(found: object) -> int:
    """The number of values in a result of further runs."""
    if isinstance(found, list | tuple):
        return sum(map(_items, found))
    if isinstance(found, dict):
        return sum(map(_items, found.values()))
    return sum(map(_items, vars(found).values())) if hasattr(found, "__dict__") else 1


def _cost(key: Key) -> int:
    """Bytes held by a key."""
    inputs = key.inputs
    masks = inputs.masks
    settings = 0 if inputs.settings is None else inputs.settings.nbytes
    texts = (*inputs.texts, *(inputs.ids or ()), *(inputs.targets or ()), *(inputs.pairs or ()))
    others = (text for one in inputs.interventions for text in one.donors or ())
    match inputs.answer:
        case Similarity(texts=like):
            texts = (*texts, *like)
        case Probe(weights=rows):
            settings += _ITEM_BYTES * sum(map(len, rows))
    characters = _CHARACTER_BYTES * sum(map(len, (*texts, *others)))
    items = len(masks.blocked) + len(masks.allowed) + len(inputs.muted)
    for one in inputs.interventions:
        items += 1 + len(one.positions or ()) + len(one.pairs or ())
    return _ENTRY_BYTES + settings + characters + _ITEM_BYTES * items


def _n_tokens(trace: Trace) -> int:
    return sum(len(row) for row in (*trace.tokens, *(trace.target_tokens or ())))
