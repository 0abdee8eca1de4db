"""A study: the patch bench over many pairs of sentences, as means with intervals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from headlight.frames import Table
from headlight.http.connection import Connection
from headlight.http.steps import Steps
from headlight.request.interventions import At
from headlight.request.request import Request
from headlight.study.asking import ALONE, Keep, each_pair, tells_how_much, tokens_of
from headlight.study.intervals import ratios
from headlight.study.pairs import Pair
from headlight.study.roles import aligned

if TYPE_CHECKING:
    from matplotlib.axes import Axes

By = Literal["position", "head"]

LEAST = 1e-4  # logits between two sentences that differ


class Cell(NamedTuple):
    """What is patched: a head of a layer, or a layer at the tokens of one role."""

    kind: str
    layer: int
    place: int | str


@dataclass(frozen=True)
class Study:
    """What patches restore of the answer, over many pairs of sentences.

    `table` has the means, `pairs` each pair, and `exceptions` those that do not follow the rule:
    the model does not prefer their answer, or the corrupted sentence does not lower it.
    """

    at: At
    by: By
    metric: str
    results: tuple[Mapping[str, Any], ...]  # of each pair, as the server answered, with its roles

    @property
    def pairs(self) -> Table:
        """A row for each pair: its sentences, its tokens, and the metric of both, in logits."""
        return pairs_table(self.results)

    @property
    def exceptions(self) -> Table:
        """The pairs that do not follow the rule, as rows of `pairs`."""
        rows = self.pairs
        return Table.of([row for row in rows if not row["follows"]], list(rows.columns))

    @property
    def table(self) -> Table:
        """A row for each head, or for each role in each layer, over the pairs that follow the rule.

        `restored` is the sum of what a patch adds to the metric over the sum of what the clean
        sentences have more than the corrupted ones, from `low` to `high` in 95% of samples of the
        pairs, drawn again with replacement. `estimate` is the same of the gradient's promise, `n`
        the pairs that have such a token, and `share` how many of them move towards the answer.
        """
        cells, effects, promised, gaps = self._numbers()
        means, low, high = ratios(effects, gaps)
        estimates, *_ = ratios(promised, gaps, resamples=0)
        known = ~np.isnan(effects)
        counted = known.sum(0)
        towards = np.nansum((effects > 0) & known, axis=0)
        rows = [
            {
                "kind": cell.kind,
                "layer": cell.layer,
                "head" if self.by == "head" else "role": cell.place,
                "restored": _number(means[at]),
                "low": _number(low[at]),
                "high": _number(high[at]),
                "estimate": _number(estimates[at]),
                "n": int(counted[at]),
                "share": float(towards[at] / counted[at]) if counted[at] else None,
            }
            for at, cell in enumerate(cells)
        ]
        return Table.of(rows)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """The means as a map, layers down; a dot marks those whose interval holds 0."""
        ax = self.table.plot("restored", ax=ax)
        n = sum(self.pairs.columns["follows"])
        ax.set_title(f"{self.at}, {n} pairs", fontsize="medium")
        return ax

    def __repr__(self) -> str:
        left = len(self.exceptions)
        return f"<study of {len(self.results)} pairs, {left} of which do not follow the rule>"

    def _numbers(self) -> tuple[list[Cell], Any, Any, Any]:
        """The cells; what each patch added and what was promised (pair, cell), NaN where there is
        none; and the metric of the clean sentence less that of the corrupted one (pair)."""
        used = [each for each in self.results if follows(each)]
        places: dict[Cell, int] = {}
        for each in used:
            for cell, _ in _cells(each, self.by):
                places.setdefault(cell, len(places))
        effects = np.full((len(used), len(places)), np.nan)
        promised = effects.copy()
        gaps = np.array([each["clean"] - each["corrupted"] for each in used])
        for n, each in enumerate(used):
            for cell, told in _cells(each, self.by):
                promised[n, places[cell]] = told["estimate"] * gaps[n]
                if told["metric"] is not None:
                    effects[n, places[cell]] = told["metric"] - each["corrupted"]
        return list(places), effects, promised, gaps


def pairs_table(results: Sequence[Mapping[str, Any]]) -> Table:
    """A row for each pair that was asked about."""
    return Table.of(
        [
            {
                "pair": n,
                **{name: each[name] for name in ("clean_text", "corrupted_text")},
                "answer": each["token"]["text"],
                "wrong": each["against"] and each["against"]["text"],
                "clean": each["clean"],
                "corrupted": each["corrupted"],
                "follows": follows(each),
            }
            for n, each in enumerate(results)
        ]
    )


def follows(result: Mapping[str, Any]) -> bool:
    """Whether the model prefers the answer after the clean sentence, and less after the other.

    Of a quantity, such as an entropy, whether the two sentences differ in it at all.
    """
    if result.get("measures"):
        return bool(abs(result["clean"] - result["corrupted"]) > LEAST)
    return bool(result["clean"] > 0 and result["corrupted"] < result["clean"])


def _cells(result: Mapping[str, Any], by: By) -> Iterator[tuple[Cell, Mapping[str, Any]]]:
    for layer in result["layers"]:
        for place, told in enumerate(layer["cells"]):
            named = place if by == "head" else result["roles"][str(result["pairs"][place][1])]
            yield Cell(layer["kind"], layer["layer"], named), told


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def study(
    connection: Connection,
    pairs: Sequence[Pair],
    request: Request,
    *,
    at: At,
    by: By,
    metric: Literal["logit_difference", "logit"],
    exact: int | None,
    keep: Keep,
) -> Steps[Study]:
    """Ask the patch bench about each pair in turn; what `keep` knows is not asked again.

    Raises:
        As `each_pair` does.
    """
    settings = {"at": at, "by": by, "metric": metric, "exact": exact}

    def ask(pair: Pair, request: Request, answer: int | None, wrong: int | None) -> Steps[Any]:
        return (yield from _asked(connection, pair, request, answer, wrong, settings))

    found = yield from each_pair(connection, pairs, request, settings, ask, keep)
    return Study(at, by, metric, found)


def _asked(
    connection: Connection,
    pair: Pair,
    request: Request,
    answer: int | None,
    wrong: int | None,
    settings: Mapping[str, Any],
) -> Steps[Any]:
    """The patch bench of one pair, with the tokens aligned by role."""
    rows = []
    for text in (pair.clean, pair.corrupted):
        rows.append((yield from tokens_of(connection, text, request)))
    both, roles = aligned(pair, *rows)
    patching = {
        **settings,
        "clean": pair.clean,
        "token": answer,
        "against": wrong,
        "pairs": [list(each) for each in both],
    }
    body = replace(request, texts=(pair.corrupted,)).body() | dict(ALONE)
    found = yield from connection.trace({**body, "analyse": {"patching": patching}})
    (told,) = found.document["patching"]
    return {
        **told,
        "clean_text": pair.clean,
        "corrupted_text": pair.corrupted,
        "roles": {str(at): role for at, role in roles.items()},
        "measures": tells_how_much(request),
    }
