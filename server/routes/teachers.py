"""The page for teachers, and what they print or project: slides, sheets, cards and answers."""

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from model.errors import HeadlightError
from server.learning.workshop.games import inspector, quiz
from server.learning.workshop.measured import Workshop, workshop
from server.learning.workshop.reach import Reach, qr, reach_of
from server.routes.dependencies import PagesDep, SettingsDep
from server.routes.learn import missing
from server.settings import Settings

router = APIRouter(include_in_schema=False)

TEACHERS, GAMES = "/learn/teachers", "/learn/games"


@dataclass(frozen=True)
class Material:
    """Something to print or project. Its template is learn/workshop/<name>.html."""

    name: str
    folder: str  # TEACHERS: for the teacher's eyes; GAMES: for students, without answers
    title: str
    about: str  # what it is, and how many to print
    wide: bool = False  # whether a page lies on its side
    measured: bool = True  # whether it shows numbers of the models

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.name}"

    @property
    def is_for_teachers(self) -> bool:
        return self.folder == TEACHERS


MATERIALS = (
    Material(
        "slides",
        TEACHERS,
        "Slides",
        "One slide per page. On the screen, the arrow keys go from slide to slide.",
        wide=True,
    ),
    Material(
        "join",
        TEACHERS,
        "Join sheet",
        "The address of this server, large. Print one for each door.",
        measured=False,
    ),
    Material(
        "cards",
        GAMES,
        "Cards",
        "The words of “human attention”, and voting cards. Print one page per group.",
    ),
    Material(
        "hunt",
        GAMES,
        "Head hunt",
        "A worksheet with the habits and room for the finds. Print one per team.",
    ),
    Material(
        "detective",
        GAMES,
        "Mask detective",
        "Seven pictures and a list of suspects. Print one per pair.",
    ),
    Material(
        "bets", GAMES, "Muting bets", "Four rounds, with room for the bets. Print one per team."
    ),
    Material("pairs", GAMES, "Padding pairs", "Four cases to predict. Print one per pair."),
    Material(
        "answers",
        TEACHERS,
        "Answers",
        "Every game, with the numbers. Print one, and keep it to yourself.",
    ),
)
_BY_PATH = {material.path: material for material in MATERIALS}


@dataclass(frozen=True)
class TeachersPage:
    """The context of templates/learn/teachers.html."""

    materials: tuple[Material, ...]
    reach: Reach
    code: Markup | None  # the QR code of the best address
    page: str = "learn"


@dataclass(frozen=True)
class MaterialPage:
    """The context of the templates in learn/workshop/."""

    material: Material
    shop: Workshop | None  # None: the model that it needs cannot be used
    problem: str  # why not
    reach: Reach
    code: Markup | None  # the QR code of the page that students open
    opens: str | None  # its address
    quiz: Callable[[str], str] = quiz
    inspector: Callable[[str], str] = inspector
    qr: Callable[[str], Markup] = qr
    page: str = "learn"


@router.get(TEACHERS)
async def teachers(request: Request, settings: SettingsDep, pages: PagesDep) -> Response:
    """The page for teachers."""
    reach = reach_of(request, settings)

    def page() -> TeachersPage:
        return TeachersPage(MATERIALS, reach, qr(reach.best) if reach.best else None)

    return pages.answer(request, "learn/teachers.html", page, shows=(reach,))


@router.get(TEACHERS + "/{name}")
@router.get(GAMES + "/{name}")
def material(request: Request, name: str, settings: SettingsDep, pages: PagesDep) -> Response:
    """Something to print or project. Runs in a thread: the first one computes the numbers."""
    found = _BY_PATH.get(request.url.path)
    if found is None:
        return missing(request, pages)
    reach = reach_of(request, settings)
    shop, problem = _shop(settings) if found.measured else (None, "")

    def page() -> MaterialPage:
        opens = f"{reach.best}{found.path if found.folder == GAMES else ''}" if reach.best else None
        return MaterialPage(found, shop, problem, reach, qr(opens) if opens else None, opens)

    return pages.answer(request, f"learn/workshop/{found.name}.html", page, shows=(reach, problem))


def _shop(settings: Settings) -> tuple[Workshop | None, str]:
    try:
        return workshop(settings.shipped), ""
    except HeadlightError as error:
        return None, error.message
