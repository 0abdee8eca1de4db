"""Studies: what `headlight.study` asks about each pair, answered by this server in its own turn."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Any

import orjson
from pydantic import ValidationError

from headlight.errors import HeadlightError as ClientError
from headlight.errors import RequestError, ServerError
from headlight.http.connection import Connection
from headlight.http.steps import PAUSED, Call, Pause, Reply, Steps, T
from headlight.request.request import Request
from headlight.study.asking import Keep, Told
from headlight.study.circuit import SHARES
from headlight.study.edges import EdgeCircuit, EdgeMeans, find_edges
from headlight.study.means import Means, means, sentences_of
from headlight.study.pairs import Pair, pairs_of
from headlight.study.study import Study, study
from model.errors import HeadlightError, InputError
from server.api.answers import SAFETENSORS, Answers
from server.api.schemas import TraceRequest
from server.api.schemas.studies import (
    StudiedSentences,
    StudyBegun,
    StudyCircuit,
    StudyEdge,
    StudyPair,
    StudyRequest,
    StudyRow,
    StudyTable,
    Templates,
)
from server.errors import error_response, invalid, problem_response, unexpected_error
from server.http.events import event, problem_event
from server.run.models import Models
from server.run.tracing import Tracer

KEPT_BYTES = 64 * 1024**2  # of answers about pairs, with which a study that is asked again begins
BEAT_S = 2.0  # after this long without news an event says that the study goes on
TABLE_S = 0.5  # between two tables
MOST_ROWS = 2_000  # of a table: of edges, those with the largest means

Found = Study | Means | EdgeMeans  # so far
Result = Study | Means | EdgeCircuit


@dataclass
class Asked:
    """A study, its pairs made."""

    request: StudyRequest
    model: str
    pairs: tuple[Pair, ...]
    participant: str

    def steps(self, keep: Keep) -> Steps[Result]:
        answer = self.request.answer
        told = None if answer is None else answer.model_dump(exclude_none=True)
        connection = Connection("", "")
        request = Request.of((), {"model": self.model, "answer": told})
        of = self.request.of
        if of == "circuit":
            goal = self.request.goal
            return find_edges(connection, self.pairs, request, goal=goal, held_out=1 / 3, keep=keep)
        if of != "patching":
            return means(connection, self.pairs, request, of, keep)
        return study(
            connection,
            self.pairs,
            request,
            at=self.request.at,
            by=self.request.by,
            metric="logit_difference",
            exact=self.request.exact,
            keep=keep,
        )

    def found(self, results: tuple[Any, ...]) -> Found:
        if self.request.of == "circuit":
            return EdgeMeans(results)
        if self.request.of != "patching":
            return Means(self.request.of, results)
        return Study(self.request.at, self.request.by, "logit_difference", results)


class _Known:
    """Answers about pairs of all studies, as JSON; the oldest go first."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._nbytes = 0
        self._lock = Lock()  # studies go on in threads

    def get(self, key: str) -> Any | None:
        found = self._answers.get(key)
        return None if found is None else orjson.loads(found)

    def put(self, key: str, answer: Any) -> None:
        content = orjson.dumps(answer)
        with self._lock:
            self._nbytes += len(content) - len(self._answers.pop(key, b""))
            self._answers[key] = content
            while self._nbytes > KEPT_BYTES:
                self._nbytes -= len(self._answers.popitem(last=False)[1])


@dataclass
class _News:
    """Passes on what is found of each pair."""

    known_to_all: _Known
    results: list[Any] = field(default_factory=list)
    steps: list[Any] = field(default_factory=list)

    def known(self, key: str) -> Any | None:
        return self.known_to_all.get(key)

    def found(self, key: str, result: Any) -> None:
        self.results.append(result)
        self.known_to_all.put(key, result)

    def tried(self, step: Mapping[str, Any]) -> None:
        self.steps.append(step)

    @contextmanager
    def progress(self, doing: str, n: int | None = None) -> Iterator[Told]:
        yield lambda done: None  # events say it


class Studies:
    """Answers requests for studies, a trace at a time, so that others have their turns between."""

    def __init__(self, models: Models, answers: Answers, tracer: Tracer) -> None:
        self._models = models
        self._answers = answers
        self._tracer = tracer
        self._known = _Known()

    async def prepare(self, request: StudyRequest, participant: str) -> Asked:
        """Make the pairs.

        Raises:
            InputError: the templates make no such pairs, or there is no such model.
            BusyError, CheckpointError: its model is not ready.
        """
        if request.templates is None:
            pairs = tuple(Pair(**pair.model_dump()) for pair in request.pairs or ())
        else:
            pairs = tuple(await asyncio.to_thread(_made, request.templates))
        if request.of not in ("patching", "circuit"):
            pairs = tuple(sentences_of(pairs))
        name = await self._models.ready(request.model, waiting=self._tracer.workers.place)
        return Asked(request, name, pairs, participant)

    async def events(self, asked: Asked) -> AsyncIterator[bytes]:
        """`begin`; then `pair` for each, and `table` from time to time; then `end` or `error`."""
        begun = StudyBegun(model=asked.model, of=asked.request.of, n=len(asked.pairs))
        yield event("begin", begun.model_dump(exclude_defaults=True))
        news, told, table_at = _News(self._known), 0, monotonic()
        steps, reply, tried = asked.steps(news), None, 0
        try:
            while not isinstance(step := await asyncio.to_thread(_next, steps, reply), Result):
                for one in news.steps[tried:]:
                    yield event("step", one)
                tried = len(news.steps)
                for n in range(told, len(news.results)):
                    yield event("pair", await asyncio.to_thread(_pair, asked, n, news.results[n]))
                if told < len(news.results) and monotonic() - table_at > TABLE_S:
                    yield await self._table(asked, news)
                    table_at = monotonic()
                told = len(news.results)
                running = asyncio.ensure_future(self._reply(step, asked.participant))
                try:
                    while not (await asyncio.wait([running], timeout=BEAT_S))[0]:
                        yield event("beat", {})
                    reply = running.result()
                finally:
                    running.cancel()  # the client may have gone
            for n in range(told, len(news.results)):
                yield event("pair", await asyncio.to_thread(_pair, asked, n, news.results[n]))
            yield await self._table(asked, news)
            if isinstance(step, EdgeCircuit):
                yield event("circuit", _circuit(step))
            yield event("end", {})
        except ClientError as error:
            status = 500 if isinstance(error, ServerError) else 422
            yield problem_event(
                error_response(
                    status, error.code, error.message, field=error.field, limit=error.limit
                )
            )
        except Exception as error:
            yield problem_event(unexpected_error(error))

    async def _table(self, asked: Asked, news: _News) -> bytes:
        results = tuple(news.results)
        found = await asyncio.to_thread(_rows, asked.found(results))
        used = sum(_follows(asked, result) for result in results)
        return event("table", StudyTable(n=used, rows=found).model_dump(exclude_defaults=True))

    async def _reply(self, step: Call | Pause, participant: str) -> Reply:
        """What the server answers, or refuses, as it would over HTTP."""
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return PAUSED
        try:
            request = TraceRequest(**orjson.loads(step.body or b"{}"))
        except ValidationError as error:
            problems = error.errors(include_url=False, include_input=False)
            refused = invalid([{**each, "loc": ("body", *each["loc"])} for each in problems])
            return Reply(refused.status_code, refused.headers, bytes(refused.body))
        try:
            prepared = await self._answers.prepare(request, participant, SAFETENSORS)
            return Reply(200, {}, await self._answers.answer(prepared))
        except HeadlightError as error:
            refused = problem_response(error)
            return Reply(refused.status_code, refused.headers, bytes(refused.body))


def _next(steps: Steps[T], reply: Reply | None) -> Call | Pause | T:
    """The next step, or the result."""
    try:
        return next(steps) if reply is None else steps.send(reply)
    except StopIteration as end:
        result: T = end.value
        return result


def _circuit(found: EdgeCircuit) -> dict[str, Any]:
    shares = {name: list(getattr(found, name)) for name in SHARES}
    edges = [StudyEdge(**row) for row in found.table]
    return StudyCircuit(edges=edges, n_edges=found.n_edges, **shares).model_dump()


def _made(templates: Templates) -> list[Pair]:
    given = templates.model_dump()
    try:
        return pairs_of(given.pop("clean"), given.pop("corrupted"), given.pop("fill"), **given)
    except RequestError as error:
        field = f"templates.{error.field}"
        raise InputError(error.message, code=error.code, field=field) from None


def _pair(asked: Asked, n: int, result: Any) -> dict[str, Any]:
    found = asked.found((result,))
    [told] = found.pairs
    about = StudiedSentences(
        pair=n,
        clean=told["clean_text"],
        corrupted=told.get("corrupted_text"),
        answer=told["answer"],
        wrong=told["wrong"],
        lead=told["clean"],
        corrupted_lead=told.get("corrupted"),
        follows=_follows(asked, result),
    )
    return StudyPair(pair=about, rows=_rows(found)).model_dump(exclude_defaults=True)


def _follows(asked: Asked, result: Any) -> bool:
    return bool(asked.found((result,)).pairs[0].get("follows", True))


def _rows(found: Found) -> list[StudyRow]:
    rows = []
    for row in found.table[:MOST_ROWS]:
        kept = {name: value for name, value in row.items() if name in StudyRow.model_fields}
        rows.append(StudyRow(**{"mean": row.get("restored"), **kept}))
    return rows
