"""The sources that this process serves, by name.

They are chosen when it starts: no request names a path or an id.
"""

import threading
from collections.abc import Callable, Mapping
from typing import Literal

from model.errors import InputError
from model.sources.source import Source

State = Literal["not_loaded", "loading", "ready", "failed"]


class Registry:
    """Sources by name, each loaded once, when first asked for. The first is the default."""

    def __init__(self, loaders: Mapping[str, Callable[[], Source]]) -> None:
        if not loaders:
            raise InputError("Expected at least one model to serve; got none.")
        self._entries = {name: _Entry(load) for name, load in loaders.items()}

    @property
    def default(self) -> str:
        return next(iter(self._entries))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._entries)

    def get(self, name: str | None = None) -> Source:
        """The source of that name, loaded; None is the default.

        Raises:
            InputError: no such source (code "unknown_model").
            CheckpointError: it could not be loaded.
        """
        return self._entry(name).get()

    def state(self, name: str) -> State:
        return self._entry(name).state

    def _entry(self, name: str | None) -> "_Entry":
        entry = self._entries.get(self.default if name is None else name)
        if entry is None:
            raise InputError(
                f"There is no such model; this server has {', '.join(self._entries)}.",
                code="unknown_model",
                field="model",
            )
        return entry


class _Entry:
    """One source: how to load it, and how far that is."""

    def __init__(self, load: Callable[[], Source]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._source: Source | None = None
        self.state: State = "not_loaded"

    def get(self) -> Source:
        with self._lock:  # two first requests load it once
            if self._source is None:
                self.state = "loading"
                try:
                    self._source = self._load()
                except Exception:
                    self.state = "failed"
                    raise
                self.state = "ready"
            return self._source
