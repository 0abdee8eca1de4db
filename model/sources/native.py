"""The source that runs our own transformer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.core.attention import AttentionPass
from model.core.checkpoint import load_checkpoint
from model.core.editing import AffineEdits, Capture, Editor, in_turn
from model.core.tokenizer import Token
from model.core.transformer import Transformer, TransformerPass
from model.errors import InputError, TextError
from model.film import weights_path
from model.interventions import ANYWHERE, Donor, Tokens, edits_of, within
from model.masks.mask import Mask, site_mask
from model.masks.rules import MaskSettings
from model.message import Message
from model.sources.fingerprint import fingerprint
from model.sources.generation import Generate, Generated, generate
from model.sources.inputs import (
    check_cells,
    check_ids,
    check_length,
    check_unmixed,
    muted_heads,
    padded,
    spelled,
)
from model.sources.intervening import directions_of, donor_inputs, edited, layout_of
from model.sources.muting import mute_effects
from model.sources.native_stream import stream_lacks, stream_of
from model.sources.runner import Runner
from model.sources.source import Inputs, MutedHead, SiteInfo, SourceInfo
from model.trace.predictions import MuteEffects
from model.trace.site import Site
from model.trace.tensors import given_by, recorded_by
from model.trace.trace import Trace, last_real


@dataclass(frozen=True, kw_only=True, eq=False)
class Batch:
    """The input of the layers: token rows of one length, with their masks and muted heads."""

    tokens: tuple[tuple[Token, ...], ...]
    positions: Int[Tensor, "batch pos"]
    masks: list[Mask]  # one per layer
    muted: Bool[Tensor, "1 layer head"]
    edits: AffineEdits | None = None  # the interventions

    @property
    def ids(self) -> Int[Tensor, "batch pos"]:
        return torch.tensor([[token.id for token in row] for row in self.tokens])

    @property
    def muted_or_none(self) -> Bool[Tensor, "1 layer head"] | None:
        """`muted` as the model takes it: None if no head is muted."""
        return self.muted if bool(self.muted.any()) else None

    def matrices(self) -> list[Bool[Tensor, "batch _ pos pos"] | None]:
        """The masks as the model takes them; layers that share a mask share its matrix."""
        known = {id(mask): None if mask.is_open else mask.allows() for mask in self.masks}
        return [known[id(mask)] for mask in self.masks]


class NativeSource:
    """A checkpoint made by `headlight train`: one causal stack with a language-model head.

    With `step` it is a frame of the checkpoint's film (`model.film`).
    """

    def __init__(self, name: str, folder: Path, step: int | None = None) -> None:
        checkpoint = load_checkpoint(folder, step)
        self.checkpoint = checkpoint
        self.model: Transformer = checkpoint.model
        self.tokenizer = checkpoint.tokenizer
        config = self.model.config
        sites = tuple(
            SiteInfo(f"layers.{i}", "self", i, config.n_heads) for i in range(config.n_layers)
        )
        self.info = SourceInfo(
            name=name,
            description=checkpoint.description,
            licence=checkpoint.licence,
            n_layers=config.n_layers,
            n_heads=config.n_heads,
            d_model=config.d_model,
            d_head=config.d_head,
            vocab_size=config.vocab_size,
            n_parameters=sum(parameter.numel() for parameter in self.model.parameters()),
            max_tokens=config.max_tokens,
            trained_tokens=config.trained_tokens,
            trained_on=checkpoint.trained_on or None,
            weights=fingerprint([weights_path(folder, step)]),
            causal=config.causal,
            predicts="next",
            sites=sites,
            tensors=given_by(recorded_by(config.block.attention)),
            d_ff=config.block.d_ff,
            norm=config.block.norm,
            residual=config.block.residual,
            edited_at=ANYWHERE if config.d_mlp else tuple(a for a in ANYWHERE if a != "mlp"),
            edited_at_reason="" if config.d_mlp else "its layers have no feed-forward part.",
            stream_lacks=stream_lacks(config),
        )
        self._special = (self.tokenizer.pad_id, self.tokenizer.bos_id)
        self.ordinary_ids: Sequence[int] = tuple(
            id for id in range(self.tokenizer.vocab_size) if id not in self._special
        )

    @torch.inference_mode()
    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """Tokenize, pad, and run the model once, recording q, k and v."""
        return self._record(self._read(inputs, max_tokens), stream=inputs.stream)

    @torch.inference_mode()
    def trace_together(
        self, each: Sequence[Inputs], *, max_tokens: int | None = None
    ) -> list[Trace]:
        """Run all texts in one pass, padded on the right, then cut each trace to its length."""
        alone = [self._read(inputs, max_tokens) for inputs in each]
        rows = [list(batch.tokens[0]) for batch in alone]
        masks = replace(each[0].masks, padding=True, padding_side="right")
        result = self._pass(self._batch(rows, masks, ()))
        assert result.stages is not None
        traces = []
        for row, batch in enumerate(alone):
            here = (slice(row, row + 1), ..., slice(len(rows[row])), slice(None))
            # cloned: a view would keep all rows alive
            attention = [
                part._replace(
                    **{
                        name: each[here].clone()
                        for name in ("q", "k", "v", "gate")
                        if (each := getattr(part, name)) is not None
                    }
                )
                for part in result.attention
            ]
            stages = result.stages[:, row : row + 1, : len(rows[row])].clone()
            traces.append(self._trace(batch, attention, stages))
        return traces

    @torch.inference_mode()
    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        """Run [BOS] and the ids of each row, padded on the right, as if they were texts."""
        if not rows:
            raise InputError("Expected at least one row of ids; got none.")
        tokens = [self._spell(ids, row) for row, ids in enumerate(rows)]
        return self._record(self._batch(tokens, MaskSettings(), ()))

    @torch.inference_mode()
    def mute_effects(
        self,
        inputs: Inputs,
        *,
        position: int | None = None,
        token: int | None = None,
        max_tokens: int | None = None,
    ) -> list[MuteEffects]:
        """Run the inputs as they are, then again with each head muted, many heads in one pass."""
        batch = self._read(inputs, max_tokens)
        return mute_effects(
            self._record(batch),
            self.info.sites,
            batch.muted,
            self._runner(batch),
            position=position,
            token=token,
        )

    def runner(self, inputs: Inputs, *, max_tokens: int | None = None) -> Runner:
        """Read the inputs once, to run each text many times with further edits."""
        return self._runner(self._read(inputs, max_tokens))

    def _runner(self, batch: Batch) -> Runner:
        ids, matrices, muted = batch.ids, batch.matrices(), batch.muted_or_none

        def run(text: int, rows: int, edit: Editor | None) -> Float[Tensor, "row pos d_model"]:
            own = None if batch.edits is None else batch.edits.of_text(text)
            result = self.model(
                ids[text].expand(rows, -1),
                positions=batch.positions[text].expand(rows, -1),
                masks=[None if matrix is None else matrix[text : text + 1] for matrix in matrices],
                muted=muted,
                edit=in_turn(own, edit),
            )
            resid: Tensor = result.resid
            return resid

        return Runner(
            tokens=batch.tokens,
            target_tokens=None,
            run=run,
            unembed=self.model.unembed,
            embeddings=self.model.embedding.token,
            grows=True,
        )

    def _record(self, batch: Batch, *, stream: bool = False) -> Trace:
        """Run the model once and keep the inputs of attention, and the stream if asked."""
        result = self._pass(batch)
        assert result.stages is not None
        trace = self._trace(batch, result.attention, result.stages)
        if not stream or self.info.stream_lacks:
            return trace
        edited = () if batch.edits is None else tuple(batch.edits.at)
        recorded = stream_of(self.model, result, batch.ids, batch.positions, edited)
        return replace(trace, streams={"tokens": recorded})

    def _pass(self, batch: Batch) -> TransformerPass:
        result: TransformerPass = self.model(
            batch.ids,
            positions=batch.positions,
            masks=batch.matrices(),
            muted=batch.muted_or_none,
            edit=batch.edits,
            record=True,
        )
        return result

    def _trace(
        self,
        batch: Batch,
        attention: Sequence[AttentionPass],
        stages: Float[Tensor, "stage batch pos d_model"],
    ) -> Trace:
        sites = tuple(
            self._site(batch, layer, mask, part, tuple(muted.nonzero()[:, 0].tolist()))
            for layer, (mask, part, muted) in enumerate(
                zip(batch.masks, attention, batch.muted[0], strict=True)
            )
        )
        return Trace(
            model=self.info.name,
            tokens=batch.tokens,
            sites=sites,
            stages=stages,
            unembed=self.model.unembed,
            token_text=self.tokenizer.token_text,
            special_ids=self._special,
            predicts="next",
            stream_lacks=self.info.stream_lacks,
        )

    @torch.inference_mode()
    def continued(self, inputs: Inputs, *, max_tokens: int | None = None) -> Generated:
        """The texts with the tokens to generate, and ln p of each."""
        assert inputs.generate is not None
        return self._grown(self._rows(inputs, max_tokens), inputs, inputs.generate, max_tokens)

    def _read(self, inputs: Inputs, max_tokens: int | None) -> Batch:
        """The typed texts as a batch, with the tokens to generate already appended."""
        rows = self._rows(inputs, max_tokens)
        if inputs.generate is not None:
            rows = self._grown(rows, inputs, inputs.generate, max_tokens).rows
        return self._edited(self._batch(rows, inputs.masks, inputs.muted), inputs, max_tokens)

    def _rows(self, inputs: Inputs, max_tokens: int | None) -> list[list[Token]]:
        """The tokens of the typed texts; checked, with room for those to generate."""
        check_unmixed(inputs, self.info)
        rows = []
        for n in range(inputs.n_texts):
            row, field = self._row(inputs, n)
            more = inputs.generate.more(len(row)) if inputs.generate else 0
            check_length(row, self.info, max_tokens, inputs.name(n), field, more=more)
            rows.append(row)
        return rows

    def _grown(
        self,
        rows: list[list[Token]],
        inputs: Inputs,
        generation: Generate,
        max_tokens: int | None,
    ) -> Generated:
        def logits_after(rows: list[list[Token]]) -> Float[Tensor, "row vocab_size"]:
            masks = inputs.masks.within(max(map(len, rows)))
            plain = self._batch(rows, masks, inputs.muted)
            acting = within(inputs.interventions, len(plain.tokens[0]))
            batch = self._edited(plain, replace(inputs, interventions=acting), max_tokens)
            result = self.model(
                batch.ids,
                positions=batch.positions,
                masks=batch.matrices(),
                muted=batch.muted_or_none,
                edit=batch.edits,
            )
            last = [last_real(row) for row in batch.tokens]
            return self.model.unembed(result.resid[range(len(rows)), last])

        return generate(rows, generation, logits_after, spell=self.tokenizer.token_text)

    def _edited(self, batch: Batch, inputs: Inputs, max_tokens: int | None) -> Batch:
        """The batch with the interventions of the inputs, for which donors may have to run."""
        if not inputs.interventions:
            return batch

        def run(donor: Donor, capture: Capture) -> Tokens:
            own = self._read(donor_inputs(inputs, donor), max_tokens) if donor.texts else batch
            self.model(own.ids, positions=own.positions, masks=own.matrices(), edit=capture)
            return layout_of(self.info, own.tokens).tokens

        layout = layout_of(
            self.info,
            batch.tokens,
            direction=directions_of(
                lambda ids: self.model.embedding.token.weight.detach()[ids],
                self.info.vocab_size,
                self.tokenizer.encode,
            ),
        )
        return replace(batch, edits=edits_of(inputs.interventions, layout, run))

    def _row(self, inputs: Inputs, n: int) -> tuple[list[Token], str]:
        """The tokens of one text or row of ids, and the field of the request that it is in."""
        bos = 1  # the only special token that is added
        if inputs.ids is not None:
            ids, field = inputs.ids[n], f"ids.{n}"
            check_ids(ids, self.tokenizer.vocab_size, self.info, field)
            added = self.tokenizer.encode("")[: bos if inputs.adds_special else 0]
            return added + spelled(ids, self.tokenizer.token_text, self._special, 0), field
        field = f"texts.{n}"
        try:
            row = self.tokenizer.encode(inputs.texts[n])
        except TextError as error:
            error.field = field
            raise
        return row if inputs.adds_special else row[bos:], field

    def _spell(self, ids: Sequence[int], row: int) -> list[Token]:
        """The tokens of a row of ids, as if their texts had been typed."""
        tokens = self.tokenizer.encode("")
        for id in ids:
            if not 0 <= id < self.tokenizer.vocab_size or id in self._special:
                raise InputError(
                    f"Row {row + 1} has the id {id}; expected ids of {self.info.name}'s "
                    "vocabulary without its special tokens."
                )
        tokens += spelled(ids, self.tokenizer.token_text, self._special, 0)
        check_length(tokens, self.info, None, Message("Row {n}", n=row + 1), None)
        return tokens

    def _batch(
        self,
        rows: list[list[Token]],
        settings: MaskSettings,
        muted: Sequence[MutedHead],
    ) -> Batch:
        tokens = padded(rows, self.tokenizer.pad_id, settings.padding_side)
        real = torch.tensor([[not token.padding for token in row] for row in tokens])
        return Batch(
            tokens=tokens,
            positions=real_positions(real),
            masks=self._masks(settings, real),
            muted=muted_heads(muted, self.info),
        )

    def _masks(self, settings: MaskSettings, real: Bool[Tensor, "batch pos"]) -> list[Mask]:
        n, config = real.shape[1], self.model.config
        check_cells(settings, self.info)

        def of_layer(layer: int) -> Mask:
            return site_mask(
                settings,
                layer=layer,
                n_query=n,
                n_key=n,
                n_heads=config.n_heads,
                real_keys=real,
                causal=config.causal,
                window=config.window if config.causal else None,
            )

        # all layers share one mask unless a cell is painted in a single layer
        if all(cell.layer is None for cells in settings.painted.values() for cell in cells):
            return [of_layer(0)] * config.n_layers
        return [of_layer(layer) for layer in range(config.n_layers)]

    def _site(
        self,
        batch: Batch,
        layer: int,
        mask: Mask,
        attention: AttentionPass,
        muted: tuple[int, ...],
    ) -> Site:
        module = self.model.layers[layer].attention
        return Site(
            name=f"layers.{layer}",
            kind="self",
            layer=layer,
            mask=mask,
            n_heads=self.info.n_heads,
            n_kv_heads=module.config.kv_heads,
            # contiguous: a view would keep the whole fused projection alive
            q=attention.q.contiguous(),
            k=attention.k.contiguous(),
            v=attention.v.contiguous(),
            gate=attention.gate,
            decay=attention.decay,
            minus=module.config.minus,
            w_o=module.w_o_by_head,
            muted=muted,
            **edited(batch.edits, layer),
            **module.settings(),
        )


def real_positions(real: Bool[Tensor, "batch pos"]) -> Int[Tensor, "batch pos"]:
    """Positions counted from the first real token, so that padding on the left shifts nothing."""
    first = real.long().argmax(dim=1, keepdim=True)
    return (torch.arange(real.shape[1]) - first).clamp(min=0)
