"""Links between pages of a server, for pages in a folder."""

import pytest

from server.pages.export.links import relative_links

FILES = {
    "/": "inspector.html",
    "/learn": "index.html",
    "/learn/masks": "lessons/masks.html",
    "/learn/heads": "lessons/heads.html",
}


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/learn", 'href="../index.html"'),
        ("/learn/heads#questions", 'href="heads.html#questions"'),
        ("heads", 'href="heads.html"'),
        ("/?text=a%20b&amp;head=1", 'href="../inspector.html#text=a%20b&amp;head=1"'),
        ("/", 'href="../inspector.html"'),
        ("#part", 'href="#part"'),
        ("//example.org/learn", 'href="//example.org/learn"'),
        ("https://example.org/learn", 'href="https://example.org/learn"'),
        ("/docs", ""),
        ("/learn/none", ""),
    ],
)
def test_a_link_leads_to_the_file_that_takes_the_place_of_its_page(
    href: str, expected: str
) -> None:
    page = f'<p>\n<a class="x" data-href="/" href="{href}" title="a > b">a</a></p>'
    found = relative_links(page, "/learn/masks", FILES)
    assert found == f'<p>\n<a class="x" data-href="/" {expected} title="a > b">a</a></p>'


def test_only_links_of_the_page_are_changed() -> None:
    page = """<script>'<a href="/learn">'</script><pre>&lt;a href="/learn"&gt;</pre>
<!-- <a href="/learn"> --><link href="/learn"><a href='/learn' rel=prev>é</a><A HREF=/learn>b</A>"""
    changed = """<a href="index.html" rel=prev>é</a><A href="index.html">b</A>"""
    assert relative_links(page, "/", FILES) == page[: page.index("<a href='")] + changed
