"""Browser files of other projects, out of the installed packages that bring them."""

from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from server.assets.kept import Kept


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
def vendor_kept(name: str) -> Kept:
    """The file, ready to be sent."""
    return Kept(vendor_path(name).read_bytes(), VENDOR[name].media_type)
