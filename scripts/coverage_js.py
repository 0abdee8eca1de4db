"""Which lines of static/js run, in node and in Chromium: `make coverage`.

Both engines are V8 and report alike: for each function, ranges of characters with a count. Node
writes its reports to NODE_V8_COVERAGE by itself. As a plugin of pytest (`-p scripts.coverage_js`),
this module writes those of the pages that tests open to the same folder, for whole functions. As a
program it reads them all:

    python -m scripts.coverage_js FOLDER

A line counts as run if some character of it, spaces apart, did in any report. Modules that no
report names count with all of their lines. Pages must load the plain modules: a packed page has
one long line. What runs in a page's workers is not reported; node runs the engine in its tests.
"""

import argparse
import json
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page

ROOT = Path(__file__).parent.parent
MODULES = ROOT / "static/js"
LINE = re.compile(r"[^\n]*\n?")


def pytest_configure() -> None:
    """Report the scripts of each page until it is closed, alone or together with its context."""
    folder = Path(os.environ["NODE_V8_COVERAGE"])
    sessions: dict[Page, CDPSession] = {}
    opened, alone = BrowserContext.new_page, Browser.new_page
    closed, ended = Page.close, BrowserContext.close

    def watched(page: Page) -> Page:
        sessions[page] = session = page.context.new_cdp_session(page)
        session.send("Profiler.enable")
        session.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": False})
        return page

    def report(page: Page) -> None:
        with suppress(Error):  # it is closed already, or crashed
            if session := sessions.pop(page, None):
                result = session.send("Profiler.takePreciseCoverage")["result"]
                kept = [one for one in result if "/static/" in one["url"]]
                (folder / f"page-{uuid.uuid4()}.json").write_text(json.dumps({"result": kept}))

    def close_page(page: Page, **options: Any) -> None:
        report(page)
        closed(page, **options)

    def close_context(context: BrowserContext, **options: Any) -> None:
        for page in context.pages:
            report(page)
        ended(context, **options)

    changes: dict[tuple[Any, str], Any] = {
        (BrowserContext, "new_page"): lambda context: watched(opened(context)),
        (Browser, "new_page"): lambda *of, **options: watched(alone(*of, **options)),
        (Page, "close"): close_page,
        (BrowserContext, "close"): close_context,
    }
    for (kind, method), change in changes.items():
        setattr(kind, method, change)


def module_of(url: str) -> Path | None:
    """The module that a URL of a page or of node names, if it is one of static/js."""
    found = re.search(r"/static/(?:[^/]+/)?(js/[^?#]+)", url)
    path = ROOT / "static" / found[1] if found else None
    return path if path and path.is_file() else None


def lines_run(source: str, functions: list[dict[str, Any]]) -> set[int]:
    """The lines of a script that ran, from 1. Inner ranges come after the outer ones."""
    ran = bytearray(len(source))
    ranges = [each for function in functions for each in function["ranges"]]
    for each in sorted(ranges, key=lambda it: (it["startOffset"], -it["endOffset"])):
        start, stop = each["startOffset"], min(each["endOffset"], len(source))
        ran[start:stop] = (b"\1" if each["count"] else b"\0") * (stop - start)
    return {
        number
        for number, (start, text) in enumerate(code(source), 1)
        if any(ran[start + at] for at, letter in enumerate(text) if not letter.isspace())
    }


def code(source: str) -> Iterator[tuple[int, str]]:
    """Each line with the place where it begins."""
    for found in LINE.finditer(source):
        if found[0]:
            yield found.start(), found[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    sources = {path: path.read_text() for path in sorted(MODULES.rglob("*.js"))}
    ran: dict[Path, set[int]] = {path: set() for path in sources}
    for report in sorted(asked.folder.glob("*.json")):
        for script in json.loads(report.read_text())["result"]:
            path = module_of(script["url"])
            if path in ran:
                ran[path] |= lines_run(sources[path], script["functions"])
    full = {
        path: {number for number, (_, text) in enumerate(code(source), 1) if text.strip()}
        for path, source in sources.items()
    }
    for path, lines in full.items():
        missed = len(lines - ran[path])
        if missed:
            print(f"{path.relative_to(ROOT)}: {missed} of {len(lines)} lines never ran")
    total, hit = sum(map(len, full.values())), sum(len(full[path] & ran[path]) for path in full)
    print(f"static/js: {hit} of {total} lines ran ({100 * hit / total:.2f}%)")


if __name__ == "__main__":
    main()
