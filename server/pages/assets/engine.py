"""The files with which a page computes for the shipped model by itself.

Their addresses change with their content, so that a browser keeps them for ever, and a page goes on
when the server is gone.
"""

import hashlib
import logging
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from model.core.checkpoint import FILES
from server.pages.assets.encoded import EncodedBody
from server.pages.assets.packing import DIGEST_LENGTH

log = logging.getLogger("headlight")

MAX_BYTES = 64 * 1024**2  # of all files: more is too much for a phone


@dataclass(frozen=True)
class EngineFiles:
    """The files of one checkpoint, read at once, so that none of them changes under its URL."""

    digest: str
    bodies: dict[str, EncodedBody]  # by their name in the checkpoint

    def addresses(self, model: str) -> dict[str, str]:
        """The URL of each file, by the model's name and its own: `shipped/config.json`."""
        return {f"{model}/{name}": f"/engine/{self.digest}/{name}" for name in self.bodies}


@cache
def engine_files(folder: Path) -> EngineFiles | None:
    """The files of a checkpoint; None if one is missing or they are too large for a page."""
    try:
        if sum((folder / name).stat().st_size for name in FILES) > MAX_BYTES:
            return None
        contents = {name: (folder / name).read_bytes() for name in FILES}
    except OSError as error:  # /readyz says more
        log.error("Pages cannot compute for the shipped model: %s", error)
        return None
    hashed = hashlib.sha256()
    for name, content in contents.items():
        hashed.update(f"{name} {len(content)}\n".encode() + content)
    return EngineFiles(
        hashed.hexdigest()[:DIGEST_LENGTH],
        {name: EncodedBody(content, _media_type(name)) for name, content in contents.items()},
    )


def _media_type(name: str) -> str:
    return "application/json" if name.endswith(".json") else "application/octet-stream"
