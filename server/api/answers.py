"""Turns a trace request into a response: checked at once, computed when its turn comes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from dataclasses import dataclass
from typing import Literal

from model.errors import HeadlightError, InputError, NumericsError
from model.interventions import overflow
from model.sources.source import ChatMessage, Converses, Inputs, fits_together, unedited
from server.api import wire
from server.api.looks import looks_of
from server.api.schemas import TraceRequest
from server.errors import problem_response, unexpected_error
from server.http.events import event, problem_event
from server.languages.table import ENGLISH, Language
from server.run.lenses import Lenses
from server.run.models import Models
from server.run.tracing import Batchable, Job, Tracer
from server.run.tracing.cost import check_budget, estimate
from server.settings import Settings

Encoding = Literal["application/json", "application/safetensors", "text/event-stream"]
JSON: Encoding = "application/json"
SAFETENSORS: Encoding = "application/safetensors"
EVENTS: Encoding = "text/event-stream"

PROGRESS_S = 0.25  # between two progress events
HEARTBEAT_S = 2.0  # after this long an event is sent even if nothing has changed


@dataclass(frozen=True)
class PreparedRequest:
    """A request that passed all checks that need no computation."""

    job: Job
    encoding: Encoding


class Answers:
    """Answers requests for traces."""

    def __init__(self, settings: Settings, models: Models, tracer: Tracer, lenses: Lenses) -> None:
        self._settings = settings
        self._models = models
        self._tracer = tracer
        self._lenses = lenses

    async def prepare(
        self, request: TraceRequest, participant: str, encoding: Encoding = JSON
    ) -> PreparedRequest:
        """Check a request and estimate its cost.

        Raises:
            InputError: the request is invalid or exceeds a limit.
            BusyError: its model is still loading, or too many requests wait for it.
            CheckpointError: its model could not be loaded.
        """
        if request.messages is None:
            inputs = request.to_inputs(self._settings)  # what is wrong is told before a model loads
        name = await self._models.ready(request.model, waiting=self._tracer.workers.place)
        if request.messages is not None:
            request = request.with_texts(await asyncio.to_thread(self._rendered, request, name))
            inputs = request.to_inputs(self._settings)
        cost = estimate(request, inputs, self._models.info(name))
        check_budget(cost, self._settings)
        self._tracer.memory.check(cost.nbytes)

        def work() -> bytes:
            self._tracer.memory.ensure(cost.nbytes)
            return self.compute(request, inputs, name, encoding)

        def run_together(each: Sequence[Inputs]) -> None:
            with self._models.use(name) as source:
                self._tracer.trace_together(source, each)

        fits = fits_together(inputs)
        job = Job(
            work,
            cost=cost.ms,
            participant=participant,
            key=(name, inputs),
            batchable=None if fits is None else Batchable((name, fits), inputs, run_together),
        )
        return PreparedRequest(job, encoding)

    def _rendered(self, request: TraceRequest, name: str) -> list[str]:
        """The texts of its conversations.

        Raises:
            InputError: there are texts, too; or the model has no chat template, or it refuses them.
        """
        if request.texts or request.ids is not None:
            raise InputError("Expected `messages` or `texts`; got both.", field="messages")
        with self._models.use(name) as source:
            if not isinstance(source, Converses):
                raise InputError(
                    f"{name} has no chat template. Send `texts` instead.", field="messages"
                )
            return [
                source.chat_text([ChatMessage(each.role, each.content) for each in conversation])
                for conversation in request.messages or ()
            ]

    async def answer(self, prepared: PreparedRequest, gone: Awaitable[None] | None = None) -> bytes:
        """The response body, computed when the job's turn comes.

        Raises:
            BusyError: too many requests are waiting, or this one waited too long.
            Cancelled: the client has `gone`.
            OutOfTime: it took longer than allowed.
            As `compute` does.
        """
        content: bytes = await self._tracer.run(prepared.job, gone)
        return content

    async def events(
        self, prepared: PreparedRequest, language: Language = ENGLISH
    ) -> AsyncIterator[bytes]:
        """The response as server-sent events: progress, then the answer or an error."""
        job, last_sent, quiet_s = prepared.job, None, 0.0
        running = asyncio.ensure_future(self._tracer.run(job))
        try:
            while True:
                await asyncio.wait([running], timeout=PROGRESS_S)
                if running.done():
                    break
                quiet_s += PROGRESS_S
                state = "waiting" if job.began is None else "computing"
                now = {"state": state, "done": job.done, "total": job.total}
                if now != last_sent or quiet_s >= HEARTBEAT_S:
                    last_sent, quiet_s = now, 0.0
                    yield event("progress", now)
            yield event("answer", running.result())
        except HeadlightError as error:
            yield problem_event(problem_response(error, language))
        except Exception as error:
            yield problem_event(unexpected_error(error, language))
        finally:
            running.cancel()  # the client may have gone

    def compute(
        self, request: TraceRequest, inputs: Inputs, name: str, encoding: Encoding
    ) -> bytes:
        """Compute the response body now, in this thread.

        Raises:
            InputError: with its interventions, numbers overflow (code "overflow").
            Whatever the model raises, and `wire.encode`.
        """
        try:
            return self._compute(request, inputs, name, encoding)
        except NumericsError as error:
            if not inputs.interventions:
                raise
            raise overflow() from error

    def _compute(
        self, request: TraceRequest, inputs: Inputs, name: str, encoding: Encoding
    ) -> bytes:
        with self._models.use(name) as source:
            # by default predictions are included if the model can predict; if they were requested
            # explicitly and it cannot, that is an error
            predicts = inputs.answer is not None or source.info.predicts is not None
            asked = "predict" in request.model_fields_set or predicts
            predict = request.predict if asked else None
            trace = self._tracer.trace(source, inputs)
            # text of rare letters has many more tokens than was guessed
            tokens = len((trace.target_tokens or trace.tokens)[0])
            tokens = max(tokens, len(trace.tokens[0]))
            check_budget(estimate(request, inputs, source.info, tokens), self._settings)
            plain = None
            if predict is not None and predict.unedited:
                plain = self._tracer.trace(source, unedited(inputs, trace))

            return wire.encode(
                trace,
                looks_of(request),
                predict,
                request.analyse,
                self._tracer.runs(source, inputs, trace, lambda: self._lenses.fitted(name)),
                plain,
                rendered=None if request.messages is None else request.texts,
                safetensors=encoding == SAFETENSORS,
                max_bytes=self._settings.max_answer_bytes,
            )
