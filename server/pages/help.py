"""The documentation as pages of the app: docs/*.md, rendered, and a search through it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from server.pages.assets.folders import DOCS

INDEX = "index"
MAX_FOUND = 30
_AROUND = 120  # characters of a section that a result shows
_NO_HEAD = re.compile(
    r"<thead>\s*<tr>(\s*<th[^>]*></th>)+\s*</tr>\s*</thead>\s*"
)  # Markdown needs one
_SKIPPED = {"architecture"}  # from the search: names of files are no answer


@dataclass(frozen=True)
class Section:
    """What stands below one heading."""

    title: str
    anchor: str
    text: str  # without markup


@dataclass(frozen=True)
class Document:
    """One page of the documentation."""

    name: str
    title: str
    html: Markup
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Found:
    """A section that has all words of a search."""

    document: Document
    section: Section
    excerpt: str

    @property
    def href(self) -> str:
        return f"{address_of(self.document.name)}#{self.section.anchor}"


def address_of(name: str) -> str:
    return "/help" if name == INDEX else f"/help/{name}"


def anchor_of(heading: str) -> str:
    """The name of a heading in an address, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def listed() -> list[dict[str, str]]:
    """The title, the address and a line of each page, in the order of the first one."""
    path = DOCS / "index.md"
    index = path.read_text("utf-8") if path.is_file() else ""
    found = re.findall(r"^- \[([^]]*)\]\((\w[\w-]*)\.md\): (.*)$", index, re.M)
    return [
        {"name": name, "title": title, "href": address_of(name), "about": about.replace("`", "")}
        for title, name, about in found
    ]


def names() -> list[str]:
    """The pages, in the order in which the first one lists them."""
    return [page["name"] for page in listed()]


def document(name: str) -> Document | None:
    """A page; None if there is none of this name."""
    path = DOCS / f"{name}.md"
    if not re.fullmatch(r"[\w-]{1,64}", name) or not path.is_file():
        return None
    return _read(path, path.stat().st_mtime_ns)


def search(words: str) -> list[Found]:
    """The sections that have all words, those that have them in their headings first."""
    wanted = words.casefold().split()
    if not wanted:
        return []
    found = [
        (all(word in section.title.casefold() for word in wanted), one, section)
        for one in map(document, names())
        if one is not None and one.name not in _SKIPPED
        for section in one.sections
        if all(word in f"{section.title} {section.text}".casefold() for word in wanted)
    ]
    found.sort(key=lambda each: not each[0])
    return [
        Found(one, section, _excerpt(section.text, wanted)) for _, one, section in found[:MAX_FOUND]
    ]


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Document:
    markdown = MarkdownIt("commonmark", {"html": False, "highlight": _highlighted}).enable("table")
    tokens = markdown.parse(path.read_text("utf-8"))
    for token in tokens:
        for each in token.children or ():
            if each.type == "link_open":
                each.attrs["href"] = _href(str(each.attrs["href"]))
    sections = tuple(_sections(tokens))
    html = _NO_HEAD.sub("", markdown.renderer.render(tokens, markdown.options, {}))
    html = html.replace("<pre", '<pre tabindex="0"')  # it scrolls, also with the keyboard
    return Document(path.stem, sections[0].title, Markup(html), sections)


def _sections(tokens: list[Token]) -> Iterator[Section]:
    """The sections of a page; each heading gets its anchor."""
    title, anchor, text = "", "", list[str]()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            if title:
                yield Section(title, anchor, " ".join(text))
            title, text = _plain(tokens[place + 1]), []
            anchor = anchor_of(title)
            token.attrs["id"] = anchor
        elif token.type == "inline" and tokens[place - 1].type != "heading_open":
            text.append(_plain(token))
        elif token.type in ("fence", "code_block"):
            text.append(token.content)
    yield Section(title, anchor, " ".join(text))


def _plain(token: Token) -> str:
    return "".join(
        " " if each.type == "softbreak" else each.content for each in token.children or ()
    )


def _href(link: str) -> str:
    """A link of docs/ as one of the app. What lies outside of docs/ has no page there."""
    path, hash, anchor = link.partition("#")
    if re.match(r"[a-z]+:", link) or link.startswith(("/", "#")):
        return link
    name = path.removesuffix(".md")
    return f"{address_of(name)}{hash}{anchor}" if "/" not in name else address_of(INDEX)


def _highlighted(code: str, language: str, _: object) -> str:
    if code.startswith(">>> "):
        language = "pycon"
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        return ""  # the renderer then escapes it
    coloured = highlight(code, lexer, HtmlFormatter(nowrap=True))
    return f'<pre class="code"><code>{coloured}</code></pre>'


def _excerpt(text: str, words: list[str]) -> str:
    at = max(0, min((text.casefold().find(word) for word in words), default=0) - _AROUND // 3)
    start = text.rfind(" ", 0, at) + 1 if at else 0
    cut = text[start : start + _AROUND]
    return f"{'… ' if start else ''}{cut}{' …' if start + _AROUND < len(text) else ''}"
