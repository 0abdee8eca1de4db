"""The sources that this process serves, by name, each loaded on first use.

They are chosen when the process starts; no request can name a path or a hub id.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from model.errors import CheckpointError, HeadlightError, InputError
from model.film import AT, Film, base_of
from model.message import Message
from model.sources.source import Source, SourceInfo

State = Literal["not_loaded", "queued", "loading", "ready", "failed"]
Progress = Callable[[float], None]  # called with the fraction done, from 0 to 1
Load = Callable[[Progress], Source]

FLOAT_BYTES = 4  # per parameter
GB = 1e9


@dataclass(frozen=True)
class Status:
    """Whether a source is loaded, and how far loading has come."""

    state: State
    progress: float = 0.0  # the fraction loaded, from 0 to 1
    error: str | None = None  # why loading failed


@dataclass(frozen=True)
class Frames:
    """A film, and how each step of it but the last, which is the model itself, is opened."""

    film: Film
    load: Mapping[int, Load]  # by step


class Registry:
    """Sources by name. The first is the default and stays loaded; the others share a memory budget.

    A model with a film has sources for its steps, too: `shipped@300`. They are not in `names`, nor
    are those that are `unlisted`, or that `find` opens when somebody first asks for them by name.

    Past the budget, the least recently used sources are evicted, but never one that is in use.
    `on_unload` is called with each, so that nothing else keeps its weights in memory.
    """

    def __init__(
        self,
        loaders: Mapping[str, Load],
        *,
        max_bytes: int | None = None,
        films: Mapping[str, Frames] = MappingProxyType({}),
        unlisted: Mapping[str, tuple[Load, Frames | None]] = MappingProxyType({}),
    ) -> None:
        if not loaders:
            raise InputError("Expected at least one model to serve; got none.")
        loading = threading.Lock()
        self.films: dict[str, Frames] = {}
        self.find: Callable[[str], tuple[Load, Frames | None] | None] = lambda name: None
        self._names = tuple(loaders)
        self._loading = loading
        self._entries: dict[str, _Entry] = {}
        for name, load in loaders.items():
            self._add(name, load, films.get(name))
        for name, found in unlisted.items():
            self._add(name, *found)
        self._max_bytes = max_bytes
        self._lock = threading.Lock()  # guards the counts of users, and unloading
        self.on_unload: Callable[[Source], None] = lambda source: None

    @property
    def default(self) -> str:
        return self._names[0]

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    def get(self, name: str | None = None) -> Source:
        """The source of that name, loaded first if necessary; None means the default.

        Raises:
            InputError: no such source (code "unknown_model").
            CheckpointError: it could not be loaded.
        """
        with self.use(name) as source:
            return source

    @contextmanager
    def use(self, name: str | None = None) -> Iterator[Source]:
        """Like `get`, but the source cannot be unloaded within the `with` block."""
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
        """The description of a source, or None if it is not loaded; this never loads it."""
        source = self._entry(name).source
        return None if source is None else source.info

    def has(self, name: str) -> bool:
        """Whether there is a source of that name, also one that is not in `names`."""
        base = base_of(name)
        if base not in self._entries:
            found = self.find(base)
            if found is not None:
                self._add(base, *found)
        return name in self._entries

    def _add(self, name: str, load: Load, frames: Frames | None) -> None:
        opened = {} if frames is None else frames.load
        for step, load_step in opened.items():
            self._entries.setdefault(f"{name}{AT}{step}", _Entry(load_step, self._loading))
        if frames is not None:
            self.films[name] = frames
        self._entries.setdefault(name, _Entry(load, self._loading))  # last: it makes it known

    def _entry(self, name: str | None) -> "_Entry":
        name = self.default if name is None else name
        entry = self._entries.get(name) if self.has(name) else None
        if entry is None:
            frames = self.films.get(base_of(name))
            steps = None if frames is None else ", ".join(map(str, frames.film.steps[:-1]))
            models = ", ".join(self._names)
            raise InputError(
                Message("There is no such model. This server has {models}.", models=models)
                if steps is None
                else Message("Its film has no such step. It has {steps}.", steps=steps),
                code="unknown_model",
                field="model",
            )
        return entry

    def _make_room(self, new: "_Entry") -> None:
        """Unload idle sources until all fit. If that is not enough, unload the new one and raise.

        Raises:
            CheckpointError: the sources in use leave no room for the new one.
        """
        if self._max_bytes is None:
            return
        with self._lock:
            default = self._entries[self.default]
            others = [entry for entry in list(self._entries.values()) if entry is not default]
            idle = [e for e in others if e.users == 0 and e.nbytes > 0 and e is not new]
            needed, idle_bytes = new.nbytes, sum(entry.nbytes for entry in idle)
            fits = self._nbytes() - idle_bytes <= self._max_bytes or new is default
            to_evict = sorted(idle, key=lambda entry: entry.used_at) if fits else [new]
            evicted = []
            for entry in to_evict:
                if self._nbytes() <= self._max_bytes:
                    break
                evicted.append(entry.unload())
        for source in evicted:
            if source is not None:
                self.on_unload(source)
        if not fits:
            new.status = Status(
                "failed",
                error=f"Its weights take {needed / GB:.2f} GB, which the models in use leave no "
                f"room for; this server keeps {self._max_bytes / GB:.2f} GB of models. Try again "
                "when fewer are in use, or raise HEADLIGHT_MODEL_BYTES.",
            )
            raise CheckpointError(new.status.error or "", code="no_room")

    def _nbytes(self) -> int:
        return sum(entry.nbytes for entry in list(self._entries.values()))


class _Entry:
    """One source: how to load it, its status, and how many use it.

    All entries share the lock `loading`, so that sources load one at a time and at most one of them
    exceeds the memory budget.
    """

    def __init__(self, load: Load, loading: threading.Lock) -> None:
        self._load = load
        self._loading = loading
        self._lock = threading.Lock()
        self.source: Source | None = None
        self.status = Status("not_loaded")
        self.users = 0
        self.used_at = 0.0

    def get(self) -> tuple[Source, bool]:
        """The source, and whether this call loaded it."""
        with self._lock:  # simultaneous first requests load it only once
            if self.source is not None:
                return self.source, False
            self.status = Status("queued")
            with self._loading:
                self.status = Status("loading")
                try:
                    self.source = self._load(self._report_progress)
                except Exception as error:
                    self.status = Status("failed", error=_describe(error))
                    raise
            self.status = Status("ready", 1.0)
            return self.source, True

    def unload(self) -> Source | None:
        """Release the source, which can be loaded again later."""
        source, self.source = self.source, None
        self.status = Status("not_loaded")
        return source

    @property
    def nbytes(self) -> int:
        """The memory of the weights that stay loaded. Weights that come with requests do not."""
        if self.source is None or self.source.info.settings is not None:
            return 0
        return FLOAT_BYTES * self.source.info.n_parameters

    def _report_progress(self, fraction: float) -> None:
        self.status = Status("loading", fraction)


def _describe(error: Exception) -> str:
    if isinstance(error, HeadlightError):
        return error.message
    return "It could not be loaded because of a bug in Headlight. The log says more."
