"""The sources that this process serves, by name, loaded when first asked for.

They are chosen when it starts: no request names a path or an id.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from model.errors import CheckpointError, HeadlightError, InputError
from model.sources.source import Source, SourceInfo

State = Literal["not_loaded", "queued", "loading", "ready", "failed"]
Progress = Callable[[float], None]  # told a share, from 0 to 1
Load = Callable[[Progress], Source]

FLOAT_BYTES = 4  # of a parameter
GB = 1e9


@dataclass(frozen=True)
class Status:
    """How far a source is."""

    state: State
    progress: float = 0.0  # of the loading, from 0 to 1
    error: str | None = None  # why it failed


class Registry:
    """Sources by name; the first is the default, and stays. The others share a budget of memory.

    Past the budget, the least recently used source is evicted, but never one that is in use.
    `unloaded` is told of each, so that nothing keeps what it was made of.
    """

    def __init__(self, loaders: Mapping[str, Load], *, max_bytes: int | None = None) -> None:
        if not loaders:
            raise InputError("Expected at least one model to serve; got none.")
        turn = threading.Lock()
        self._entries = {name: _Entry(load, turn) for name, load in loaders.items()}
        self._max_bytes = max_bytes
        self._lock = threading.Lock()  # of what is in use, and of unloading
        self.unloaded: Callable[[Source], None] = lambda source: None

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
        with self.use(name) as source:
            return source

    @contextmanager
    def use(self, name: str | None = None) -> Iterator[Source]:
        """The same, and it is not unloaded meanwhile."""
        entry = self._entry(name)
        with self._lock:
            entry.users += 1
        try:
            source, is_new = entry.get()
            if is_new:
                self._make_room(entry)
            yield source
        finally:
            with self._lock:
                entry.users -= 1
                entry.used_at = time.monotonic()

    def status(self, name: str) -> Status:
        return self._entry(name).status

    def info(self, name: str) -> SourceInfo | None:
        """What is known of a source that is loaded; asking loads nothing."""
        source = self._entry(name).source
        return None if source is None else source.info

    def _entry(self, name: str | None) -> "_Entry":
        entry = self._entries.get(self.default if name is None else name)
        if entry is None:
            raise InputError(
                f"There is no such model; this server has {', '.join(self._entries)}.",
                code="unknown_model",
                field="model",
            )
        return entry

    def _make_room(self, new: "_Entry") -> None:
        """Unload others until all fit; if that is not enough, the new one cannot stay."""
        if self._max_bytes is None:
            return
        with self._lock:
            default, *others = self._entries.values()
            idle = [e for e in others if e.users == 0 and e.nbytes > 0 and e is not new]
            needed, of_idle = new.nbytes, sum(entry.nbytes for entry in idle)
            fits = self._nbytes() - of_idle <= self._max_bytes or new is default
            going = sorted(idle, key=lambda entry: entry.used_at) if fits else [new]
            gone = []
            for entry in going:
                if self._nbytes() <= self._max_bytes:
                    break
                gone.append(entry.unload())
        for source in gone:
            if source is not None:
                self.unloaded(source)
        if not fits:
            new.status = Status(
                "failed",
                error=f"Its weights take {needed / GB:.2f} GB, which the models in use leave no "
                f"room for; this server keeps {self._max_bytes / GB:.2f} GB of models. Try again "
                "when fewer are in use, or raise HEADLIGHT_MODEL_BYTES.",
            )
            raise CheckpointError(new.status.error or "", code="no_room")

    def _nbytes(self) -> int:
        return sum(entry.nbytes for entry in self._entries.values())


class _Entry:
    """One source: how to load it, how far that is, and who uses it.

    `turn` is held while it loads: one after the other, so that memory is short for one at most.
    """

    def __init__(self, load: Load, turn: threading.Lock) -> None:
        self._load = load
        self._turn = turn
        self._lock = threading.Lock()
        self.source: Source | None = None
        self.status = Status("not_loaded")
        self.users = 0
        self.used_at = 0.0

    def get(self) -> tuple[Source, bool]:
        """The source, and whether it was loaded for this."""
        with self._lock:  # two first requests load it once
            if self.source is not None:
                return self.source, False
            self.status = Status("queued")
            with self._turn:
                self.status = Status("loading")
                try:
                    self.source = self._load(self._progressed)
                except Exception as error:
                    self.status = Status("failed", error=_describe(error))
                    raise
            self.status = Status("ready", 1.0)
            return self.source, True

    def unload(self) -> Source | None:
        """Let go of the source; it can be loaded again."""
        source, self.source = self.source, None
        self.status = Status("not_loaded")
        return source

    @property
    def nbytes(self) -> int:
        """Of the weights that it keeps; those of a request are nobody's to keep."""
        if self.source is None or self.source.info.settings is not None:
            return 0
        return FLOAT_BYTES * self.source.info.n_parameters

    def _progressed(self, share: float) -> None:
        self.status = Status("loading", share)


def _describe(error: Exception) -> str:
    if isinstance(error, HeadlightError):
        return error.message
    return "It could not be loaded, by a mistake of Headlight's; the log says more."
