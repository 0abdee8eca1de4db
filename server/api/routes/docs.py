"""The API's OpenAPI description, and Swagger UI to try it."""

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from server.api.routes.dependencies import PagesDep
from server.pages.assets.vendor import vendor_url

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class DocsPage:
    """The context of templates/docs.html."""

    style_url: str
    script_url: str
    page: str = "docs"  # the current entry in the navigation


@router.get("/docs")
async def docs(request: Request, pages: PagesDep) -> Response:
    """Try the API in the browser."""

    def page() -> DocsPage:
        return DocsPage(vendor_url("swagger-ui.css"), vendor_url("swagger-ui-bundle.js"))

    return pages.answer(request, "docs.html", page)


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The API's description."""
    return JSONResponse(request.app.openapi())
