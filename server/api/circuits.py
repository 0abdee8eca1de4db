"""Answers requests for the circuits of a head over the vocabulary, which depend on no text."""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from model.analysis.weights.circuits import Circuits, TokenPair, circuits
from model.errors import LimitError
from model.kinds import SiteKind as Kind
from model.sources.source import Source, SourceInfo
from server.run.models import Models
from server.run.prices import MULTIPLY_ADD_MS, REQUEST_MS
from server.run.tracing import Job, Tracer
from server.settings import Settings

CELL_MS = 1 / 8e5  # per cell of a circuit, to find the largest
QK, OV = ("query", "key"), ("source", "output")  # what the two tokens of a pair are


class Asked(NamedTuple):
    """A head of a model, and what to know of it."""

    model: str
    layer: int
    head: int
    kind: Kind | None
    token: int | None
    pairs: bool


class HeadCircuits:
    """Computes circuits on the worker threads, and keeps the answers."""

    def __init__(self, settings: Settings, models: Models, tracer: Tracer) -> None:
        self._settings = settings
        self._models = models
        self._tracer = tracer

    async def prepare(self, asked: Asked, participant: str) -> Job:
        """Check what is asked and estimate its cost.

        Raises:
            InputError: there is no such model.
            LimitError: the pairs would take too long (code "too_expensive").
            BusyError, CheckpointError: as for a trace.
        """
        await self._models.ready(asked.model, waiting=self._tracer.workers.place)
        ms = _ms(self._models.info(asked.model), pairs=asked.pairs)
        if ms > 1000 * self._settings.max_work_s:
            raise LimitError(
                f"Finding the strongest pairs of a head would take about {ms / 1000:,.0f} s; this "
                f"server spends at most {self._settings.max_work_s:g} s on one request. Ask "
                "without them (pairs=false), with a token whose partners you want to see.",
                code="too_expensive",
                field="pairs",
                limit=int(self._settings.max_work_s),
            )

        def work() -> bytes:
            with self._models.use(asked.model) as source:
                key = ("circuits", id(source), asked)  # another model may have had this name
                known: bytes | None = self._tracer.answers.get(key)
                if known is None:
                    known = compute(source, asked)
                    self._tracer.answers.put(key, known, len(known))
                return known

        return Job(work, cost=ms, participant=participant, key=("circuits", asked))

    async def answer(self, job: Job, gone: Awaitable[None] | None = None) -> bytes:
        """The response body, computed when its turn comes.

        Raises:
            InputError: there is no such head or token.
            UnavailableError: the model's heads cannot be read over its vocabulary.
            BusyError, Cancelled, OutOfTime: as for a trace.
        """
        content: bytes = await self._tracer.run(job, gone)
        return content


def compute(source: Source, asked: Asked) -> bytes:
    """The response body, computed in this thread.

    Raises:
        InputError: there is no such head or token.
        UnavailableError: the model's heads cannot be read over its vocabulary.
    """
    found = circuits(
        source,
        layer=asked.layer,
        head=asked.head,
        kind=asked.kind,
        token=asked.token,
        pairs=asked.pairs,
    )
    return orjson.dumps({"model": asked.model, **document(found)})


def document(found: Circuits) -> dict[str, Any]:
    """The circuits as the API sends them."""

    def each(pairs: Sequence[TokenPair], names: tuple[str, str]) -> list[dict[str, Any]]:
        return [_pair(pair, names, found.texts) for pair in pairs]

    names = ("site", "layer", "head", "reads", "n_tokens", "copying", "copied", "no_outputs")
    partners = found.partners
    return {
        **{name: getattr(found, name) for name in names},
        "qk": each(found.qk, QK),
        "ov": each(found.ov, OV),
        "partners": None
        if partners is None
        else {
            "token": _word(partners.token, found.texts),
            "as_query": each(partners.as_query, QK),
            "as_key": each(partners.as_key, QK),
            "raises": each(partners.raises, OV),
            "lowers": each(partners.lowers, OV),
        },
    }


def _pair(pair: TokenPair, names: tuple[str, str], texts: Mapping[int, str]) -> dict[str, Any]:
    first, second = names
    return {
        first: _word(pair.first, texts),
        second: _word(pair.second, texts),
        "value": pair.value,
    }


def _word(id: int, texts: Mapping[int, str]) -> dict[str, Any]:
    return {"id": id, "text": texts[id]}


def _ms(info: SourceInfo, *, pairs: bool) -> float:
    """The approximate processor time in milliseconds."""
    thin = info.vocab_size * info.d_model * (4 * info.d_head + 8 * info.d_model)
    ms = REQUEST_MS + thin * MULTIPLY_ADD_MS
    if pairs:
        cells = 2.0 * info.vocab_size**2
        ms += cells * (info.d_head * MULTIPLY_ADD_MS + CELL_MS)
    return ms
