"""The documentation, as pages with a search."""

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from server.api.routes.dependencies import PagesDep
from server.pages import help

router = APIRouter(include_in_schema=False)
MAX_WORDS = 200  # characters of a search


@dataclass(frozen=True)
class HelpPage:
    """The context of templates/help.html."""

    document: help.Document
    entries: list[tuple[str, str]]  # address and title of all pages
    words: str  # of the search; "": none
    found: list[help.Found]
    page: str = "help"  # the current entry in the navigation


@router.get("/help")
async def index(request: Request, pages: PagesDep, q: str = "") -> Response:
    """The list of all pages, or what a search has found."""
    return _answer(request, pages, help.INDEX, " ".join(q[:MAX_WORDS].split()))


@router.get("/help/{name}")
async def one(request: Request, pages: PagesDep, name: str) -> Response:
    return _answer(request, pages, name)


def _answer(request: Request, pages: PagesDep, name: str, words: str = "") -> Response:
    document = help.document(name)
    if document is None:
        raise HTTPException(404)

    def page() -> HelpPage:
        entries = [
            (help.address_of(each.name), each.title)
            for each in map(help.document, (help.INDEX, *help.names()))
            if each is not None
        ]
        return HelpPage(document, entries, words, help.search(words))

    return pages.answer(request, "help.html", page, name=name, shows=(document, words))
