"""Examines a checkpoint when it is loaded: what it offers, and whether our traces of it are right.

A few tokens run through our attention and through the model's own. We use ours only if both give
the same result. Otherwise the model's own patterns are shown, and views and edits that need more
say why they are not available.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import get_args

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from model.errors import CheckpointError
from model.recorded import SiteKind, TokenAxis
from model.site import Site
from model.sources.pretrained.body import Body, ForwardResult, Positions, layers_of, output_weights
from model.sources.pretrained.head import Unembed
from model.sources.pretrained.reading import Reader, Rows
from model.sources.pretrained.recording import AXES, Recording, UnsupportedError, site_name
from model.sources.source import SiteInfo
from model.tokenizer import Token

TOLERANCE = 1e-3  # maximum difference between two runs, relative to the largest value
SAMPLE = (7, 4)  # tokens in the two sample texts; the decoder's have two and one fewer


@dataclass(frozen=True, kw_only=True)
class Findings:
    """The results of examining a checkpoint."""

    sites: tuple[SiteInfo, ...]
    causal: bool
    lacks: str  # why only patterns are available; "": everything is
    w_o: tuple[Tensor | None, ...]  # one per site, (head d_head d_model)
    final_norm: nn.Module | None  # applied only to the last stage
    pads_left: bool  # padding on the left does not change the result
    d_head: int
    # bytes that a trace keeps per cell of a matrix: position biases, masks that no rule describes,
    # the model's own patterns; 0 for most families
    cell_bytes: Mapping[SiteKind, int]
    has_head: bool  # the head alone gives the same logits as the whole model


@dataclass
class _HookCalls:
    """What hooks saw during a run: W_O by site, and the output of each norm outside the layers."""

    w_o: dict[int, Tensor] = field(default_factory=dict)
    norms: list[tuple[nn.Module, Tensor]] = field(default_factory=list)  # module, output

    def final_norm(self, last: Tensor) -> nn.Module | None:
        """The norm whose output is the last hidden states."""
        for part, output in reversed(self.norms):
            if output.data_ptr() == last.data_ptr() and output.shape == last.shape:
                return part
        return None


@torch.inference_mode()
def examine(body: Body, reader: Reader, unembed: Unembed | None) -> Findings:
    """Run a few tokens both ways, and find out how the body takes its positions.

    `unembed` is the head alone, which is compared with the whole model.

    Raises:
        CheckpointError: there is no way to see the attention of this family.
    """
    rows = _sample(reader, SAMPLE)
    targets = _sample(reader, (SAMPLE[0] - 2, SAMPLE[1] - 1)) if body.encoder_decoder else None
    recording, hook_calls, lacks, result = _recording(rows, targets), _HookCalls(), "", None
    with _hooks(body.model, recording, hook_calls):
        own, failed = _try_own(body, rows, targets)
    has_head = (
        unembed is not None and own is not None and _is_head(body, unembed, own, rows, targets)
    )
    try:
        body.use("ours")
        with _hooks(body.model, recording, hook_calls):
            result = body.record(recording, rows, targets)
        lacks = _difference(recording, result, own, rows, targets)
    except Exception as error:  # a family may raise anything
        lacks = str(error) if isinstance(error, UnsupportedError) else f"it says {error!r}"
    if not lacks and result is not None:
        first = recording.sites[0].q
        assert first is not None
        sites = tuple(SiteInfo(s.name, s.kind, s.layer, s.n_heads) for s in recording.sites)
        return Findings(
            sites=sites,
            causal=any(site.mask.settings.causal for site in recording.sites),
            lacks="",
            w_o=tuple(hook_calls.w_o.get(index) for index in range(len(sites))),
            final_norm=hook_calls.final_norm(result.stages[-1]),
            pads_left=_settle_positions(body, reader, recorded=True),
            d_head=first.shape[-1],
            cell_bytes=_cell_bytes(recording.sites),
            has_head=has_head,
        )
    if own is None or not any(own.patterns.values()):
        raise CheckpointError(
            f"{type(body.model).__name__} does not show its attention: {lacks}, and asked for "
            f"patterns it gives {'none' if failed is None else repr(failed)}."
        )
    body.use("own")
    _check_own(body, own, rows, targets)
    patterns = own.patterns.get("self") or own.patterns["decoder"]
    return Findings(
        sites=tuple(
            SiteInfo(site_name(kind, layer), kind, layer, pattern.shape[1])
            for kind, of_kind in own.patterns.items()
            for layer, pattern in enumerate(of_kind)
        ),
        causal=not any(bool(pattern.triu(1).any()) for pattern in patterns),
        lacks=lacks,
        w_o=(None,) * sum(map(len, own.patterns.values())),
        final_norm=hook_calls.final_norm(own.stages[-1]),
        pads_left=_settle_positions(body, reader, recorded=False),
        d_head=body.model.config.get_text_config().hidden_size // patterns[0].shape[1],
        cell_bytes={
            kind: sum(pattern.shape[1] * pattern.itemsize for pattern in of_kind)
            for kind, of_kind in own.patterns.items()
        },
        has_head=has_head,
    )


def _check_own(body: Body, own: ForwardResult, rows: Rows, targets: Rows | None) -> None:
    """Refuse a family whose so-called attentions are not patterns between the tokens of a text."""
    for kind, patterns in own.patterns.items():
        query, key = (
            (rows if axis == "tokens" else targets or rows).real.shape[1] for axis in AXES[kind]
        )
        for layer, pattern in enumerate(patterns):
            name = f"{type(body.model).__name__} gives patterns in {site_name(kind, layer)}"
            if tuple(pattern.shape[2:]) != (query, key):
                raise CheckpointError(
                    f"{name} with {tuple(pattern.shape[2:])} cells for {query} and {key} tokens, "
                    "so they are not patterns between tokens."
                )
            if not bool((pattern >= 0).all()):
                raise CheckpointError(f"{name} that are not probabilities: some are below 0.")


def _cell_bytes(sites: Sequence[Site]) -> dict[SiteKind, int]:
    """Bytes kept per cell, by kind of site. A bias shared between layers counts once."""
    kept = {
        (site.kind, tensor.untyped_storage().data_ptr()): tensor.shape[1] * tensor.itemsize
        for site in sites
        for tensor in (site.bias, site.mask.own)
        if tensor is not None
    }
    kinds = dict.fromkeys(site.kind for site in sites)
    return {kind: sum(n for (of, _), n in kept.items() if of == kind) for kind in kinds}


def _try_own(
    body: Body, rows: Rows, targets: Rows | None
) -> tuple[ForwardResult | None, Exception | None]:
    try:
        body.use("own")
        return body.run_own(rows, targets), None
    except Exception as error:  # as above
        return None, error


def _is_head(
    body: Body, unembed: Unembed, own: ForwardResult, rows: Rows, targets: Rows | None
) -> bool:
    """Whether the head, on the last hidden states, gives the model's own logits."""
    try:
        return _same(unembed(own.stages[-1]), body.own_logits(rows, targets))
    except Exception:  # a head that needs more than hidden states
        return False


def _difference(
    recording: Recording,
    result: ForwardResult,
    own: ForwardResult | None,
    rows: Rows,
    targets: Rows | None,
) -> str:
    """How our run differs from the model's own, as the end of a sentence; "" if it does not."""
    if not recording.calls:
        return "it computes attention itself instead of calling the function of Transformers"
    if own is None:
        return "our results could not be compared with its own"
    real = (rows if targets is None else targets).real
    there, here = own.stages[-1][real], result.stages[-1][real]
    if not _same(here, there):
        return f"its hidden states differ from ours by {(here - there).abs().max():.1g}"
    for kind, patterns in own.patterns.items():
        sites = [site for site in recording.sites if site.kind == kind]
        if len(sites) != len(patterns):
            return f"it calls {kind} attention {len(sites)} times but has {len(patterns)} layers"
        queries = (targets if AXES[kind][0] == "target_tokens" else rows) or rows
        for site, pattern in zip(sites, patterns, strict=True):
            derived = site.derive(["pattern"])["pattern"].transpose(1, 2)[queries.real]
            if not _same(derived, pattern.transpose(1, 2)[queries.real]):
                return f"its pattern differs from ours in {site.name}"
    return ""


def _same(one: Tensor, other: Tensor) -> bool:
    return bool(((one - other).abs().max() <= TOLERANCE * other.abs().max()).item())


def _settle_positions(body: Body, reader: Reader, *, recorded: bool) -> bool:
    """Find out how to pass positions so that padding on the left does not change the result.

    Returns whether any way works.
    """
    if body.encoder_decoder:
        ways: tuple[Positions, ...] = ("own",)
    else:
        ways = get_args(Positions) if body.takes_positions else ("own",)
    alone = _sample(reader, SAMPLE[1:])
    padded = _sample(reader, SAMPLE, left=True)

    def last(rows: Rows) -> Tensor:
        targets = _sample(reader, (3,) * len(rows.tokens)) if body.encoder_decoder else None
        if recorded:
            result = body.record(_recording(rows, targets), rows, targets)
        else:
            result = body.run_own(rows, targets)
        hidden = result.stages[-1][-1]
        return hidden if targets is not None else hidden[rows.real[-1]]

    body.positions = "own"
    expected = last(alone)
    for way in ways:
        body.positions = way
        try:
            if _same(last(padded), expected) and _same(last(alone), expected):
                return True
        except Exception:  # positions out of range or not accepted
            continue
    body.positions = "own"
    return False


def _sample(reader: Reader, lengths: tuple[int, ...], *, left: bool = False) -> Rows:
    """Rows of ordinary tokens spread over the vocabulary; all rows start with the same tokens."""
    ids = reader.ordinary_ids
    chosen = [ids[(position * 31 + 7) % len(ids)] for position in range(max(SAMPLE))]
    rows = [
        [Token(id, reader.spell(id), 0, 0, special=False) for id in chosen[:n]] for n in lengths
    ]
    return reader.rows(rows, "left" if left else "right")


def _recording(rows: Rows, targets: Rows | None) -> Recording:
    real: dict[TokenAxis, Tensor] = {"tokens": rows.real}
    if targets is not None:
        real["target_tokens"] = targets.real
    return Recording(real=real)


@contextmanager
def _hooks(model: PreTrainedModel, recording: Recording, hook_calls: _HookCalls) -> Iterator[None]:
    """Find W_O, the layer whose input is the z just returned, and norms outside the layers."""

    def entering(part: nn.Module, given: tuple[object, ...]) -> None:
        answer, x = recording.answer, given[0] if given else None
        if answer is None or not isinstance(x, Tensor):
            return
        if x.data_ptr() == answer.data_ptr() and x.numel() == answer.numel():
            weight = output_weights(part, n_heads=answer.shape[2])
            if weight is not None:
                hook_calls.w_o.setdefault(len(recording.calls) - 1, weight)

    def leaving(part: nn.Module, given: object, output: object) -> None:
        if isinstance(output, Tensor):
            hook_calls.norms.append((part, output))

    layers = layers_of(model)
    hooks = [part.register_forward_pre_hook(entering) for part in model.modules()]
    hooks += [
        part.register_forward_hook(leaving)
        for name, part in model.named_modules()
        if "norm" in type(part).__name__.lower()
        and not any(name.startswith(f"{layer}.") for layer in layers)
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
