"""What a run is analysed for: predictions, the scores of its heads, and more, when asked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from headlight.errors import RequestError
from headlight.frames import Table
from headlight.graph import graph_of
from headlight.http.answer import Answer
from headlight.http.connection import Connection
from headlight.http.limits import TOO_LARGE
from headlight.http.steps import Steps, T, asked, fetched
from headlight.progress import Progress
from headlight.request import Request
from headlight.request.masks import Kind
from headlight.run.batches import Batch
from headlight.run.chosen import (
    ChosenPosition,
    ChosenToken,
    for_text,
    ids_of,
    is_plain,
    settings_in,
    with_ids,
)
from headlight.run.counting import counted
from headlight.run.look import PART, Look
from headlight.run.tensors import Tensor


class Analyses:
    """What a run answers besides tensors."""

    _connection: Connection
    _request: Request
    _batches: Sequence[Batch]

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def _once(self, name: str, steps: Steps[T]) -> Steps[T]:
        """What was fetched before under this name, or else what the steps fetch."""
        if name not in self._known:
            self._known[name] = yield from steps
        found: T = self._known[name]
        return found

    @fetched
    def predictions(self) -> Steps[Table]:
        """The 10 likeliest next tokens of each text, with their probabilities."""
        return (yield from self._once("predictions", Analyses.predict.steps(self)))

    @asked
    def predict(
        self,
        *,
        top_k: int = 10,
        position: ChosenPosition = None,
        temperature: float = 1.0,
        top_p: float | None = None,
        tokens: Sequence[int | str] = (),
        unedited: bool = False,
    ) -> Steps[Table]:
        """The likeliest tokens at a position; None: after the last token.

        `top_p` lists the nucleus, `tokens` are ids or texts to list as well. `unedited` adds what
        each probability would be without the masks, painted cells and mutes.
        """
        asked_for = {
            "top_k": top_k,
            "position": position,
            "temperature": temperature,
            "top_p": top_p,
            "tokens": list(tokens),
            "unedited": unedited,
        }
        each = yield from self._asked({"predict": asked_for}, "predictions")
        return predictions_of(each, unedited=unedited)

    @fetched
    def scores(self) -> Steps[Table]:
        """How much each head does what heads are known to do: a row for each head of each text."""
        return (yield from self._once("scores", Analyses.score.steps(self)))

    @asked
    def score(self, *, specials: bool = False) -> Steps[Table]:
        """As `scores`; `specials` says whether special tokens count."""
        asked_for = {"analyse": {"scores": True, "specials": specials}}
        each = yield from self._asked(asked_for, "scores")
        return Table.of(
            [
                {"text": index, "site": head["site"], "layer": head["layer"], "head": head["head"]}
                | {name: score["value"] for name, score in head["scores"].items()}
                for index, text in enumerate(each)
                for head in text["heads"]
            ]
        )

    @asked
    def match(
        self, cells: Iterable[tuple[int, int]], *, text: int = 0, kind: Kind | None = None
    ) -> Steps[Table]:
        """How much each head looks at painted cells (query, key) of one text, the best first.

        `share` is the mean share of attention on them, `chance` that of a head which looks at all
        allowed keys alike, and `lift` their difference; as in `headlight.find_heads`, which paints
        several texts. Where a head has no number, `reason` says why. `kind` is for an
        encoder–decoder; None means the first kind that it has.

        Raises:
            RequestError: there is no such text, kind or cell, or no cell at all.
        """
        part = self._alone(text)
        settings = {
            "cells": [[int(query), int(key)] for query, key in cells],
            "text": text - part.start,
            "kind": kind,
        }
        ((_, answer),) = yield from self._answers(part, {"analyse": {"match": settings}})
        names = ["site", "layer", "head", "share", "chance", "lift", "over", "reason"]
        found = answer.document["match"]
        return Table.of(sorted(found, key=_by_lift), names)

    @asked
    def composition(self) -> Steps[Table]:
        """How much each head reads what each earlier one wrote, on each text: a row for each pair.

        `q` and `k` are the earlier head's part of `lift`: by how much the keys that the later head
        attends to score above others. `v` is its share of the later head's output.
        """
        each = yield from self._asked({"analyse": {"composition": True}}, "composition")
        return Table.of(
            [
                {"text": index, **pair, "lift": lifts[pair["later"], pair["later_head"]]}
                for index, text in enumerate(each)
                for lifts in [{(one["site"], one["head"]): one["lift"] for one in text["wholes"]}]
                for pair in _pairs(text["pairs"])
            ]
        )

    @asked
    def weight_composition(self) -> Steps[Table]:
        """How much each head could read what each earlier one writes, from weights: 0 to 1.

        `baseline` is what two matrices that know nothing of each other give.
        """
        analyse = {"analyse": {"weight_composition": True}}
        [(_, answer)] = yield from self._answers(range(1), analyse)
        found = answer.document["weight_composition"]
        return Table.of(
            [{**pair, "baseline": found["baseline"]} for pair in _pairs(found["pairs"])]
        )

    @asked
    def paths(
        self,
        *,
        position: ChosenPosition = None,
        token: ChosenToken = None,
        against: ChosenToken = None,
        threshold: float | None = None,
        limit: int | None = None,
    ) -> Steps[Table]:
        """The strongest routes to a token's logit, or to its lead over `against`: a row an edge.

        `threshold` and `limit` are those of the page unless given. `promised` is what attribution
        says that the edge adds, `moved` by how much the logit falls when it alone is cut, and
        `verdict` compares them. The logit is a receiver of the kind `logit`.
        """
        asked_for = {
            "position": position,
            "token": token,
            "against": against,
            **({} if threshold is None else {"threshold": threshold}),
            **({} if limit is None else {"limit": limit}),
        }
        each = yield from self._asked({"analyse": {"paths": asked_for}}, "paths")
        return Table.of(
            [
                {
                    "text": index,
                    **_node("sender", edge["sender"]),
                    **_node("receiver", edge["receiver"]),
                    **{name: edge[name] for name in ("through", "promised", "moved", "verdict")},
                }
                for index, text in enumerate(each)
                for edge in text["edges"]
            ]
        )

    @asked
    def graph(
        self,
        *,
        position: ChosenPosition = None,
        token: ChosenToken = None,
        against: ChosenToken = None,
        limit: int | None = None,
    ) -> Steps[Any]:
        """The path map of a text as an attribution graph, which circuit-tracer's tools open.

        A link's weight is by how much the logit falls when the edge alone is cut, summed over the
        ways in which a head reads it. With several texts there is a list of graphs.
        """
        more = {} if limit is None else {"limit": limit}
        asked_for = {"position": position, "token": token, "against": against, **more}
        each = yield from self._asked({"analyse": {"paths": asked_for}}, "paths")
        about = yield from self._connection.model(self._batches[0].model)
        rows = [text for batch in self._batches for text in batch.texts]
        found = [
            graph_of(
                document,
                self._request.texts[n] if self._request.ids is None else "".join(row.tokens),
                [token for token in row.target_tokens or row.tokens if not token.padding],
                self._batches[0].model,
                about["n_layers"],
            )
            for n, (document, row) in enumerate(zip(each, rows, strict=True))
        ]
        return found[0] if self._request.single else found

    @asked
    def mute_effects(
        self, *, position: ChosenPosition = None, token: ChosenToken = None
    ) -> Steps[Table]:
        """What muting each head alone does to the probability of a token, by default the likeliest.

        `change` is ln p(token | muted) − ln p(token), in nats.
        """
        asked_for = {"analyse": {"mute_effects": {"position": position, "token": token}}}
        each = yield from self._asked(asked_for, "mute_effects")
        return Table.of(
            [
                {"text": index, "token": text["token"]["text"], **effect}
                for index, text in enumerate(each)
                for effect in text["effects"]
            ]
        )

    @asked
    def vector_effects(self) -> Steps[Table]:
        """How far muting each head alone turns the vector of a text, where nothing is predicted.

        The vector is the mean of the last layer's output over the real tokens; `cosine` is that of
        the vector without the head and the one with it.
        """
        each = yield from self._asked({"analyse": {"vector_effects": True}}, "vector_effects")
        return Table.of(
            [
                {"text": index, **effect}
                for index, text in enumerate(each)
                for effect in text["effects"]
            ]
        )

    @asked
    def mute_estimates(
        self,
        *,
        position: ChosenPosition = None,
        token: ChosenToken = None,
        exact: int = 20,
    ) -> Steps[Table]:
        """What muting each head would do, estimated from one gradient: quick for many heads.

        `estimate` is −z · gradient of ln p(token), in nats; `change` is measured, as
        `mute_effects` does, for the `exact` heads that may matter most, and None for the others.
        """
        asked_for = {"position": position, "token": token, "exact": exact}
        each = yield from self._asked({"analyse": {"mute_estimates": asked_for}}, "mute_estimates")
        return Table.of(
            [
                {"text": index, "token": text["token"]["text"], **effect}
                for index, text in enumerate(each)
                for effect in text["effects"]
            ]
        )

    @fetched
    def rollout(self) -> Steps[Tensor]:
        """[query, key]: how much of each input token reaches each output token."""
        return (yield from self._once("rollout", self._matrix("rollout")))

    @fetched
    def flow(self) -> Steps[Tensor]:
        """[query, key]: how much could pass from each input token to each output token."""
        return (yield from self._once("flow", self._matrix("flow")))

    def _matrix(self, name: str) -> Steps[Tensor]:
        found: list[Tensor] = []
        for part in self._parts():
            for request, answer in (yield from self._answers(part, {"analyse": {name: True}})):
                rows = answer.document["target_tokens"] or answer.document["tokens"]
                for array, row in zip(answer.tensors[name], rows, strict=True):
                    real = sum(not token["padding"] for token in row)
                    whole = request.needs_all_texts
                    found.append(array if whole else array[:real, :real])
        return found[0] if self._request.single else found

    def _parts(self) -> Iterator[range]:
        """The texts of each batch."""
        start = 0
        for batch in self._batches:
            yield range(start, start + len(batch.texts))
            start += len(batch.texts)

    def _alone(self, text: int) -> range:
        """The texts that a request for one of them needs: it alone, or all."""
        n = self._request.n_texts
        if text not in range(n):
            raise RequestError(f"The run has texts 0 to {n - 1}; got {text}.", field="text")
        return range(n) if self._request.needs_all_texts else range(text, text + 1)

    def _asked(self, more: Mapping[str, Any], name: str) -> Steps[list[Any]]:
        """One field of the answer, for each text."""
        found: list[Any] = []
        with Progress(f"Fetching {name}", self._request.n_texts) as progress:
            for part in self._parts():
                for some, settled, text in (yield from self._settled(part, more)):
                    each: list[Any] = []
                    for _, answer in (yield from self._answers(some, settled)):
                        each += answer.document[name]
                    found += each if text is None else [each[text]]
                progress.at(len(found))
        return found

    def _settled(
        self, part: range, more: Mapping[str, Any]
    ) -> Steps[list[tuple[range, Mapping[str, Any], int | None]]]:
        """What to ask for some texts: together, unless their tokens or positions differ.

        For each request the texts, the settings, and which of its answers is wanted; None: all.
        """
        where, settings = settings_in(more)
        if is_plain(settings):
            return [(part, more, None)]
        padded, n = self._request.needs_all_texts, self._request.n_texts
        rows = [
            text.target_tokens or text.tokens for batch in self._batches for text in batch.texts
        ]
        each = [for_text(settings, text, n, rows[text], padded=padded) for text in part]
        ids = yield from ids_of(each, self._connection, self._request)
        each = [with_ids(one, ids) for one in each]

        def settled(one: Any) -> Mapping[str, Any]:
            return {where[0]: one if len(where) == 1 else {**more["analyse"], where[1]: one}}

        if all(one == each[0] for one in each):
            return [(part, settled(each[0]), None)]
        return [
            (self._alone(text), settled(one), text if padded else None)
            for text, one in zip(part, each, strict=True)
        ]

    def _answers(self, part: range, more: Mapping[str, Any]) -> Steps[list[tuple[Request, Answer]]]:
        """The answers for some texts, in halves where one request would be too much."""
        request = self._request.only(part)
        body = {"predict": None, **request.body(), **more, "parts": {PART: Look().document()}}
        try:
            return [(request, (yield from self._connection.trace(body)))]
        except RequestError as error:
            if error.code not in TOO_LARGE or len(part) == 1 or request.needs_all_texts:
                raise counted(error, self._request, part) from None
        half = part.start + len(part) // 2
        first = yield from self._answers(range(part.start, half), more)
        return first + (yield from self._answers(range(half, part.stop), more))


def _by_lift(one: Mapping[str, Any]) -> float:
    """The largest lift first, and heads without one last."""
    return float("inf") if one["lift"] is None else -float(one["lift"])


def _node(name: str, node: Mapping[str, Any]) -> dict[str, Any]:
    """One end of an edge of the path map, as columns."""
    part = node["part"] or {"kind": "logit", "layer": None, "site": None, "head": None}
    return {
        name: part["kind"],
        f"{name}_layer": part["layer"],
        f"{name}_head": part["head"],
        f"{name}_position": node["position"],
    }


def _pairs(each: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Composition as a row for each pair of heads."""
    for pair in each:
        for earlier, row in enumerate(pair["q"]):
            for later in range(len(row)):
                yield {
                    "earlier": pair["earlier"],
                    "earlier_head": earlier,
                    "later": pair["later"],
                    "later_head": later,
                    **{
                        name: None if pair[name] is None else pair[name][earlier][later]
                        for name in ("q", "k", "v")
                    },
                }


def predictions_of(each: Sequence[Sequence[Mapping[str, Any]]], *, unedited: bool = False) -> Table:
    names = ["text", "rank", "id", "token", "probability", "special"]
    rows = [
        {**candidate, **candidate_columns(candidate), "text": index, "rank": rank}
        for index, candidates in enumerate(each)
        for rank, candidate in enumerate(candidates)
    ]
    return Table.of(rows, [*names, "unedited"] if unedited else names)


def candidate_columns(candidate: Mapping[str, Any]) -> dict[str, Any]:
    """A token that the model finds likely, as columns."""
    return {
        "id": candidate["id"],
        "token": candidate["text"],
        "probability": candidate["probability"],
    }
