"""Whether this worker can answer: its default model is loaded, sound, and still on disk."""

import logging
import threading
import time
from pathlib import Path

from model.checkpoint import FILES
from model.errors import HeadlightError
from model.sources.source import Inputs, Source
from server.errors import without_folders
from server.models import Models

log = logging.getLogger("headlight")

CHECK = Inputs(("The cat sat on the mat.",))  # what the model is tried with
LOOK_AGAIN_S = 1.0  # after which the files are looked for again


class Readiness:
    """Tries the default model once it is loaded, and looks whether its files stay.

    `folder` is where they are; None: the model is of no folder.
    """

    def __init__(self, models: Models, folder: Path | None) -> None:
        self._models = models
        self._folder = folder
        self._lock = threading.Lock()  # of the trial
        self._tried = False
        self._unsound: str | None = None  # what the trial found
        self._lost: str | None = None
        self._looked_at = -LOOK_AGAIN_S

    def check(self) -> None:
        """Try the model, if it is loaded and has not been tried. It takes as long as a trace."""
        with self._lock:
            if self._tried or self._models.status(self._models.default).state != "ready":
                return
            with self._models.use() as source:
                self._unsound = _trial(source)
            self._tried = True

    def problem(self) -> str | None:
        """Why it is not ready, in a sentence. It may try the model: call it from a thread."""
        status = self._models.status(self._models.default)
        if status.state in ("queued", "loading"):
            return f"its model {self._models.default} is loading ({status.progress:.0%})."
        if status.state == "not_loaded":
            return f"its model {self._models.default} is not loaded."
        self.check()
        return self.lasting_problem()

    def lasting_problem(self) -> str | None:
        """Of these, what waiting does not mend, as far as it is known."""
        status = self._models.status(self._models.default)
        if status.state == "failed":
            return without_folders(status.error or "its model could not be loaded.")
        return self._unsound or self._lost_file()

    def _lost_file(self) -> str | None:
        now = time.monotonic()
        if self._folder is not None and now - self._looked_at >= LOOK_AGAIN_S:
            self._looked_at = now
            lost = [name for name in FILES if not (self._folder / name).is_file()]
            self._lost = None
            if lost:
                self._lost = (
                    f"{lost[0]} of its model {self._models.default} is no longer in its folder. "
                    "Put it back, or set HEADLIGHT_SHIPPED to another folder and start again."
                )
        return self._lost


def _trial(source: Source) -> str | None:
    """What is wrong with a trace of the model; None: nothing."""
    try:
        trace = source.trace(CHECK)
        for site in trace.sites:
            site.derive([name for name in ("pattern", "z") if name in site.tensors])
        if source.info.predicts is not None:
            trace.predict(top_k=1)
    except Exception as error:
        expected = isinstance(error, HeadlightError)
        log.error("%s cannot be used: %s", source.info.name, error, exc_info=not expected)
        what = str(error) if expected else "an unexpected error, which the log has in full."
        return f"a trace of its model {source.info.name} failed: {what}"
    return None
