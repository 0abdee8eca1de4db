"""The costs of one keystroke, refusal and visit: the simulation's only inputs."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Costs:
    """Milliseconds of processor time, unless stated otherwise.

    An answered keystroke takes `loop_ms + pass_ms + rest_ms`, and `wake_ms` more if the worker was
    idle before, because code and weights have left the processor's caches. A keystroke with a
    cached answer takes `hit_ms`, and a refused one `refusal_ms`.
    """

    loop_ms: float  # reading a request and sending its answer, in the event loop
    pass_ms: float  # the model's forward pass, alone
    batched_ms: float  # of each further text in one pass
    rest_ms: float  # deriving, scoring and encoding the answer
    hit_ms: float  # a cached answer
    refusal_ms: float
    visit_ms: float  # a first visit: the page, its files and its first traces
    visit_requests: int
    wake_ms: float = 0.0
    spread: tuple[float, ...] = (1.0,)  # how keystrokes differ: factors of the above, mean 1
    delay_ms: float = 0.0  # of wall-clock time outside the server: sockets and the client
    client_ms: float = 0.0  # of the client, for each keystroke
    request_bytes: float = 0.0  # of a keystroke
    answer_bytes: float = 0.0
    visit_bytes: float = 0.0
    fixed_mb: float = 0.0  # resident memory of a server without workers
    worker_mb: float = 0.0  # and of each worker under load

    @property
    def keystroke_ms(self) -> float:
        """One keystroke at an idle worker."""
        return self.loop_ms + self.pass_ms + self.rest_ms + self.wake_ms

    @classmethod
    def read(cls, found: Mapping[str, Any]) -> "Costs":
        """Read the costs from the JSON that `asdict` gave."""
        given = {field.name: found[field.name] for field in fields(cls)}
        return cls(**given | {"spread": tuple(given["spread"])})
