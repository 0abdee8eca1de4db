"""What each method says of one prediction, and how well it agrees with the reference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

from model.analysis.explanations.case import Asked, Case, Progress, cases
from model.analysis.explanations.curves import Curves, curves, n_runs
from model.analysis.explanations.methods import METHODS, Explanation, Method
from model.analysis.explanations.ranks import chance, kendall
from model.errors import LimitError, UnavailableError
from model.sources.runner import Runner
from model.trace.predictions import Prediction
from model.trace.trace import Trace

MAX_TOKENS = 64  # of a text, including padding; the runs grow with its square

By = Literal["value", "size"]


@dataclass(frozen=True)
class MethodResult:
    """What one method says of each source token, and its curves; or why it says nothing."""

    name: str
    values: tuple[float, ...] | None  # one per source token
    notes: Mapping[str, float]
    curves: Curves | None
    reason: str | None


@dataclass(frozen=True)
class Agreement:
    """Kendall's τ-b between all pairs of methods, over the same tokens."""

    specials: bool  # whether special tokens are among them
    by: By  # ranked by signed value, or by size whatever the sign
    n_tokens: int
    chance: float | None  # the |τ| that at most 1 in 20 random orders reach; None: too few tokens
    tau: tuple[tuple[float | None, ...], ...]  # method × method, as in `methods`; None: no order


@dataclass(frozen=True)
class Comparison:
    """The explanations of one prediction at one position of one text."""

    position: int
    token: Prediction
    against: Prediction | None
    logit: float  # of the token, or the difference
    weights_of: str  # the site whose raw weights are read
    sources: tuple[int, ...]  # the positions of the source tokens
    methods: tuple[MethodResult, ...]
    random: Curves  # the mean of the curves of random orders
    agreement: tuple[Agreement, ...]


def compare(trace: Trace, runner: Runner, asked: Asked) -> list[Comparison]:
    """The comparison for each text.

    The `trace` is the run that is explained, with its stream where the source can record it. The
    `runner` runs the same inputs again.

    Raises:
        UnavailableError: the model predicts nothing.
        InputError: there is no such position, token, layer or head.
        LimitError: the text is too long.
        NumericsError: a number is not finite.
    """
    check_length(trace)
    every = cases(trace, runner, asked, "analyse.explanations")
    methods = [one for one in METHODS if not one.optional or asked.head is not None]
    total = sum(n_runs(len(case.sources), len(methods)) for case in every)
    progress = Progress(total)
    found = []
    for number, case in enumerate(every):
        found.append(_compare(case, methods, progress))
        progress.done = sum(n_runs(len(c.sources), len(methods)) for c in every[: number + 1])
    return found


def check_length(trace: Trace) -> None:
    """Refuse texts that are too long to be explained.

    Raises:
        LimitError: they are.
    """
    n = max(len(row) for row in (trace.tokens[0], trace.read_tokens[0]))
    if n > MAX_TOKENS:
        raise LimitError(
            f"Explanations take texts of at most {MAX_TOKENS} tokens; this one has {n:,}. Send a "
            "shorter text.",
            code="too_many_tokens",
            field="analyse.explanations",
            limit=MAX_TOKENS,
        )


def _compare(case: Case, methods: Sequence[Method], progress: Progress) -> Comparison:
    said: list[Explanation | str] = []
    for method in methods:
        try:
            said.append(method.ask(case))
        except UnavailableError as error:
            said.append(error.message)
        progress.step(0)
    numbers = [one.values for one in said if isinstance(one, Explanation)]
    *each, random = curves(case, numbers, progress)
    remaining = iter(each)
    return Comparison(
        position=case.position,
        token=case.token,
        against=case.against,
        logit=case.full.logit,
        weights_of=case.site.name,
        sources=case.sources,
        methods=tuple(
            MethodResult(method.name, tuple(one.values), one.notes, next(remaining), None)
            if isinstance(one, Explanation)
            else MethodResult(method.name, None, {}, None, one)
            for method, one in zip(methods, said, strict=True)
        ),
        random=random,
        agreement=tuple(
            _agreement(case, said, specials=specials, by=by)
            for specials, by in product((True, False), get_args(By))
        ),
    )


def _agreement(
    case: Case, said: Sequence[Explanation | str], *, specials: bool, by: By
) -> Agreement:
    kept = [
        index for index, at in enumerate(case.sources) if specials or not case.tokens[at].special
    ]
    ranked = [
        [abs(one.values[at]) if by == "size" else one.values[at] for at in kept]
        if isinstance(one, Explanation)
        else None
        for one in said
    ]
    return Agreement(
        specials=specials,
        by=by,
        n_tokens=len(kept),
        chance=chance(len(kept)),
        tau=tuple(
            tuple(None if a is None or b is None else kendall(a, b) for b in ranked) for a in ranked
        ),
    )
