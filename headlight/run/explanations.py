"""What explanations say of a prediction, with ablation as the reference; and other attention."""

import warnings
from collections.abc import Mapping, Sequence
from functools import wraps
from typing import Any, Literal, TypedDict, Unpack

from headlight.frames import Table
from headlight.http.steps import Steps, asked
from headlight.names import check_names
from headlight.run.analyses import Analyses
from headlight.run.chosen import ChosenPosition, ChosenToken


def _was(old: str, new: "asked[Any, Any, Table]") -> "asked[Any, Any, Table]":
    """A method under the name that it had in 0.1, with a warning."""

    @wraps(new.steps)
    def steps(self: Any, *args: Any, **options: Any) -> Steps[Table]:
        warnings.warn(
            f"`{old}` is now called `{new.steps.__name__}`; the old name goes with release 0.3.",
            FutureWarning,
            stacklevel=2,
        )
        table = yield from new.steps(self, *args, **options)
        columns = table.columns.items()
        return Table({"witness" if name == "method" else name: each for name, each in columns})

    return asked(steps)


class Options(TypedDict, total=False):
    """What is explained, and how; what is left out has its default."""

    position: ChosenPosition  # of the prediction; by default the one after the last token
    token: ChosenToken  # by default the likeliest there
    against: ChosenToken  # everything is then of the difference of the two logits
    layer: int | None  # whose raw weights are read; by default the last
    head: int | None  # a head of that layer, to read alone too
    baseline: Literal["mean", "zero"]  # of integrated gradients; by default the mean
    steps: int  # at which they evaluate the integral; 32 by default


class Explanations(Analyses):
    """The part of a run that compares explanations of its prediction."""

    @asked
    def explanations(self, **options: Unpack[Options]) -> Steps[Table]:
        """A row for each source token, with a column for each method; the last is the reference.

        `key` is the position of the token. A column is None where its method has nothing to say;
        `explanation_methods` has the reason, and what the numbers are. Whatever the server has
        computed of the prediction it does not compute again, for the other `explanation_…` methods
        too; those of curves take longest.
        """
        each = yield from self._explained(options, curves=())
        return Table.of(
            [
                {"text": index, "key": key}
                | {
                    one["name"]: None if one["values"] is None else one["values"][place]
                    for one in found["methods"]
                }
                for index, found in enumerate(each)
                for place, key in enumerate(found["sources"])
            ]
        )

    @asked
    def explanation_methods(self, **options: Unpack[Options]) -> Steps[Table]:
        """What the methods are: label, unit, definition, source, and why one says nothing.

        `notes` has further numbers, such as the `gap` of integrated gradients; `deletion_area` and
        `insertion_area` are those under its curves.
        """
        each = yield from self._explained(options)
        told = ("name", "label", "unit", "signed", "role", "definition", "source", "notes")
        return Table.of(
            [
                {"text": index}
                | {name: one[name] for name in told}
                | {f"{kind}_area": _area(one["curves"], kind) for kind in ("deletion", "insertion")}
                | {"reason": one["reason"]}
                for index, found in enumerate(each)
                for one in found["methods"]
            ]
        )

    @asked
    def explanation_curves(self, **options: Unpack[Options]) -> Steps[Table]:
        """The logit and the probability with 0, 1, … tokens deleted, and inserted, by each order.

        The method `random` is the mean of random orders.
        """
        each = yield from self._explained(options)
        return Table.of(
            [
                {
                    "text": index,
                    "method": name,
                    "curve": kind,
                    "tokens": tokens,
                    "logit": logit,
                    "probability": probability,
                }
                for index, found in enumerate(each)
                for name, curves in (
                    *((one["name"], one["curves"]) for one in found["methods"]),
                    ("random", found["random"]),
                )
                if curves is not None
                for kind in ("deletion", "insertion")
                for tokens, (logit, probability) in enumerate(
                    zip(curves[kind]["logits"], curves[kind]["probabilities"], strict=True)
                )
            ]
        )

    @asked
    def explanation_agreement(
        self,
        *,
        specials: bool = True,
        by: Literal["value", "size"] = "value",
        **options: Unpack[Options],
    ) -> Steps[Table]:
        """Kendall's τ-b between the orders of all pairs of methods: a row and a column for each.

        `chance` is the smallest |τ| that at most 1 in 20 random orders of so many tokens reach. It
        is None for four tokens or fewer: even τ = 1 is not that rare there.

        Args:
            specials: whether special tokens are among the tokens.
            by: ranked by signed value, or by size whatever the sign.
        """
        each = yield from self._explained(options, "specials", "by", curves=())
        rows: list[dict[str, Any]] = []
        for index, found in enumerate(each):
            [agreement] = [
                one for one in found["agreement"] if one["specials"] == specials and one["by"] == by
            ]
            names = [one["name"] for one in found["methods"]]
            rows += [
                {"text": index, "method": name, **dict(zip(names, row, strict=True))}
                | {"n_tokens": agreement["n_tokens"], "chance": agreement["chance"]}
                for name, row in zip(names, agreement["tau"], strict=True)
            ]
        return Table.of(rows)

    court = _was("court", explanations)
    court_witnesses = _was("court_witnesses", explanation_methods)
    court_curves = _was("court_curves", explanation_curves)
    court_agreement = _was("court_agreement", explanation_agreement)

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

    def _explained(
        self, options: Options, *more: str, curves: Sequence[str] | None = None
    ) -> Steps[list[Any]]:
        check_names(options, (*more, *Options.__annotations__))
        wanted = {**options, "curves": curves}
        return (yield from self._asked({"analyse": {"explanations": wanted}}, "explanations"))


def _area(curves: Mapping[str, Any] | None, kind: str) -> float | None:
    return None if curves is None else curves[kind]["area"]
