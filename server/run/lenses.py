"""Tuned lenses of the models: each is fitted once, in the background, and kept."""

from model.errors import UnavailableError
from model.lens import TunedLens, kept_lens
from model.lens.fitting import FIELD
from model.message import Message
from server.errors import BusyError
from server.run.measurements import Measurements
from server.run.models import Models
from server.run.tracing import Workers


class Lenses(Measurements[TunedLens]):
    """The tuned lenses of this process."""

    def __init__(self, models: Models, workers: Workers, dtype: str = "float32") -> None:
        super().__init__(
            models,
            workers,
            lambda source, progress: kept_lens(source, progress, dtype=dtype),
            kind="a lens",
            failed="got no tuned lens",
        )

    def fitted(self, name: str) -> TunedLens:
        """The lens of a model. The first request for it starts the fit and does not wait.

        Raises:
            BusyError: it is being fitted (code "lens_fitting").
            UnavailableError: this model can have none.
            InputError: there is no such model.
        """
        run = self.start(name)
        if run.state == "computing":
            raise BusyError(
                Message(
                    "The tuned lens of {model} is being fitted: {done} of {total} steps are done. "
                    "Ask again in a moment.",
                    model=name,
                    done=run.done,
                    total=run.total,
                )
                if run.total
                else Message(
                    "The tuned lens of {model} is being fitted. Ask again in a moment.", model=name
                ),
                code="lens_fitting",
                field=FIELD,
            )
        if run.refusal is not None:
            raise run.refusal
        if run.found is None:
            raise UnavailableError(run.error or "", field=FIELD)
        return run.found

    def forget(self, name: str) -> None:
        """Drop the lens of a model that was unloaded; it is read again from what was kept."""
        with self._lock:
            run = self._runs.get(name)
            if run is not None and run.ended.done():
                del self._runs[name]
