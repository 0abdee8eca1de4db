"""What a page carries inside: bytes as text that can never be markup.

static/js/files/packed.js does the same, and static/js/standalone/carried.js reads it.
"""

import json
import re
import zlib
from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup

from server.pages.export.packing import to_letters

# What would end a script element, or make the parser look for a later end.
_ENDS = re.compile(r"</(?:script|style)|<!--", re.IGNORECASE)


@lru_cache(maxsize=16)
def packed(content: bytes) -> Markup:
    """Bytes as gzip in letters. Equal bytes give equal text."""
    return Markup(to_letters(_gzip(content)))


def _gzip(content: bytes) -> bytes:
    """As small as zlib makes it. Text shrinks most if much is looked up, and patterns if little is.

    In the weights of a model hardly anything comes again, so looking up takes seconds and makes
    them larger: they only get codes by how often each byte is there, anew for each short block.
    """

    def made(strategy: int, level: int, memory: int = 9) -> bytes:
        one = zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS + 16, memory, strategy)
        return one.compress(content) + one.flush()

    coded = made(zlib.Z_HUFFMAN_ONLY, 9, memory=8)
    tried = {each: len(made(each, 6)) for each in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED)}
    best = min(tried, key=tried.__getitem__)
    if len(coded) <= tried[best]:
        return coded
    return min((made(best, 9, memory) for memory in (7, 9)), key=len)


def inline(code: str) -> Markup:
    """A script or style sheet of ours, to stand in an element as it is.

    Raises:
        ValueError: it contains what would end its element.
    """
    found = _ENDS.search(code)
    if found:
        at = code[max(0, found.start() - 40) : found.end()]
        raise ValueError(f"Expected a script that can stand in a page; it contains {at!r}.")
    return Markup(code)


def script_of(contents: Mapping[str, bytes]) -> str:
    """A script that puts contents into the page which loads it, so that many pages share them."""
    texts = ", ".join(f'[{json.dumps(name)}, "{packed(each)}"]' for name, each in contents.items())
    return (
        f"for (const [name, text] of [{texts}]) {{\n"
        '  const script = document.createElement("script");\n'
        '  script.type = "application/octet-stream";\n'
        "  script.dataset.inside = name;\n"
        "  script.textContent = text;\n"
        "  document.head.append(script);\n"
        "}\n"
    )
