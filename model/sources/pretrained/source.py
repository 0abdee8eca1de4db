"""A Transformers checkpoint as a source."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from model.core.editing import Capture, Editor
from model.core.tokenizer import Token
from model.errors import CheckpointError, HeadlightError, InputError, UnavailableError
from model.interventions import At, Donor, Layout, Tokens, edits_of, within
from model.masks.rules import MaskSettings
from model.message import Message
from model.sources.generation import Generate, Generated, generate
from model.sources.inputs import check_length
from model.sources.intervening import directions_of, donor_inputs, layout_of
from model.sources.known import known_at
from model.sources.muting import mute_effects
from model.sources.pretrained.body import Body, ForwardResult
from model.sources.pretrained.head import (
    classes_of,
    raw_unembedding,
    unembedding,
    unembedding_rows,
    what_it_predicts,
)
from model.sources.pretrained.opening.device import CPU, Machine, kept
from model.sources.pretrained.opening.examine import class_positions, examine
from model.sources.pretrained.opening.loading import Loaded, load, start_of
from model.sources.pretrained.opening.trial import grows, try_out
from model.sources.pretrained.recording import Recording, edit_embeddings
from model.sources.pretrained.stacks import embeddings_of, every_embedding, head_of
from model.sources.pretrained.stored import stored_sites
from model.sources.pretrained.stream.building import streams_of
from model.sources.pretrained.stream.editable import make_editable
from model.sources.pretrained.stream.steps import UnfollowedError
from model.sources.pretrained.text.batching import Batch, Batching, Read
from model.sources.pretrained.text.limits import position_limit
from model.sources.pretrained.text.reading import Reader, Rows
from model.sources.registry import Progress
from model.sources.runner import Runner
from model.sources.source import ChatMessage, Inputs, SourceInfo
from model.trace.predictions import MuteEffects
from model.trace.recorded import TokenAxis
from model.trace.site import Site
from model.trace.stream import Stream
from model.trace.tensors import QKV, TensorName, given_by
from model.trace.trace import Trace, last_real


class Outcome(NamedTuple):
    """What a run gave."""

    result: ForwardResult
    sites: tuple[Site, ...]
    streams: Mapping[TokenAxis, Stream]  # empty unless asked for


class PretrainedSource:
    """A model with its tokenizer, traced through one attention function for every family."""

    def __init__(self, name: str, loaded: Loaded) -> None:
        model = loaded.model
        self._body = Body(model)
        edit_embeddings(*every_embedding(model))
        vocab_size = embeddings_of(model).num_embeddings
        self._reader = Reader(loaded.tokenizer, vocab_size)
        predicts, with_head = what_it_predicts(model), head_of(model)
        unembed = None if predicts is None else unembedding(with_head, self._body.trunk)
        self._found = found = examine(self._body, self._reader, unembed)
        self._predicts_lacks = found.head_lacks
        if predicts == "next" and not found.causal:
            self._predicts_lacks = "it looks ahead, so it sees the token that it would predict"
        if self._predicts_lacks:
            predicts, unembed = None, None
        self._unembed = unembed
        self._raw_unembed = (
            None if unembed is None else raw_unembedding(with_head, self._body.trunk, unembed)
        )
        self._unembedding_rows = (
            None if self._raw_unembed is None else unembedding_rows(with_head, self._raw_unembed)
        )
        self._mask_id: int | None = loaded.tokenizer.mask_token_id if predicts == "fill" else None
        self.ordinary_ids: Sequence[int] = self._reader.ordinary_ids
        self._special_ids = frozenset(range(vocab_size)).difference(self.ordinary_ids)
        ends = getattr(model.config.get_text_config(), "eos_token_id", None)
        self._ends = frozenset(ends if isinstance(ends, list) else [ends]) - {None}
        limit = position_limit(model, loaded.tokenizer)
        self.info = SourceInfo(
            name=name,
            description=f"{type(model).__name__}, from {loaded.origin}",
            library_class=type(model).__name__,
            licence=loaded.licence,
            weights=loaded.weights,
            revision=loaded.revision,
            n_layers=found.n_layers,
            n_heads=max(site.n_heads for site in found.sites),
            d_model=model.config.get_text_config().hidden_size,
            d_head=found.d_head,
            vocab_size=vocab_size,
            n_parameters=model.num_parameters(),
            max_tokens=limit,
            trained_tokens=limit,
            causal=found.causal,
            predicts=predicts,
            classes=classes_of(model) if predicts in ("class", "tag") else (),
            sites=found.sites,
            tensors=self._tensors(),
            takes_targets=self._body.encoder_decoder,
            takes_pairs=self._reader.takes_pairs and not self._body.encoder_decoder,
            takes_messages=self._reader.chat_template is not None,
            unknown_id=loaded.tokenizer.unk_token_id,
            edited_at=() if found.lacks else ("head", *self._editable()),
            edited_at_reason=_why_not(found.lacks),
            lacks=found.lacks,
            stream_lacks=found.stream_lacks,
            cell_bytes=sum(found.cell_bytes.values()),
        )
        start = start_of(model) if self._body.encoder_decoder else None
        self._batching = Batching(self._reader, self.info, found, start, self._ends)
        self._grows = False  # until it was tried

    @property
    def _direction(self) -> Callable[[int | str], Tensor] | None:
        """The unembedding of a token, or of a class; None if no matrix gives the logits."""
        if self._unembedding_rows is None:
            return None
        n_rows = len(self.info.classes) or self.info.vocab_size

        def read(text: str) -> Sequence[Token]:
            return self._batching.tokens(Inputs((text,)), None)[0][0]

        return directions_of(self._unembedding_rows, n_rows, read)

    @classmethod
    def load(
        cls,
        name: str,
        place: str,
        progress: Progress = lambda share: None,
        machine: Machine = CPU,
    ) -> "PretrainedSource":
        """Load a source from a local folder or a hub id.

        Raises:
            CheckpointError: the checkpoint cannot be loaded or its attention cannot be seen.
        """
        with torch.inference_mode(False):  # else no gradient could go through its weights
            loaded = load(place, progress, machine)
            try:
                source = cls(name, loaded)
                if row := known_at(place):
                    about = f"{row.title}: {row.about}. {source.info.description}"
                    source.info = replace(source.info, description=about)
                words = [source._reader.spell(id) for id in source.ordinary_ids[-1:-8:-1]]
                try_out(source, words, stream=source._found.stream is not None)
                source._grows = grows(source, " ".join(words))
            except HeadlightError:
                raise
            except Exception as error:  # a family may raise anything
                pools = hasattr(loaded.model.config, "pool_q_only")  # Funnel
                raise CheckpointError(
                    f"{type(loaded.model).__name__} could not be run on a few tokens"
                    f"{', which its deeper layers pool' if pools else ''}: it says {error!r}."
                ) from error
        return source

    @torch.inference_mode()
    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """Tokenize, pad, run the model once with every call of attention recorded."""
        return self._record(self._read(inputs, max_tokens), stream=inputs.stream)

    def chat_text(self, messages: Sequence[ChatMessage]) -> str:
        """A conversation as the text of the model's chat template.

        Raises:
            InputError: there is no template, or it refuses the messages.
        """
        return self._reader.chat_text(messages)

    @torch.inference_mode()
    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        """Trace rows of ids, with the special tokens of a text and an empty decoder input."""
        if not rows:
            raise InputError("Expected at least one row of ids; got none.")
        known = set(self.ordinary_ids)
        for place, row in enumerate(rows):
            other = [id for id in row if id not in known]
            if other:
                raise InputError(
                    f"Row {place + 1} has the id {other[0]}; expected ids of {self.info.name}'s "
                    "vocabulary without its special tokens."
                )
        read = [self._reader.read_ids(row) for row in rows]
        for place, tokens in enumerate(read):
            check_length(tokens, self.info, None, Message("Row {n}", n=place + 1), None)
        targets = self._batching.targets([""] * len(rows)) if self.info.takes_targets else None
        return self._record(self._batching.batch(read, targets, MaskSettings(), ()))

    @torch.inference_mode()
    def mute_effects(
        self,
        inputs: Inputs,
        *,
        position: int | None = None,
        token: int | None = None,
        max_tokens: int | None = None,
    ) -> list[MuteEffects]:
        """Run once unchanged, then once with each head muted, many heads per pass."""
        if self._found.lacks:
            raise UnavailableError(
                f"{self.info.name} does not support mutes: {self._found.lacks}.",
                field="analyse.mute_effects",
            )
        batch = self._read(inputs, max_tokens)
        trace = self._record(batch)

        return mute_effects(
            trace,
            self.info.sites,
            batch.muted,
            self._runner(batch),
            position=position,
            token=token,
        )

    @torch.inference_mode()
    def continued(self, inputs: Inputs, *, max_tokens: int | None = None) -> Generated:
        """The texts, or the targets if there are any, with the tokens to generate."""
        assert inputs.generate is not None
        texts, targets = self._batching.tokens(inputs, max_tokens)
        return self._grown(texts, targets, inputs, inputs.generate, max_tokens)

    def runner(self, inputs: Inputs, *, max_tokens: int | None = None) -> Runner:
        """Read the inputs once, to run each text many times with further edits.

        Raises:
            UnavailableError: the model's attention cannot be edited.
        """
        if self._found.lacks:
            raise UnavailableError(
                f"{self.info.name} does not support edits: {self._found.lacks}.", field="model"
            )
        return self._runner(self._read(inputs, max_tokens))

    def _runner(self, batch: Batch) -> Runner:
        def run(text: int, n_rows: int, edit: Editor | None) -> Float[Tensor, "row pos d_model"]:
            rows = batch.rows.repeated(text, n_rows)
            targets = None if batch.targets is None else batch.targets.repeated(text, n_rows)
            recording = Recording(
                real=batch.real,
                settings=batch.settings,
                muted=batch.muted,
                edits=None if batch.edits is None else batch.edits.of_text(text),
                edit=edit,
                layers=self._found.layers,
                text=text,
                keep=False,
            )
            return self._body.record(recording, rows, targets).stages[-1]

        targets = None if batch.targets is None else batch.targets.tokens
        return Runner(
            tokens=batch.rows.tokens,
            target_tokens=targets,
            run=run,
            unembed=self._unembed,
            embeddings=every_embedding(self._body.model)[0 if targets is None else 1],
            grows=self._grows,
        )

    def _record(self, batch: Batch, *, stream: bool = False) -> Trace:
        result, sites, streams = self._run(batch, stream=stream)
        predicting = batch.rows if batch.targets is None else batch.targets
        return Trace(
            model=self.info.name,
            tokens=batch.rows.tokens,
            target_tokens=None if batch.targets is None else batch.targets.tokens,
            sites=sites,
            stages=None if self._unembed is None else self._stages(result),
            unembed=self._unembed,
            token_text=self._reader.spell,
            special_ids=self._special_ids,
            classes=self.info.classes,
            predicts=self.info.predicts,
            predicts_lacks=self._predicts_lacks,
            lens_lacks=self._found.lens_lacks,
            read_at=self._read_at(predicting),
            streams=streams,
            stream_lacks=self._found.stream_lacks,
        )

    def _read_at(self, rows: Rows) -> tuple[int | None, ...] | None:
        if self.info.predicts == "class":
            assert self._found.class_read is not None
            return class_positions(rows, self._found.class_read)
        if self.info.predicts == "tag":
            return tuple(map(_last_typed, rows.tokens))
        return None if self._mask_id is None else _first(rows, self._mask_id)

    def _run(
        self,
        batch: Batch,
        *,
        keep: bool = True,
        edit: Editor | None = None,
        stream: bool = False,
    ) -> Outcome:
        """Run with our attention if possible, else with the model's own."""
        rows, targets = batch.rows, batch.targets
        if self._found.lacks:
            self._check_unedited(batch)
            result = self._body.run_own(rows, targets)
            causal, real = self._found.causal, batch.real
            sites = stored_sites(result, self.info, batch.settings, real, causal=causal)
            return Outcome(result, sites, {})
        recording = Recording(
            real=batch.real,
            settings=batch.settings,
            muted=batch.muted,
            edits=batch.edits,
            edit=edit,
            w_o=self._found.w_o,
            layers=self._found.layers,
            keep=keep,
            flows={} if stream and self._found.stream is not None else None,
        )
        result = self._body.record(recording, rows, targets)
        streams: Mapping[TokenAxis, Stream] = {}
        if recording.flows is not None and self._found.stream is not None:
            plan = self._found.stream
            try:
                streams = streams_of(
                    recording.flows,
                    recording.sites,
                    plan,
                    self._raw_unembed,
                    self._unembedding_rows,
                )
            except UnfollowedError as error:
                raise UnavailableError(
                    f"The residual stream of {self.info.name} could not be followed in this run: "
                    f"{error}."
                ) from error
        return Outcome(result, tuple(recording.sites), streams)

    def _stages(self, result: ForwardResult) -> Float[Tensor, "stage batch pos d_model"]:
        """The inputs of the head: each stage through the final norm, if there is one.

        Of a stream that is something else between the layers, the last one alone.
        """
        if self._found.lens_lacks:
            return kept(result.stages[-1][None])
        norm: nn.Module | None = self._found.final_norm
        earlier = [stage if norm is None else norm(stage) for stage in result.stages[:-1]]
        return kept(torch.stack([*earlier, result.stages[-1]]))

    def _check_unedited(self, batch: Batch) -> None:
        edited = batch.settings != batch.settings.unedited()
        if edited or bool(batch.muted.any()):
            raise UnavailableError(
                f"{self.info.name} does not support masks or mutes: {self._found.lacks}. Leave "
                "them out.",
                field="masks" if edited else "muted",
            )

    def _read(self, inputs: Inputs, max_tokens: int | None) -> Batch:
        texts, targets = self._batching.tokens(inputs, max_tokens)
        if inputs.generate is not None:
            rows = self._grown(texts, targets, inputs, inputs.generate, max_tokens).rows
            rows = [self._reader.pieced(row) for row in rows]
            texts, targets = (rows, None) if targets is None else (texts, rows)
        batch = self._batching.batch(texts, targets, inputs.masks, inputs.muted)
        return self._edited(batch, inputs, max_tokens)

    def _edited(self, batch: Batch, inputs: Inputs, max_tokens: int | None) -> Batch:
        """The batch with the interventions of the inputs, for which donors may have to run."""
        if not inputs.interventions:
            return batch

        def layout(batch: Batch) -> Layout:
            targets = None if batch.targets is None else batch.targets.tokens
            return layout_of(self.info, batch.rows.tokens, targets, direction=self._direction)

        def run(donor: Donor, capture: Capture) -> Tokens:
            own = batch._replace(muted=torch.zeros_like(batch.muted))
            if donor.texts:
                own = self._read(donor_inputs(inputs, donor), max_tokens)
            self._run(own, keep=False, edit=capture)
            return layout(own).tokens

        return batch._replace(edits=edits_of(inputs.interventions, layout(batch), run))

    def _grown(
        self,
        read: Read,
        target_rows: Read | None,
        inputs: Inputs,
        generation: Generate,
        max_tokens: int | None,
    ) -> Generated:
        """The texts, or the targets if there are any, with the generated tokens."""
        unembed = self._unembed
        assert unembed is not None

        def logits_after(rows: Read) -> Float[Tensor, "row vocab_size"]:
            texts, targets = (rows, None) if target_rows is None else (read, rows)
            masks = inputs.masks.within(max(map(len, (*read, *rows))))
            plain = self._batching.batch(texts, targets, masks, inputs.muted)
            acting = within(inputs.interventions, max(map(len, rows)))
            batch = self._edited(plain, replace(inputs, interventions=acting), max_tokens)
            grown = batch.rows if batch.targets is None else batch.targets
            stage = self._run(batch, keep=False).result.stages[-1]
            return unembed(stage[range(len(rows)), [last_real(row) for row in grown.tokens]])

        return generate(
            read if target_rows is None else target_rows,
            generation,
            logits_after,
            spell=self._reader.spell,
            ends=self._ends,
        )

    def _editable(self) -> tuple[At, ...]:
        plan = self._found.stream
        layers, middles = ((), ()) if plan is None else (plan.layers, plan.middles)
        both = self._body.encoder_decoder
        return make_editable(self._body.model, layers, middles, encoder_decoder=both)

    def _tensors(self) -> tuple[TensorName, ...]:
        if self._found.lacks:
            return given_by(())
        has_w_o = all(weight is not None for weight in self._found.w_o)
        scanned = ("product",) if self._body.scans else ()
        return given_by((*QKV, *scanned, "w_o") if has_w_o else (*QKV, *scanned))


def _why_not(lacks: str) -> str:
    if lacks:
        return f"interventions are not available, because {lacks}."
    return "there is no module of its own there, so nothing can be changed."


def _last_typed(row: Sequence[Token]) -> int:
    """The last position that is no special token, or if there is none, the last real one."""
    typed = (at for at in reversed(range(len(row))) if not row[at].special)
    return next(typed, last_real(row))


def _first(rows: Rows, id: int) -> tuple[int | None, ...]:
    """The first position of the token in each row."""
    ids = [[token.id for token in row] for row in rows.tokens]
    return tuple(row.index(id) if id in row else None for row in ids)
