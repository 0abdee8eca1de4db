"""What the model says after each layer, and after each of its likeliest tokens."""

from typing import Any

from headlight.errors import RequestError
from headlight.frames import Table
from headlight.http.steps import Steps, asked
from headlight.run.analyses import Analyses, candidate_columns
from headlight.run.chosen import ChosenPosition, classes_of


class Predicted(Analyses):
    """The part of a run that follows a prediction through the layers, and on from there."""

    @asked
    def measured(self) -> Steps[Any]:
        """What the `answer` of the request measures: a number, or a list with one for each text.

        Of an entropy or a loss that is its value in nats; of a similarity the cosines, and of a
        probe the logits, as a dictionary by class.
        """
        if self._request.answer is None:
            raise RequestError(
                "This run reads what the model predicts. Ask for another answer, as in "
                'run.replace(answer="entropy").',
                field="answer",
            )
        told = yield from self._asked({"predict": {"top_k": 100}}, "measured")
        found: list[Any] = [one["values"][0] for one in told]
        if len(told[0]["values"]) > 1:
            names = yield from classes_of(self._connection, self._request)
            found = [dict(zip(names, one["values"], strict=True)) for one in told]
        return found[0] if self._request.single else found

    @asked
    def lens(
        self, *, top_k: int = 5, position: ChosenPosition = None, tuned: bool = False
    ) -> Steps[Table]:
        """The logit lens: what the model would predict if it stopped after a layer.

        `tuned` translates each stage into the terms of the last one first (Belrose et al. 2023).
        The first time, that waits for the server to fit the lens.
        """
        settings = {"top_k": top_k, "position": position, "tuned": tuned}
        each = yield from self._asked({"analyse": {"lens": settings}}, "lens")
        return Table.of(
            [
                {"text": index, "stage": stage["name"], "layer": stage["layer"], "rank": rank}
                | candidate_columns(candidate)
                for index, text in enumerate(each)
                for stage in text["stages"]
                for rank, candidate in enumerate(stage["candidates"])
            ]
        )

    @asked
    def decided(self, *, tuned: bool = False) -> Steps[Table]:
        """When each prediction was decided: a row for each token, with the likeliest next one.

        `logit` is the number of layers after which the logit lens says that token, and goes on
        saying it; 0: before the first layer. `tuned` is the same by a tuned lens (see `lens`).
        """
        each = yield from self._asked({"analyse": {"decided": {"tuned": tuned}}}, "decided")
        lenses = ["logit", "tuned"] if tuned else ["logit"]
        return Table.of(
            [
                {"text": index, "position": position}
                | candidate_columns(text["predictions"][place])
                | {name: text[name]["stages"][place] for name in lenses}
                for index, text in enumerate(each)
                for place, position in enumerate(text["positions"])
            ],
            ["text", "position", "id", "token", "probability", *lenses],
        )

    @asked
    def branches(
        self, *, top_k: int = 5, n_tokens: int = 10, position: ChosenPosition = None
    ) -> Steps[Table]:
        """What the model would say after each of its likeliest tokens: a row for each token.

        `branch` counts the branches of a text, likeliest first, and `step` the tokens of one; each
        has its probability after all before it. None of what stands after the position is read.
        """
        settings = {"top_k": top_k, "n_tokens": n_tokens, "position": position}
        each = yield from self._asked({"analyse": {"branches": settings}}, "branches")
        return Table.of(
            [
                {"text": index, "branch": number, "step": step} | candidate_columns(candidate)
                for index, text in enumerate(each)
                for number, branch in enumerate(text["branches"])
                for step, candidate in enumerate([branch["token"], *branch["follows"]])
            ],
            ["text", "branch", "step", "id", "token", "probability"],
        )
