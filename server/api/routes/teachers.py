"""The page for teachers, and what they print or project: slides, sheets, cards and answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from model.errors import HeadlightError
from model.message import Message
from server.api.routes.dependencies import PagesDep, SettingsDep
from server.api.routes.learn import missing
from server.pages.assets.pages import Pages
from server.pages.learning.workshop.deck import SLIDES, numbers, slides
from server.pages.learning.workshop.games import ARRIVAL, inspector, quiz
from server.pages.learning.workshop.measured import Workshop, workshop
from server.pages.learning.workshop.plan import (
    BRIEF,
    LONG,
    MINUTES,
    PEOPLE,
    SHORT,
    SUPPLIES,
    Plan,
    Supply,
)
from server.pages.learning.workshop.reach import Reach, qr, reach_of
from server.settings import Settings

router = APIRouter(include_in_schema=False)

TEACHERS, GAMES = "/learn/teachers", "/learn/games"
JOIN = "/join"  # what a class opens first (routes/class_pages.py): short enough to type


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
    def opens(self) -> str:
        """What students open when they scan its code."""
        return self.path if self.folder == GAMES else JOIN

    @property
    def is_for_teachers(self) -> bool:
        return self.folder == TEACHERS


MATERIALS = (
    Material(
        "slides",
        TEACHERS,
        Message("Slides"),
        Message(
            "Each slide prints on its own page. On a screen: the arrow keys, a clicker or a swipe."
        ),
        wide=True,
    ),
    Material(
        "join",
        TEACHERS,
        Message("Join sheet"),
        Message("The address of this server, large. Print one for each door."),
        wide=True,
        measured=False,
    ),
    Material(
        "cards",
        GAMES,
        Message("Cards"),
        Message(
            "The words of “human attention”, and voting cards. Print both pages once per group."
        ),
        wide=True,
    ),
    Material(
        "hunt",
        GAMES,
        Message("Head hunt"),
        Message(
            "A worksheet with the habits, and a list of words the model knows. Print one per team."
        ),
    ),
    Material(
        "detective",
        GAMES,
        Message("Mask detective"),
        Message("Seven pictures and a list of suspects, on two pages. Print one per pair."),
    ),
    Material(
        "bets",
        GAMES,
        Message("Muting bets"),
        Message("Four rounds, with room for the bets. Print one per team."),
    ),
    Material(
        "pairs",
        GAMES,
        Message("Padding pairs"),
        Message("Four cases to predict. Print one per pair."),
    ),
    Material(
        "answers",
        TEACHERS,
        Message("Answers"),
        Message("Every game, with the numbers. Print one, and keep it to yourself."),
    ),
)
SLIDES_PAGE = next(each for each in MATERIALS if each.name == "slides")
_BY_PATH = {material.path: material for material in MATERIALS}


@dataclass(frozen=True)
class TeachersPage:
    """The context of templates/learn/teachers.html."""

    materials: tuple[Material, ...]
    reach: Reach
    code: Markup | None  # the QR code of what a class opens first
    opens: str | None  # its address
    minutes: Mapping[str, int]  # of each game
    long: Plan = LONG
    short: Plan = SHORT
    people: tuple[int, ...] = PEOPLE
    supplies: tuple[Supply, ...] = SUPPLIES
    starts: bool = False  # whether anyone may start a live class here
    arrival: str = JOIN  # the model without labels
    brief: Mapping[str, int] = field(default_factory=lambda: BRIEF)  # minutes of the short workshop
    join: str = JOIN
    slides: Callable[..., tuple[str, ...]] = slides
    numbers: Callable[[Sequence[str]], str] = numbers
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
    in_class: bool = False  # whether it is shown in a class, where bets are placed on devices
    titles: Mapping[str, str] = field(default_factory=lambda: SLIDES)  # of the slides
    quiz: Callable[[str], str] = quiz
    inspector: Callable[[str], str] = inspector
    qr: Callable[[str], Markup] = qr
    page: str = "learn"


@router.get(TEACHERS)
async def teachers(request: Request, settings: SettingsDep, pages: PagesDep) -> Response:
    """The page for teachers."""
    reach = reach_of(request, settings)

    def page() -> TeachersPage:
        opens = _address(reach, JOIN)
        code, starts = qr(opens) if opens else None, settings.classes == "on"
        arrival = quiz(ARRIVAL) if starts else JOIN  # where people join is another page then
        return TeachersPage(MATERIALS, reach, code, opens, MINUTES, starts=starts, arrival=arrival)

    return pages.answer(request, "learn/teachers.html", page, shows=(reach,))


@router.get(TEACHERS + "/{name}")
@router.get(GAMES + "/{name}")
def material(request: Request, name: str, settings: SettingsDep, pages: PagesDep) -> Response:
    """Something to print or project. Runs in a thread: the first one computes the numbers."""
    found = _BY_PATH.get(request.url.path)
    return printed(found, request, settings, pages) if found else missing(request, pages)


def printed(
    found: Material,
    request: Request,
    settings: Settings,
    pages: Pages,
    *,
    in_class: bool = False,
) -> Response:
    """The page of something to print or project."""
    reach = reach_of(request, settings)
    shop, problem = shop_of(settings) if found.measured else (None, "")

    def page() -> MaterialPage:
        opens = _address(reach, found.opens)
        code = qr(opens) if opens else None
        return MaterialPage(found, shop, problem, reach, code, opens, in_class)

    shows = (reach, problem, in_class)
    return pages.answer(request, f"learn/workshop/{found.name}.html", page, shows=shows)


def _address(reach: Reach, path: str) -> str | None:
    return f"{reach.best}{path}" if reach.best else None


def shop_of(settings: Settings) -> tuple[Workshop | None, str]:
    """The numbers of the models; or why there are none."""
    try:
        return workshop(settings.shipped), ""
    except HeadlightError as error:
        return None, error.message
