"""For people who write programs: the API's description, and Swagger UI for it."""

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse

from server.assets import vendor_url
from server.routes.pages import render

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class DocsPage:
    """What templates/docs.html is given."""

    style_url: str
    script_url: str
    page: str = "docs"  # which entry of the navigation is this one


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    """Try the API in the browser."""
    page = DocsPage(vendor_url("swagger-ui.css"), vendor_url("swagger-ui-bundle.js"))
    return render(request, "docs.html", page)


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The API's description."""
    return JSONResponse(request.app.openapi())
