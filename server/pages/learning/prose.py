"""A lesson's prose: a template in a sandbox, and the functions that it can call."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from types import TracebackType
from typing import Any

from jinja2 import Environment, Template, TemplateSyntaxError, nodes
from markupsafe import Markup

from model.message import Message
from server.pages.learning.code_shown import code_of, highlighted
from server.pages.learning.content import LETTERS, Content
from server.pages.learning.problems import LessonError
from server.pages.learning.reading import broken
from server.pages.learning.sandbox import CLOSE, EXTENDS, OPEN, SANDBOX, compiled, rendered

WORDS_A_MINUTE = 200
CHARACTERS_A_WORD = 1.6  # in Chinese, which has no spaces

_DIAGRAMS, _SVG = "learn/diagrams/", ".svg.html"  # where their templates are

# The parts that a reader meets in each of our lessons, in this order, with the labels of their
# headings. The last one is the section of the questions.
PARTS = {
    "question": Message("The question"),
    "picture": Message("The picture"),
    "break": Message("Break it"),
    "surprise": Message("The surprise"),
    "check": Message("Test yourself"),
}

# Scrollable elements must be reachable by keyboard, which authors tend to forget.
_SCROLLS = re.compile(r"<(pre|table)\b(?![^<>]*tabindex)")


@dataclass(frozen=True)
class Article:
    """The prose as HTML."""

    html: Markup
    shown: tuple[str, ...]  # names of its figures
    parts: dict[str, Message]  # names and labels of its parts, as in PARTS
    words: int  # without code and formulas


def article_of(file: Path, source: str, content: Content, pages: Environment) -> Article:
    """The prose of one lesson, with its figures, code and questions filled in.

    Args:
        file: for error messages.
        pages: has the templates of the parts and the diagrams.

    Raises:
        BrokenLesson: the template is invalid or uses something that does not exist; with the line.
    """
    calls = _Calls(content, pages)
    try:
        template = _template(file, source)
        html = rendered(template, calls.by_name())
        html.encode()  # fails for half of a surrogate pair, such as "\\ud800" in the template
    except TemplateSyntaxError as error:
        raise broken(file, f"expected a Jinja template: {error.message}", error.lineno) from None
    except LessonError as error:
        raise broken(file, str(error), _line_in(file, error.__traceback__)) from None
    except Exception as error:  # whatever a teacher's template does
        what = f"{type(error).__name__}: {error}"
        raise broken(file, what, _line_in(file, error.__traceback__)) from None
    unwritten = [name for name in content.programs if name not in calls.written]
    if unwritten:
        what = 'the program {0!r} is never shown; add {{{{ program("{0}") }}}}'
        raise broken(file, what.format(unwritten[0]))
    if content.questions and not calls.asked:
        what = "the questions are never shown; add {{ questions() }} at the end of the prose"
        raise broken(file, what)
    html = _SCROLLS.sub(r'<\1 tabindex="0"', html)
    # the template has escaped all data; the remaining markup is the author's
    parts = {name: PARTS[name] for name in calls.parts}
    return Article(Markup(html), tuple(calls.shown), parts, _words_in(html))


class _Calls:
    """The functions that a template can call, for one rendering."""

    def __init__(self, content: Content, pages: Environment) -> None:
        self._content = content
        self._pages = pages
        self.shown: list[str] = []
        self._drawn: list[str] = []
        self.written: list[str] = []  # names of programs
        self.asked = False
        self.parts: list[str] = []

    def by_name(self) -> dict[str, Callable[..., Markup]]:
        """The functions as a template calls them."""
        return {
            "part": self.part,
            "figure": self.figure,
            "diagram": self.diagram,
            "code": self.code,
            "program": self.program,
            "questions": self.questions,
        }

    def part(self, name: str, title: str) -> Markup:
        """The heading of a part of the lesson, with the label of that part above the title."""
        if name not in PARTS:
            raise LessonError(f"there is no part {name!r}; expected one of {', '.join(PARTS)}")
        if name in self.parts:
            raise LessonError(f"the part {name!r} has already begun above")
        self.parts.append(name)
        return self._part("part", name=name, label=PARTS[name], title=title)

    def figure(self, name: str) -> Markup:
        """A live figure, drawn by the page's script."""
        if name not in self._content.figures:
            known = ", ".join(map(repr, self._content.figures)) or "none"
            raise LessonError(f"the JSON has no figure {name!r}; it has {known}")
        if name in self.shown:
            raise LessonError(f"the figure {name!r} is already shown above; add another figure")
        self.shown.append(name)
        return self._part("figure", name=name, figure=self._content.figures[name])

    def diagram(self, name: str) -> Markup:
        """A drawing that explains an idea; it needs no script."""
        known = [
            path.removeprefix(_DIAGRAMS).removesuffix(_SVG)
            for path in self._pages.list_templates()
            if path.startswith(_DIAGRAMS)
        ]
        if name not in known:
            listed = ", ".join(map(repr, known))
            raise LessonError(f"there is no diagram {name!r}; expected one of {listed}")
        if name in self._drawn:
            raise LessonError(f"the diagram {name!r} is already shown above")
        self._drawn.append(name)
        return Markup(self._pages.get_template(f"{_DIAGRAMS}{name}{_SVG}").render())

    def code(
        self,
        path: str,
        start: str | None = None,
        stop: str | None = None,
        docstring: bool = False,
    ) -> Markup:
        """An excerpt of our source; see `code_of`."""
        return self._part("code", code=code_of(path, start, stop, docstring))

    def program(self, name: str) -> Markup:
        """A program that the reader can change and run."""
        programs = self._content.programs
        if name not in programs:
            known = ", ".join(map(repr, programs)) or "none"
            raise LessonError(f"the JSON has no program {name!r}; it has {known}")
        if name in self.written:
            raise LessonError(f"the program {name!r} is already shown above")
        self.written.append(name)
        one = programs[name]
        solution = None if one.solution_text is None else highlighted(one.solution_text)
        html = highlighted(one.text)
        return self._part("program", name=name, program=one, html=html, solution=solution)

    def questions(self) -> Markup:
        """All questions of the JSON."""
        if not self._content.questions:
            raise LessonError("the JSON has no questions; add some, or remove questions()")
        if self.asked:
            raise LessonError("the questions are already shown above")
        self.asked = True
        heading = self.part("check", Message("Predict, then reveal"))
        asked = self._content.questions
        return self._part("questions", heading=heading, questions=asked, letters=LETTERS)

    def _part(self, part: str, /, **given: Any) -> Markup:
        # safe: our own template, which escapes its inputs
        return Markup(self._pages.get_template(f"learn/parts/{part}.html").render(given))


def _template(file: Path, source: str) -> Template:
    """The template, completed with the parts that its author may omit. Line numbers stay the same.

    Raises:
        TemplateSyntaxError: also if it is not the template of a lesson.
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
    """The innermost line of the template in the traceback."""
    line = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == str(file):
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


class _Words(HTMLParser):
    """Counts the words of the prose."""

    _SKIPPED = ("pre", "math", "svg", "noscript", "script", "style")

    def __init__(self) -> None:
        super().__init__()
        self.found = 0.0
        self._skipping = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._skipping += tag in self._SKIPPED

    def handle_endtag(self, tag: str) -> None:
        self._skipping -= tag in self._SKIPPED

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            rest, n = re.subn("[\u4e00-\u9fff]", " ", data)
            self.found += len(re.findall(r"\w[\w’'-]*", rest)) + n / CHARACTERS_A_WORD


def _words_in(html: str) -> int:
    counter = _Words()
    counter.feed(html)
    return round(counter.found)
