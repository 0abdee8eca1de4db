"""Browser files of other projects, served from the installed packages that contain them."""

from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from server.pages.assets.encoded import EncodedBody


class VendorFile(NamedTuple):
    """A browser file inside an installed package."""

    distribution: str
    package: str
    path: str
    media_type: str = "text/javascript"


_SWAGGER = ("fastapi-swagger", "fastapi_swagger")
VENDOR = {
    "plotly.min.js": VendorFile("plotly", "plotly", "package_data/plotly.min.js"),
    "swagger-ui-bundle.js": VendorFile(*_SWAGGER, "resources/swagger-ui-bundle.js"),
    "swagger-ui.css": VendorFile(*_SWAGGER, "resources/swagger-ui.css", "text/css"),
}


@cache
def vendor_url(name: str) -> str:
    """The URL of a vendor file, which changes with its release."""
    return f"/vendor/{name}?v={version(VENDOR[name].distribution)}"


@cache
def vendor_path(name: str) -> Path:
    """The path of a vendor file. Found without importing the package: importing plotly is slow."""
    file = VENDOR[name]
    spec = find_spec(file.package)
    assert spec is not None and spec.origin is not None, f"{file.package} is not installed"
    return Path(spec.origin).parent / file.path


@cache
def vendor_body(name: str) -> EncodedBody:
    """A vendor file as a response body."""
    return EncodedBody(vendor_path(name).read_bytes(), VENDOR[name].media_type)
