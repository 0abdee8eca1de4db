"""The shipped gallery: each entry opens at a head that shows what its line says."""

from pathlib import Path

import pytest

from model.checkpoint import SHIPPED
from model.errors import CheckpointError
from model.gallery import Entry, load_gallery, save_gallery
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.training.gallery import LEAST, PLACES, SENTENCES
from model.training.look import place

NOT_DRAWN = {"Same token"}  # by no head of the shipped model: the card says why


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


GALLERY = {entry.title: entry for entry in load_gallery(SHIPPED)}


def test_there_is_an_entry_for_every_relation_that_is_drawn() -> None:
    titles = [title for title, *_ in (*SENTENCES, *PLACES)]
    assert list(GALLERY) == [title for title in titles if title not in NOT_DRAWN]


@pytest.mark.parametrize("title", GALLERY)
def test_the_head_looks_where_the_line_says(title: str, shipped: NativeSource) -> None:
    entry = GALLERY[title]
    keys = {title: [key] for title, _, _, _, key, _ in PLACES}
    keys |= {title: place(shipped.tokenizer, e).target for title, _, _, e, *_ in SENTENCES}
    trace = shipped.trace(Inputs(entry.texts))
    found = trace.sites[entry.layer].derive(
        ["pattern"], heads=[entry.head], rows=slice(entry.query, entry.query + 1)
    )["pattern"]
    assert found[0, 0, 0, keys[title]].sum() >= LEAST
    assert "{" not in entry.look
    assert entry.query < len(trace.tokens[0])


def test_a_gallery_survives_the_disk(tmp_path: Path) -> None:
    entries = [Entry("A", ("one", "two"), 1, 2, 3, "Look “here”."), Entry("B", ("x",), 0, 0, 1, "")]
    save_gallery(tmp_path, entries)
    assert load_gallery(tmp_path) == entries
    assert load_gallery(tmp_path / "nowhere") == []


@pytest.mark.parametrize("content", ["[", '{"title": "A"}', '[{"title": "A"}]', "[1]"])
def test_a_broken_gallery_says_so(tmp_path: Path, content: str) -> None:
    (tmp_path / "gallery.json").write_text(content)
    with pytest.raises(CheckpointError, match=r"gallery\.json is not a gallery"):
        load_gallery(tmp_path)
