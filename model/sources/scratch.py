"""The source that runs mechanisms from scratch, with the parameters of each request."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.core.attention import AttentionPass
from model.core.block import Block
from model.core.editing import AffineEdits, Capture, Editor
from model.errors import InputError, UnavailableError
from model.interventions import ANYWHERE, Donor, Tokens, edits_of, overflow
from model.masks.mask import Mask, site_mask
from model.message import Message
from model.scratch.mechanisms import ScratchConfig, configure
from model.scratch.network import MAX_TOKENS, ScratchNetwork
from model.scratch.words import PAD_ID, tokenize
from model.sources.inputs import (
    check_cells,
    check_length,
    check_text,
    check_unmixed,
    muted_heads,
    padded,
)
from model.sources.intervening import donor_inputs, edited, layout_of
from model.sources.native import real_positions
from model.sources.runner import Rows, Runner
from model.sources.source import Inputs, SiteInfo, SourceInfo
from model.trace.predictions import MuteEffects
from model.trace.recorded import SiteKind
from model.trace.site import Site
from model.trace.tensors import given_by, recorded_by
from model.trace.trace import Trace

MAX_NETWORKS = 4  # in the cache
NO_STREAM = "that of mechanisms from scratch is not recorded"
MAX_NUMBER = 1e30  # larger ones are refused, before they overflow float32


class Prepared(NamedTuple):
    """What a run needs, besides edits."""

    config: ScratchConfig
    info: SourceInfo  # of the mechanism with these settings
    network: ScratchNetwork
    tokens: Rows
    targets: Rows | None
    x: Float[Tensor, "batch query d_model"]
    context: Float[Tensor, "batch key d_model"] | None  # None: x
    positions: Int[Tensor, "batch query"]
    masks: list[Mask]

    def run(self, muted: Bool[Tensor, "1 layer head"], edit: Editor | None) -> list[AttentionPass]:
        """Run the layers."""
        masks = [None if mask.is_open else mask.allows() for mask in self.masks]
        passes: list[AttentionPass] = self.network(
            self.x, self.context, self.positions, masks=masks, muted=muted, edit=edit
        )
        return passes


class ScratchSource:
    """Runs every mechanism of `model/scratch/mechanisms.py`. No vocabulary, no predictions."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.info = self._info_of(configure())
        self.ordinary_ids: Sequence[int] = ()
        self._network = lru_cache(MAX_NETWORKS)(ScratchNetwork)

    @torch.inference_mode()
    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        """Number the words, draw the weights, and run the layers once, recording q, k and v.

        Raises:
            InputError: the texts, weights or settings do not suit the mechanism.
        """
        config = inputs.settings or configure()
        if not isinstance(config, ScratchConfig):
            config = configure()  # check_unmixed refuses the settings of other sources
        info = self._info_of(config)
        check_unmixed(inputs, info)
        if inputs.ids is not None:
            raise _without_ids(self._name)
        check_cells(inputs.masks, info)
        if config.needs_targets and inputs.targets is None:
            raise InputError(
                "Cross-attention looks from one text into another. Expected `targets`, one for "
                "each text, which the queries come from; got none.",
                field="targets",
            )
        return self._record(self._prepare(inputs, config, info, max_tokens), inputs, max_tokens)

    def _read(
        self, inputs: Inputs, config: ScratchConfig, info: SourceInfo, max_tokens: int | None
    ) -> tuple[Rows, Rows | None, list[str]]:
        """The padded tokens of texts and targets, and the words that their ids stand for."""
        named = [(text, inputs.name(n), f"texts.{n}") for n, text in enumerate(inputs.texts)]
        targets = inputs.targets or ()
        named += [
            (text, Message("Target {n}", n=n + 1), f"targets.{n}") for n, text in enumerate(targets)
        ]
        for text, _, field in named:
            check_text(text, field)
        rows, words = tokenize([text for text, _, _ in named], config.parameters.tokens)
        for row, (_, what, field) in zip(rows, named, strict=True):
            check_length(row, info, max_tokens, what, field)
        n, side = len(inputs.texts), inputs.masks.padding_side
        tokens = padded(rows[:n], PAD_ID, side)
        return tokens, padded(rows[n:], PAD_ID, side) if targets else None, words

    def _prepare(
        self, inputs: Inputs, config: ScratchConfig, info: SourceInfo, max_tokens: int | None
    ) -> Prepared:
        """Everything that a run of these inputs needs, besides edits."""
        tokens, targets, words = self._read(inputs, config, info, max_tokens)
        network = self._network(config)
        real = _real(tokens)
        x = context = network.embed(words, _ids(tokens), real_positions(real))
        positions = real_positions(real)
        if targets is not None:
            positions = real_positions(_real(targets))
            x = network.embed(words, _ids(targets), positions)
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
                window=config.parameters.window,
            )
            for layer in range(info.n_layers)
        ]
        return Prepared(
            config,
            info,
            network,
            tokens,
            targets,
            x,
            None if targets is None else context,
            positions,
            masks,
        )

    def _edits(
        self, prepared: Prepared, inputs: Inputs, max_tokens: int | None
    ) -> AffineEdits | None:
        """The interventions of the inputs, for which donors may have to run."""
        if not inputs.interventions:
            return None
        config, info = prepared.config, prepared.info

        def run(donor: Donor, capture: Capture) -> Tokens:
            own = prepared
            if donor.texts:
                own = self._prepare(donor_inputs(inputs, donor), config, info, max_tokens)
            own.run(muted_heads((), info), capture)
            return layout_of(info, own.tokens, own.targets).tokens

        layout = layout_of(info, prepared.tokens, prepared.targets)
        return edits_of(inputs.interventions, layout, run)

    def _record(self, prepared: Prepared, inputs: Inputs, max_tokens: int | None) -> Trace:
        info, network, masks = prepared.info, prepared.network, prepared.masks
        tokens, targets = prepared.tokens, prepared.targets
        edits = self._edits(prepared, inputs, max_tokens)
        muted = muted_heads(inputs.muted, info)
        passes = prepared.run(muted, edits)
        _check_sizes(passes, network, edited=bool(inputs.interventions))
        sites = tuple(
            Site(
                name=site.name,
                kind=site.kind,
                layer=site.layer,
                mask=mask,
                n_heads=info.n_heads,
                n_kv_heads=block.attention.config.kv_heads,
                q=attention.q.contiguous(),
                k=attention.k.contiguous(),
                v=attention.v.contiguous(),
                bias=attention.bias,
                gate=attention.gate,
                decay=attention.decay,
                minus=block.attention.config.minus,
                w_o=block.attention.w_o_by_head,
                muted=tuple(muted_here.nonzero()[:, 0].tolist()),
                query_tokens="tokens" if targets is None else "target_tokens",
                **edited(edits, site.layer, site.kind),
                **block.attention.settings(),
            )
            for site, mask, attention, block, muted_here in zip(
                info.sites, masks, passes, network.blocks, muted[0], strict=True
            )
        )
        return Trace(
            stream_lacks=NO_STREAM,
            model=self._name,
            tokens=tokens,
            target_tokens=targets,
            sites=sites,
            settings=prepared.config,
        )

    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        """Always refused, because each request numbers its words anew.

        Raises:
            UnavailableError: always.
        """
        raise _without_ids(self._name)

    def mute_effects(
        self,
        inputs: Inputs,
        *,
        position: int | None = None,
        token: int | None = None,
        max_tokens: int | None = None,
    ) -> list[MuteEffects]:
        """Always refused, because there is no prediction that could change.

        Raises:
            UnavailableError: always.
        """
        raise UnavailableError(
            f"{self._name} has no language-model head, so muting changes no prediction.",
            field="analyse.mute_effects",
        )

    def runner(self, inputs: Inputs, *, max_tokens: int | None = None) -> Runner:
        """Always refused, because there is no prediction that could change.

        Raises:
            UnavailableError: always.
        """
        raise UnavailableError(
            f"{self._name} has no language-model head, so edits change no prediction.",
            field="model",
        )

    def _info_of(self, config: ScratchConfig) -> SourceInfo:
        """The description of a mechanism with these parameters."""
        parameters, attention = config.parameters, config.block.attention
        kind: SiteKind = "cross" if config.mechanism.cross else "self"
        suffix = ".cross" if config.mechanism.cross else ""
        sites = tuple(
            SiteInfo(f"layers.{layer}{suffix}", kind, layer, parameters.n_heads)
            for layer in range(parameters.n_layers)
        )
        return SourceInfo(
            name=self._name,
            description="Mechanisms from scratch, with weights drawn from a seed or uploaded.",
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
            tensors=given_by(recorded_by(attention)),
            d_ff=config.block.d_ff,
            norm=config.block.norm,
            residual=config.block.residual,
            takes_targets=config.mechanism.cross,
            settings=ScratchConfig.name,
            edited_at=ANYWHERE if config.block.d_ff else tuple(a for a in ANYWHERE if a != "mlp"),
            stream_lacks=NO_STREAM,
            edited_at_reason="" if config.block.d_ff else "these layers have no feed-forward part.",
        )


def _without_ids(name: str) -> UnavailableError:
    return UnavailableError(
        f"{name} has no vocabulary, so it takes no ids. Send texts.", field="ids"
    )


def _real(rows: Rows) -> Bool[Tensor, "batch pos"]:
    return torch.tensor([[not token.padding for token in row] for row in rows])


def _ids(rows: Rows) -> Int[Tensor, "batch pos"]:
    return torch.tensor([[token.id for token in row] for row in rows])


def _n_parameters(config: ScratchConfig) -> int:
    with torch.device("meta"):  # to count them without allocating memory
        block = Block(config.block)
    return config.parameters.n_layers * sum(p.numel() for p in block.parameters())


def _check_sizes(passes: Sequence[AttentionPass], network: ScratchNetwork, *, edited: bool) -> None:
    """Refuse numbers that might overflow float32.

    Only uploaded weights make them so large, or interventions if the run is `edited`.
    """
    for attention, block in zip(passes, network.blocks, strict=True):
        q, k, v = (
            float(part.norm(dim=-1).max()) for part in (attention.q, attention.k, attention.v)
        )
        w_o = block.attention.w_o_by_head
        moved = v if w_o is None else v * float(w_o.norm())
        scale = block.attention.config.scale_factor
        for size in (q, k, q * k, q * k * scale, moved, float(attention.output.abs().max())):
            if not size < MAX_NUMBER:
                if edited:
                    raise overflow()
                raise InputError(
                    "With these weights the numbers grow beyond the range of float32. Make the "
                    "weights smaller, use fewer layers, or add a norm.",
                    code="overflow",
                    field="scratch.weights",
                )
