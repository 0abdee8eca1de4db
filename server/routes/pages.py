"""For people: the inspector, and the files of other projects that its page needs."""

import logging
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from model.checkpoint import SHIPPED
from model.errors import CheckpointError
from model.gallery import Entry, load_gallery, to_json
from server.assets.kept import ASK_AGAIN, FOREVER
from server.assets.vendor import VENDOR, vendor_kept, vendor_url
from server.routes.dependencies import ModelsDep, PagesDep, ReadinessDep, SettingsDep
from server.settings import Settings

log = logging.getLogger("headlight")
router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class InspectorPage:
    """What templates/index.html is given."""

    # {models: as /api/models gives them, gallery: examples of the first model, the first of which a
    # fresh page shows, limits: {texts, characters, tokens}, plotly_url}
    boot: dict[str, Any]
    problem: str | None = None  # why the server is not ready, other than that it still loads
    page: str = "inspect"  # which entry of the navigation is this one


@router.get("/")
async def inspector(
    request: Request,
    models: ModelsDep,
    settings: SettingsDep,
    readiness: ReadinessDep,
    pages: PagesDep,
) -> Response:
    """Type a sentence, see every head."""
    described, problem = models.describe(), readiness.lasting_problem()

    def page() -> InspectorPage:
        boot = {
            "models": [model.model_dump() for model in described],
            "gallery": [to_json(entry) for entry in _gallery(described[0].name, settings)],
            "limits": limits(settings),
            "plotly_url": vendor_url("plotly.min.js"),
        }
        return InspectorPage(boot, problem)

    return pages.answer(request, "index.html", page, shows=(described, problem))


def limits(settings: Settings) -> dict[str, int]:
    """What a page must know not to ask for too much."""
    return {
        "texts": settings.max_texts,
        "characters": settings.max_characters,
        "tokens": settings.max_tokens,
    }


def _gallery(model: str, settings: Settings) -> list[Entry]:
    """The examples of the shipped model; none if another model comes first, or they are broken."""
    if model != "shipped":
        return []
    try:
        return load_gallery(settings.shipped or SHIPPED)
    except CheckpointError as error:
        log.error("The page goes without examples: %s", error)
        return []


@router.get("/vendor/{name}")
def vendor(request: Request, name: str, v: str = "") -> Response:
    """A browser file out of the installed package that brings it."""
    if name not in VENDOR:
        raise HTTPException(404)
    is_named = vendor_url(name).endswith(f"?v={v}")
    return vendor_kept(name).answer(request.headers, FOREVER if is_named else ASK_AGAIN)
