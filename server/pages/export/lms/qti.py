"""The questions of the course as a QTI 2.1 package: one item for each, with its feedback.

Source: IMS Question and Test Interoperability, Assessment Test, Section and Item Information Model,
version 2.1, 2012.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from server.pages.export.lms import MANIFEST, document, under, zipped
from server.pages.learning.content import LETTERS, Question
from server.pages.learning.lessons import Lesson

_QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
_CP = "http://www.imsglobal.org/xsd/imscp_v1p1"
_ITEM = "imsqti_item_xmlv2p1"  # the type of a resource
_RIGHT = "right"  # the feedback of an answer that is


def qti_of(lessons: Sequence[Lesson]) -> bytes:
    """A package with the questions of these lessons."""
    items = {
        f"items/{lesson.slug}-{number}.xml": (
            f"{lesson.slug}-{number}",
            f"{lesson.content.title}, question {number}",
            question,
        )
        for lesson in lessons
        for number, question in enumerate(lesson.content.questions, 1)
    }
    files = {path: document(item(*given)) for path, given in items.items()}
    return zipped({**files, MANIFEST: document(_manifest(list(items)))})


def _manifest(paths: Sequence[str]) -> ET.Element:
    ET.register_namespace("", _CP)
    root = ET.Element(f"{{{_CP}}}manifest", {"identifier": "headlight-questions"})
    metadata = under(root, f"{{{_CP}}}metadata")
    under(metadata, f"{{{_CP}}}schema", "QTIv2.1 Package")
    under(metadata, f"{{{_CP}}}schemaversion", "1.0.0")
    under(root, f"{{{_CP}}}organizations")
    resources = under(root, f"{{{_CP}}}resources")
    for path in paths:
        name = path.removeprefix("items/").removesuffix(".xml")
        given = {"identifier": f"item-{name}", "type": _ITEM, "href": path}
        resource = under(resources, f"{{{_CP}}}resource", **given)
        under(resource, f"{{{_CP}}}file", href=path)
    return root


def item(name: str, title: str, question: Question) -> ET.Element:
    """A question as an `assessmentItem`."""
    ET.register_namespace("", _QTI)
    given = {"identifier": name, "title": title, "adaptive": "false", "timeDependent": "false"}
    root = ET.Element(_in("assessmentItem"), given)
    kind = "float" if question.number is not None else "identifier"
    several = "ordered" if question.order else "single"
    declared = under(
        root, _in("responseDeclaration"), identifier="RESPONSE", cardinality=several, baseType=kind
    )
    right = under(declared, _in("correctResponse"))
    for value in _correct(question):
        under(right, _in("value"), value)
    outcome = {"cardinality": "single"}
    score = under(root, _in("outcomeDeclaration"), identifier="SCORE", baseType="float", **outcome)
    under(under(score, _in("defaultValue")), _in("value"), "0")
    under(root, _in("outcomeDeclaration"), identifier="TOLD", baseType="identifier", **outcome)
    _ask(under(root, _in("itemBody")), question)
    _judge(under(root, _in("responseProcessing")), question)
    for place, reason in question.reasons.items():
        _feedback(root, LETTERS[place], f"{reason} {question.because}")
    _feedback(root, _RIGHT, question.because)
    return root


def _in(tag: str) -> str:
    return f"{{{_QTI}}}{tag}"


def _correct(question: Question) -> list[str]:
    if question.number is not None:
        return [f"{question.number:g}"]
    if question.order:
        return [f"part-{place}" for place in range(len(question.order))]
    return [LETTERS[question.answer or 0]]


def _ask(body: ET.Element, question: Question) -> None:
    """The question and where it is answered."""
    if question.number is not None:
        under(body, _in("p"), question.ask)
        line = under(body, _in("p"))
        under(line, _in("textEntryInteraction"), responseIdentifier="RESPONSE", expectedLength="10")
        return
    given = {"responseIdentifier": "RESPONSE", "shuffle": "false"}
    if question.order:
        asked = under(body, _in("orderInteraction"), **given)
        parts = {f"part-{place}": question.order[place] for place in question.mixed}
    else:
        asked = under(body, _in("choiceInteraction"), maxChoices="1", **given)
        parts = dict(zip(LETTERS, question.options, strict=False))
    under(asked, _in("prompt"), question.ask)
    for identifier, text in parts.items():
        under(asked, _in("simpleChoice"), text, identifier=identifier)


def _judge(processing: ET.Element, question: Question) -> None:
    """One point for the right answer; what is told depends on the answer."""
    condition = under(processing, _in("responseCondition"))
    right = under(condition, _in("responseIf"))
    given = {"toleranceMode": "absolute", "tolerance": f"{question.within:g} {question.within:g}"}
    test = under(
        right,
        _in("equal" if question.number is not None else "match"),
        **(given if question.number is not None else {}),
    )
    under(test, _in("variable"), identifier="RESPONSE")
    under(test, _in("correct"), identifier="RESPONSE")
    _set(right, "SCORE", "float", "1")
    _set(right, "TOLD", "identifier", _RIGHT)
    wrong = under(condition, _in("responseElse"))
    if question.options:
        told = under(wrong, _in("setOutcomeValue"), identifier="TOLD")
        under(told, _in("variable"), identifier="RESPONSE")
    else:
        _set(wrong, "TOLD", "identifier", _RIGHT)


def _set(parent: ET.Element, identifier: str, kind: str, value: str) -> None:
    outcome = under(parent, _in("setOutcomeValue"), identifier=identifier)
    under(outcome, _in("baseValue"), value, baseType=kind)


def _feedback(root: ET.Element, identifier: str, text: str) -> None:
    given = {"outcomeIdentifier": "TOLD", "showHide": "show", "identifier": identifier}
    under(under(root, _in("modalFeedback"), **given), _in("p"), text)
