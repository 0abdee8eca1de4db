"""Branches: what the model would say after each of its likeliest next tokens."""

from dataclasses import asdict
from typing import Any, ClassVar

from pydantic import Field

from model.message import Message
from model.sources.branching import FIELD, branches
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Candidate, Index, Request, Response

_TOKEN_BYTES = 80  # in JSON: the longest that we measured, with some margin


class AnalyseBranches(Request):
    """Where branches begin, how many there are, and how long they become."""

    position: Index | None = Field(
        default=None,
        description="The position after which they begin, counted in the padded text; null means "
        "each text's last real token. What stands after it is left out.",
    )
    top_k: int = Field(default=5, ge=1, le=10, description="The number of branches.")
    n_tokens: int = Field(
        default=10,
        ge=1,
        le=32,
        description="The tokens of each, its first one included; an end token ends it earlier.",
    )


class Branch(Response):
    """What the model would append to one of its likeliest tokens."""

    token: Candidate
    special: bool = Field(description="Whether that token is special, so that nobody can type it.")
    follows: list[Candidate] = Field(
        description="The likeliest token after all before it, again and again, each with its "
        "probability there."
    )
    ended: bool = Field(description="Whether its last token is one that ends a text.")


class Branches(Response):
    """The branches of one text at one position, likeliest first; none at padding."""

    position: int
    branches: list[Branch]


class FollowingBranches(Analysis):
    name = "branches"
    request: ClassVar[Fields] = {
        "branches": (
            AnalyseBranches | None,
            Field(
                default=None,
                description="For each of the likeliest next tokens, what the model would say "
                "after it. Masks, mutes and interventions hold. Send {} for its defaults.",
            ),
        )
    }
    answer = (list[Branches] | None, Field(description="The branches of each text."))
    is_slow = True
    too_slow = (
        Message("following branches"),
        Message("Ask for fewer or shorter branches, or send shorter texts."),
    )

    def ms(self, analyse: Any, work: Work) -> float:
        asked = analyse.branches
        steps: int = asked.n_tokens - 1
        return work.texts * steps * work.rows_ms(asked.top_k)

    def held(self, analyse: Any, work: Work) -> float:
        return 0

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        asked = analyse.branches
        tokens: int = asked.top_k * asked.n_tokens
        return _TOKEN_BYTES * tokens * len(trace.tokens)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        asked = analyse.branches
        n = asked.top_k * asked.n_tokens
        each = Message("{n} token", "{n} tokens", n=n)
        runs.check(n, each, Message("Following the branches"), FIELD)

        def compute() -> Any:
            found = branches(trace, runs.inputs, runs.continued, **asked.model_dump())
            return [asdict(one) for one in found]

        return runs.cached("branches", asked.model_dump_json(), compute)
