"""A source that answers something else than what its model predicts.

Whatever asks what a head, a part or a direction does to a prediction can then ask it of the answer:
of a model that predicts nothing, too. An answer is one of a few classes, as a classifier's is.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

import torch
from torch import Tensor

from model.core.editing import Editor, Place, in_turn
from model.sources.answering.answer import Answer
from model.sources.answering.reading import reading_of
from model.sources.inputs import muted_heads
from model.sources.muting import mute_effects
from model.sources.runner import Runner
from model.sources.source import Inputs, Source, SourceInfo
from model.trace.predictions import Measured, MuteEffects
from model.trace.stream import Stream, layer_of
from model.trace.trace import Trace


def seen(source: Source, inputs: Inputs, *, max_tokens: int | None = None) -> Source:
    """The source as inputs with an answer see it; without one, itself.

    `max_tokens` can lower the model's own limit for the texts of an answer.

    Raises:
        InputError: the answer does not fit the source.
        UnavailableError: the source cannot give it.
    """
    if inputs.answer is None:
        return source
    return Answered(source, inputs.answer, inputs, max_tokens=max_tokens)


class Answered:
    """A source that predicts what an answer tells. `inputs` says how other texts are run for it."""

    def __init__(
        self, source: Source, answer: Answer, inputs: Inputs, *, max_tokens: int | None = None
    ) -> None:
        self._source = source
        self._reading = reading_of(source, answer, inputs, max_tokens)
        self.info: SourceInfo = replace(source.info, predicts="class", classes=answer.names)

    @property
    def ordinary_ids(self) -> Sequence[int]:
        """The vocabulary without its special tokens."""
        return self._source.ordinary_ids

    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        """As the source itself: answers are read of texts."""
        return self._source.trace_ids(rows)

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """The run, with the answer in the place of what the model predicts."""
        trace = self._source.trace(inputs, max_tokens=max_tokens)
        runner = self.runner(inputs, max_tokens=max_tokens)
        with torch.no_grad():
            after = torch.cat([runner(text=text) for text in range(len(trace.tokens))])
        rows = trace.read_tokens
        predicted_at = trace.read_at or (None,) * len(rows)
        at = tuple(map(self._reading.position, rows, predicted_at))
        logits = partial(self._reading.logits, unembed=trace.unembed)
        measured = [
            self._reading.quantity(logits(after[text, position]).cpu())
            for text, position in enumerate(at)
        ]
        real = [[n for n, token in enumerate(row) if not token.padding] for row in rows]
        return replace(
            trace,
            stages=after[None].float().cpu(),
            unembed=logits,
            token_text=trace.token_text or str,
            predicts="class",
            classes=self._reading.names,
            lens_lacks=self._reading.lens_lacks,
            read_at=at,
            read_over=tuple(map(tuple, real)) if self._reading.means else None,
            read_stream=self._read_stream(trace),
            read_lacks=self._reading.stream_lacks,
            measured=tuple(Measured(name, tuple(values)) for name, values in measured),
        )

    def _read_stream(self, trace: Trace) -> Stream | None:
        """The stream up to where the answer is read; None if it was not recorded."""
        whole = trace.streams.get(trace.read_axis)
        if whole is None:
            return None
        raw = partial(self._reading.raw, unembed=trace.unembed)
        place = self._reading.place
        if place is None:
            return replace(whole, raw_unembed=raw, unembedding_rows=None)
        steps = takewhile(
            lambda step: (layer_of(step, trace.sites) or 0) <= place.layer, whole.steps
        )
        return replace(
            whole, steps=tuple(steps), final=None, raw_unembed=raw, unembedding_rows=None
        )

    def runner(self, inputs: Inputs, *, max_tokens: int | None = None) -> Runner:
        """As that of the source, but its runs give what the answer is read off."""
        runner = self._source.runner(inputs, max_tokens=max_tokens)
        place, rows = self._reading.place, runner.target_tokens or runner.tokens

        def run(text: int, n: int, edit: Editor | None) -> Tensor:
            after: list[Tensor] = []

            def keep(at: Place, x: Tensor) -> Tensor:
                if at == place:
                    after.append(x)
                return x

            entered = runner.run(text, n, edit if place is None else in_turn(edit, keep))
            x = entered if place is None else after[-1]
            return self._reading.read(x, rows[text], runner.unembed).float().cpu()

        # rows that differ only after the layer would be one here
        return replace(runner, run=run, grows=runner.grows and place is None)

    def mute_effects(
        self,
        inputs: Inputs,
        *,
        position: int | None = None,
        token: int | None = None,
        max_tokens: int | None = None,
    ) -> list[MuteEffects]:
        """What muting each head alone does to the probability of a class."""
        with torch.no_grad():
            return mute_effects(
                self.trace(inputs, max_tokens=max_tokens),
                self.info.sites,
                muted_heads(inputs.muted, self.info),
                self.runner(inputs, max_tokens=max_tokens),
                position=position,
                token=token,
            )
