"""The models of this server: loaded in the background, waited for, and described."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict

from model.checkpoint import SHIPPED
from model.errors import HeadlightError
from model.sources.native import NativeSource
from model.sources.registry import Registry, State
from model.sources.source import Source
from server import schemas
from server.errors import BusyError
from server.settings import Settings

log = logging.getLogger("headlight")


def build_registry(settings: Settings) -> Registry:
    """The sources that the settings name, none of them loaded."""
    folder = settings.shipped or SHIPPED
    return Registry({"shipped": lambda: NativeSource("shipped", folder)})


class Models:
    """A registry, for many requests at once."""

    def __init__(self, registry: Registry, settings: Settings) -> None:
        self._registry = registry
        self._settings = settings
        self._lock = threading.Lock()
        self._loading: dict[str, Future[Source]] = {}

    @property
    def default_ready(self) -> bool:
        return self._registry.state(self._registry.default) == "ready"

    def get(
        self,
        name: str | None = None,
        *,
        timeout_s: float | None = None,
        waiting: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> Source:
        """The source of that name; the first that asks makes it load, and all wait for it.

        `waiting` is held meanwhile: the queue counts those who wait for a model, too.

        Raises:
            InputError: no such model (code "unknown_model").
            CheckpointError: it could not be loaded.
            BusyError: it is still loading (code "loading").
        """
        name = self._registry.default if name is None else name
        if self._registry.state(name) == "ready":
            return self._registry.get(name)
        timeout_s = self._settings.load_timeout_s if timeout_s is None else timeout_s
        try:
            with waiting():
                return self._load(name).result(timeout_s)
        except FutureTimeout as error:
            raise BusyError(
                f"The model {name} is still loading after {timeout_s:.0f} s. Try again soon.",
                code="loading",
                field="model",
            ) from error

    def state(self, name: str) -> State:
        """How far the model of that name is; asking loads nothing.

        Raises:
            InputError: no such model (code "unknown_model").
        """
        return self._registry.state(name)

    def describe(self) -> list[schemas.Model]:
        """Every model, the default first. What is not loaded has a name and a state only."""
        return [self._describe(name) for name in self._registry.names]

    def _describe(self, name: str) -> schemas.Model:
        state = self._registry.state(name)
        if state != "ready":
            return schemas.Model(name=name, state=state)
        known = asdict(self._registry.get(name).info)
        known["name"] = name
        known["max_tokens"] = min(known["max_tokens"], self._settings.max_tokens)
        return schemas.Model(**known, state=state)

    def _load(self, name: str) -> Future[Source]:
        """Load in a thread of its own: a request that stops waiting does not stop it."""
        with self._lock:
            future = self._loading.get(name)
            if future is None:
                future = self._loading[name] = Future()
                threading.Thread(target=self._run, args=(name, future), daemon=True).start()
            return future

    def _run(self, name: str, future: Future[Source]) -> None:
        try:
            source = self._registry.get(name)
        except BaseException as error:
            expected = isinstance(error, HeadlightError)
            log.error("%s could not be loaded: %s", name, error, exc_info=not expected)
            with self._lock:
                del self._loading[name]  # the next request tries again
            future.set_exception(error)
        else:
            log.info("%s is loaded", name)
            future.set_result(source)
