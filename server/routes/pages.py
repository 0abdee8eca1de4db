"""For people: the inspector, and the files of other projects that its page needs."""

import logging
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from jinja2 import Environment
from starlette.exceptions import HTTPException

from model.checkpoint import SHIPPED
from model.errors import CheckpointError
from model.gallery import Entry, load_gallery, to_json
from server.assets import FOREVER, VENDOR, vendor_gzipped, vendor_path, vendor_url
from server.routes.dependencies import ModelsDep, SettingsDep
from server.settings import Settings

log = logging.getLogger("headlight")
router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class InspectorPage:
    """What templates/index.html is given."""

    # {models: as /api/models gives them, gallery: examples of the first model, the first of which a
    # fresh page shows, limits: {texts, characters, tokens}, plotly_url}
    boot: dict[str, Any]
    page: str = "inspect"  # which entry of the navigation is this one


def render(request: Request, template: str, page: object) -> HTMLResponse:
    """One template with one page's dataclass."""
    templates: Environment = request.app.state.templates
    return HTMLResponse(
        templates.get_template(template).render(vars(page)), headers={"Cache-Control": "no-cache"}
    )


@router.get("/")
async def inspector(request: Request, models: ModelsDep, settings: SettingsDep) -> HTMLResponse:
    """Type a sentence, see every head."""
    described = models.describe()
    boot = {
        "models": [model.model_dump() for model in described],
        "gallery": [to_json(entry) for entry in _gallery(described[0].name, settings)],
        "limits": limits(settings),
        "plotly_url": vendor_url("plotly.min.js"),
    }
    return render(request, "index.html", InspectorPage(boot))


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
def vendor(name: str, v: str = "", accept_encoding: Annotated[str, Header()] = "") -> Response:
    """A browser file out of the installed package that brings it."""
    if name not in VENDOR:
        raise HTTPException(404)
    headers = {
        "Cache-Control": FOREVER if vendor_url(name).endswith(f"?v={v}") else "no-cache",
        "Vary": "Accept-Encoding",
    }
    media_type = VENDOR[name].media_type
    if "gzip" not in accept_encoding:
        return FileResponse(vendor_path(name), media_type=media_type, headers=headers)
    headers["Content-Encoding"] = "gzip"
    return Response(vendor_gzipped(name), media_type=media_type, headers=headers)
