"""Links of a server's pages, for pages that lie in a folder instead."""

import re
from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser
from posixpath import dirname, relpath
from urllib.parse import urljoin, urlsplit

_HREF = re.compile(r"""(?<=\s)href\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)


def relative_links(html: str, address: str, files: Mapping[str, str]) -> str:
    """A page with relative links in place of those to pages of the same server.

    Links to other sites stay. Where no file takes the place of a page, the link becomes plain text.

    Args:
        address: the path of this page on the server.
        files: its path in the folder, for each path on the server. The file of the inspector has
            its state in the fragment, and takes it from the query.
    """
    here = dirname(files[address]) or "."
    for start, tag, href in reversed(_links(html)):
        target = urlsplit(urljoin(address, href))
        found = _HREF.search(tag)
        if href.startswith("#") or target.scheme or target.netloc or not found:
            continue
        new = ""
        if target.path in files:
            state = target.query or target.fragment
            url = relpath(files[target.path], here) + (f"#{state}" if state else "")
            new = f'href="{escape(url)}"'
        at = start + found.start()
        html = html[:at] + new + html[at + len(found[0]) :]
    return html


def _links(html: str) -> list[tuple[int, str, str]]:
    """Where each link begins, its start tag, and what it leads to."""
    return _Reader(html).found


class _Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[int, str, str]] = []
        self._lines = [0]
        for line in html.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag == "a" and href is not None:
            line, column = self.getpos()
            text = self.get_starttag_text() or ""
            self.found.append((self._lines[line - 1] + column, text, href))
