"""A linear probe as what a model predicts: classes read off the stream of one layer.

Whatever asks what a head, a part or a direction does to a prediction can then ask it of a probe: of
a model that predicts nothing, too. The logits are W x + b of the stream x after a layer, before any
norm (Alain & Bengio 2017). A probe of one row is that of "yes", and the logit of "no" is 0.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

import torch
from jaxtyping import Float
from torch import Tensor

from model.core.editing import Editor, Place, in_turn
from model.core.tokenizer import Token
from model.errors import InputError, UnavailableError
from model.kinds import SiteKind
from model.listing import layers_in_words
from model.sources.inputs import muted_heads
from model.sources.muting import mute_effects
from model.sources.probing.probe import Probe
from model.sources.runner import Runner
from model.sources.source import Inputs, Source, SourceInfo
from model.trace.predictions import MuteEffects
from model.trace.stream import Stream, layer_of
from model.trace.trace import Trace, last_real


def seen(source: Source, inputs: Inputs) -> Source:
    """The source as inputs with a probe see it; without one, itself."""
    return source if inputs.probe is None else Probed(source, inputs.probe)


class Probed:
    """A source that predicts what a probe tells."""

    def __init__(self, source: Source, probe: Probe) -> None:
        info = source.info
        layers = {site.layer for site in info.sites}
        if probe.layer not in layers:
            raise InputError(
                f"{info.name} has {layers_in_words(layers)}; got {probe.layer}.",
                field="probe.layer",
            )
        if len(probe.weights[0]) != info.d_model:
            raise InputError(
                f"The stream of {info.name} has {info.d_model} numbers for each token; a row of "
                f"the probe has {len(probe.weights[0])}.",
                field="probe.weights",
            )
        if "resid_post" not in info.edited_at:
            raise UnavailableError(
                f"{info.name} takes no probe: "
                f"{info.edited_at_reason or 'its stream cannot be reached after a layer.'}",
                field="probe",
            )
        self._source, self._probe = source, probe
        self.info: SourceInfo = replace(info, predicts="class", classes=probe.names)
        self._kind: SiteKind = "decoder" if info.takes_targets else "self"
        with torch.inference_mode(False):  # else no gradient could go through them
            self._rows = torch.tensor(probe.weights)
            self._bias = torch.tensor(probe.bias or [0.0] * len(probe.weights))
            if len(probe.weights) == 1:  # the logit of "no" is 0
                self._rows = torch.cat([torch.zeros_like(self._rows), self._rows])
                self._bias = torch.cat([torch.zeros(1), self._bias])

    @property
    def ordinary_ids(self) -> Sequence[int]:
        """The vocabulary without its special tokens."""
        return self._source.ordinary_ids

    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        """As the source itself: a probe reads texts."""
        return self._source.trace_ids(rows)

    def logits(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch class"]:
        """Those of the classes, of the stream after the layer."""
        return x.float() @ self._rows.T.to(x.device) + self._bias.to(x.device)

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """The run, with what the probe reads in the place of what the model predicts."""
        trace = self._source.trace(inputs, max_tokens=max_tokens)
        runner = self.runner(inputs, max_tokens=max_tokens)
        with torch.no_grad():
            after = torch.cat([runner(text=text) for text in range(len(trace.tokens))])
        reads = [
            last_real(row) if self._probe.read == "last" else _first_real(row)
            for row in trace.read_tokens
        ]
        return replace(
            trace,
            stages=after[None].float().cpu(),
            unembed=self.logits,
            token_text=trace.token_text or str,
            predicts="class",
            classes=self._probe.names,
            lens_lacks="a probe reads one layer",
            read_at=tuple(reads),
            read_stream=self._read_stream(trace),
        )

    def _read_stream(self, trace: Trace) -> Stream | None:
        """The stream up to where the probe reads it; None if it was not recorded."""
        whole = trace.streams.get(trace.read_axis)
        if whole is None:
            return None
        steps = takewhile(
            lambda step: (layer_of(step, trace.sites) or 0) <= self._probe.layer, whole.steps
        )
        return replace(
            whole,
            steps=tuple(steps),
            final=None,
            raw_unembed=self.logits,
            unembedding_rows=lambda ids: self._rows[ids],
        )

    def runner(self, inputs: Inputs, *, max_tokens: int | None = None) -> Runner:
        """As that of the source, but its runs give the stream after the layer."""
        runner = self._source.runner(inputs, max_tokens=max_tokens)
        place = Place("resid_post", self._probe.layer, self._kind)

        def run(text: int, rows: int, edit: Editor | None) -> Tensor:
            after: list[Tensor] = []

            def keep(at: Place, x: Tensor) -> Tensor:
                if at == place:
                    after.append(x)
                return x

            runner.run(text, rows, in_turn(edit, keep))
            return after[-1].float().cpu()

        # rows that differ only after the layer would be one here
        return replace(runner, run=run, grows=False)

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


def _first_real(row: Sequence[Token]) -> int:
    return next(at for at, token in enumerate(row) if not token.padding)
