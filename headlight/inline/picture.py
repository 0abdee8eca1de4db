"""A page of the inspector as a notebook shows it: in a frame that carries the whole page."""

import base64
import gzip
import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

HEIGHT = 440  # pixels, until the page tells its own
_FRAME = {
    "sandbox": "allow-scripts allow-downloads allow-popups",
    "style": "position: absolute; inset: 0; width: 100%; height: 100%; border: 0",
}
LARGE = 3_000_000  # bytes: Jupyter's server drops more in 3 seconds, unless it is told otherwise


@dataclass(frozen=True, repr=False)
class Picture:
    """A view of the inspector that a notebook shows below its cell.

    It carries everything that it shows, so it is still there when the notebook is opened without a
    kernel, or becomes a page of its own.

    Attributes:
        page: the page, as HTML.
        title: what a screen reader calls it.
        still: the same as a PNG, for places that run no scripts; None if there is no matplotlib.
        height: of the frame until the page tells its own, in pixels.
    """

    page: bytes
    title: str
    still: bytes | None = None
    height: int = HEIGHT

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, Any]:
        html = self.html()
        if len(html) > LARGE:
            warnings.warn(
                f"This picture takes {len(html) / 1e6:.1f} MB of the notebook. Jupyter drops "
                f"outputs of more than {LARGE / 1e6:.0f} MB, unless it is started with "
                "--ServerApp.iopub_data_rate_limit=1e8. A shorter text takes less.",
                stacklevel=2,
            )
        bundle: dict[str, Any] = {"text/html": html, "text/plain": repr(self)}
        if self.still is not None:
            bundle["image/png"] = base64.b64encode(self.still).decode()
        return bundle

    def html(self) -> str:
        """The frame, with what gives it its height and its colours, as HTML for another page."""
        attributes = " ".join(f'{name}="{escape(value)}"' for name, value in self.frame().items())
        return (
            f'<div class="headlight-inline" style="position: relative; height: {self.height}px">'
            f"{self._image()}"
            f"<iframe {attributes}></iframe>"
            f"</div>\n<script>(() => {{\n{script('host.js')}"
            'for (const box of document.querySelectorAll(".headlight-inline:not([data-hosted])")) '
            "host(box);\n})();</script>"
        )

    def frame(self) -> dict[str, str]:
        """The attributes of the frame."""
        return {"srcdoc": self._document(), "title": self.title, **_FRAME}

    def save(self, path: str | Path) -> Path:
        """Write the page to a file."""
        path = Path(path)
        path.write_bytes(self.page)
        return path

    def _document(self) -> str:
        """The page, compressed, with what unpacks it: as letters that every notebook file keeps."""
        content = base64.b64encode(gzip.compress(self.page, mtime=0)).decode()
        return (
            '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
            f'<script type="text/plain" id="page">{content}</script>'
            f"<script>{script('unpack.js')}</script>"
        )

    def _image(self) -> str:
        """The still picture, which the frame covers where frames are shown."""
        if self.still is None:
            return ""
        data = base64.b64encode(self.still).decode()
        return f'<img src="data:image/png;base64,{data}" alt="{escape(self.title)}">'

    def __repr__(self) -> str:
        return f"<{self.title}>"


@cache
def script(name: str) -> str:
    """A script of this folder, without the comment at its top."""
    text = (Path(__file__).parent / name).read_text()
    lines = text.splitlines(keepends=True)
    while lines[0].startswith("//"):
        del lines[0]
    return "".join(lines)


def title_of(view: Mapping[str, Any]) -> str:
    """What a view shows, in words."""
    what = f"Attention of layer {view.get('layer', 0)}, head {view.get('head', 0)}"
    return f"{what} ({view['view']})" if "view" in view else what
