"""The runs of a patch bench: many patches in one pass, and all estimates from one gradient."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.gradients import Nudge
from model.analysis.patching.aligning import Aligned
from model.analysis.patching.clean import CleanRun, is_of_text
from model.core.editing import Affine, AffineEdits, Place
from model.errors import NumericsError
from model.finite import all_finite
from model.interventions import POINTS, At
from model.kinds import SiteKind
from model.slices import end_slice
from model.sources.muting import in_passes
from model.sources.runner import Runner
from model.sources.source import SiteInfo, SourceInfo
from model.trace.trace import Trace

By = Literal["position", "head"]


class Cell(NamedTuple):
    """Where one patch is made."""

    place: Place
    head: int | None  # None: all heads
    pair: tuple[int, int] | None  # None: all pairs


class Estimate(NamedTuple):
    """What a patch would change the metric by, in logits."""

    change: float
    size: float  # the sum of its parts' sizes, which may cancel in the change


def patched_sites(info: SourceInfo, at: At) -> list[SiteInfo]:
    """The sites of the places to patch: of an encoder–decoder's stream, one for each layer."""
    return [site for site in info.sites if at == "head" or site.kind != "cross"]


def cells_of(info: SourceInfo, at: At, by: By, n: int, n_target: int) -> int:
    """How many runs the map of a text takes, with so many tokens in it and in its target."""
    return sum(
        site.n_heads if by == "head" else n if is_of_text(site.kind) else n_target
        for site in patched_sites(info, at)
    )


def cells(info: SourceInfo, at: At, by: By, pairs: Aligned) -> Iterator[Cell]:
    """All patches of a map, site by site."""
    for site in patched_sites(info, at):
        place = Place(POINTS[at], site.layer, site.kind)
        if by == "head":
            yield from (Cell(place, head, None) for head in range(site.n_heads))
        else:
            yield from (Cell(place, None, pair) for pair in pairs.of(site.kind))


@dataclass(frozen=True, eq=False)
class Bench:
    """The patches of one text: measured, many in one pass, and estimated from a gradient."""

    trace: Trace
    runner: Runner
    clean: CleanRun  # of this text
    position: int  # where the metric is read
    token: int
    against: int | None
    pairs: Aligned
    _there: dict[Place, Tensor] = field(default_factory=dict)

    def metric(self, resid: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch"]:
        """The logit of the token, or its lead over another."""
        assert self.trace.unembed is not None
        logits = self.trace.unembed(resid)
        found = logits[..., self.token]
        return found if self.against is None else found - logits[..., self.against]

    def run(self, cells: Sequence[Cell], *, done: int, total: int) -> list[float]:
        """The metric with each cell patched."""
        there = self._clean_values(cells)
        n = self._n("encoder") + self._n("decoder")
        layers = [cell.place.layer for cell in cells]
        found = dict[int, float]()
        for places in in_passes(layers, n, grows=self.runner.grows):
            chunk = [cells[place] for place in places]
            end_slice(done + len(found), total)
            with torch.no_grad():
                resid = self.runner.from_layer(
                    layers[places[0]],
                    self._edits(chunk, there),
                    text=self.clean.text,
                    rows=len(chunk),
                )
                values = self.metric(resid[:, self.position])
            if not all_finite(values):
                raise NumericsError("A logit is not finite; expected all finite.")
            found |= zip(places, values.tolist(), strict=True)
        return [found[place] for place in range(len(cells))]

    def estimates(self, cells: Sequence[Cell]) -> list[Estimate]:
        """What each patch would do to the metric if the model were linear around this run."""
        there = self._clean_values(cells)
        probe = Nudge({cell.place for cell in cells})
        with torch.inference_mode(False), torch.enable_grad():
            resid = self.runner(probe, text=self.clean.text)
            value = self.metric(resid[0, self.position])
            slopes = probe.slopes(value)
        products: dict[Place, Float[Tensor, "*head pair"]] = {}
        for place, gradient in slopes.items():
            sources, targets = ([pair[end] for pair in self.pairs.of(place.kind)] for end in (0, 1))
            here = probe.found[place][0][..., targets, :]
            change = there[place][..., sources, :] - here
            slope = change.new_zeros(()) if gradient is None else gradient[0][..., targets, :]
            products[place] = (change * slope.to(change)).sum(-1)
        return [self._estimate(cell, products[cell.place]) for cell in cells]

    def _estimate(self, cell: Cell, product: Float[Tensor, "*head pair"]) -> Estimate:
        if product.dim() == 2:
            product = product if cell.head is None else product[cell.head]
        if cell.pair is not None:
            product = product[..., self.pairs.of(cell.place.kind).index(cell.pair)]
        return Estimate(float(product.sum()), float(product.abs().sum()))

    def _clean_values(self, cells: Sequence[Cell]) -> dict[Place, Tensor]:
        """What the clean run computes at the places of the cells, without padding."""
        if not self._there:
            self._there.update(self.clean.values({cell.place for cell in cells}))
        return self._there

    def _n(self, kind: SiteKind) -> int:
        """The length of the padded row of the tokens that query at sites of a kind."""
        rows = self.runner.tokens if is_of_text(kind) else self.runner.target_tokens
        return 0 if rows is None else len(rows[self.clean.text])

    def _edits(self, cells: Sequence[Cell], there: dict[Place, Tensor]) -> AffineEdits:
        """An edit for each row of a batch."""
        at: dict[Place, Affine] = {}
        for place in dict.fromkeys(cell.place for cell in cells):
            given, n = there[place], self._n(place.kind)  # head? pos d
            scale = torch.ones(len(cells), *given.shape[:-2], n, 1)
            shift = torch.zeros(len(cells), *given.shape[:-2], n, given.shape[-1])
            for row, cell in enumerate(cells):
                if cell.place != place:
                    continue
                pairs = self.pairs.of(place.kind) if cell.pair is None else (cell.pair,)
                sources, targets = ([pair[end] for pair in pairs] for end in (0, 1))
                heads = slice(None) if cell.head is None else slice(cell.head, cell.head + 1)
                of_heads = (heads,) if given.dim() == 3 else ()
                scale[row][(*of_heads, targets)] = 0.0
                shift[row][(*of_heads, targets)] = given[(*of_heads, sources)]
            at[place] = Affine(scale, shift)
        return AffineEdits(at)
