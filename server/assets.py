"""Files for the browser: ours under /static, others' out of the packages that bring them."""

import gzip
import hashlib
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs

from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse
from starlette.types import Scope

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "static"
TEMPLATES = ROOT / "templates"

FOREVER = "public, max-age=31536000, immutable"


def static(path: str) -> str:
    """The address of a file under static/, which changes with its content."""
    return f"/static/{path}?v={_digest(STATIC / path)}"


def _digest(path: Path) -> str:
    stat = path.stat()
    return _digest_of(path, stat.st_mtime_ns, stat.st_size)


@cache
def _digest_of(path: Path, mtime_ns: int, size: int) -> str:
    """The other arguments say when to look again."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


class OwnFiles(StaticFiles):
    """static/: kept for ever where the address names the content, else asked about each time.

    Modules import each other without a version: no browser may mix those of two releases, so the
    tag that it asks with is one of content, not of time.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if not isinstance(response, FileResponse):
            return response
        digest = _digest(Path(response.path))
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("v")
        response.headers["Cache-Control"] = FOREVER if asked == [digest] else "no-cache"
        response.headers["ETag"] = f'"{digest}"'
        tags = Headers(scope=scope).get("if-none-match", "").split(",")
        if f'"{digest}"' in [tag.strip().removeprefix("W/") for tag in tags]:
            return NotModifiedResponse(response.headers)
        return response


class VendorFile(NamedTuple):
    """A browser file inside an installed package."""

    distribution: str
    package: str
    path: str
    media_type: str = "text/javascript"


_SWAGGER = ("swagger-ui-bundle", "swagger_ui_bundle")
VENDOR = {
    "plotly.min.js": VendorFile("plotly", "plotly", "package_data/plotly.min.js"),
    "swagger-ui-bundle.js": VendorFile(*_SWAGGER, "vendor/swagger-ui-*/swagger-ui-bundle.js"),
    "swagger-ui.css": VendorFile(*_SWAGGER, "vendor/swagger-ui-*/swagger-ui.css", "text/css"),
}


@cache
def vendor_url(name: str) -> str:
    """The address of a vendor's file, which changes with its release."""
    return f"/vendor/{name}?v={version(VENDOR[name].distribution)}"


@cache
def vendor_path(name: str) -> Path:
    """Where the file lies. The package is found, not imported: plotly's import takes long."""
    file = VENDOR[name]
    spec = find_spec(file.package)
    assert spec is not None and spec.origin is not None, f"{file.package} is not installed"
    return next(Path(spec.origin).parent.glob(file.path))


@cache
def vendor_gzipped(name: str) -> bytes:
    """The file, compressed once: plotly's 4.8 MB take a quarter of a second, and become 1.4 MB."""
    return gzip.compress(vendor_path(name).read_bytes(), compresslevel=6, mtime=0)
