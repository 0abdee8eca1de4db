"""The source that runs our own transformer."""

from pathlib import Path

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from model.attention import AttentionPass
from model.checkpoint import load_checkpoint
from model.errors import InputError, LimitError, TextError
from model.masks import Mask, MaskSettings, site_mask
from model.sources.source import Inputs, SiteInfo, SourceInfo, muted_by_layer
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
            tensors=("q", "k", "v", "scores", "pattern", "z", "blocked_by", "result"),
        )

    @torch.inference_mode()
    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """Tokenize, pad, run the stack once with q, k, v recorded."""
        if inputs.targets is not None or inputs.pairs is not None:
            field = "targets" if inputs.targets is not None else "pairs"
            raise InputError(
                f"{self.info.name} is a single stack without segments: "
                f"it takes `texts` only, not `{field}`.",
                field=field,
            )
        if not inputs.texts:
            raise InputError("Expected at least one text; got none.", field="texts")
        tokens = self._tokenize(inputs, max_tokens)
        real = torch.tensor(
            [[token.id != self.tokenizer.pad_id for token in row] for row in tokens]
        )
        masks = self._masks(inputs.masks, real)
        muted = self._muted(inputs)
        # layers that share a mask share its matrix
        matrices = {id(mask): None if mask.is_open else mask.allows() for mask in masks}
        ran = self.model(
            torch.tensor([[token.id for token in row] for row in tokens]),
            positions=real_positions(real),
            masks=[matrices[id(mask)] for mask in masks],
            muted=muted,
            record=True,
        )
        sites = tuple(
            self._site(layer, mask, attention, tuple(sorted(muted.get(layer, ()))))
            for layer, (mask, attention) in enumerate(zip(masks, ran.attention, strict=True))
        )
        return Trace(
            model=self.info.name,
            tokens=tokens,
            pad_id=self.tokenizer.pad_id,
            sites=sites,
            resid=ran.resid,
            unembed=self.model.unembed,
            token_text=self.tokenizer.token_text,
        )

    def _tokenize(self, inputs: Inputs, max_tokens: int | None) -> tuple[tuple[Token, ...], ...]:
        limit = (
            self.info.max_tokens if max_tokens is None else min(max_tokens, self.info.max_tokens)
        )
        rows = []
        for place, text in enumerate(inputs.texts):
            try:
                tokens = self.tokenizer.encode(text)
            except TextError as error:
                error.field = f"texts.{place}"
                raise
            if len(tokens) > limit:
                raise LimitError(
                    f"Text {place + 1} has {len(tokens):,} tokens; {self.info.name} takes at most "
                    f"{limit:,}. Shorten it, or trace it in parts.",
                    code="too_many_tokens",
                    field=f"texts.{place}",
                    limit=limit,
                )
            rows.append(tokens)
        longest = max(len(row) for row in rows)
        return tuple(
            self._pad(row, longest, text, inputs.masks)
            for row, text in zip(rows, inputs.texts, strict=True)
        )

    def _pad(
        self, row: list[Token], n: int, text: str, settings: MaskSettings
    ) -> tuple[Token, ...]:
        left = settings.padding_side == "left"
        edge = 0 if left else len(text)
        padding = [Token(self.tokenizer.pad_id, "[PAD]", edge, edge, True)] * (n - len(row))
        return tuple(padding + row if left else row + padding)

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

    def _muted(self, inputs: Inputs) -> dict[int, list[int]]:
        for layer, head in inputs.muted:
            check_layer(layer, self.info.n_layers, "muted")
            if not 0 <= head < self.info.n_heads:
                raise InputError(
                    f"{self.info.name} has heads 0 to {self.info.n_heads - 1}; got {head}.",
                    field="muted",
                )
        return muted_by_layer(inputs.muted)

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
