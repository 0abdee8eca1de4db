"""Rollout: how much of each input token reaches each output token."""

from typing import Any, ClassVar

from pydantic import Field

from model.analysis import rollout
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.run.prices import MULTIPLY_ADD_MS, NUMBER_MS, SOFTMAX_MS


class Rollout(Analysis):
    name = "rollout"
    request: ClassVar[Fields] = {
        "rollout": (
            bool,
            Field(
                default=False,
                description="Compute the rollout: how much of each input token reaches each output "
                "token through attention and the residual stream alone (Abnar & Zuidema 2020).",
            ),
        )
    }
    answer = (
        Any | None,
        Field(
            description="Nested lists (batch, query, key): the share of an input token (key) in an "
            "output token (query). A safetensors response has the tensor `rollout` instead, and "
            "null here."
        ),
    )
    reads_patterns = True
    is_slow = True
    too_slow = (Message("the rollout"), Message("Send fewer or shorter texts, or leave it out."))
    too_large = Message("Most of it is the rollout: send shorter texts, or leave the rollout out.")

    def ms(self, analyse: Any, work: Work) -> float:
        mixed = work.sites * work.cells * work.tokens * MULTIPLY_ADD_MS
        return work.heads * work.cells * SOFTMAX_MS + mixed + work.cells * NUMBER_MS

    def kept(self, work: Work) -> int:
        return work.cells

    def held(self, analyse: Any, work: Work) -> float:
        return 2 * work.site_stripe

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        return number_bytes * len(trace.tokens) * len(trace.tokens[0]) ** 2

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        return rollout(trace)
