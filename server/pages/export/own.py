"""The page of a reader's own arrays, for `headlight.show`: it imports no torch, so it is quick.

Standard input is a line of JSON, with the `query` that the page opens with and its `model`, and
then the recording; standard output is the page.
"""

import json
import sys

from model.message import Message
from server.pages.assets.pages import templates
from server.pages.assets.release import current
from server.pages.export.page import Contents, export_page

_LIMITS = {"texts": 8, "characters": 20_000, "tokens": 2_048}  # as in static/js/own/limits.js
_ABOUT = Message(
    "This page is one file, made by Headlight from arrays. It works without a network."
)


def page_of(query: str, model: dict[str, object], recording: bytes) -> bytes:
    """The page that shows a recording."""
    name = model["name"]
    contents = Contents(
        models=[model],
        gallery=[],
        limits=_LIMITS,
        inside={
            "sources.json": json.dumps([{"type": "recorded", "name": name}]).encode(),
            f"{name}/trace.safetensors": recording,
        },
        about=[_ABOUT],
    )
    return export_page(templates(), current(), contents, query).encode()


def main() -> None:
    """Read standard input, and write the page."""
    asked = json.loads(sys.stdin.buffer.readline())
    page = page_of(asked["query"], asked["model"], sys.stdin.buffer.read())
    sys.stdout.buffer.write(page)
