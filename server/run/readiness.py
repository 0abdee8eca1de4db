"""Readiness of this worker: the default model is loaded, works, and is still on disk."""

import logging
import threading
import time
from pathlib import Path

from model.core.checkpoint import FILES
from model.errors import HeadlightError
from model.sources.source import Inputs, Source
from server.errors import without_folders
from server.run.models import Models
from server.run.tracing.memory import Memory

log = logging.getLogger("headlight")

TEST_INPUTS = Inputs(("The cat sat on the mat.",))
FILE_CHECK_S = 1.0  # minimum time between two checks of the files


class Readiness:
    """Tests the default model once it is loaded, and checks that its files still exist.

    `folder` contains the model's files; None if it has none.
    """

    def __init__(self, models: Models, folder: Path | None, memory: Memory) -> None:
        self._models = models
        self._memory = memory
        self._folder = folder
        self._lock = threading.Lock()  # for the test
        self._tested = False
        self._test_problem: str | None = None
        self._file_problem: str | None = None
        self._files_checked_at = -FILE_CHECK_S

    def check(self) -> None:
        """Test the model if it is loaded and was not tested yet. Takes as long as a trace."""
        with self._lock:
            if self._tested or self._models.status(self._models.default).state != "ready":
                return
            with self._models.use() as source:
                self._test_problem = _test(source)
            if self._test_problem is None and (shortage := self._memory.shortage()):
                self._test_problem = shortage
                log.error("Not ready: %s", shortage)
            self._tested = True

    def problem(self) -> str | None:
        """Why the server is not ready, in a sentence. May test the model: call it in a thread."""
        status = self._models.status(self._models.default)
        if status.state in ("queued", "loading"):
            return f"its model {self._models.default} is loading ({status.progress:.0%})."
        if status.state == "not_loaded":
            return f"its model {self._models.default} is not loaded."
        self.check()
        return self.lasting_problem()

    def lasting_problem(self) -> str | None:
        """Like `problem`, but only if waiting will not solve it. Does not test the model."""
        status = self._models.status(self._models.default)
        if status.state == "failed":
            return without_folders(status.error or "its model could not be loaded.")
        return self._test_problem or self._missing_file()

    def _missing_file(self) -> str | None:
        now = time.monotonic()
        if self._folder is not None and now - self._files_checked_at >= FILE_CHECK_S:
            self._files_checked_at = now
            missing = [name for name in FILES if not (self._folder / name).is_file()]
            self._file_problem = None
            if missing:
                self._file_problem = (
                    f"{missing[0]} of its model {self._models.default} is no longer in its folder. "
                    "Put it back, or set HEADLIGHT_SHIPPED to another folder and restart."
                )
        return self._file_problem


def _test(source: Source) -> str | None:
    """The problem with a test trace of the model, or None."""
    try:
        trace = source.trace(TEST_INPUTS)
        for site in trace.sites:
            site.derive([name for name in ("pattern", "z") if name in site.tensors])
        if source.info.predicts is not None:
            trace.predict(top_k=1)
    except Exception as error:
        expected = isinstance(error, HeadlightError)
        log.error("%s cannot be used: %s", source.info.name, error, exc_info=not expected)
        what = str(error) if expected else "an unexpected error; see the log."
        return f"a trace of its model {source.info.name} failed: {what}"
    return None
