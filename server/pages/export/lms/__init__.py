"""The course for a learning management system (LMS), such as Moodle or ILIAS: lessons as SCORM 1.2,
questions as QTI 2.1.
"""

import io
import zipfile
from collections.abc import Mapping
from xml.etree import ElementTree as ET

SCORM, QTI = "lms/headlight-scorm-1.2.zip", "lms/headlight-qti-2.1.zip"
MANIFEST = "imsmanifest.xml"
_THEN = (1980, 1, 1, 0, 0, 0)  # the same course is the same file


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files as one archive, the manifest first, as LMSs look for it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files, key=lambda name: (name != MANIFEST, name)):
            info = zipfile.ZipInfo(name, _THEN)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, files[name])
    return out.getvalue()


def document(root: ET.Element) -> bytes:
    """An XML document, indented."""
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def under(parent: ET.Element, tag: str, text: str | None = None, **given: str) -> ET.Element:
    """A new element at the end of another one. A "_" in the name of an attribute is none."""
    element = ET.SubElement(parent, tag, given)
    element.text = text
    return element
