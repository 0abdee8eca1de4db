"""Another attention pattern with nearly the same answer, found by gradient ascent, or none.

Jain & Wallace 2019 (section 4.2.2) look for the pattern that differs most from the model's own, by
the Jensen–Shannon divergence, while the answer stays within ε of it, by the total variation
distance. Here the pattern is the row of one head, or of all heads of a layer, at the position of
the prediction, and every pattern that is reported is confirmed by a run with it. Wiegreffe & Pinter
2019 point out that such a row may not matter at all, so the answer without it comes too.
"""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.analysis.explanations.case import Asked, Case, cases
from model.core.editing import Editor, Place
from model.errors import UnavailableError
from model.slices import end_slice
from model.sources.runner import Runner
from model.trace.predictions import Prediction, likeliest
from model.trace.site import Site
from model.trace.trace import Trace

FIELD = "analyse.other_attention"
EPSILON = 0.05  # Jain & Wallace allow 0.05 where there are many answers, and 0.01 where few
MIN_JSD = 0.1  # nats, of at most ln 2 = 0.69; ours: what counts as another pattern
PENALTY = 500.0  # of leaving ε (Jain & Wallace, appendix)
RATE = 0.3  # of Adam, on the logits of the pattern
RANDOM = 4  # starts that are drawn at random, beside one that looks at each key
SHARP = 4.0  # nats by which such a start prefers its key
TOP = 5  # answers that are listed
_TINY = 1e-12


@dataclass(frozen=True, kw_only=True)
class Search:
    """What to look for, and how hard."""

    layer: int | None = None  # None: the last
    head: int | None = None  # None: all heads of the layer
    position: int | None = None
    epsilon: float = EPSILON  # how far the answer may move: total variation distance
    min_jsd: float = MIN_JSD  # how different the pattern must be, in nats
    restarts: int = 8  # patterns that are improved side by side
    steps: int = 60  # of each
    seed: int = 0


@dataclass(frozen=True)
class Candidate:
    """An answer, in the run as it is and with the other pattern."""

    token: Prediction  # with its probability as it is
    after: float


@dataclass(frozen=True)
class OtherAttention:
    """The most different pattern within ε that was found for one text."""

    position: int
    site: str
    heads: tuple[int, ...]
    keys: tuple[int, ...]  # the positions that any of the heads may look at there
    pattern: tuple[tuple[float, ...], ...]  # head × key, of the run as it is
    found: bool  # whether `other` differs by at least `min_jsd`
    other: tuple[tuple[float, ...], ...] | None  # None: every pattern tried moved the answer more
    jsd: float | None  # in nats, at most ln 2; the mean over the heads
    tvd: float | None  # of the answer's distribution, from 0 to 1; measured in a run with `other`
    tvd_without: float  # if these heads give nothing there: near 0, their pattern cannot matter
    answers: tuple[Candidate, ...]
    tried: int  # patterns


def other_attention(trace: Trace, runner: Runner, search: Search) -> list[OtherAttention]:
    """Search each text. Equal requests give equal answers.

    Raises:
        UnavailableError: the model predicts nothing, the head is muted, or it has no choice.
        InputError: there is no such position, layer or head.
    """
    asked = Asked(position=search.position, layer=search.layer, head=search.head)
    found = []
    every = cases(trace, runner, asked, FIELD)
    for number, case in enumerate(every):
        found.append(_search(case, search, number * search.steps, len(every) * search.steps))
    return found


@dataclass(frozen=True, eq=False)
class _Row:
    """The row of the pattern that is searched, and how to run the text with another one."""

    case: Case
    site: Site
    heads: list[int]
    own: Float[Tensor, "head key"]
    allowed: Bool[Tensor, "head key"]

    def patterns(self, logits: Float[Tensor, "row head key"]) -> Float[Tensor, "row head key"]:
        """A pattern on the allowed keys from its logits, with the mass that the own one has.

        The mass is 1, or less where there is a sink.
        """
        mass = self.own.sum(dim=-1, keepdim=True)
        return logits.masked_fill(~self.allowed, float("-inf")).softmax(dim=-1) * mass

    def answers(self, patterns: Float[Tensor, "row head key"]) -> Float[Tensor, "row vocab_size"]:
        """p of every token in a run with each pattern."""
        edit = with_pattern(self.site, self.heads, self.case.position, patterns)
        resid = self.case.runner(edit, text=self.case.text, rows=len(patterns))
        found: Tensor = self.case.logits(resid).double().softmax(dim=-1)
        return found

    def divergence(self, patterns: Float[Tensor, "row head key"]) -> Float[Tensor, " row"]:
        """The Jensen–Shannon divergence from the own pattern in nats, the mean over the heads."""
        mass = self.own.sum(dim=-1, keepdim=True)
        a, b = patterns / mass, self.own / mass
        middle = (a + b) / 2
        each = (_relative(a, middle) + _relative(b.expand_as(a), middle)) / 2
        return each.mean(dim=-1)


def with_pattern(
    site: Site, heads: list[int], position: int, patterns: Float[Tensor, "row head key"]
) -> Editor:
    """An editor that gives some heads of a site another row of the pattern, another in each run."""
    now: dict[str, Tensor] = {}

    def edit(place: Place, x: Tensor) -> Tensor:
        if (place.kind, place.layer) != (site.kind, site.layer):
            return x
        if place.point == "v":
            now["v"] = x[:, heads]
        if place.point != "z":
            return x
        given = torch.einsum("rhk,rhkd->rhd", patterns.to(x), now["v"])
        z = x.clone()
        z[:, heads, position] = given
        return z

    return edit


def _search(case: Case, search: Search, done: int, total: int) -> OtherAttention:
    row = _row_of(case, search)
    before = row.answers(row.own[None])[0]
    best = _ascent(row, before, search, done, total)
    with torch.no_grad():
        after = before if best is None else row.answers(best[None])[0]
        nothing = row.answers(torch.zeros_like(row.own)[None])[0]
    # the run that confirms it may differ from the search by rounding, so it has the last word
    tvd = None if best is None else _distance(after, before).item()
    jsd = None if best is None else row.divergence(best[None]).item()
    keys = row.allowed.any(dim=0).nonzero()[:, 0].tolist()
    return OtherAttention(
        position=case.position,
        site=row.site.name,
        heads=tuple(row.heads),
        keys=tuple(keys),
        pattern=_listed(row.own, keys),
        found=jsd is not None
        and tvd is not None
        and jsd >= search.min_jsd
        and tvd <= search.epsilon,
        other=None if best is None else _listed(best, keys),
        jsd=jsd,
        tvd=tvd,
        tvd_without=_distance(nothing, before).item(),
        answers=_candidates(case, before, after),
        tried=(len(_starts(row, search)) + search.restarts * search.steps),
    )


def _row_of(case: Case, search: Search) -> _Row:
    site, at = case.site, case.position
    heads = [
        head
        for head in (range(site.n_heads) if search.head is None else [search.head])
        if head not in site.muted
    ]
    if site.gate is not None:
        raise UnavailableError(
            f"{site.name} has gates, which this search does not follow.", field=FIELD
        )
    if site.z_scale is not None:
        raise UnavailableError(
            f"An intervention changes what {site.name} gives, whatever its pattern: undo it first.",
            field=FIELD,
        )
    if not heads:
        raise UnavailableError(
            f"The chosen head of {site.name} is muted, so its pattern changes nothing: unmute it.",
            field=FIELD,
        )
    if site.softmax_over != "key" or site.kernel == "product":
        raise UnavailableError(f"The rows of {site.name} are no distributions.", field=FIELD)
    rows = slice(at, at + 1)
    derived = site.derive(["pattern", "blocked_by"], text=case.text, rows=rows, heads=heads)
    allowed = (derived["blocked_by"][0, :, 0] == 0).expand(len(heads), -1)
    if bool((allowed.sum(dim=-1) < 2).any()):
        raise UnavailableError(
            f"At position {at} a head of {site.name} may look at fewer than two tokens, so there "
            "is no other pattern. Choose a later position.",
            field=FIELD,
        )
    return _Row(case, site, heads, derived["pattern"][0, :, 0].clone(), allowed.clone())


def _starts(row: _Row, search: Search) -> Float[Tensor, "start head key"]:
    """Logits of patterns: one that looks mostly at each key, and some at random."""
    keys = row.allowed.any(dim=0).nonzero()[:, 0]
    sharp = torch.zeros(len(keys), *row.own.shape)
    sharp[torch.arange(len(keys)), :, keys] = SHARP
    drawn = torch.Generator().manual_seed(search.seed)
    random = 2 * torch.randn(RANDOM, *row.own.shape, generator=drawn)
    return torch.cat([sharp, random])


def _ascent(
    row: _Row, before: Tensor, search: Search, done: int, total: int
) -> Float[Tensor, "head key"] | None:
    """Improve the most promising starts together; the best pattern within ε, or None."""
    best, best_jsd = None, -math.inf

    def judged(logits: Tensor) -> tuple[Tensor, Tensor]:
        """Patterns and their objective; keeps the best within ε."""
        nonlocal best, best_jsd
        patterns = row.patterns(logits)
        moved = _distance(row.answers(patterns), before)
        jsd = row.divergence(patterns)
        for n in range(len(logits)):
            if moved[n].item() <= search.epsilon and jsd[n].item() > best_jsd:
                best, best_jsd = patterns[n].detach().clone(), jsd[n].item()
        return patterns, jsd - PENALTY * (moved - search.epsilon).clamp(min=0)

    starts = _starts(row, search)
    with torch.no_grad():
        _, promise = judged(starts)
    chosen = promise.topk(min(search.restarts, len(starts))).indices
    with torch.inference_mode(False), torch.enable_grad():
        logits = starts[chosen].clone().requires_grad_()
        adam = torch.optim.Adam([logits], lr=RATE)
        for step in range(search.steps):
            end_slice(done + step, total)
            _, objective = judged(logits)
            (logits.grad,) = torch.autograd.grad(-objective.sum(), logits)
            adam.step()
    return best


def _relative(a: Tensor, b: Tensor) -> Tensor:
    """Σ a ln(a / b), with 0 ln 0 = 0."""
    return (a * ((a + _TINY) / (b + _TINY)).log()).sum(dim=-1)


def _distance(a: Tensor, b: Tensor) -> Tensor:
    """The total variation distance, ½ Σ |a − b|."""
    return (a - b).abs().sum(dim=-1) / 2


def _listed(pattern: Tensor, keys: list[int]) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, pattern[:, keys].tolist()))


def _candidates(case: Case, before: Tensor, after: Tensor) -> tuple[Candidate, ...]:
    _, _, token_text = case.trace.head(FIELD)
    listed = likeliest(before.log(), TOP, token_text)
    return tuple(Candidate(one, after[one.id].item()) for one in listed)
