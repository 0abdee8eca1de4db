"""What explanations say of a prediction, with ablation as the judge; and other attention."""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict, Unpack

from headlight.frames import Table
from headlight.http.steps import Steps, asked
from headlight.names import check_names
from headlight.run.analyses import Analyses
from headlight.run.chosen import ChosenPosition, ChosenToken


class Hearing(TypedDict, total=False):
    """What is explained, and how; what is left out has its default."""

    position: ChosenPosition  # of the prediction; by default the one after the last token
    token: ChosenToken  # by default the likeliest there
    against: ChosenToken  # everything is then of the difference of the two logits
    layer: int | None  # whose raw weights are read; by default the last
    head: int | None  # a head of that layer, to hear alone too
    baseline: Literal["mean", "zero"]  # of integrated gradients; by default the mean
    steps: int  # at which they evaluate the integral; 32 by default


class Court(Analyses):
    """The part of a run that compares explanations of its prediction."""

    @asked
    def court(self, **hearing: Unpack[Hearing]) -> Steps[Table]:
        """A row for each source token, with a column for each witness; the last is the judge.

        `key` is the position of the token. A column is None where its witness has nothing to say;
        `court_witnesses` has the reason, and what the numbers are. Equal questions are answered
        from the server's cache, so the other `court_…` methods cost nothing after this one.
        """
        each = yield from self._heard(hearing)
        return Table.of(
            [
                {"text": index, "key": key}
                | {
                    one["name"]: None if one["values"] is None else one["values"][place]
                    for one in court["testimonies"]
                }
                for index, court in enumerate(each)
                for place, key in enumerate(court["sources"])
            ]
        )

    @asked
    def court_witnesses(self, **hearing: Unpack[Hearing]) -> Steps[Table]:
        """Who the witnesses are: label, unit, definition, source, and why one says nothing.

        `notes` has further numbers, such as the `gap` of integrated gradients; `deletion_area` and
        `insertion_area` are those under its curves.
        """
        each = yield from self._heard(hearing)
        told = ("name", "label", "unit", "signed", "role", "definition", "source", "notes")
        return Table.of(
            [
                {"text": index}
                | {name: one[name] for name in told}
                | {f"{kind}_area": _area(one["curves"], kind) for kind in ("deletion", "insertion")}
                | {"reason": one["reason"]}
                for index, court in enumerate(each)
                for one in court["testimonies"]
            ]
        )

    @asked
    def court_curves(self, **hearing: Unpack[Hearing]) -> Steps[Table]:
        """The logit and the probability with 0, 1, … tokens deleted, and inserted, by each order.

        The witness `random` is the mean of random orders.
        """
        each = yield from self._heard(hearing)
        return Table.of(
            [
                {
                    "text": index,
                    "witness": name,
                    "curve": kind,
                    "tokens": tokens,
                    "logit": logit,
                    "probability": probability,
                }
                for index, court in enumerate(each)
                for name, curves in (
                    *((one["name"], one["curves"]) for one in court["testimonies"]),
                    ("random", court["random"]),
                )
                if curves is not None
                for kind in ("deletion", "insertion")
                for tokens, (logit, probability) in enumerate(
                    zip(curves[kind]["logits"], curves[kind]["probabilities"], strict=True)
                )
            ]
        )

    @asked
    def court_agreement(
        self,
        *,
        specials: bool = True,
        by: Literal["value", "size"] = "value",
        **hearing: Unpack[Hearing],
    ) -> Steps[Table]:
        """Kendall's τ-b between the orders of all pairs of witnesses: a row and a column for each.

        `chance` is the smallest |τ| that at most 1 in 20 random orders of so many tokens reach. It
        is None for four tokens or fewer: even τ = 1 is not that rare there.

        Args:
            specials: whether special tokens are among the tokens.
            by: ranked by signed value, or by size whatever the sign.
        """
        each = yield from self._heard(hearing, "specials", "by")
        rows: list[dict[str, Any]] = []
        for index, court in enumerate(each):
            [found] = [
                one for one in court["agreement"] if one["specials"] == specials and one["by"] == by
            ]
            names = [one["name"] for one in court["testimonies"]]
            rows += [
                {"text": index, "witness": name, **dict(zip(names, row, strict=True))}
                | {"n_tokens": found["n_tokens"], "chance": found["chance"]}
                for name, row in zip(names, found["tau"], strict=True)
            ]
        return Table.of(rows)

    @asked
    def other_attention(
        self,
        *,
        layer: int | None = None,
        head: int | None = None,
        position: ChosenPosition = None,
        epsilon: float = 0.05,
        min_jsd: float = 0.1,
        restarts: int = 8,
        steps: int = 60,
        seed: int = 0,
    ) -> Steps[Table]:
        """Another row of a head's pattern, or of all heads of a layer, with nearly the same answer.

        A row for each head and key, with the weight as it is (`pattern`) and the `other` one, which
        is None if every pattern that was tried moved the answer by more than `epsilon`. `found` is
        whether it also differs by `min_jsd`. `jsd`, `tvd` and `tvd_without` are those of the
        whole answer: how different the patterns are, how far the answer moves in a run with the
        other one, and how far if these heads give nothing there.
        """
        settings = {name: value for name, value in locals().items() if name != "self"}
        each = yield from self._asked({"analyse": {"other_attention": settings}}, "other_attention")
        return Table.of(
            [
                {"text": index, "site": found["site"], "head": head_here, "key": key}
                | {"pattern": found["pattern"][row][place]}
                | {"other": None if found["other"] is None else found["other"][row][place]}
                | {name: found[name] for name in ("found", "jsd", "tvd", "tvd_without")}
                for index, found in enumerate(each)
                for row, head_here in enumerate(found["heads"])
                for place, key in enumerate(found["keys"])
            ]
        )

    def _heard(self, hearing: Hearing, *more: str) -> Steps[list[Any]]:
        check_names(hearing, (*more, *Hearing.__annotations__))
        return (yield from self._asked({"analyse": {"court": dict(hearing)}}, "court"))


def _area(curves: Mapping[str, Any] | None, kind: str) -> float | None:
    return None if curves is None else curves[kind]["area"]
