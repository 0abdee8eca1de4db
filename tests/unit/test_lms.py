"""What learning platforms get: SCORM 1.2 and QTI 2.1, as their specifications order the parts."""

import io
import zipfile
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

from server.pages.export.lms.qti import item, qti_of
from server.pages.export.lms.scorm import scorm_of
from server.pages.learning.content import Content, Question

CP = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}"
ADL = "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"
QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
BASE = {"ask": "Why <this>?", "because": "So."}
CHOICE = {**BASE, "options": ["a", "b & c"], "answer": 1, "wrong": ["Not a."]}
NUMBER = {**BASE, "number": 0.97, "within": 0.05}
ORDER = {**BASE, "order": ["one", "two", "three"]}


def lesson(slug: str, *questions: dict[str, Any]) -> Any:
    content = {"title": f"On {slug}", "summary": "S", "questions": list(questions)}
    return SimpleNamespace(slug=slug, content=Content.model_validate(content))


def opened(package: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_each_lesson_is_a_sco_and_no_answers_for_teachers_are_in_the_package() -> None:
    files = {
        "index.html": b"i",
        "lessons/masks.html": b"m",
        "lessons/heads.html": b"h",
        "files/1/learn.js": b"js",
        "teachers.html": b"secret",
        "teachers/answers.html": b"secret",
    }
    lessons = [lesson("masks", CHOICE), lesson("heads")]
    package = scorm_of(lessons, files)
    assert package == scorm_of(lessons, files), "the same course is the same file"
    found = opened(package)
    assert next(iter(found)) == "imsmanifest.xml"
    assert set(found) == {"imsmanifest.xml", *(name for name in files if "teachers" not in name)}
    root = ET.fromstring(found["imsmanifest.xml"])
    assert [each.tag for each in root] == [
        f"{CP}{name}" for name in ("metadata", "organizations", "resources")
    ]
    assert root.findtext(f".//{CP}schemaversion") == "1.2"
    items = root.findall(f".//{CP}item")
    assert [each.findtext(f"{CP}title") for each in items] == ["On masks", "On heads"]
    resources = {each.get("identifier"): each for each in root.findall(f".//{CP}resource")}
    for each in items:
        resource = resources[each.get("identifierref")]
        assert resource.get(f"{ADL}scormtype") == "sco" and resource.get("href") in found
        assert [one.get("identifierref") for one in resource.findall(f"{CP}dependency")] == [
            "shared"
        ]
    listed = [each.get("href") for each in root.findall(f".//{CP}file")]
    assert sorted(map(str, listed)) == sorted(set(found) - {"imsmanifest.xml"})


def test_each_question_is_an_item_with_its_feedback() -> None:
    found = opened(qti_of([lesson("masks", CHOICE, NUMBER), lesson("heads", ORDER)]))
    assert set(found) == {
        "imsmanifest.xml",
        *(f"items/{name}.xml" for name in ("masks-1", "masks-2", "heads-1")),
    }
    manifest = ET.fromstring(found["imsmanifest.xml"])
    hrefs = [each.get("href") for each in manifest.iter() if each.tag.endswith("}resource")]
    assert set(map(str, hrefs)) == set(found) - {"imsmanifest.xml"}
    order = [
        *("responseDeclaration", "outcomeDeclaration", "outcomeDeclaration", "itemBody"),
        *("responseProcessing", "modalFeedback"),
    ]
    for path, asked in (("masks-1", CHOICE), ("masks-2", NUMBER), ("heads-1", ORDER)):
        root = ET.fromstring(found[f"items/{path}.xml"])
        tags = [each.tag.removeprefix(QTI) for each in root]
        assert [tag for n, tag in enumerate(tags) if tag != "modalFeedback" or n == 5] == order
        assert BASE["ask"] in "".join(root.itertext())
        told = {
            each.get("identifier"): "".join(each.itertext()).strip()
            for each in root.findall(f"{QTI}modalFeedback")
        }
        assert told["right"] == "So."
        given = {"a", "right"} if asked is CHOICE else {"right"}
        assert set(told) == given


def test_an_item_knows_what_is_right() -> None:
    def correct(asked: dict[str, Any]) -> tuple[list[str | None], ET.Element]:
        root = item("q", "Q", Question.model_validate(asked))
        return [each.text for each in root.findall(f"{QTI}responseDeclaration//{QTI}value")], root

    right, root = correct(CHOICE)
    assert right == ["b"]
    choices = root.findall(f".//{QTI}simpleChoice")
    assert [(each.get("identifier"), each.text) for each in choices] == [("a", "a"), ("b", "b & c")]
    right, root = correct(NUMBER)
    assert right == ["0.97"]
    equal = root.find(f".//{QTI}equal")
    assert equal is not None and equal.get("tolerance") == "0.05 0.05"
    right, root = correct(ORDER)
    assert right == ["part-0", "part-1", "part-2"]
    shown = [each.text for each in root.findall(f".//{QTI}simpleChoice")]
    assert shown == ["two", "one", "three"], "mixed, as readers of the lesson see them"
