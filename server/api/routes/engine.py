"""What a page needs to compute by itself, and the files that it fetches for that."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from model.core.checkpoint import SHIPPED
from server.api.routes.dependencies import SettingsDep
from server.pages.assets.encoded import IMMUTABLE
from server.pages.assets.engine import EngineFiles, engine_files
from server.settings import Settings

router = APIRouter(include_in_schema=False)

# The models that a page can run: the one whose files it fetches, and those that need none.
WITH_FILES, WITHOUT_FILES = "shipped", ("scratch",)


def engine_boot(names: Sequence[str], settings: Settings) -> dict[str, Any]:
    """For a page's script: {usual, models, files}.

    `usual` computes unless the address says otherwise; `models` are those that the page can run;
    `files` are the URLs of what they need, by name.

    Args:
        names: the models of this server.
    """
    files = _files(settings) if WITH_FILES in names else None
    return {
        "usual": settings.engine,
        "models": [
            *([WITH_FILES] if files else []),
            *(name for name in WITHOUT_FILES if name in names),
        ],
        "files": files.addresses(WITH_FILES) if files else {},
    }


@router.get("/engine/{digest}/{name}")
def engine_file(request: Request, settings: SettingsDep, digest: str, name: str) -> Response:
    """A file of the shipped model; 404 for another digest, so that two models never mix."""
    files = _files(settings)
    if files is None or files.digest != digest or name not in files.bodies:
        raise HTTPException(404)
    return files.bodies[name].response(request.headers, IMMUTABLE)


def _files(settings: Settings) -> EngineFiles | None:
    return engine_files(settings.shipped or SHIPPED)
