"""The inspector, one view of it for other pages, and the third-party files that they need."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException

from model.film import base_of
from server.api.routes.dependencies import (
    LessonsDep,
    ModelsDep,
    PagesDep,
    ReadinessDep,
    SettingsDep,
)
from server.api.routes.engine import engine_boot
from server.http.guard.frames import EMBED
from server.languages.choice import language_of
from server.languages.table import BY_CODE
from server.pages.assets.encoded import IMMUTABLE, REVALIDATE
from server.pages.assets.packing import SCRIPTS
from server.pages.assets.release import current
from server.pages.assets.translated import Share, translations
from server.pages.assets.vendor import VENDOR, vendor_body, vendor_url
from server.pages.examples import galleries
from server.pages.help import listed
from server.pages.learning.workshop.reach import reach_of
from server.run.finding import SISTER_NAME
from server.settings import Settings

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class InspectorPage:
    """The context of templates/index.html and embed.html."""

    # {models: as in /api/models, gallery: the examples, those of the first model first (a fresh
    # page shows the first one), opens: the model of the reader's language, which an empty address
    # shows, or null, limits: {texts, characters, tokens}, engine: as `engine_boot` says,
    # plotly_url, lessons: {slug, number} of each, where the number is null for a teacher's own,
    # help: {title, about, href} of each page of the documentation,
    # frame_ancestors: the origins in the settings whose pages may show /embed,
    # class: in a live class {script: what loads it, join: where people join}, else null}
    boot: dict[str, Any]
    problem: str | None = None  # why the server is not ready, unless it is still loading
    page: str = "inspect"  # the current entry in the navigation


@router.get("/")
@router.get(EMBED)
@router.get("/class/{code}")
async def inspector(
    request: Request,
    models: ModelsDep,
    settings: SettingsDep,
    readiness: ReadinessDep,
    lessons: LessonsDep,
    pages: PagesDep,
) -> Response:
    """The inspector, or one view of it without its controls."""
    in_class = request.url.path.startswith("/class/")
    asked = request.query_params.get("model")
    readers = () if in_class else models.of_language(language_of(request.scope).code)
    asks = models.beside(asked) if asked else (SISTER_NAME,) if in_class else ()
    also = tuple(dict.fromkeys((*readers, *asks)))
    described, problem = models.describe(*also), readiness.lasting_problem()
    if in_class and request.app.state.room is None:
        return RedirectResponse("/")
    joins = f"{reach_of(request, settings).best or str(request.base_url).rstrip('/')}/join"

    def page() -> InspectorPage:
        boot = {
            "models": [model.model_dump() for model in described],
            "gallery": galleries(settings, also),
            "opens": next(iter(readers), None),
            "limits": limits(settings),
            "engine": engine_boot(models.names, settings),
            "plotly_url": vendor_url("plotly.min.js"),
            "lessons": lessons.listed(),
            "help": listed(),
            "frame_ancestors": settings.frame_ancestors,
            "class": {"script": current().script("class.js"), "join": joins} if in_class else None,
        }
        return InspectorPage(boot, problem)

    template = "embed.html" if request.url.path == EMBED else "index.html"
    name, shows = ("class", (joins,)) if in_class else ("", ())
    if asked is not None and base_of(asked) not in models.names:
        name = f"{name} trained"  # a model of its own must not push out the page of everybody else
    return pages.answer(request, template, page, name=name, shows=(described, problem, *shows))


def limits(settings: Settings) -> dict[str, int]:
    """The limits that the page needs to keep its requests valid."""
    return {
        "texts": settings.max_texts,
        "characters": settings.max_characters,
        "tokens": settings.max_tokens,
    }


@dataclass(frozen=True)
class FormPage:
    """The context of templates/train.html and study.html."""

    page: str  # the current entry in the navigation


@router.get("/train")
async def train(request: Request, pages: PagesDep) -> Response:
    """The page for training by hand."""
    return pages.answer(request, "train.html", lambda: FormPage("train"))


@router.get("/study")
async def study(request: Request, pages: PagesDep) -> Response:
    """The page for studies of many pairs of sentences."""
    return pages.answer(request, "study.html", lambda: FormPage("study"))


@router.get("/translations/{digest}/{code}/{share}/{name}")
def translated(request: Request, digest: str, code: str, share: Share, name: str) -> Response:
    """What a script says in a language."""
    if code not in BY_CODE or name not in SCRIPTS:
        raise HTTPException(404)
    found = translations(current(), BY_CODE[code], name, share)
    is_named = found.address == request.url.path
    return found.body.response(request.headers, IMMUTABLE if is_named else REVALIDATE)


@router.get("/vendor/{name}")
def vendor(request: Request, name: str, v: str = "") -> Response:
    """A browser file from the installed package that contains it."""
    if name not in VENDOR:
        raise HTTPException(404)
    is_named = vendor_url(name).endswith(f"?v={v}")
    return vendor_body(name).response(request.headers, IMMUTABLE if is_named else REVALIDATE)
