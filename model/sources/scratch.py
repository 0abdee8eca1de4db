"""The source that runs the mechanisms, with whatever parameters the reader chose."""

from collections.abc import Sequence
from functools import lru_cache

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from model.attention import AttentionPass
from model.block import Block
from model.errors import InputError, UnavailableError
from model.masks import site_mask
from model.mechanisms import ScratchConfig, configure
from model.predictions import MuteEffects
from model.recorded import SiteKind
from model.scratch.network import MAX_TOKENS, ScratchNetwork
from model.scratch.words import PAD_ID, tokenize
from model.site import Site
from model.sources.inputs import (
    check_cells,
    check_length,
    check_text,
    check_unmixed,
    muted_heads,
    padded,
)
from model.sources.native import real_positions
from model.sources.source import Inputs, SiteInfo, SourceInfo
from model.tensors import QKV, given_by
from model.tokenizer import Token
from model.trace import Trace

Rows = tuple[tuple[Token, ...], ...]

KEPT = 4  # networks that are not built again
LARGEST = 1e30  # of a number, so that no product of two leaves float32


class ScratchSource:
    """Every mechanism of `model/mechanisms.py`. It has no vocabulary, and predicts nothing."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.info = self._info_of(configure())
        self.ordinary_ids: Sequence[int] = ()
        self._network = lru_cache(KEPT)(ScratchNetwork)

    @torch.inference_mode()
    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """Number the words, draw the weights, run the layers once with q, k, v recorded.

        Raises:
            InputError: texts, weights or settings that do not suit the mechanism.
        """
        config = inputs.settings or configure()
        if not isinstance(config, ScratchConfig):
            config = configure()  # refused below, as settings of another source
        info = self._info_of(config)
        check_unmixed(inputs, info)
        check_cells(inputs.masks, info)
        if config.needs_targets and inputs.targets is None:
            raise InputError(
                "Cross-attention looks from one text into another: expected `targets`, one for "
                "each text, which hold the queries; got none.",
                field="targets",
            )
        tokens, targets, words = self._read(inputs, config, info, max_tokens)
        return self._run(config, inputs, info, words, tokens, targets)

    def _read(
        self, inputs: Inputs, config: ScratchConfig, info: SourceInfo, max_tokens: int | None
    ) -> tuple[Rows, Rows | None, list[str]]:
        """The tokens of texts and targets, padded, and the words that their ids stand for."""
        named = [(text, f"Text {n + 1}", f"texts.{n}") for n, text in enumerate(inputs.texts)]
        targets = inputs.targets or ()
        named += [(text, f"Target {n + 1}", f"targets.{n}") for n, text in enumerate(targets)]
        for text, _, field in named:
            check_text(text, field)
        rows, words = tokenize([text for text, _, _ in named], config.parameters.tokens)
        for row, (_, what, field) in zip(rows, named, strict=True):
            check_length(row, info, max_tokens, what, field)
        n, side = len(inputs.texts), inputs.masks.padding_side
        tokens = padded(rows[:n], PAD_ID, side)
        return tokens, padded(rows[n:], PAD_ID, side) if targets else None, words

    def _run(
        self,
        config: ScratchConfig,
        inputs: Inputs,
        info: SourceInfo,
        words: list[str],
        tokens: Rows,
        targets: Rows | None,
    ) -> Trace:
        network = self._network(config)
        real = _real(tokens)
        x = context = network.embed(words, _ids(tokens), real_positions(real))
        places = real_positions(real)
        if targets is not None:
            places = real_positions(_real(targets))
            x = network.embed(words, _ids(targets), places)
        masks = [
            site_mask(
                inputs.masks,
                layer=layer,
                kind=info.sites[layer].kind,
                n_query=x.shape[1],
                n_key=context.shape[1],
                n_heads=info.n_heads,
                real_keys=real,
                causal=config.mechanism.causal,
                diagonal=config.parameters.causal_diagonal,
            )
            for layer in range(info.n_layers)
        ]
        muted = muted_heads(inputs.muted, info)
        passes = network(
            x,
            None if targets is None else context,
            places,
            masks=[None if mask.is_open else mask.allows() for mask in masks],
            muted=muted,
        )
        _check_sizes(passes, network)
        sites = tuple(
            Site(
                name=site.name,
                kind=site.kind,
                layer=site.layer,
                mask=mask,
                n_heads=info.n_heads,
                n_kv_heads=info.n_heads,
                q=attention.q.contiguous(),
                k=attention.k.contiguous(),
                v=attention.v.contiguous(),
                w_o=block.attention.w_o_by_head,
                muted=tuple(silent.nonzero()[:, 0].tolist()),
                query_tokens="tokens" if targets is None else "target_tokens",
                **block.attention.settings(),
            )
            for site, mask, attention, block, silent in zip(
                info.sites, masks, passes, network.blocks, muted[0], strict=True
            )
        )
        return Trace(
            model=self._name, tokens=tokens, target_tokens=targets, sites=sites, settings=config
        )

    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        """Refused: ids are numbered anew in every request.

        Raises:
            UnavailableError: always.
        """
        raise UnavailableError(f"{self._name} has no vocabulary, so no ids: send texts.")

    def mute_effects(
        self,
        inputs: Inputs,
        *,
        position: int | None = None,
        token: int | None = None,
        max_tokens: int | None = None,
    ) -> list[MuteEffects]:
        """Refused: there is no prediction that could change.

        Raises:
            UnavailableError: always.
        """
        raise UnavailableError(
            f"{self._name} has no language-model head, so muting changes no prediction.",
            field="analyse.mute_effects",
        )

    def _info_of(self, config: ScratchConfig) -> SourceInfo:
        """What there is to know of a mechanism with these parameters."""
        parameters, attention = config.parameters, config.block.attention
        kind: SiteKind = "cross" if config.mechanism.cross else "self"
        suffix = ".cross" if config.mechanism.cross else ""
        sites = tuple(
            SiteInfo(f"layers.{layer}{suffix}", kind, layer, parameters.n_heads)
            for layer in range(parameters.n_layers)
        )
        return SourceInfo(
            name=self._name,
            description="From scratch: mechanisms whose weights are drawn from a seed, or yours.",
            licence="CC0-1.0",
            n_layers=parameters.n_layers,
            n_heads=parameters.n_heads,
            d_model=parameters.d_model,
            d_head=attention.d_head,
            vocab_size=0,
            n_parameters=_n_parameters(config),
            max_tokens=MAX_TOKENS,
            trained_tokens=MAX_TOKENS,
            causal=config.mechanism.causal,
            predicts=None,
            sites=sites,
            tensors=given_by((*QKV, "w_o") if attention.output else QKV),
            takes_targets=config.mechanism.cross,
            settings=ScratchConfig.name,
        )


def _real(rows: Rows) -> Bool[Tensor, "batch pos"]:
    return torch.tensor([[not token.padding for token in row] for row in rows])


def _ids(rows: Rows) -> Int[Tensor, "batch pos"]:
    return torch.tensor([[token.id for token in row] for row in rows])


def _n_parameters(config: ScratchConfig) -> int:
    with torch.device("meta"):  # counted, not made
        block = Block(config.block)
    return config.parameters.n_layers * sum(p.numel() for p in block.parameters())


def _check_sizes(passes: Sequence[AttentionPass], network: ScratchNetwork) -> None:
    """Refuse what would leave float32, which only weights of the reader's can bring about."""
    for attention, block in zip(passes, network.blocks, strict=True):
        q, k, v = (float(part.norm(dim=-1).max()) for part in attention[1:])
        w_o = block.attention.w_o_by_head
        moved = v if w_o is None else v * float(w_o.norm())
        scale = block.attention.config.scale_factor
        for size in (q, k, q * k, q * k * scale, moved, float(attention.output.abs().max())):
            if not size < LARGEST:
                raise InputError(
                    "With these weights the numbers grow past what float32 holds. Make them "
                    "smaller, or use fewer layers, or a norm.",
                    code="overflow",
                    field="scratch.weights",
                )
