"""A lesson's prose: a template in a sandbox, and the three things that it can call."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from types import TracebackType
from typing import Any

from jinja2 import Environment, Template, TemplateSyntaxError, nodes
from markupsafe import Markup

from server.learning.code_shown import code_of
from server.learning.content import Content
from server.learning.problems import LessonError
from server.learning.reading import broken
from server.learning.sandbox import CLOSE, EXTENDS, OPEN, SANDBOX, compiled, rendered

WORDS_A_MINUTE = 200

# What may scroll by itself must be reached by the keyboard; nobody who writes thinks of that.
_SCROLLS = re.compile(r"<(pre|table)\b(?![^<>]*tabindex)")


@dataclass(frozen=True)
class Article:
    """The prose as HTML."""

    html: Markup
    shown: tuple[str, ...]  # its figures
    words: int  # less code and formulas


def article_of(file: Path, source: str, content: Content, pages: Environment) -> Article:
    """The prose of one lesson, with figures, code and questions in their places.

    Args:
        file: for what is said about it.
        pages: where the templates of the three parts are.

    Raises:
        BrokenLesson: it is no template, or asks for what there is not; with the line.
    """
    calls = _Calls(content, pages)
    try:
        template = _template(file, source)
        html = rendered(
            template, {"figure": calls.figure, "code": calls.code, "questions": calls.questions}
        )
        html.encode()  # half a character, as "\\ud800" in the template is, fits no page
    except TemplateSyntaxError as error:
        raise broken(file, f"expected a Jinja template: {error.message}", error.lineno) from None
    except LessonError as error:
        raise broken(file, str(error), _line_in(file, error.__traceback__)) from None
    except Exception as error:  # whatever a teacher's template does
        what = f"{type(error).__name__}: {error}"
        raise broken(file, what, _line_in(file, error.__traceback__)) from None
    if content.questions and not calls.asked:
        what = "the questions are never asked; put {{ questions() }} at the end of the prose"
        raise broken(file, what)
    html = _SCROLLS.sub(r'<\1 tabindex="0"', html)
    # the template escaped all that is data; its own markup is the author's
    return Article(Markup(html), tuple(calls.shown), _words_in(html))


class _Calls:
    """What a template can call, for one rendering."""

    def __init__(self, content: Content, pages: Environment) -> None:
        self._content = content
        self._pages = pages
        self.shown: list[str] = []
        self.asked = False

    def figure(self, name: str) -> Markup:
        """A live figure, which the page's script draws."""
        if name not in self._content.figures:
            known = ", ".join(map(repr, self._content.figures)) or "none"
            raise LessonError(f"the JSON has no figure {name!r}; it has {known}")
        if name in self.shown:
            raise LessonError(f"the figure {name!r} is shown above already; give this one a name")
        self.shown.append(name)
        return self._part("figure", name=name, figure=self._content.figures[name])

    def code(
        self,
        path: str,
        start: str | None = None,
        stop: str | None = None,
        docstring: bool = False,
    ) -> Markup:
        """Source of ours, as `code_of` finds it."""
        return self._part("code", code=code_of(path, start, stop, docstring))

    def questions(self) -> Markup:
        """All questions of the JSON."""
        if not self._content.questions:
            raise LessonError("the JSON has no questions; write some, or take questions() away")
        if self.asked:
            raise LessonError("the questions are asked above already")
        self.asked = True
        return self._part("questions", questions=self._content.questions)

    def _part(self, part: str, /, **given: Any) -> Markup:
        # a template of ours, which escapes what it is given
        return Markup(self._pages.get_template(f"learn/parts/{part}.html").render(given))


def _template(file: Path, source: str) -> Template:
    """The template, with what its author may leave out added on the same lines.

    Raises:
        TemplateSyntaxError: also where it is not the template of a lesson.
    """
    tree = SANDBOX.parse(source)
    blocks = [block for block in tree.find_all(nodes.Block) if block.name != "lesson"]
    if blocks:
        what = f"a lesson has one block, `lesson`; got `{blocks[0].name}`"
        raise TemplateSyntaxError(what, blocks[0].lineno)
    has_block = tree.find(nodes.Block) is not None
    if tree.find(nodes.Extends) is None:
        source = EXTENDS + source if has_block else EXTENDS + OPEN + source + CLOSE
    elif not has_block:
        what = f"expected the prose between {OPEN} and {CLOSE}"
        raise TemplateSyntaxError(what, 1)
    return compiled(source, file.name, str(file))


def _line_in(file: Path, traceback: TracebackType | None) -> int | None:
    """The innermost line of the template that was being followed."""
    line = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == str(file):
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


class _Words(HTMLParser):
    """Counts what is read as prose."""

    _SKIPPED = ("pre", "math", "noscript", "script", "style")

    def __init__(self) -> None:
        super().__init__()
        self.found = 0
        self._skipping = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._skipping += tag in self._SKIPPED

    def handle_endtag(self, tag: str) -> None:
        self._skipping -= tag in self._SKIPPED

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            self.found += len(re.findall(r"\w[\w’'-]*", data))


def _words_in(html: str) -> int:
    counter = _Words()
    counter.feed(html)
    return counter.found
