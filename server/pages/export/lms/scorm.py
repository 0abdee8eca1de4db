"""The lessons as one SCORM 1.2 package: each is a SCO, which reports its score to the LMS.

One package and not one for each lesson, since lessons lead to each other and to the inspector, and
share what computes their figures. The pages for teachers are not in it. The page's side is
static/js/learn/lms.js.

Source: ADL, SCORM 1.2 Content Aggregation Model and Run-Time Environment, 2001.
"""

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from server.pages.export.lms import MANIFEST, document, under, zipped
from server.pages.learning.lessons import Lesson

TITLE = "Attention from scratch"  # as templates/learn/index.html has it
_CP = "http://www.imsproject.org/xsd/imscp_rootv1p1p2"
_ADL = "http://www.adlnet.org/xsd/adlcp_rootv1p2"
_TYPE = f"{{{_ADL}}}scormtype"
_FOR_TEACHERS = "teachers"  # how the paths of their pages begin


def scorm_of(lessons: Sequence[Lesson], files: Mapping[str, bytes], title: str = TITLE) -> bytes:
    """A package with the files of an exported course, and the manifest that names its lessons."""
    kept = {name: file for name, file in files.items() if not name.startswith(_FOR_TEACHERS)}
    manifest = document(_manifest(lessons, sorted(kept), title))
    return zipped({**kept, MANIFEST: manifest})


def _manifest(lessons: Sequence[Lesson], names: Sequence[str], title: str) -> ET.Element:
    ET.register_namespace("", _CP)
    ET.register_namespace("adlcp", _ADL)
    root = ET.Element(f"{{{_CP}}}manifest", {"identifier": "headlight", "version": "1.2"})
    metadata = under(root, f"{{{_CP}}}metadata")
    under(metadata, f"{{{_CP}}}schema", "ADL SCORM")
    under(metadata, f"{{{_CP}}}schemaversion", "1.2")
    organizations = under(root, f"{{{_CP}}}organizations", default="course")
    organization = under(organizations, f"{{{_CP}}}organization", identifier="course")
    under(organization, f"{{{_CP}}}title", title)
    resources = under(root, f"{{{_CP}}}resources")
    pages = {f"lessons/{each.slug}.html" for each in lessons}
    for lesson in lessons:
        name, page = f"lesson-{lesson.slug}", f"lessons/{lesson.slug}.html"
        item = under(
            organization, f"{{{_CP}}}item", identifier=f"item-{lesson.slug}", identifierref=name
        )
        under(item, f"{{{_CP}}}title", lesson.content.title)
        given = {"identifier": name, "type": "webcontent", _TYPE: "sco", "href": page}
        resource = under(resources, f"{{{_CP}}}resource", **given)
        under(resource, f"{{{_CP}}}file", href=page)
        under(resource, f"{{{_CP}}}dependency", identifierref="shared")
    given = {"identifier": "shared", "type": "webcontent", _TYPE: "asset"}
    shared = under(resources, f"{{{_CP}}}resource", **given)
    for name in names:
        if name not in pages:
            under(shared, f"{{{_CP}}}file", href=name)
    return root
