"""How many texts go into one request, learned from what the server refuses."""

import json
from collections.abc import Sequence

from headlight.errors import RequestError

_AROUND_BYTES = 1_024  # the rest of a body, without painted cells


class Limits:
    """What the server takes in one request, as far as its refusals have told."""

    def __init__(self) -> None:
        self.texts = 256
        self.nbytes = 256 * 1024

    def part(self, sizes: Sequence[int], start: int, most: int) -> range:
        """As many texts from `start` as fit into a request, at most `most`, at least one."""
        stop, nbytes = start, _AROUND_BYTES
        while stop < min(len(sizes), start + self.texts, start + most):
            nbytes += sizes[stop]
            if nbytes > self.nbytes and stop > start:
                break
            stop += 1
        return range(start, stop)

    def learn(self, error: RequestError, part: range) -> int | None:
        """How many texts to send at most after this refusal; None if fewer would not help."""
        if len(part) > 1 and error.code == "too_many_texts" and error.limit is not None:
            self.texts = max(1, min(int(error.limit), len(part) - 1))
            return self.texts
        if len(part) > 1 and error.code == "body_too_large" and error.limit is not None:
            self.nbytes = min(self.nbytes, int(error.limit))
            return len(part) // 2
        if len(part) > 1 and error.code in TOO_LARGE:
            return len(part) // 2
        return None


TOO_LARGE = (
    "answer_too_large",
    "too_expensive",
    "too_much_memory",
    "too_many_runs",
    "too_many_cells",
)


def size_of(text: str | Sequence[int]) -> int:
    """The bytes of a text, or of a row of ids, in a body, at most."""
    return len(json.dumps(text)) + 2
