"""Hears every witness of one prediction, and compares them with the judge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

from model.analysis.court.case import Asked, Case, Progress, cases
from model.analysis.court.curves import Curves, curves, n_runs
from model.analysis.court.ranks import chance, kendall
from model.analysis.court.witnesses import WITNESSES, Explanation, Witness
from model.errors import LimitError, UnavailableError
from model.sources.runner import Runner
from model.trace.predictions import Prediction
from model.trace.trace import Trace

MAX_TOKENS = 64  # of a text, including padding; the runs grow with its square

By = Literal["value", "size"]


@dataclass(frozen=True)
class Testimony:
    """What one witness says of each source token, and its curves; or why it says nothing."""

    name: str
    values: tuple[float, ...] | None  # one per source token
    notes: Mapping[str, float]
    curves: Curves | None
    reason: str | None


@dataclass(frozen=True)
class Agreement:
    """Kendall's τ-b between all pairs of witnesses, over the same tokens."""

    specials: bool  # whether special tokens are among them
    by: By  # ranked by signed value, or by size whatever the sign
    n_tokens: int
    chance: float | None  # the |τ| that at most 1 in 20 random orders reach; None: too few tokens
    tau: tuple[tuple[float | None, ...], ...]  # witness × witness, as they testify; None: no order


@dataclass(frozen=True)
class Court:
    """The hearing of one prediction at one position of one text."""

    position: int
    token: Prediction
    against: Prediction | None
    logit: float  # of the token, or the difference
    weights_of: str  # the site whose raw weights are read
    sources: tuple[int, ...]  # the positions of the source tokens
    testimonies: tuple[Testimony, ...]
    random: Curves  # the mean of the curves of random orders
    agreement: tuple[Agreement, ...]


def hear(trace: Trace, runner: Runner, asked: Asked) -> list[Court]:
    """The court of each text.

    The `trace` is the run that is explained, with its stream where the source can record it. The
    `runner` runs the same inputs again.

    Raises:
        UnavailableError: the model predicts nothing.
        InputError: there is no such position, token, layer or head.
        LimitError: the text is too long.
        NumericsError: a number is not finite.
    """
    check_length(trace)
    every = cases(trace, runner, asked, "analyse.court")
    heard = [one for one in WITNESSES if not one.optional or asked.head is not None]
    total = sum(n_runs(len(case.sources), len(heard)) for case in every)
    progress = Progress(total)
    courts = []
    for number, case in enumerate(every):
        courts.append(_hear(case, heard, progress))
        progress.done = sum(n_runs(len(c.sources), len(heard)) for c in every[: number + 1])
    return courts


def check_length(trace: Trace) -> None:
    """Refuse texts that are too long for the court.

    Raises:
        LimitError: they are.
    """
    n = max(len(row) for row in (trace.tokens[0], trace.read_tokens[0]))
    if n > MAX_TOKENS:
        raise LimitError(
            f"The court takes texts of at most {MAX_TOKENS} tokens; this one has {n:,}. Send a "
            "shorter text.",
            code="too_many_tokens",
            field="analyse.court",
            limit=MAX_TOKENS,
        )


def _hear(case: Case, heard: Sequence[Witness], progress: Progress) -> Court:
    said: list[Explanation | str] = []
    for witness in heard:
        try:
            said.append(witness.ask(case))
        except UnavailableError as error:
            said.append(error.message)
        progress.step(0)
    numbers = [one.values for one in said if isinstance(one, Explanation)]
    *each, random = curves(case, numbers, progress)
    remaining = iter(each)
    return Court(
        position=case.position,
        token=case.token,
        against=case.against,
        logit=case.full.logit,
        weights_of=case.site.name,
        sources=case.sources,
        testimonies=tuple(
            Testimony(witness.name, tuple(one.values), one.notes, next(remaining), None)
            if isinstance(one, Explanation)
            else Testimony(witness.name, None, {}, None, one)
            for witness, one in zip(heard, said, strict=True)
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
        place for place, at in enumerate(case.sources) if specials or not case.tokens[at].special
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
