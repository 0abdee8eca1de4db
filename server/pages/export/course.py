"""The whole course as static pages that compute their figures themselves.

They lie in a folder:

    index.html                  the list of lessons
    lessons/averaging.html      one for each lesson
    teachers.html               the page for teachers, which no other page leads to
    teachers/answers.html       what they print or project
    games/cards.html            the same, for students
    inspector.html              where “Open in the inspector” leads
    files/0123456789ab/         what they share, named after its content
    lms/                        packages for learning platforms, if asked for
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from jinja2 import Environment

from model.core.checkpoint import SHIPPED
from model.message import Message
from server.api.routes.learn import GLOSSARY, IndexPage, LessonPage, glossary_page, lesson_boot
from server.api.routes.pages import InspectorPage, limits
from server.api.routes.teachers import (
    JOIN,
    MATERIALS,
    TEACHERS,
    Material,
    MaterialPage,
    TeachersPage,
    shop_of,
)
from server.languages.catalogue import catalogue
from server.languages.prose import prose
from server.languages.table import Language
from server.pages.assets.release import Release
from server.pages.examples import gallery
from server.pages.export.beside import CourseRelease, Shared
from server.pages.export.file import LIVE
from server.pages.export.links import relative_links
from server.pages.export.live import live
from server.pages.export.lms import QTI, SCORM
from server.pages.export.lms.qti import qti_of
from server.pages.export.lms.scorm import TITLE, scorm_of
from server.pages.export.page import WORKERS, Contents, scripts
from server.pages.learning.lessons import Lesson, Lessons
from server.pages.learning.links import pairs
from server.pages.learning.workshop.games import ARRIVAL, quiz
from server.pages.learning.workshop.plan import MINUTES, SUPPLIES
from server.pages.learning.workshop.reach import Reach
from server.programs.checks import SEED
from server.programs.running import Programs
from server.run.models import Models
from server.settings import Settings

ABOUT = Message(
    "These pages were made by Headlight. They carry the model and compute every number themselves, "
    "so they need no server, and their content policy keeps them from loading or sending anything "
    "from or to anywhere else."
)
MATERIALS_ALONE = tuple(each for each in MATERIALS if each.name != "join")  # it shows an address
NO_SERVER = Reach((), closed=False, port=0)
SHIPPED_DATA, SCRATCH_DATA = "shipped.js", "scratch.js"  # what a page carries


@dataclass(frozen=True)
class Course:
    """The files of an exported course."""

    files: Mapping[str, bytes]  # by path in the folder
    left_out: tuple[str, ...]  # which lessons, and why


def course_of(
    models: Models, settings: Settings, templates: Environment, release: Release, *, lms: bool
) -> Course:
    """All pages, and the files that they share; with `lms`, packages for learning platforms, too.

    Raises:
        NotPackedError: the page is not packed.
        CheckpointError: the shipped model cannot be loaded.
    """
    folder = settings.shipped or SHIPPED
    contents = live(models, LIVE[0], folder, gallery(LIVE[0], settings), limits(settings))
    contents = replace(contents, about=[ABOUT, *contents.about[1:]])
    language = cast(Language, templates.globals["language"])
    lessons = Lessons(settings.lessons, templates, LIVE, language)
    programs = Programs()
    shared = Shared(release, _data(release, contents), language)
    pages = _Pages(models, settings, templates, shared, contents, lessons, programs)
    html = {"/": pages.inspector(), "/learn": pages.index(), GLOSSARY: pages.glossary()}
    try:
        for lesson in lessons.all:
            html[f"/learn/{lesson.slug}"] = pages.lesson(lesson)
    finally:
        programs.close()
    html[TEACHERS] = pages.teachers()
    for material in MATERIALS_ALONE:
        html[material.path] = pages.material(material)
    written = {
        pages.files[address]: relative_links(text, address, pages.files).encode()
        for address, text in html.items()
    }
    files = {**written, **pages.shared.files}
    if lms:
        said = prose(language)
        title = said.say(TITLE) if said else TITLE
        package = scorm_of(lessons.all, files, title)
        files = {**files, SCORM: package, QTI: qti_of(lessons.all)}
    filmed = [
        f"“{lesson.content.title}” shows the film of a model, which needs a server."
        for lesson in lessons.without_film
    ]
    return Course(files, (*map(str, lessons.problems), *filmed))


def _data(release: Release, contents: Contents) -> dict[str, dict[str, bytes]]:
    """What the pages carry, by the script that brings it. Most lessons need no trained model."""
    rows = json.loads(contents.inside["sources.json"])
    light = [row for row in rows if row["name"] != LIVE[0]]
    return {
        SHIPPED_DATA: {**scripts(release, WORKERS), **contents.inside},
        SCRATCH_DATA: {
            **scripts(release, ["engine-worker.js"]),
            "sources.json": json.dumps(light).encode(),
        },
    }


@dataclass(frozen=True)
class _Pages:
    """Renders the pages."""

    models: Models
    settings: Settings
    templates: Environment
    shared: Shared
    contents: Contents
    lessons: Lessons
    programs: Programs

    @property
    def files(self) -> dict[str, str]:
        """The path of each page in the folder, by its path on a server."""
        lessons = {f"/learn/{each.slug}": f"lessons/{each.slug}.html" for each in self.lessons.all}
        materials = {
            each.path: f"{each.path.removeprefix('/learn/')}.html" for each in MATERIALS_ALONE
        }
        return {
            "/": "inspector.html",
            JOIN: f"inspector.html#{quiz(ARRIVAL).removeprefix('/?')}",
            "/learn": "index.html",
            "/learn/": "index.html",
            TEACHERS: "teachers.html",
            GLOSSARY: "glossary.html",
            **lessons,
            **materials,
        }

    def index(self) -> str:
        course = [lesson for lesson in self.lessons.all if lesson.ours]
        more = [lesson for lesson in self.lessons.all if not lesson.ours]
        return self._rendered("learn/index.html", IndexPage(course, more, 0, []), "/learn")

    def glossary(self) -> str:
        return self._rendered("learn/glossary.html", glossary_page(self.lessons), GLOSSARY)

    def lesson(self, lesson: Lesson) -> str:
        described = [row for row in self.models.describe() if row.name in LIVE]
        boot = lesson_boot(lesson, described, self.settings) | self.contents.boot()
        for name, program in lesson.content.programs.items():
            asked = program.text, program.solution_text, program.hidden_checks
            told = self.programs.run_now(*asked, seed=SEED)
            boot["programs"][name]["recorded"] = catalogue(self.shared.language).value(told)
        page = LessonPage(lesson, *self.lessons.neighbours(lesson), boot)
        data = SHIPPED_DATA if _needs_shipped(lesson) else SCRATCH_DATA
        return self._rendered("learn/lesson.html", page, f"/learn/{lesson.slug}", data)

    def teachers(self) -> str:
        supplies = tuple(each for each in SUPPLIES if "Join sheet" not in each.name)
        page = TeachersPage(MATERIALS_ALONE, NO_SERVER, None, None, MINUTES, supplies=supplies)
        return self._rendered("learn/teachers.html", page, TEACHERS)

    def material(self, material: Material) -> str:
        shop, problem = shop_of(self.settings)
        page = MaterialPage(material, shop, problem, NO_SERVER, None, None)
        return self._rendered(f"learn/workshop/{material.name}.html", page, material.path)

    def inspector(self) -> str:
        boot = self.contents.boot(
            gallery=self.contents.gallery, plotly_url=None, lessons=self.lessons.listed()
        )
        return self._rendered("index.html", InspectorPage(boot), "/", SHIPPED_DATA)

    def _rendered(self, template: str, page: object, address: str, *data: str) -> str:
        root = "../" * self.files[address].count("/")
        release = CourseRelease(self.shared, root, data, tuple(self.contents.about))
        values: dict[str, Any] = {**vars(page), "release": release}
        return self.templates.get_template(template).render(values)


def _needs_shipped(lesson: Lesson) -> bool:
    """Whether a figure shows the shipped model, which is the one that a link need not name."""
    for figure in lesson.content.figures.values():
        chosen = [
            pairs(option.set, "without") for switch in figure.switches for option in switch.options
        ]
        named = [dict(pairs(figure.link[1:])).get("model", LIVE[0])]
        named += [value for option in chosen for key, value in option if key == "model"]
        if LIVE[0] in named:
            return True
    return False
