"""Examines a checkpoint when it is loaded: what it offers, and whether our traces of it are right.

A few tokens run through our attention and through the model's own. We use ours only if both give
the same result. Otherwise the model's own patterns are shown, and views and edits that need more
say why they are not available.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import torch
from torch import Tensor, nn

from model.core.tokenizer import Token
from model.errors import CheckpointError
from model.sources.pretrained.body import Body, ForwardResult, Positions
from model.sources.pretrained.head import Unembed, reads_whole_text, why_no_classes
from model.sources.pretrained.hooks import HookCalls, hooks
from model.sources.pretrained.opening.device import kept
from model.sources.pretrained.opening.messages import summary
from model.sources.pretrained.recording import AXES, Recording, UnsupportedError, site_name
from model.sources.pretrained.scanning import record_scans
from model.sources.pretrained.stream.building import Plan
from model.sources.pretrained.stream.finding import Sample, find_stream
from model.sources.pretrained.text.reading import Reader, Rows
from model.sources.source import SiteInfo
from model.trace.recorded import SiteKind, TokenAxis
from model.trace.site import Site

# maximum difference between two runs, relative to the largest value, by what the model runs in
TOLERANCE = {torch.float32: 1e-3, torch.float16: 1e-2, torch.bfloat16: 8e-2}
WHOLE = 1e-3  # how near to 1 the sum of a row is that leaves nothing to a sink
ClassRead = Literal["first", "last"]
SAMPLE = (7, 4)  # tokens in the two sample texts; the decoder's have two and one fewer


@dataclass(frozen=True, kw_only=True)
class Findings:
    """The results of examining a checkpoint."""

    sites: tuple[SiteInfo, ...]
    causal: bool
    lacks: str  # why only patterns are available; "": everything is
    w_o: tuple[Tensor | None, ...]  # one per site, (head d_head d_model)
    layers: tuple[int, ...]  # one per site; empty: not known
    n_layers: int  # also those without attention
    final_norm: nn.Module | None  # applied only to the last stage
    pads_left: bool  # padding on the left does not change the result
    d_head: int
    # bytes that a trace keeps per cell of a matrix: position biases, masks that no rule describes,
    # the model's own patterns; 0 for most families
    cell_bytes: Mapping[SiteKind, int]
    # why nothing is predicted though there may be a head, as the end of a sentence; "": it is
    head_lacks: str
    # of a classifier: the position of a text that its head reads, of those that are not padding
    class_read: ClassRead | None
    lens_lacks: str  # why stages cannot be unembedded, as the end of a sentence; "": they can
    # how to follow the residual stream, with the modules of each layer's parts; None: see the next
    stream: Plan | None = None
    stream_lacks: str = ""  # why it cannot be followed, as the end of a sentence; "": it can


@torch.inference_mode()
def examine(body: Body, reader: Reader, unembed: Unembed | None) -> Findings:
    """Run a few tokens both ways, and find out how the body takes its positions.

    `unembed` is the head alone, which is compared with the whole model.

    Raises:
        CheckpointError: there is no way to see the attention of this family.
    """
    rows = _sample(reader, SAMPLE)
    targets = _sample(reader, (SAMPLE[0] - 2, SAMPLE[1] - 1)) if body.encoder_decoder else None
    recording, hook_calls, lacks, result = _recording(rows, targets), HookCalls(), "", None
    layers: tuple[int, ...] = ()
    own_calls = HookCalls()
    with hooks(body.model, recording, own_calls):
        own, failed = _try_own(body, rows, targets)
    head_lacks, class_read = _head_lacks(body, unembed, own, rows, targets)
    try:
        body.use("ours")
        attention = _ours(body, rows, targets)
        for found in filter(None, (_scanned(body, rows, targets), attention)):
            recording, hook_calls, result = found
            layers = hook_calls.numbered(recording.calls)
            recording.sites = _renamed(recording.sites, layers)
            lacks = _difference(recording, result, own, rows, targets)
            if not lacks:
                break
            body.scans = False
    except Exception as error:  # a family may raise anything
        lacks = str(error) if isinstance(error, UnsupportedError) else f"it says {error!r}"
    if body.runs_whole:
        lacks = "its encoder and its decoder cannot be run one after the other"
    if not lacks and result is not None:
        first = recording.sites[0].q
        assert first is not None
        sites = tuple(SiteInfo(s.name, s.kind, s.layer, s.n_heads) for s in recording.sites)
        pads_left = _settle_positions(body, reader, recorded=True)
        plan, stream_lacks = find_stream(body, Sample(rows, targets, recording, hook_calls, layers))
        return Findings(
            sites=sites,
            causal=any(site.mask.settings.causal for site in recording.sites),
            lacks="",
            layers=layers,
            n_layers=max(hook_calls.depth, 1 + max(layers)),
            w_o=tuple(
                # not `kept`, which would copy a view of the model's own parameter
                None if found is None else found.to("cpu", torch.float32)
                for found in map(hook_calls.w_o.get, range(len(sites)))
            ),
            final_norm=hook_calls.final_norm(result.stages[-1]),
            pads_left=pads_left,
            d_head=first.shape[-1],
            cell_bytes=_cell_bytes(recording.sites),
            head_lacks=head_lacks,
            class_read=class_read,
            lens_lacks=_lens_lacks(result),
            stream=plan,
            stream_lacks=stream_lacks,
        )
    if own is None or not any(placed.patterns for placed in own.placed.values()):
        raise CheckpointError(_why_nothing_shows(body, lacks, failed, own))
    body.use("own")
    _check_own(body, own)
    patterns = list((own.placed.get("self") or own.placed["decoder"]).patterns.values())
    return Findings(
        sites=tuple(
            SiteInfo(site_name(kind, layer), kind, layer, pattern.shape[1])
            for kind, of_kind in own.placed.items()
            for layer, pattern in of_kind.patterns.items()
        ),
        causal=not any(bool(pattern.triu(1).any()) for pattern in patterns),
        lacks=lacks,
        layers=(),
        n_layers=max(placed.n_layers for placed in own.placed.values()),
        w_o=(None,) * sum(len(placed.patterns) for placed in own.placed.values()),
        final_norm=own_calls.final_norm(own.stages[-1]),
        pads_left=_settle_positions(body, reader, recorded=False),
        d_head=_d_head(body, patterns[0].shape[1]),
        cell_bytes={
            kind: sum(pattern.shape[1] * pattern.itemsize for pattern in of_kind.patterns.values())
            for kind, of_kind in own.placed.items()
        },
        head_lacks=head_lacks,
        class_read=class_read,
        lens_lacks=_lens_lacks(own),
        stream_lacks=lacks,
    )


class _Ours(NamedTuple):
    recording: Recording
    hook_calls: HookCalls
    result: ForwardResult


def _ours(body: Body, rows: Rows, targets: Rows | None) -> _Ours:
    recording, hook_calls = _recording(rows, targets), HookCalls()
    with hooks(body.model, recording, hook_calls):
        result = body.record(recording, rows, targets)
    return _Ours(recording, hook_calls, result)


def _scanned(body: Body, rows: Rows, targets: Rows | None) -> _Ours | None:
    """The same with selective scans as sites, if the model has any that can be."""
    if not record_scans(body.model):
        return None
    body.scans = True
    try:
        found = _ours(body, rows, targets)
    except Exception:  # as above
        found = None
    # a layer with both would have two heads of each number
    body.scans = found is not None and not found.hook_calls.is_parallel(found.recording.calls)
    return found if body.scans else None


def _d_head(body: Body, n_heads: int) -> int:
    config = body.model.config.get_text_config()
    own: int | None = getattr(config, "head_dim", None)
    return own or max(1, config.hidden_size // n_heads)


def _why_nothing_shows(
    body: Body, lacks: str, failed: Exception | None, own: ForwardResult | None
) -> str:
    name = type(body.model).__name__
    strange = [] if own is None else [one.strange for one in own.placed.values() if one.strange]
    if strange:
        return (
            f"{name} has no attention between tokens that can be shown: for a text of {SAMPLE[0]} "
            f"tokens, what it gives as its patterns has the shape {strange[0]}."
        )
    parts = (type(part).__name__.lower() for part in body.model.modules())
    if failed is None and not any("attention" in part or "attn" in part for part in parts):
        return f"{name} has no attention, so there is nothing for Headlight to show."
    gives = "none" if failed is None else summary(failed)
    return f"{name} does not show its attention: {lacks}, and asked for patterns it gives {gives}."


def _check_own(body: Body, own: ForwardResult) -> None:
    """Refuse a family whose so-called attentions are not patterns."""
    for kind, placed in own.placed.items():
        for layer, pattern in placed.patterns.items():
            name = f"{type(body.model).__name__} gives patterns in {site_name(kind, layer)}"
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
    body.use("own")
    try:
        return body.run_own(rows, targets), None
    except Exception as error:  # as above
        if not body.encoder_decoder:
            return None, error
        failed = error
    body.runs_whole = True
    try:
        return body.run_own(rows, targets), None
    except Exception:
        body.runs_whole = False
        return None, failed


def _head_lacks(
    body: Body,
    unembed: Unembed | None,
    own: ForwardResult | None,
    rows: Rows,
    targets: Rows | None,
) -> tuple[str, ClassRead | None]:
    """Why the head, on the last hidden states, does not give the model's logits; "": it does.

    And at which position it does, if it is a classifier's.
    """
    if unembed is None:
        return "it has no language-model head", None
    if own is None:
        return "its logits could not be compared with the model's own", None
    if lacks := why_no_classes(body.model):
        return lacks, None
    try:
        found, wanted = unembed(own.stages[-1]), body.own_logits(rows, targets)
        if not reads_whole_text(body.model):
            same, read = _same(found, wanted), None
        else:
            texts = range(len(rows.tokens))
            ways = (
                read
                for read in get_args(ClassRead)
                if _same(found[texts, class_positions(rows, read)], wanted)
            )
            read = next(ways, None)
            same = read is not None
    except Exception as error:  # a head that needs more than hidden states
        return f"its head cannot be run on hidden states alone: it says {error!r}", None
    return ("" if same else "its head, run on hidden states alone, gives other logits"), read


def _lens_lacks(result: ForwardResult) -> str:
    """Why the stages of a run cannot be unembedded, as the end of a sentence; "": they can."""
    *earlier, last = (tuple(stage.shape) for stage in result.stages)
    other = next((shape for shape in earlier if shape != last), None)
    if other is None:
        return ""
    return f"between its layers, its stream has the shape {other}, after the last one {last}"


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
    calls = {site.kind for site in recording.sites}
    for kind, placed in own.placed.items():
        if placed.patterns and kind not in calls:
            what = f"its {kind} attention"
            return f"it computes {what} itself instead of calling the function of Transformers"
    real = (rows if targets is None else targets).real
    there, here = own.stages[-1][real], result.stages[-1][real]
    if not _same(here, there):
        return f"its hidden states differ from ours by {(here - there).abs().max().item():.1g}"
    for kind, placed in own.placed.items():
        # of a scan there is no pattern to compare with, only the hidden states above
        sites = [site for site in recording.sites if site.kind == kind and site.kernel != "product"]
        patterns = list(placed.patterns.values())
        if len(sites) != len(patterns):
            return (
                f"it calls {kind} attention {len(sites)} times but gives {len(patterns)} patterns"
            )
        queries = (targets if AXES[kind][0] == "target_tokens" else rows) or rows
        for site, pattern in zip(sites, patterns, strict=True):
            derived = site.derive(["pattern"])["pattern"]
            if site.sink is not None and bool((pattern.sum(-1) - 1).abs().max() < WHOLE):
                # GraniteSWA gives its patterns without what the sink takes of each row
                derived = derived / derived.sum(-1, keepdim=True)
            derived = derived.transpose(1, 2)[queries.real]
            if not _same(derived, pattern.transpose(1, 2)[queries.real]):
                return f"its pattern differs from ours in {site.name}"
    return ""


def class_positions(rows: Rows, read: ClassRead) -> tuple[int, ...]:
    """The position of each text that the head of a classifier reads."""
    real = [[at for at, token in enumerate(row) if not token.padding] for row in rows.tokens]
    return tuple(row[0 if read == "first" else -1] for row in real)


def _same(one: Tensor, other: Tensor) -> bool:
    tolerance = TOLERANCE[other.dtype]
    one, other = kept(one), kept(other)
    return bool(((one - other).abs().max() <= tolerance * other.abs().max()).item())


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


def _renamed(sites: Sequence[Site], layers: Sequence[int]) -> list[Site]:
    """The sites with these layers, and names that say so."""
    return [
        replace(site, layer=layer, name=site_name(site.kind, layer))
        for site, layer in zip(sites, layers, strict=True)
    ]
