"""Patching: how much of the answer comes back when one part is given its value of a clean run.

Two sentences of equal length differ in a few tokens; the model answers the clean one, and the
corrupted one differently. Each cell of the map is a run of the corrupted sentence in which one part
at one place is set to what it was in the clean run (activation patching: Meng et al. 2022; Wang et
al. 2022). Beside it stands an estimate from one backward pass, (clean − corrupted) · gradient
(attribution patching: Nanda 2023), which is fast and not always right.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from model.editing import Affine, AffineEdits, Capture, Place
from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.interventions import POINTS, At, aligned_pairs
from model.predictions import Prediction, log_softmax
from model.slices import end_slice
from model.sources.muting import PASS_TOKENS
from model.sources.runner import Runner
from model.sources.source import SourceInfo
from model.tokenizer import Token
from model.trace import Trace

By = Literal["position", "head"]
Metric = Literal["logit_difference", "logit"]

SAME = 1e-4  # two runs whose metrics differ by less, in logits, count as the same
LARGE = 0.25  # of the largest effect: an error of the estimate above it is a disagreement
SMALL = 0.05  # of the largest effect: below it, a different sign is no disagreement

FIELD = "analyse.patching"
CLEAN = "clean sentence"


@dataclass(frozen=True)
class PatchedCell:
    """One patch: a part of one layer, at one position or in one head."""

    metric: float  # of the patched run, in logits
    # the share of the difference between the clean and the corrupted run that came back
    restored: float | None
    estimate: float | None  # of that share, from the gradient
    disagrees: bool  # the estimate differs in sign, or by much


@dataclass(frozen=True)
class PatchedLayer:
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
    pairs: tuple[tuple[int, int], ...]  # aligned positions: in the clean sentence, in the text
    layers: tuple[PatchedLayer, ...]


class Cell(NamedTuple):
    """Where one patch is made."""

    place: Place
    head: int | None  # None: all heads
    pair: tuple[int, int] | None  # None: all pairs


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
) -> list[Patching]:
    """The map of each text, or of one if `text` says which.

    `runner` runs the texts of `trace`, and `clean` one sentence; both must have been read outside
    `torch.inference_mode`, because gradients flow through them. Positions count in the padded text;
    None means where the model predicts. `token` is an id; None means the likeliest token in the
    clean run, and `against` the likeliest in the corrupted one if that is another.

    Raises:
        UnavailableError: the model predicts nothing, or cannot be changed there.
        InputError: there is no such position, token or text, or the tokens do not align.
        NumericsError: a number is not finite.
    """
    texts = _texts(trace, text)
    stages, unembed, token_text = trace.head(FIELD)
    _check(info, at, by, runner)
    positions = trace.read_positions(position, FIELD)
    n_vocab = _n_vocab(trace)
    for name, id in (("token", token), ("against", against)):
        if id is not None and not 0 <= id < n_vocab:
            raise InputError(
                f"{trace.model} has token ids 0 to {n_vocab - 1}; got {id}.",
                field=f"{FIELD}.{name}",
            )
    with torch.no_grad():
        of_clean = clean()[0]
    found = []
    for done, each in enumerate(texts):
        read_at = positions[each]
        row = trace.read_tokens[each]
        aligned = _pairs(pairs, row, clean.tokens[0], each)
        sources = {to: source for source, to in aligned}
        if read_at not in sources:
            raise InputError(
                f"Position {read_at} of text {each + 1}, where the answer is read, is aligned with "
                "no token of the clean sentence. Choose another position, or add it to `pairs`.",
                field=f"{FIELD}.position",
            )
        clean_log_p, log_p = (
            log_softmax(unembed(resid), model=trace.model)
            for resid in (of_clean[sources[read_at]], stages[-1, each, read_at])
        )
        wanted = int(clean_log_p.argmax()) if token is None else token
        other = int(log_p.argmax()) if against is None else against
        opposed = None if metric == "logit" or other == wanted else other
        bench = Bench(trace, runner, clean, each, read_at, wanted, opposed, aligned)

        def named(id: int, log_p: Tensor = log_p) -> Prediction:
            return Prediction(id, token_text(id), log_p[id].exp().item())

        before, after = (bench.metric(resid) for resid in (stages[-1, each], of_clean))
        there = sources[read_at]
        corrupted, wished = before[read_at].item(), after[there].item()
        cells = list(_cells(info, at, by, aligned))
        total = len(texts) * len(cells)
        values = bench.run(cells, done=done * len(cells), total=total)
        estimates = bench.estimates(cells)
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
                clean_tokens=tuple(clean.tokens[0]),
                pairs=aligned,
                layers=_layers(cells, values, estimates, corrupted, wished),
            )
        )
    return found


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
    values: Sequence[float],
    estimates: Sequence[float],
    corrupted: float,
    clean: float,
) -> tuple[PatchedLayer, ...]:
    """The measured and the estimated effects as shares, by layer."""
    whole = clean - corrupted
    largest = max((abs(value - corrupted) for value in values), default=0.0)
    layers: dict[int, list[PatchedCell]] = {}
    for cell, value, estimate in zip(cells, values, estimates, strict=True):
        effect = value - corrupted
        given = abs(whole) >= SAME
        layers.setdefault(cell.place.layer, []).append(
            PatchedCell(
                metric=value,
                restored=effect / whole if given else None,
                estimate=estimate / whole if given else None,
                disagrees=_disagree(effect, estimate, largest),
            )
        )
    return tuple(PatchedLayer(layer, tuple(row)) for layer, row in layers.items())


def _disagree(effect: float, estimate: float, largest: float) -> bool:
    opposite = effect * estimate < 0 and max(abs(effect), abs(estimate)) > SMALL * largest
    return opposite or abs(effect - estimate) > LARGE * largest


@dataclass(frozen=True, eq=False)
class Bench:
    """The patches of one text: measured, many in one pass, and estimated from a gradient."""

    trace: Trace
    runner: Runner
    clean: Runner
    text: int
    position: int  # where the metric is read
    token: int
    against: int | None
    pairs: tuple[tuple[int, int], ...]
    _there: dict[Place, Tensor] = field(default_factory=dict)

    def metric(self, resid: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch"]:
        """The logit of the token, or its lead over another."""
        assert self.trace.unembed is not None
        logits = self.trace.unembed(resid)
        found = logits[..., self.token]
        return found if self.against is None else found - logits[..., self.against]

    def run(self, cells: Sequence[Cell], *, done: int, total: int) -> list[float]:
        """The metric with each cell patched."""
        there = self._captured(cells)
        n = len(self.runner.tokens[0])
        found: list[float] = []
        rows = max(1, PASS_TOKENS // n)  # of one pass
        for start in range(0, len(cells), rows):
            chunk = cells[start : start + rows]
            end_slice(done + len(found), total)
            with torch.no_grad():
                resid = self.runner(self._edits(chunk, there), text=self.text, rows=len(chunk))
                values = self.metric(resid[:, self.position])
            if not all_finite(values):
                raise NumericsError("A logit is not finite; expected all finite.")
            found += values.tolist()
        return found

    def estimates(self, cells: Sequence[Cell]) -> list[float]:
        """What each patch would do to the metric if the model were linear around this run."""
        there = self._captured(cells)
        probe = _Probe({cell.place for cell in cells})
        with torch.inference_mode(False), torch.enable_grad():
            resid = self.runner(probe, text=self.text)
            value = self.metric(resid[0, self.position])
            places = list(probe.nudges)
            gradients = torch.autograd.grad(
                value, [probe.nudges[place] for place in places], allow_unused=True
            )
        products: dict[Place, Float[Tensor, "*head pair"]] = {}
        sources, targets = ([pair[end] for pair in self.pairs] for end in (0, 1))
        for place, gradient in zip(places, gradients, strict=True):
            here = probe.found[place][0][..., targets, :]
            change = there[place][0][..., sources, :] - here
            slope = change.new_zeros(()) if gradient is None else gradient[0][..., targets, :]
            products[place] = (change * slope.to(change)).sum(-1)
        return [self._product(cell, products[cell.place]) for cell in cells]

    def _product(self, cell: Cell, product: Float[Tensor, "*head pair"]) -> float:
        if product.dim() == 2:
            product = product.sum(0) if cell.head is None else product[cell.head]
        return float(product.sum() if cell.pair is None else product[self.pairs.index(cell.pair)])

    def _captured(self, cells: Sequence[Cell]) -> dict[Place, Tensor]:
        """What the clean run computes at the places of the cells."""
        if not self._there:
            capture = Capture(frozenset(cell.place for cell in cells))
            with torch.no_grad():
                self.clean(capture)
            self._there.update(capture.found)
        return self._there

    def _edits(self, cells: Sequence[Cell], there: dict[Place, Tensor]) -> AffineEdits:
        """An edit for each row of a batch."""
        n = len(self.runner.tokens[0])
        at: dict[Place, Affine] = {}
        for place in dict.fromkeys(cell.place for cell in cells):
            given = there[place][0]  # head? pos d
            scale = torch.ones(len(cells), *given.shape[:-2], n, 1)
            shift = torch.zeros(len(cells), *given.shape[:-2], n, given.shape[-1])
            for row, cell in enumerate(cells):
                if cell.place != place:
                    continue
                pairs = self.pairs if cell.pair is None else (cell.pair,)
                sources, targets = ([pair[end] for pair in pairs] for end in (0, 1))
                heads = slice(None) if cell.head is None else slice(cell.head, cell.head + 1)
                of_heads = (heads,) if given.dim() == 3 else ()
                scale[row][(*of_heads, targets)] = 0.0
                shift[row][(*of_heads, targets)] = given[(*of_heads, sources)]
            at[place] = Affine(scale, shift)
        return AffineEdits(at)


@dataclass(frozen=True, eq=False)
class _Probe:
    """An editor that adds 0 at some places, with respect to which gradients can be taken."""

    places: set[Place]
    nudges: dict[Place, Tensor] = field(default_factory=dict)
    found: dict[Place, Tensor] = field(default_factory=dict)

    def __call__(self, place: Place, x: Tensor) -> Tensor:
        if place not in self.places:
            return x
        self.found[place] = x.detach().float().cpu()
        self.nudges[place] = torch.zeros_like(x, requires_grad=True)
        return x + self.nudges[place]


def cells_of(info: SourceInfo, at: At, by: By, n_pairs: int) -> int:
    """How many runs the map of a text takes."""
    if by == "head":
        return sum(site.n_heads for site in info.sites)
    return len({site.layer for site in info.sites}) * n_pairs


def _cells(info: SourceInfo, at: At, by: By, pairs: tuple[tuple[int, int], ...]) -> Iterator[Cell]:
    for site in info.sites:
        place = Place(POINTS[at], site.layer, site.kind)
        if by == "head":
            yield from (Cell(place, head, None) for head in range(site.n_heads))
        else:
            yield from (Cell(place, None, pair) for pair in pairs)


def _check(info: SourceInfo, at: At, by: By, runner: Runner) -> None:
    if runner.target_tokens is not None:
        raise UnavailableError(
            f"{info.name} has an encoder and a decoder; the patch bench compares the tokens of one "
            "stack. Patch one part at a time with an intervention instead.",
            field=FIELD,
        )
    if at not in info.edited_at:
        raise UnavailableError(f"{info.name}: {info.edited_at_reason}", field=f"{FIELD}.at")
    if by == "head" and at != "head":
        raise InputError(
            f'A map by head patches heads: expected `at` "head"; got "{at}".', field=f"{FIELD}.by"
        )


def _pairs(
    given: Sequence[tuple[int, int]] | None,
    row: Sequence[Token],
    source: Sequence[Token],
    text: int,
) -> tuple[tuple[int, int], ...]:
    """The aligned positions, checked."""
    if given is None:
        advice = ", align them with `pairs`,"
        return aligned_pairs(row, len(source), f"Text {text + 1}", advice, f"{FIELD}.clean", CLEAN)
    for one, other in given:
        if one >= len(source) or other >= len(row):
            raise InputError(
                f"The clean sentence has positions 0 to {len(source) - 1} and the text 0 to "
                f"{len(row) - 1}; got [{one}, {other}].",
                field=f"{FIELD}.pairs",
            )
    if len({other for _, other in given}) < len(given):
        raise InputError(
            "Expected each position of the text in one pair only; one is repeated.",
            field=f"{FIELD}.pairs",
        )
    return tuple(given)


def _n_vocab(trace: Trace) -> int:
    stages, unembed, _ = trace.head(FIELD)
    return int(unembed(stages[-1, 0, 0]).shape[-1])
