"""The source that runs our own transformer."""

from collections.abc import Sequence
from pathlib import Path

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from model.attention import AttentionPass
from model.checkpoint import load_checkpoint
from model.errors import InputError, LimitError, TextError
from model.masks import Mask, MaskSettings, PaddingSide, site_mask
from model.predictions import MuteEffects
from model.sources.muting import Batch, mute_effects
from model.sources.source import Inputs, SiteInfo, SourceInfo
from model.tokenizer import Token
from model.trace import Site, Trace
from model.transformer import Transformer


class NativeSource:
    """A checkpoint made by `headlight train`: one causal stack with a language-model head."""

    def __init__(self, name: str, folder: Path) -> None:
        checkpoint = load_checkpoint(folder)
        self.model: Transformer = checkpoint.model
        self.tokenizer = checkpoint.tokenizer
        config = self.model.config
        sites = tuple(SiteInfo(f"layers.{i}", "self", i) for i in range(config.n_layers))
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
            causal=config.causal,
            predicts=True,
            sites=sites,
            tensors=("q", "k", "v", "scores", "pattern", "z", "blocked_by", "result", "norms"),
        )
        self._special = (self.tokenizer.pad_id, self.tokenizer.bos_id)
        self.ordinary_ids: Sequence[int] = tuple(
            id for id in range(self.tokenizer.vocab_size) if id not in self._special
        )

    @torch.inference_mode()
    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """Tokenize, pad, run the stack once with q, k, v recorded."""
        return self._record(self._read(inputs, max_tokens))

    @torch.inference_mode()
    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        """[BOS] and the ids of each row, padded on the right, through the same road as a text."""
        if not rows:
            raise InputError("Expected at least one row of ids; got none.")
        tokens = [self._spell(row, place) for place, row in enumerate(rows)]
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
        """Once as it is, then once with each head muted, many heads in one pass."""
        batch = self._read(inputs, max_tokens)
        return mute_effects(
            self.model,
            batch,
            self._record(batch),
            position=position,
            token=token,
            vocab_size=self.tokenizer.vocab_size,
        )

    def _record(self, batch: Batch) -> Trace:
        """Run the stack once and keep what went into attention."""
        ran = self.model(
            batch.ids,
            positions=batch.positions,
            masks=batch.matrices(),
            muted=batch.muted,
            record=True,
        )
        sites = tuple(
            self._site(layer, mask, attention, tuple(muted.nonzero()[:, 0].tolist()))
            for layer, (mask, attention, muted) in enumerate(
                zip(batch.masks, ran.attention, batch.muted[0], strict=True)
            )
        )
        return Trace(
            model=self.info.name,
            tokens=batch.tokens,
            pad_id=self.tokenizer.pad_id,
            sites=sites,
            stages=ran.stages,
            unembed=self.model.unembed,
            token_text=self.tokenizer.token_text,
        )

    def _read(self, inputs: Inputs, max_tokens: int | None) -> Batch:
        """What somebody typed, as the stack takes it."""
        if inputs.targets is not None or inputs.pairs is not None:
            field = "targets" if inputs.targets is not None else "pairs"
            raise InputError(
                f"{self.info.name} is a single stack without segments: "
                f"it takes `texts` only, not `{field}`.",
                field=field,
            )
        if not inputs.texts:
            raise InputError("Expected at least one text; got none.", field="texts")
        limit = (
            self.info.max_tokens if max_tokens is None else min(max_tokens, self.info.max_tokens)
        )
        rows = []
        for place, text in enumerate(inputs.texts):
            try:
                row = self.tokenizer.encode(text)
            except TextError as error:
                error.field = f"texts.{place}"
                raise
            self._check_length(row, limit, f"Text {place + 1}", f"texts.{place}")
            rows.append(row)
        return self._batch(rows, inputs.masks, inputs.muted)

    def _spell(self, ids: Sequence[int], place: int) -> list[Token]:
        """A row of ids as if their texts had been typed."""
        tokens = self.tokenizer.encode("")
        for id in ids:
            if not 0 <= id < self.tokenizer.vocab_size or id in self._special:
                raise InputError(
                    f"Row {place + 1} has the id {id}; expected ordinary tokens of "
                    f"{self.info.name}, without its special ones."
                )
            text, start = self.tokenizer.token_text(id), tokens[-1].end
            tokens.append(Token(id, text, start, start + len(text), special=False))
        self._check_length(tokens, self.info.max_tokens, f"Row {place + 1}", None)
        return tokens

    def _check_length(self, row: list[Token], limit: int, what: str, field: str | None) -> None:
        if len(row) > limit:
            raise LimitError(
                f"{what} has {len(row):,} tokens; {self.info.name} takes at most "
                f"{limit:,}. Shorten it, or trace it in parts.",
                code="too_many_tokens",
                field=field,
                limit=limit,
            )

    def _batch(
        self,
        rows: list[list[Token]],
        settings: MaskSettings,
        muted: Sequence[tuple[int, int]],
    ) -> Batch:
        longest = max(len(row) for row in rows)
        tokens = tuple(self._pad(row, longest, settings.padding_side) for row in rows)
        real = torch.tensor(
            [[token.id != self.tokenizer.pad_id for token in row] for row in tokens]
        )
        return Batch(
            tokens=tokens,
            positions=real_positions(real),
            masks=self._masks(settings, real),
            muted=self._muted(muted),
        )

    def _pad(self, row: list[Token], n: int, side: PaddingSide) -> tuple[Token, ...]:
        edge = 0 if side == "left" else row[-1].end
        padding = [Token(self.tokenizer.pad_id, "[PAD]", edge, edge, True)] * (n - len(row))
        return tuple(padding + row if side == "left" else row + padding)

    def _masks(self, settings: MaskSettings, real: Bool[Tensor, "batch pos"]) -> list[Mask]:
        n, config = real.shape[1], self.model.config
        for cells, field in (
            (settings.blocked, "masks.blocked"),
            (settings.allowed, "masks.allowed"),
        ):
            for cell in cells:
                check_layer(cell.layer, config.n_layers, field)
        masks = [
            site_mask(
                settings,
                layer=layer,
                n_query=n,
                n_key=n,
                n_heads=config.n_heads,
                real_keys=real,
                causal=config.causal,
            )
            for layer in range(config.n_layers)
        ]
        # without a cell painted in one layer only, all layers share one mask
        if all(cell.layer is None for cell in (*settings.blocked, *settings.allowed)):
            masks = [masks[0]] * config.n_layers
        return masks

    def _muted(self, heads: Sequence[tuple[int, int]]) -> Bool[Tensor, "1 layer head"]:
        muted = torch.zeros(1, self.info.n_layers, self.info.n_heads, dtype=torch.bool)
        for layer, head in heads:
            check_layer(layer, self.info.n_layers, "muted")
            if not 0 <= head < self.info.n_heads:
                raise InputError(
                    f"{self.info.name} has heads 0 to {self.info.n_heads - 1}; got {head}.",
                    field="muted",
                )
            muted[0, layer, head] = True
        return muted

    def _site(
        self, layer: int, mask: Mask, attention: AttentionPass, muted: tuple[int, ...]
    ) -> Site:
        module = self.model.layers[layer].attention
        return Site(
            name=f"layers.{layer}",
            kind="self",
            layer=layer,
            mask=mask,
            n_heads=self.info.n_heads,
            n_kv_heads=self.info.n_heads,
            # contiguous: a view would keep the whole fused projection alive
            q=attention.q.contiguous(),
            k=attention.k.contiguous(),
            v=attention.v.contiguous(),
            w_o=module.w_o_by_head,
            muted=muted,
            **module.settings(),
        )


def real_positions(real: Bool[Tensor, "batch pos"]) -> Int[Tensor, "batch pos"]:
    """Places counted from the first real token, so that padding on the left shifts nothing."""
    first = real.long().argmax(dim=1, keepdim=True)
    return (torch.arange(real.shape[1]) - first).clamp(min=0)


def check_layer(layer: int | None, n_layers: int, field: str) -> None:
    """Refuse a layer that the model does not have."""
    if layer is not None and not 0 <= layer < n_layers:
        raise InputError(f"This model has layers 0 to {n_layers - 1}; got {layer}.", field=field)
