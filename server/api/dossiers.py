"""The dossiers of the models: files that `headlight dossier` wrote beside their weights."""

from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from model.dossier.document import DOSSIER, load_dossier
from model.errors import CheckpointError, InputError
from model.sources.known import known_at, located
from server.api.schemas.dossier import Dossier
from server.run.finding import locations
from server.settings import Settings

NONE = "no_dossier"  # the code of the error where a model has none


class Dossiers:
    """Reads the dossier of each model when it is asked for, and again when its file changes."""

    def __init__(self, settings: Settings) -> None:
        self._locations = locations(settings)
        self._folders: dict[str, Path] = {}
        for name, location in self._locations.items():
            folder, row = Path(located(location)).expanduser(), known_at(location)
            if folder.is_dir():
                self._folders[name] = folder
            if row and (row.measured / DOSSIER).is_file() and not (folder / DOSSIER).is_file():
                self._folders[name] = row.measured

    def read(self, name: str, weights: str | None) -> bytes:
        """The dossier of a model, as JSON. `weights` are the model's, None if it is not loaded.

        Raises:
            InputError: it has none, or that of other weights (code "no_dossier").
            CheckpointError: the file is not a dossier.
        """
        folder = self._folders.get(name)
        path = None if folder is None else folder / DOSSIER
        if path is None or not path.is_file():
            raise InputError(
                f"There is no dossier of {name}. {self._advice(name)}", code=NONE, field="model"
            )
        status = path.stat()
        of, content = _checked(path, status.st_size, status.st_mtime_ns)
        if weights is not None and of != weights:
            raise InputError(
                f"The dossier beside {name} is of other weights ({of[:12]}…; the model's are "
                f"{weights[:12]}…). Make it again. {self._advice(name)}",
                code=NONE,
                field="model",
            )
        return content

    def _advice(self, name: str) -> str:
        if name not in self._locations:
            return "It is made of checkpoints only."
        if name == "shipped":
            return "To make one, run `headlight dossier`."
        if name not in self._folders:
            return (
                "The server looks for it in the folder of a checkpoint, and this one comes from a "
                "hub: download it to a folder, then run `headlight dossier --model FOLDER`."
            )
        return "To make one, run `headlight dossier --model FOLDER` with its folder."


@lru_cache(maxsize=16)
def _checked(path: Path, size: int, changed_ns: int) -> tuple[str, bytes]:
    """The weights that a file's dossier is of, and its content, checked."""
    try:
        dossier = Dossier.model_validate(load_dossier(path))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise CheckpointError(
            f"{path} is not a dossier: {where}: {first['msg']}. Make it again with "
            "`headlight dossier`."
        ) from error
    return dossier.weights, dossier.model_dump_json().encode()
