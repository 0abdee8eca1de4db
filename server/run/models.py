"""The models of this server: loads them in the background and describes them."""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict

from model.core.checkpoint import OTHERS
from model.errors import HeadlightError, InputError
from model.film import AT, Film, base_of
from model.message import Message
from model.sources.registry import Registry, Status
from model.sources.source import Source, SourceInfo
from server.api import schemas
from server.api.schemas.settings import SETTINGS
from server.errors import BusyError, without_folders
from server.languages.table import primary
from server.run.finding import SISTER_NAME
from server.settings import Settings

log = logging.getLogger("headlight")


class Models:
    """A registry that many requests can use at once."""

    def __init__(self, registry: Registry, settings: Settings) -> None:
        self.registry = self._registry = registry
        self._settings = settings
        self._lock = threading.Lock()
        self._loading: dict[str, Future[None]] = {}

    def on_unload(self, forget: Callable[[Source], None]) -> None:
        """Set the callback for when a source is unloaded."""
        self._registry.on_unload = forget

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all models, loaded or not, the default first."""
        return self._registry.names

    def has(self, name: str) -> bool:
        """Whether there is a model of that name, also one that is not in `names`."""
        return self._registry.has(name)

    @property
    def default(self) -> str:
        """The name of the model used when a request names none."""
        return self._registry.default

    def of_language(self, code: str) -> tuple[str, ...]:
        """The models that come with Headlight for another language than English, the first one to
        open; none where somebody serves a model of their own in place of the shipped one.
        """
        if self._settings.shipped is not None:
            return ()
        names = (name for tag, name in OTHERS.items() if primary(tag) == primary(code))
        return tuple(filter(self.has, names))

    def beside(self, name: str) -> tuple[str, ...]:
        """A model, and those of the same language, with which its examples compare it."""
        tags = (tag for tag, other in OTHERS.items() if other == name)
        return (name, *(other for tag in tags for other in self.of_language(tag)))

    @contextmanager
    def use(
        self,
        name: str | None = None,
        *,
        timeout_s: float | None = None,
    ) -> Iterator[Source]:
        """The source of that name, loaded first if necessary.

        Raises:
            InputError: there is no such model (code "unknown_model").
            CheckpointError: it could not be loaded.
            BusyError: it is still loading (code "loading").
        """
        name = self._registry.default if name is None else name
        if self._registry.status(name).state != "ready":
            self._wait(name, timeout_s)
        with self._registry.use(name) as source:
            yield source

    async def ready(
        self, name: str | None, *, waiting: Callable[[], AbstractContextManager[None]]
    ) -> str:
        """Wait until a model is loaded and return its name; `use` then returns it at once.

        Raises:
            As `use` does.
        """
        name = self._registry.default if name is None else name
        if self._registry.status(name).state != "ready":
            with waiting():
                loading = asyncio.wrap_future(self._load(name))
                await asyncio.wait([loading], timeout=self._settings.load_timeout_s)
                if not loading.done():
                    raise self._still_loading(name, self._settings.load_timeout_s)
                loading.result()
        return name

    def info(self, name: str) -> SourceInfo:
        """The description of a loaded model."""
        info = self._registry.info(name)
        if info is None:  # it was evicted a moment ago
            raise self._still_loading(name, 0)
        return info

    def weights(self, name: str) -> str | None:
        """The SHA-256 of a model's weights; None while it is not loaded. Does not load it.

        Raises:
            InputError: there is no such model (code "unknown_model").
        """
        self._registry.status(name)
        info = self._registry.info(name)
        return None if info is None else info.weights

    def start(self, *, timeout_s: float) -> None:
        """Load the default model, waiting up to `timeout_s`, and all that are as small: the
        mechanisms from scratch and the models of other languages."""
        for name in (*self._registry.names, *filter(self.has, OTHERS.values())):
            if name in (self._registry.default, *SETTINGS, *OTHERS.values()):
                with suppress(Exception):  # logged, and reported by /readyz and every trace
                    self.load(name, timeout_s=timeout_s)

    def load(self, name: str | None = None, *, timeout_s: float | None = None) -> None:
        """Load a model, waiting up to `timeout_s`."""
        with self.use(name, timeout_s=timeout_s):
            pass

    def film(self, name: str) -> Film:
        """What was measured at each step of a model's training. Does not load it.

        Raises:
            InputError: there is no such model (code "unknown_model"), or it has no film (code
                "no_film").
        """
        self._registry.status(name)
        frames = self._registry.films.get(base_of(name))
        if frames is None:
            raise InputError(
                f"{name} has no film. `headlight train --film` keeps the steps of a training run.",
                code="no_film",
            )
        return frames.film

    def status(self, name: str) -> Status:
        """The loading state of a model. Does not load it.

        Raises:
            InputError: there is no such model (code "unknown_model").
        """
        return self._registry.status(name)

    def describe(self, *also: str) -> list[schemas.Model]:
        """Every model, the default first. Those not loaded have a name, a state and settings.

        `also` names some that are not listed, if there are such models.
        """
        bases = filter(self._registry.has, map(base_of, also))
        names = dict.fromkeys((*self._registry.names, *bases))
        return [model for name in names for model in self._with_frames(name)]

    def _with_frames(self, name: str) -> Iterator[schemas.Model]:
        """A model, and the steps of its film.

        One that is not loaded is described as the model, if that is: it opens in an instant.
        """
        model = self._describe(name)
        frames = self._registry.films.get(name)
        if frames is None:
            yield model
            return
        steps = frames.film.steps
        yield model.model_copy(update={"film": list(steps)})
        for step in steps[:-1]:
            frame = f"{name}{AT}{step}"
            known = self._describe(frame)
            if known.state == "not_loaded" and model.state == "ready":
                known = model.model_copy(update={"name": frame, "weights": None})
            yield known.model_copy(update={"step": step})

    def _describe(self, name: str) -> schemas.Model:
        status, info = self._registry.status(name), self._registry.info(name)
        if status.state != "ready" or info is None:
            known = asdict(status)
            if status.error is not None:
                known["error"] = without_folders(status.error)
            if name in SETTINGS:
                known |= SETTINGS[name].describe()
            return schemas.Model(name=name, **known)
        known = asdict(info) | {"name": name}
        known["max_tokens"] = min(known["max_tokens"], self._settings.max_tokens)
        known.pop("cell_bytes")  # for our own estimates
        is_ours = name == self.default and self._settings.shipped is None
        if is_ours and self._registry.has(SISTER_NAME):
            known["sister"] = SISTER_NAME
        takes = known.pop("settings")
        for row in SETTINGS.values():
            known |= row.describe() if row.name == takes else row.others
        return schemas.Model(**known, **asdict(status))

    def _wait(self, name: str, timeout_s: float | None) -> None:
        timeout_s = self._settings.load_timeout_s if timeout_s is None else timeout_s
        try:
            self._load(name).result(timeout_s)
        except FutureTimeout as error:
            raise self._still_loading(name, timeout_s) from error

    def _still_loading(self, name: str, waited_s: float) -> BusyError:
        done = self._registry.status(name).progress
        return BusyError(
            Message(
                "The model {model} is still loading after {seconds} s ({percent}%). Try again "
                "soon.",
                model=name,
                seconds=round(waited_s),
                percent=round(100 * done),
            ),
            code="loading",
            field="model",
        )

    def _load(self, name: str) -> Future[None]:
        """Load in a separate thread, which continues even if the request stops waiting."""
        with self._lock:
            future = self._loading.get(name)
            if future is None:
                future = self._loading[name] = Future()
                threading.Thread(target=self._run, args=(name, future), daemon=True).start()
            return future

    def _run(self, name: str, future: Future[None]) -> None:
        try:
            self._registry.get(name)
        except BaseException as error:
            expected = isinstance(error, HeadlightError)
            log.error("%s could not be loaded: %s", name, error, exc_info=not expected)
            outcome: BaseException | None = error
        else:
            log.info("%s is loaded", name)
            outcome = None
        with self._lock:
            del self._loading[name]  # so that it can be loaded again after a failure or eviction
        if outcome is None:
            future.set_result(None)
        else:
            future.set_exception(outcome)
