"""The API's traces for the Python client, without HTTP: of a source in this process."""

import json
import sys

from headlight.http.steps import PAUSED, Call, Pause, Reply, Steps, T
from model.sources.source import Inputs, Source
from model.trace.trace import Trace
from server.api import wire
from server.api.looks import looks_of
from server.api.schemas import TraceRequest
from server.settings import Settings


class InProcess:
    """Does the steps of a client by one source, which stands for the server."""

    def __init__(self, source: Source, settings: Settings) -> None:
        self._source = source
        self._settings = settings
        self._traces: list[tuple[Inputs, Trace]] = []  # the last one

    def do(self, steps: Steps[T]) -> T:
        """Do the steps, and return their result."""
        try:
            step = next(steps)
            while True:
                step = steps.send(self._reply(step))
        except StopIteration as end:
            result: T = end.value
            return result

    def _reply(self, step: Call | Pause) -> Reply:
        if isinstance(step, Pause):
            return PAUSED
        request = TraceRequest(**json.loads(step.body or b"{}"))
        answer = wire.encode(
            self._trace(request.to_inputs(self._settings)),
            looks_of(request),
            request.predict if self._source.info.predicts else None,
            request.analyse,
            safetensors=True,
            max_bytes=sys.maxsize,  # nothing is sent
        )
        return Reply(200, {}, answer)

    def _trace(self, inputs: Inputs) -> Trace:
        """What the model does. Looks at one run follow each other, so the last is kept."""
        if not self._traces or self._traces[0][0] != inputs:
            self._traces = [
                (inputs, self._source.trace(inputs, max_tokens=self._settings.max_tokens))
            ]
        return self._traces[0][1]
