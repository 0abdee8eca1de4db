"""The costs of one keystroke, refusal and visit: the simulation's only inputs."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Costs:
    """Milliseconds of processor time, unless it says otherwise.

    An answered keystroke takes `loop_ms + pass_ms + rest_ms`, and `wake_ms` more where nothing ran
    just before: code, weights and threads have gone cold. One that was answered before takes
    `hit_ms`, and one for which there is no room `refusal_ms`.
    """

    loop_ms: float  # reading a request and sending its answer, in the event loop
    pass_ms: float  # the model's forward pass, alone
    batched_ms: float  # of each further text in one pass
    rest_ms: float  # deriving, scoring and encoding what is asked for
    hit_ms: float  # an answer that is remembered
    refusal_ms: float
    visit_ms: float  # a first visit: the page, its files and its first traces
    visit_requests: int
    wake_ms: float = 0.0
    spread: tuple[float, ...] = (1.0,)  # how keystrokes differ: factors of the above, mean 1
    delay_ms: float = 0.0  # by the clock, outside the server: sockets, and whoever asks
    client_ms: float = 0.0  # of whoever asks, for each keystroke
    request_bytes: float = 0.0  # of a keystroke
    answer_bytes: float = 0.0
    visit_bytes: float = 0.0
    fixed_mb: float = 0.0  # resident memory of a server without workers
    worker_mb: float = 0.0  # and of each worker under load

    @property
    def keystroke_ms(self) -> float:
        """Of one by itself."""
        return self.loop_ms + self.pass_ms + self.rest_ms + self.wake_ms

    @classmethod
    def read(cls, found: Mapping[str, Any]) -> "Costs":
        """What `asdict` made of one, back from JSON."""
        given = {field.name: found[field.name] for field in fields(cls)}
        return cls(**given | {"spread": tuple(given["spread"])})
