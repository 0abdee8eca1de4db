"""The documentation as pages: documents, links, codes of errors, and the search."""

import ast
import re
from pathlib import Path

from fastapi.testclient import TestClient

from server.pages import help

ROOT = Path(__file__).parents[2]


def test_every_document_is_a_page_that_the_first_one_lists() -> None:
    files = {path.stem for path in (ROOT / "docs").glob("*.md")} - {help.INDEX}
    assert set(help.names()) == files
    assert help.document("nothing") is None
    assert help.document("../README") is None


def test_links_between_pages_lead_to_headings(client: TestClient) -> None:
    lost = []
    for name in (help.INDEX, *help.names()):
        html = client.get(help.address_of(name)).text
        for address, anchor in re.findall(r'href="(/help(?:/[\w-]+)?)(?:#([^"]*))?"', html):
            target = help.document(address.removeprefix("/help").strip("/") or help.INDEX)
            if target is None or (anchor and f'id="{anchor}"' not in target.html):
                lost.append((name, address, anchor))
    assert lost == []


def test_a_page_is_escaped_and_coloured(client: TestClient) -> None:
    html = client.get("/help/python").text
    assert '<span class="gp">&gt;&gt;&gt; </span>' in html
    for name in ("nothing", "x" * 3_000, "..%2Fserver"):
        assert client.get(f"/help/{name}").status_code == 404


def test_the_search_finds_sections_that_have_all_words(client: TestClient) -> None:
    html = client.get("/help", params={"q": "Mute  EFFECTS"}).text
    assert "/help/python#predictions-and-analyses" in html
    assert "“Mute EFFECTS”" in html
    first = help.search("too_many_tokens")[0]
    assert (first.document.name, first.section.anchor) == ("errors", "too_many_tokens")
    assert "No sections have" in client.get("/help", params={"q": "mute qqq"}).text
    marked = client.get("/help", params={"q": "<b>&"}).text
    assert "<b>&" not in marked and "&lt;b&gt;&amp;" in marked
    assert help.search("  ") == []


def constants(*, of_errors: bool) -> set[str]:
    """The words in the code of the server and the model: all, or those that are codes of errors."""
    found = set()
    for path in (path for room in ("model", "server") for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Constant(value=str(word)) if not of_errors:
                    found.add(word)
                case (
                    ast.keyword(arg="code", value=ast.Constant(value=str(word)))
                    | ast.Assign(targets=[ast.Name("code")], value=ast.Constant(value=str(word)))
                    | ast.Call(
                        func=ast.Name("error_response"),
                        args=[_, ast.Constant(value=str(word)), *_],
                    )
                    | ast.Call(func=ast.Name("_refusal"), args=[ast.Constant(value=str(word)), *_])
                ) if word.isidentifier():
                    found.add(word)
    return found


def test_every_code_of_an_error_is_explained_and_no_other() -> None:
    page = help.document("errors")
    assert page is not None
    found = constants(of_errors=True)
    assert len(found) > 50
    assert found - {section.anchor for section in page.sections} == set()
    explained = {section.anchor for section in page.sections if "-" not in section.anchor}
    assert explained - constants(of_errors=False) == set()
