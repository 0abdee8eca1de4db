"""The models of this server: loads them in the background and describes them."""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

from model.core.checkpoint import LANGUAGES, OTHERS, SHIPPED, SISTER
from model.errors import HeadlightError, InputError
from model.files import is_missing_folder
from model.film import ANY, AT, Film, base_of, checkpoints_in, read_film
from model.message import Message
from model.sources.known import fetched, located
from model.sources.native import NativeSource
from model.sources.opening import open_source
from model.sources.registry import Frames, Load, Progress, Registry, Status
from model.sources.source import Source, SourceInfo
from server.api import schemas
from server.api.schemas.settings import SETTINGS
from server.api.schemas.source import SourceRow
from server.errors import BusyError, without_folders
from server.languages.table import Language
from server.settings import Settings

SISTER_NAME = "sister"

log = logging.getLogger("headlight")


def build_registry(settings: Settings) -> Registry:
    """The sources named in the settings, none of them loaded yet.

    Raises:
        InputError: two models have the same name.
    """
    return Registry(
        loaders(settings),
        max_bytes=settings.model_bytes,
        films=films(settings),
        unlisted=sister()
        | {
            name: film_model(name, LANGUAGES / name)
            for name in OTHERS.values()
            if name not in locations(settings)
        },
    )


def model_of(language: Language, models: "Models", settings: Settings) -> str | None:
    """The model that comes with Headlight for another language than English, if there is one.

    None where somebody serves a model of their own in place of the shipped one.
    """
    name = OTHERS.get(language.primary)
    return name if name is not None and settings.shipped is None and models.has(name) else None


def sister() -> dict[str, tuple[Load, Frames | None]]:
    """The model whose film shows how the shipped one learnt."""
    return {SISTER_NAME: film_model(SISTER_NAME, SISTER)}


@cache
def sister_names() -> tuple[str, ...]:
    """The sister, and the steps of its film."""
    film = read_film(SISTER)
    steps = () if film is None else film.steps[:-1]
    return (SISTER_NAME, *(f"{SISTER_NAME}{AT}{step}" for step in steps))


def loaders(settings: Settings) -> dict[str, Load]:
    """A loader for each model in the settings, the default first.

    Raises:
        InputError: two models have the same name.
    """
    built_in = {row.name: partial(_opened, row) for row in SETTINGS.values()}
    folder = settings.shipped or SHIPPED
    found: dict[str, Load] = {"shipped": lambda progress: NativeSource("shipped", folder)}
    for name, location in [*locations(settings).items()][1:]:
        found[name] = _loader(name, located(location), settings)
    return found | built_in


def films(settings: Settings) -> dict[str, Frames]:
    """The films of native checkpoints, and those of whole checkpoints, by the name of the model.

    Raises:
        InputError: no checkpoints are where a pattern says.
        CheckpointError: a film does not fit its frames.
    """
    found = {}
    for name, location in locations(settings).items():
        if ANY in location:
            *earlier, last = checkpoints_in(location).items()
            film = Film((*(step for step, _ in earlier), last[0]), {}, {})
            opened = {
                step: _loader(f"{name}{AT}{step}", str(folder), settings)
                for step, folder in earlier
            }
            found[name] = Frames(film, opened)
            continue
        _, frames = film_model(name, Path(located(location)).expanduser())
        if frames is not None:
            found[name] = frames
    return found


def film_model(name: str, folder: Path) -> tuple[Load, Frames | None]:
    """How a native checkpoint with a film is opened, and each step of it."""
    film = read_film(folder)
    load = partial(_frame, name, folder)
    steps = () if film is None else film.steps[:-1]
    frames = None if film is None else Frames(film, {step: partial(load, step) for step in steps})
    return lambda progress: NativeSource(name, folder), frames


def _frame(name: str, folder: Path, step: int, progress: Progress) -> Source:
    return NativeSource(f"{name}{AT}{step}", folder, step)


def locations(settings: Settings) -> dict[str, str]:
    """Where each checkpoint comes from, as it was given, the shipped one first.

    Raises:
        InputError: two models have the same name.
    """
    found = {"shipped": str(settings.shipped or SHIPPED)}
    for entry in settings.models:
        name, location = named(entry)
        if not name or not location:
            raise InputError(f"Expected a model as [NAME=]FOLDER or [NAME=]HUB_ID; got {entry!r}.")
        if name in found or name in (*SETTINGS, SISTER_NAME):
            raise InputError(
                f"Two models are named {name}; give this one another name: NAME={location}."
            )
        found[name] = location
    return found | {name: where for name, where in fetched().items() if name not in found}


def open_model(entry: str | None, settings: Settings) -> Source:
    """Load the shipped model, or a checkpoint given as [NAME=]LOCATION, as the server would.

    Raises:
        InputError: there is no such folder.
        CheckpointError: it cannot be loaded, or not where the settings say.
    """
    if entry is None:
        return build_registry(settings).get()
    name, location = named(entry)
    check_place(name, location)
    return _loader(name, located(location), settings)(lambda share: None)


def _loader(name: str, location: str, settings: Settings) -> Load:
    """Of a checkpoint, which runs where the settings say. The only place that reads them."""
    return partial(open_source, name, location, device=settings.device, dtype=settings.dtype)


def _opened(row: SourceRow, progress: Progress) -> Source:
    return row.open(row.name)


def named(entry: str) -> tuple[str, str]:
    """Split NAME=LOCATION. Without a name, the model is named after the location's last part.

    In the location of a film, pythia/step*, that is the last one without a pattern.
    """
    name, given, location = entry.partition("=")
    if not given:
        location = entry
        parts = entry.rstrip("/").split("/")
        name = next((part for part in reversed(parts) if ANY not in part), "film")
    return name, location


def check_device(settings: Settings) -> None:
    """Refuse a device that is not there, before anybody selects a model.

    Raises:
        CheckpointError: there is no such device.
    """
    if settings.device != "cpu" and find_spec("transformers") is not None:
        from model.sources.pretrained.opening.device import choose

        choose(settings.device, settings.dtype)


def check_place(name: str, location: str) -> None:
    """Refuse a model whose folder does not exist, before anybody selects it.

    Raises:
        InputError: there is no such folder.
    """
    if is_missing_folder(located(location)):
        what = "file" if location.endswith(".gguf") else "folder"
        raise InputError(
            f"There is no {what} {location} for the model {name}. Check --model and "
            "HEADLIGHT_MODELS."
        )


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

    def describe(self, also: str | None = None) -> list[schemas.Model]:
        """Every model, the default first. Those not loaded have a name, a state and settings.

        `also` names one that is not listed, if there is such a model.
        """
        names = self._registry.names
        if also is not None and (base := base_of(also)) not in names and self._registry.has(base):
            names = (*names, base)
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
