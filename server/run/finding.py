"""Which models this server has, and how each of them is opened."""

from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

from model.core.checkpoint import LANGUAGES, OTHERS, SHIPPED, SISTER
from model.errors import InputError
from model.files import is_missing_folder
from model.film import ANY, AT, Film, checkpoints_in, read_film
from model.sources.known import fetched, located
from model.sources.native import NativeSource
from model.sources.opening import open_source
from model.sources.registry import Frames, Load, Progress, Registry
from model.sources.source import Source
from server.api.schemas.settings import SETTINGS
from server.api.schemas.source import SourceRow
from server.settings import Settings

SISTER_NAME = "sister"


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
