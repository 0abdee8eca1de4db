"""What each method says of one prediction, and how well it agrees with the reference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Literal, get_args

from model.analysis.explanations.case import Asked, Case, Memory, cases
from model.analysis.explanations.curves import Curves, curves, n_runs
from model.analysis.explanations.methods import METHODS, Explanation, Method
from model.analysis.explanations.ranks import chance, kendall
from model.errors import LimitError, UnavailableError
from model.message import Message
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
    random: Curves | None  # the mean of the curves of random orders; None: none were asked for
    agreement: tuple[Agreement, ...]


def compare(
    trace: Trace,
    runner: Runner,
    asked: Asked,
    remembered: Memory = lambda name, settings, compute: compute(),
) -> list[Comparison]:
    """The comparison for each text.

    The `trace` is the run that is explained, with its stream where the source can record it. The
    `runner` runs the same inputs again. What another question about them had computed is
    `remembered`: the same numbers beside another head, or before the curves.

    Raises:
        UnavailableError: the model predicts nothing.
        InputError: there is no such position, token, layer or head.
        LimitError: the text is too long.
        NumericsError: a number is not finite.
    """
    check_length(trace)
    every = cases(trace, runner, asked, "analyse.explanations")
    progress = every[0].progress
    rows = [n_rows(len(case.sources), asked) for case in every]
    progress.total = sum(rows)
    found = []
    for number, case in enumerate(every, start=1):
        found.append(_compare(case, remembered))
        progress.to(sum(rows[:number]))
    return found


def n_rows(n: int, asked: Asked) -> int:
    """At most so many rows of runs, for a text of `n` tokens."""
    methods = _methods(asked)
    rows = sum(one.rows(n, asked) for one in methods)
    curved = sum(_has_curves(one, asked) for one in methods)
    return rows + (n_runs(n, curved) if curved else 0)


def _has_curves(method: Method, asked: Asked) -> bool:
    return asked.curves is None or method.name in asked.curves


def _methods(asked: Asked) -> list[Method]:
    return [one for one in METHODS if not one.optional or asked.head is not None]


def check_length(trace: Trace) -> None:
    """Refuse texts that are too long to be explained.

    Raises:
        LimitError: they are.
    """
    n = max(len(row) for row in (trace.tokens[0], trace.read_tokens[0]))
    if n > MAX_TOKENS:
        raise LimitError(
            Message(
                "Explanations take texts of at most {most} tokens; this one has {n}. Send a "
                "shorter text.",
                most=MAX_TOKENS,
                n=n,
            ),
            code="too_many_tokens",
            field="analyse.explanations",
            limit=MAX_TOKENS,
        )


def _compare(case: Case, remembered: Memory) -> Comparison:
    said: list[Explanation | str] = []
    methods = _methods(case.asked)
    for method in methods:
        done = case.progress.done + method.rows(len(case.sources), case.asked)
        settings = (*case.key, method.name, *(getattr(case.asked, name) for name in method.reads))
        said.append(remembered("method", settings, partial(_said, method, case)))
        case.progress.to(done)
    numbers = {
        method.name: one.values
        for method, one in zip(methods, said, strict=True)
        if isinstance(one, Explanation) and _has_curves(method, case.asked)
    }
    curved: dict[str, Curves] = {}
    random = None
    if numbers:
        *each, random = curves(case, [*numbers.values()], remembered)
        curved = dict(zip(numbers, each, strict=True))
    return Comparison(
        position=case.position,
        token=case.token,
        against=case.against,
        logit=case.full.logit,
        weights_of=case.site.name,
        sources=case.sources,
        methods=tuple(
            MethodResult(method.name, tuple(one.values), one.notes, curved.get(method.name), None)
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


def _said(method: Method, case: Case) -> Explanation | str:
    """What a method says, or why it says nothing."""
    try:
        return method.ask(case)
    except UnavailableError as error:
        return error.message


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
