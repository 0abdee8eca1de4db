"""The documents: every link between them leads to a file, and to a heading that it has."""

import re
from pathlib import Path

from server.pages.help import anchor_of

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")


def anchors(document: Path) -> set[str]:
    """The names that a heading has in an address, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.M | re.S)
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return set(map(anchor_of, heads))


def test_links_lead_somewhere() -> None:
    lost = []
    for document in DOCUMENTS:
        for path, anchor in LINK.findall(document.read_text("utf-8")):
            target = (document.parent / path).resolve() if path else document
            if not target.exists():
                lost.append(f"{document.name}: {path}")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                lost.append(f"{document.name}: {path}#{anchor}")
    assert lost == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


def test_the_map_of_the_code_names_files_that_exist() -> None:
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    named = re.findall(r"`((?:model|server|static|templates|scripts|headlight)/[\w/.-]+)`", text)
    assert len(named) > 30
    assert [path for path in named if not (ROOT / path).exists()] == []
