"""The map of a patch bench: what it takes, and what it gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from model.analysis.explanations.ranks import kendall
from model.analysis.patching.aligning import FIELD, Pairs, aligned
from model.analysis.patching.bench import Bench, By, Cell, Estimate, cells
from model.analysis.patching.clean import CleanRun
from model.core.tokenizer import Token
from model.errors import InputError, UnavailableError
from model.interventions import At
from model.kinds import SiteKind
from model.sources.runner import Runner
from model.sources.source import SourceInfo
from model.trace.predictions import Prediction, log_softmax
from model.trace.trace import Trace

Metric = Literal["logit_difference", "logit"]

SAME = 1e-4  # two runs whose metrics differ by less, in logits, count as the same
LARGE = 0.25  # of the largest effect: an error of the estimate above it is a disagreement
SMALL = 0.05  # of the largest effect: below it, a different sign is no disagreement


@dataclass(frozen=True)
class PatchedCell:
    """One patch: a part of one layer, at one position or in one head."""

    metric: float | None  # of the patched run, in logits; None: there was no run
    # the share of the difference between the clean and the corrupted run that came back
    restored: float | None
    estimate: float | None  # of that share, from the gradient
    disagrees: bool  # the estimate differs in sign, or by much


@dataclass(frozen=True)
class PatchedLayer:
    kind: SiteKind  # of the site; of a feed-forward network or a stream, the stack
    layer: int
    cells: tuple[PatchedCell, ...]  # one per pair of positions, or per head


@dataclass(frozen=True)
class Patching:
    """The map of one text. Its corrupted sentence is the text itself."""

    text: int
    position: int  # where the metric is read, in the padded text
    metric: Metric
    token: Prediction  # with its probability in the corrupted run
    against: Prediction | None  # for a logit difference: of the token and this one
    clean: float  # the metric of the clean run
    corrupted: float  # that of the corrupted run
    reason: str | None  # why no share is given, although the runs were made
    at: At
    by: By
    clean_tokens: tuple[Token, ...]
    pairs: Pairs  # aligned positions: in the clean sentence, in the text
    agreement: float | None  # Kendall's τ-b of the estimates and what was measured
    target_pairs: Pairs | None  # those of an encoder–decoder's target, for its decoder
    layers: tuple[PatchedLayer, ...]


def patching(
    trace: Trace,
    runner: Runner,
    clean: Runner,
    info: SourceInfo,
    *,
    at: At = "resid_pre",
    by: By = "position",
    metric: Metric = "logit_difference",
    position: int | None = None,
    token: int | None = None,
    against: int | None = None,
    pairs: Sequence[tuple[int, int]] | None = None,
    text: int | None = None,
    exact: int | None = None,
) -> list[Patching]:
    """The map of each text, or of one if `text` says which.

    `runner` runs the texts of `trace`, and `clean` one sentence, with each text's target or
    second segment; both must have been read outside `torch.inference_mode`, because gradients flow
    through them. `position` counts in the padded text, or in an encoder–decoder in the padded
    target; None means where the model predicts. `pairs` align the two sentences. `token` is an id;
    None means the likeliest token in the clean run, and `against` the likeliest in the corrupted
    one if that is another. `exact` runs only that many patches, those whose
    estimates are largest.

    Raises:
        UnavailableError: the model predicts nothing, or cannot be changed there.
        InputError: there is no such position, token or text, or the tokens do not align.
        NumericsError: a number is not finite.
    """
    texts = _texts(trace, text)
    stages, unembed, token_text = trace.head(FIELD)
    _check(info, at, by)
    positions = trace.read_positions(position, FIELD)
    trace.check_ids(_n_vocab(trace), FIELD, token=token, against=against)
    found = []
    for done, each in enumerate(texts):
        read_at, of_clean = positions[each], CleanRun(clean, each)
        pairs_of = aligned(pairs, trace, of_clean)
        sources = {to: source for source, to in pairs_of.read}
        if read_at not in sources:
            raise _unaligned(trace, each, read_at)
        answer = of_clean.answer()
        clean_log_p, log_p = (
            log_softmax(unembed(resid), model=trace.model)
            for resid in (answer[sources[read_at]], stages[-1, each, read_at])
        )
        wanted = int(clean_log_p.argmax()) if token is None else token
        other = int(log_p.argmax()) if against is None else against
        opposed = None if metric == "logit" or other == wanted else other
        bench = Bench(trace, runner, of_clean, read_at, wanted, opposed, pairs_of)

        def named(id: int, log_p: Tensor = log_p) -> Prediction:
            return Prediction(id, token_text(id), log_p[id].exp().item())

        before, after = (bench.metric(resid) for resid in (stages[-1, each], answer))
        there = sources[read_at]
        corrupted, wished = before[read_at].item(), after[there].item()
        patches = list(cells(info, at, by, pairs_of))
        estimates = bench.estimates(patches)
        chosen = _largest(estimates, exact)
        values: list[float | None] = [None] * len(patches)
        measured = bench.run(
            [patches[cell] for cell in chosen],
            done=done * len(chosen),
            total=len(texts) * len(chosen),
        )
        for cell, value in zip(chosen, measured, strict=True):
            values[cell] = value
        found.append(
            Patching(
                text=each,
                position=read_at,
                metric="logit" if opposed is None else "logit_difference",
                token=named(wanted),
                against=None if opposed is None else named(opposed),
                clean=wished,
                corrupted=corrupted,
                reason=None if abs(wished - corrupted) >= SAME else SAME_ANSWER,
                at=at,
                by=by,
                clean_tokens=tuple(of_clean.tokens),
                pairs=pairs_of.text,
                target_pairs=pairs_of.target,
                agreement=kendall([estimates[cell].change for cell in chosen], measured),
                layers=_layers(patches, values, estimates, corrupted, wished),
            )
        )
    return found


def _unaligned(trace: Trace, text: int, position: int) -> InputError:
    """The error for an answer that is read at a token which the clean run does not have."""
    token = trace.read_tokens[text][position]
    row = f"text {text + 1}" if trace.target_tokens is None else f"the target of text {text + 1}"
    if token.generated or token.padding:
        what = "was generated by the model" if token.generated else "is padding"
        why = f" {what}, so the clean run has no such token. Choose another `position`."
    else:
        why = (
            ", where the answer is read, is aligned with no token of the clean sentence. Choose "
            "another position, or add it to `pairs`."
        )
    return InputError(f"Position {position} of {row}{why}", field=f"{FIELD}.position")


def _texts(trace: Trace, text: int | None) -> Sequence[int]:
    n = len(trace.tokens)
    if text is None:
        return range(n)
    if text >= n:
        raise InputError(
            f"This request has texts 0 to {n - 1}; got text {text}.", field=f"{FIELD}.text"
        )
    return [text]


SAME_ANSWER = (
    "The clean and the corrupted sentence give the same answer here, so there is nothing to "
    "restore. Choose another sentence, position or token."
)


def _layers(
    cells: Sequence[Cell],
    values: Sequence[float | None],
    estimates: Sequence[Estimate],
    corrupted: float,
    clean: float,
) -> tuple[PatchedLayer, ...]:
    """The measured and the estimated effects as shares, by layer."""
    whole = clean - corrupted
    largest = max((abs(value - corrupted) for value in values if value is not None), default=0.0)
    given = abs(whole) >= SAME
    layers: dict[tuple[SiteKind, int], list[PatchedCell]] = {}
    for cell, value, (estimate, _) in zip(cells, values, estimates, strict=True):
        effect = None if value is None else value - corrupted
        layers.setdefault((cell.place.kind, cell.place.layer), []).append(
            PatchedCell(
                metric=value,
                restored=effect / whole if given and effect is not None else None,
                estimate=estimate / whole if given else None,
                disagrees=effect is not None and _disagree(effect, estimate, largest),
            )
        )
    return tuple(PatchedLayer(*place, tuple(row)) for place, row in layers.items())


def _largest(estimates: Sequence[Estimate], n: int | None) -> list[int]:
    """The places of the `n` largest, in their order; None: all."""
    places = range(len(estimates))
    return sorted(sorted(places, key=lambda place: -estimates[place].size)[:n])


def _disagree(effect: float, estimate: float, largest: float) -> bool:
    opposite = effect * estimate < 0 and max(abs(effect), abs(estimate)) > SMALL * largest
    return opposite or abs(effect - estimate) > LARGE * largest


def _check(info: SourceInfo, at: At, by: By) -> None:
    if at not in info.edited_at:
        raise UnavailableError(f"{info.name}: {info.edited_at_reason}", field=f"{FIELD}.at")
    if by == "head" and at != "head":
        raise InputError(
            f'A map by head patches heads: expected `at` "head"; got "{at}".', field=f"{FIELD}.by"
        )


def _n_vocab(trace: Trace) -> int:
    stages, unembed, _ = trace.head(FIELD)
    return int(unembed(stages[-1, 0, 0]).shape[-1])
