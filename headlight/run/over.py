"""A run over the training of its model: the same texts, at every kept step."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from headlight.errors import RequestError
from headlight.http.connection import Connection
from headlight.http.replies import parsed
from headlight.http.steps import Steps
from headlight.progress import Progress
from headlight.request import Request
from headlight.run.batches import traced
from headlight.run.look import Look
from headlight.run.tensors import Tensor, Tensors

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 8  # steps in a strip


@dataclass(frozen=True, eq=False)
class Over:
    """Tensors at several steps of a model's training; the first axis of each is the step."""

    steps: tuple[int, ...]
    tensors: Mapping[str, Tensor] = field(repr=False)

    def __getattr__(self, name: str) -> Tensor:
        """A tensor that was asked for, such as `pattern`: [step, layer, head, query, key]."""
        tensors = self.__dict__.get("tensors", {})
        if name not in tensors:
            raise AttributeError(f"It has {', '.join(tensors)}. Name others with fetch=[…].")
        return tensors[name]

    def plot(
        self,
        layer: int,
        head: int,
        *,
        text: int = 0,
        most: int = MOST,
        ax: "Axes | None" = None,
    ) -> "Axes":
        """The patterns of a head as a strip, at `most` steps, evenly chosen, the last included.

        Raises:
            ImportError: matplotlib is not installed.
            RequestError: there is no such layer, head or text; or patterns were not fetched.
        """
        from headlight.figures.tables import strip

        pattern = self.tensors.get("pattern")
        if pattern is None:
            raise RequestError("A film shows patterns. Fetch them: run.over(fetch=['pattern']).")
        try:
            each = pattern[text] if isinstance(pattern, list) else pattern
            of_head = [np.asarray(step)[layer, head] for step in each]
        except IndexError as error:
            raise RequestError(f"There is no such text, layer or head: {error}.") from None
        n = min(most, len(of_head))
        chosen = sorted({round(at) for at in np.linspace(len(of_head) - 1, 0, max(1, n))})
        return strip([of_head[at] for at in chosen], [self.steps[at] for at in chosen], ax)


def over(
    connection: Connection,
    request: Request,
    model: str,
    steps: Sequence[int] | None,
    fetch: Sequence[str],
) -> Steps[Over]:
    """Trace a request at the steps, all if None, and put the tensors of each together."""
    base = re.sub(r"@\d+$", "", model)
    film = parsed((yield from connection.get(f"/api/models/{base}/film")))
    chosen = tuple(film["steps"] if steps is None else steps)
    unknown = [step for step in chosen if step not in film["steps"]]
    if unknown or not chosen:
        known = ", ".join(map(str, film["steps"]))
        raise RequestError(f"Expected steps of {known}; got {list(chosen)}.", field="steps")
    found: dict[str, list[Any]] = {name: [] for name in fetch}
    with Progress(f"Tracing {base} over its training") as progress:
        for done, step in enumerate(chosen):
            progress.at(done, len(chosen))
            name = base if step == film["steps"][-1] else f"{base}@{step}"
            then = request.replace(model=name)
            batches = yield from traced(connection, then, Look(tensors=tuple(fetch)))
            tensors = Tensors(connection, then, batches)
            for each in fetch:
                look = Look(tensors=(each,))
                found[each].append((yield from tensors.of_sites(batches[0].sites, look)))
    return Over(chosen, {name: _stacked(each, request.single) for name, each in found.items()})


def _stacked(each: list[Any], single: bool) -> Tensor:
    """One array over the steps, or one for each text."""
    return np.stack(each) if single else [np.stack(text) for text in zip(*each, strict=True)]
