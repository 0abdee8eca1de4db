"""What attribution, mutes or paths find in the clean sentences of many pairs, as means."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from headlight.errors import RequestError
from headlight.frames import Table
from headlight.http.connection import Connection
from headlight.http.steps import Steps
from headlight.request.request import Request
from headlight.study.asking import ALONE, Keep, each_pair
from headlight.study.intervals import ratios
from headlight.study.pairs import Pair
from headlight.study.roles import roles_of
from headlight.tokens import Token

if TYPE_CHECKING:
    from matplotlib.axes import Axes

What = Literal["attribution", "mutes", "paths"]
Cells: TypeAlias = Iterator[tuple[dict[str, Any], float]]  # the columns of a row, and its number


@dataclass(frozen=True)
class Means:
    """What each part of the model does in many sentences.

    `table` has the means, a row for each part, and `results` the answers of the server.
    """

    what: What
    results: tuple[Mapping[str, Any], ...]

    @property
    def pairs(self) -> Table:
        """A row for each sentence: the answer, its rival, and what it leads by, in logits."""
        return Table.of(
            [
                {
                    "pair": n,
                    "clean_text": each["text"],
                    "answer": each["token"]["text"],
                    "wrong": (each.get("against") or {}).get("text"),
                    "clean": each.get("logit"),
                }
                for n, each in enumerate(self.results)
            ]
        )

    @property
    def table(self) -> Table:
        """A row for each part, over all sentences, the largest mean first.

        Of attribution and of paths `mean` is the share of the lead of the answer over its rival:
        the sum of what the part adds over the sum of the leads. Of mutes it is the change of
        ln p(answer), in nats. It lies from `low` to `high` in 95% of samples of the sentences,
        drawn again with replacement; `n` is how many sentences have the part.
        """
        rows: dict[tuple[Any, ...], dict[str, Any]] = {}
        numbers: list[dict[tuple[Any, ...], float]] = []
        for result in self.results:
            own: dict[tuple[Any, ...], float] = {}
            for names, value in WHATS[self.what][1](result):
                key = tuple(names.values())
                rows.setdefault(key, names)
                own[key] = own.get(key, 0.0) + value
            numbers.append(own)
        effects = np.array([[own.get(key, np.nan) for key in rows] for own in numbers])
        if self.what == "paths":  # an edge that was not listed promised too little
            effects = np.nan_to_num(effects)
        leads = np.array([result["lead"] for result in self.results])
        means, low, high = ratios(effects, leads)
        counted = [sum(key in own for own in numbers) for key in rows]
        found = [
            {**names, "mean": float(means[at]), "low": float(low[at]), "high": float(high[at])}
            | {"n": counted[at]}
            for at, names in enumerate(rows.values())
        ]
        return Table.of(sorted(found, key=lambda row: -abs(row["mean"])))

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """The heads as a map, layers down; a dot marks those whose interval holds 0."""
        heads = [row for row in self.table if row.get("head") is not None]
        if not heads or self.what == "paths":
            raise RequestError(
                "Paths have no map of heads; read `table` instead.", code="no_picture"
            )
        ordered = sorted(heads, key=lambda row: (row["layer"], row["head"]))
        ax = Table.of(ordered).plot("mean", ax=ax)
        ax.set_title(f"{self.what}, {len(self.results)} sentences", fontsize="medium")
        return ax

    def __repr__(self) -> str:
        return f"<means of {self.what} in {len(self.results)} sentences>"


def _attributed(result: Mapping[str, Any]) -> Cells:
    for one in result["contributions"]:
        yield {name: one["part"][name] for name in ("kind", "site", "layer", "head")}, one["value"]


def _muted(result: Mapping[str, Any]) -> Cells:
    for one in result["effects"]:
        if one["change"] is not None:
            yield {name: one[name] for name in ("kind", "layer", "head")}, one["change"]


def _routed(result: Mapping[str, Any]) -> Cells:
    for edge in result["edges"]:
        ends = (_end(edge[name], result["roles"]) for name in ("sender", "receiver"))
        sender, receiver = ends
        yield {"sender": sender, "receiver": receiver, "through": edge["through"]}, edge["moved"]


def _end(node: Mapping[str, Any], roles: Mapping[str, str]) -> str:
    """A part at the token of a role: “L2H3 at A”."""
    part, role = node["part"], roles[str(node["position"])]
    if part is None:
        return f"logit at {role}"
    if part["head"] is not None:
        return f"L{part['layer']}H{part['head']} at {role}"
    layer = "" if part["layer"] is None else f" {part['layer']}"
    return f"{part['kind']}{layer} at {role}"


# What is asked of the server, and the numbers in its answer.
WHATS: Mapping[What, tuple[str, Callable[[Mapping[str, Any]], Cells]]] = {
    "attribution": ("attribution", _attributed),
    "mutes": ("mute_effects", _muted),
    "paths": ("paths", _routed),
}


def sentences_of(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, without those whose clean sentence was there before: it would count twice."""
    found: dict[tuple[str | None, ...], Pair] = {}
    for pair in pairs:
        found.setdefault((pair.clean, pair.answer, pair.wrong), pair)
    return list(found.values())


def means(
    connection: Connection,
    pairs: Sequence[Pair],
    request: Request,
    what: What,
    keep: Keep,
) -> Steps[Means]:
    """Ask about the clean sentence of each pair; one that stands in several pairs counts once.

    Raises:
        As `each_pair` does.
    """
    if what not in WHATS:
        raise RequestError(f"Expected one of {', '.join(WHATS)}; got {what!r}.", field="of")
    name, _ = WHATS[what]

    def ask(pair: Pair, request: Request, answer: int | None, wrong: int | None) -> Steps[Any]:
        logit = {"token": answer} if what == "mutes" else {"token": answer, "against": wrong}
        body = replace(request, texts=(pair.clean,)).body() | dict(ALONE)
        told = yield from connection.trace({**body, "analyse": {name: logit}})
        (found,) = told.document[name]
        tokens = [Token.of(token) for token in told.document["tokens"][0]]
        roles = dict(enumerate(roles_of(tokens, pair.spans[0])))
        return {
            **found,
            "text": pair.clean,
            "lead": found.get("logit", 1.0),
            "roles": {str(at): role for at, role in roles.items()},
        }

    found = yield from each_pair(connection, sentences_of(pairs), request, {"of": what}, ask, keep)
    return Means(what, found)
