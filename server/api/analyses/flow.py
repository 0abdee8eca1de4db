"""Attention flow: how much could pass from each input token to each output token."""

from typing import Any, ClassVar

from pydantic import Field

from model.analysis.flow import MAX_TOKENS, count_steps, edges, flow
from model.errors import LimitError
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.run.prices import SOFTMAX_MS

# Measured with 2 to 12 layers of 8 to 24 tokens, with and without a causal mask and windows.
_RESET_MS = 0.0015  # per edge of the graph and pair of tokens
_SEARCH_MS = 0.0076  # per edge on a path between the pair


class Flow(Analysis):
    name = "flow"
    request: ClassVar[Fields] = {
        "flow": (
            bool,
            Field(
                default=False,
                description="Compute the attention flow: how much could pass from each input token "
                "to each output token. It is the maximum flow with attention and residual stream "
                f"as capacities (Abnar & Zuidema 2020), for texts of at most {MAX_TOKENS} tokens.",
            ),
        )
    }
    answer = (
        Any | None,
        Field(
            description="Nested lists (batch, query, key) with numbers from 0 to 1; padding is 0. "
            "A safetensors response has the tensor `flow` instead, and null here."
        ),
    )
    reads_patterns = True
    is_slow = True
    too_slow = (
        Message("the attention flow"),
        Message("Send fewer or shorter texts, or leave it out."),
    )

    def ms(self, analyse: Any, work: Work) -> float:
        derived: float = work.heads * work.cells * SOFTMAX_MS
        tokens = min(work.tokens, MAX_TOKENS)  # a longer text is refused
        steps = count_steps(edges(work.inputs, work.info, tokens))
        return derived + work.texts * (steps.edges * _RESET_MS + steps.between * _SEARCH_MS)

    def kept(self, work: Work) -> int:
        return work.cells * (work.sites + 1)

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        n = len(trace.tokens[0])
        if n > MAX_TOKENS:
            raise LimitError(
                Message(
                    "The attention flow takes texts of at most {most} tokens; this one has {n}. "
                    "Send shorter texts, or ask for the rollout instead.",
                    most=MAX_TOKENS,
                    n=n,
                ),
                code="too_many_tokens",
                field="analyse.flow",
                limit=MAX_TOKENS,
            )
        return number_bytes * len(trace.tokens) * n**2

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        return flow(trace)
