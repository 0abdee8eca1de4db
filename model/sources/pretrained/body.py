"""Runs a checkpoint's body, with our attention or with its own."""

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from torch import Tensor, nn
from transformers import PreTrainedModel

from model.sources.pretrained.placing import Placed, place
from model.sources.pretrained.recording import NAME, Recording
from model.sources.pretrained.stacks import stacks_of
from model.sources.pretrained.stream.flow import Flow
from model.sources.pretrained.text.reading import Rows
from model.trace.recorded import SiteKind, TokenAxis

# How to keep positions right with padding on the left: the model handles it itself, or we pass
# positions that count from 0, or positions that count from after its padding index (RoBERTa).
Positions = Literal["own", "from 0", "after padding"]


@dataclass(frozen=True, kw_only=True)
class ForwardResult:
    """The result of a run.

    `stages` is the residual stream before the first layer and after each, (batch pos d_model), the
    last one normed. `placed` is filled only by a run with the model's own attention.
    """

    stages: tuple[Tensor, ...]
    placed: dict[SiteKind, Placed]


class Body:
    """A model without its head, and the inputs that it takes."""

    def __init__(self, model: PreTrainedModel) -> None:
        self.model = model
        self.encoder_decoder: bool = model.config.is_encoder_decoder
        self.positions: Positions = "own"
        self.scans = False  # whether its selective scans are sites
        self.runs_whole = False  # whether the stacks cannot be run one after the other
        whole: Any = model  # its declared type lacks encoders and decoders
        self.trunk: nn.Module = _trunk(whole)
        takes = inspect.signature(self.trunk.forward).parameters
        self.takes_positions = "position_ids" in takes and not self.encoder_decoder
        self.takes_segments = (
            "token_type_ids" in takes and getattr(model.config, "type_vocab_size", 0) > 1
        )

    def record(
        self, recording: Recording, rows: Rows, targets: Rows | None = None
    ) -> ForwardResult:
        """Run with our attention, which stores its sites in the recording."""
        recording.scans = self.scans
        with recording.running():
            return self._run(rows, targets, recording, {})

    def run_own(self, rows: Rows, targets: Rows | None = None) -> ForwardResult:
        """Run with the model's own attention, which returns patterns and allows no edits."""
        if self.runs_whole and targets is not None:
            return self._run_whole(rows, targets)
        return self._run(rows, targets, None, {"output_attentions": True})

    def _run_whole(self, rows: Rows, targets: Rows) -> ForwardResult:
        """Run both stacks at once, as FSMT has to be."""
        given = {f"decoder_{name}": part for name, part in self._inputs(targets).items()}
        trunk: Any = self.model.base_model
        result = trunk(
            **self._inputs(rows),
            **given,
            output_attentions=True,
            output_hidden_states=True,
            return_dict=True,
            use_cache=False,
        )
        return ForwardResult(
            stages=(*result.decoder_hidden_states[:-1], result.last_hidden_state),
            placed={
                "encoder": self._placed(result.encoder_attentions, rows, rows, banded=True),
                "decoder": self._placed(result.decoder_attentions, targets, targets),
                "cross": self._placed(result.cross_attentions, targets, rows),
            },
        )

    def use(self, attention: Literal["ours", "own"]) -> None:
        """Choose the attention for all later calls: it is a setting of the model."""
        self.model.set_attn_implementation(NAME if attention == "ours" else "eager")

    def _run(
        self, rows: Rows, targets: Rows | None, recording: Recording | None, more: dict[str, Any]
    ) -> ForwardResult:
        options = {"return_dict": True, "output_hidden_states": True, "use_cache": False} | more
        if not self.encoder_decoder:
            with self._followed(recording, "tokens", rows) as flow:
                result = self.trunk(**self._inputs(rows), **options)
            flow.output = result.last_hidden_state
            patterns = self._placed(result.get("attentions"), rows, rows, banded=True)
            return ForwardResult(stages=_stages(result), placed={"self": patterns})
        assert targets is not None
        whole: Any = self.model
        encoder, decoder = stacks_of(self.model)
        if recording is not None:
            recording.stack = "encoder"
        with self._followed(recording, "tokens", rows) as flow:
            encoded = encoder(**self._inputs(rows), return_dict=True, **more)
        flow.output = encoded.last_hidden_state
        # two models of different widths have a layer between them
        given = getattr(whole, "enc_to_dec_proj", nn.Identity())(encoded.last_hidden_state)
        if recording is not None:
            recording.stack = "decoder"
        with self._followed(recording, "target_tokens", targets, flow.output) as flow:
            result = decoder(
                **self._inputs(targets),
                encoder_hidden_states=given,
                encoder_attention_mask=rows.real.long().to(self.model.device),
                **options,
            )
        flow.output = result.last_hidden_state
        return ForwardResult(
            stages=_stages(result),
            placed={
                "encoder": self._placed(encoded.get("attentions"), rows, rows, banded=True),
                "decoder": self._placed(result.get("attentions"), targets, targets),
                "cross": self._placed(result.get("cross_attentions"), targets, rows),
            },
        )

    def _placed(
        self, given: Sequence[object] | None, queries: Rows, keys: Rows, *, banded: bool = False
    ) -> Placed:
        """`banded`: of a stack whose attention a window of the configuration is for."""
        window = getattr(self.model.config, "attention_window", ()) if banded else ()
        n_query, n_key = queries.ids.shape[1], keys.ids.shape[1]
        windows = [window] * len(given or ()) if isinstance(window, int) else window
        return place(given, n_query, n_key, windows)

    @contextmanager
    def _followed(
        self,
        recording: Recording | None,
        axis: TokenAxis,
        rows: Rows,
        context: Tensor | None = None,
    ) -> Iterator[Flow]:
        """Follow what a stack adds to its stream, if the recording asks for it."""
        n_text, n_pos = rows.ids.shape
        d_model = self.model.config.get_text_config().hidden_size
        sites = Recording(real={}) if recording is None else recording
        flow = Flow(sites, n_text=n_text, n_pos=n_pos, d_model=d_model, context=context)
        if recording is None or recording.flows is None:
            yield flow
            return
        recording.flows[axis] = flow
        with flow.following():
            yield flow

    def own_logits(self, rows: Rows, targets: Rows | None = None) -> Tensor:
        """The logits of the whole model, with its own attention."""
        inputs = self._inputs(rows)
        if targets is not None:
            inputs |= {f"decoder_{name}": part for name, part in self._inputs(targets).items()}
        output = self.model(**inputs, return_dict=True, use_cache=False)
        logits: Tensor = output.logits if "logits" in output else output.prediction_logits
        return logits

    def _inputs(self, rows: Rows) -> dict[str, Tensor]:
        inputs = {"input_ids": rows.ids, "attention_mask": rows.real.long()}
        if self.takes_segments:
            inputs["token_type_ids"] = rows.types
        if self.takes_positions and self.positions != "own":
            pad_id = getattr(self.model.config, "pad_token_id", None) or 0
            first = 0 if self.positions == "from 0" else 1 + pad_id
            inputs["position_ids"] = rows.positions + first
        return {name: tensor.to(self.model.device) for name, tensor in inputs.items()}


def _stages(result: Any) -> tuple[Tensor, ...]:
    """The hidden states; the last one is the body's output."""
    return (*result.hidden_states[:-1], result.last_hidden_state)


def _trunk(model: Any) -> nn.Module:
    """The part before the head: the named base model, else the decoder or `model`.

    A model without a head is returned whole.
    """
    trunk: Any = model.base_model
    if trunk is model and model.get_output_embeddings() is not None:
        encoder_decoder = model.config.is_encoder_decoder
        trunk = stacks_of(model)[1] if encoder_decoder else getattr(model, "model", model)
    part: nn.Module = trunk
    return part


def layers_of(model: nn.Module) -> list[str]:
    """The names of the module lists that hold a model's layers."""
    return [name for name, part in model.named_modules() if isinstance(part, nn.ModuleList)]


def output_weights(part: nn.Module, n_heads: int) -> Tensor | None:
    """W_O of a linear layer as (head d_head d_model); None for any other layer."""
    weight = getattr(part, "weight", None)
    if not isinstance(weight, Tensor) or weight.dim() != 2:
        return None
    if isinstance(part, nn.Linear):
        weight = weight.T
    return weight.reshape(n_heads, -1, weight.shape[-1]) if len(weight) % n_heads == 0 else None
