"""The folder of an exported course: nothing in it is lost."""

import json
from pathlib import Path

import pytest

from model.errors import InputError
from server.pages.export.folder import LIST, write


def held(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_an_export_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    folder = tmp_path / "course"
    write(folder, {"index.html": b"a", "files/1/page.css": b"b", "lessons/a.html": b"c"})
    size = write(folder, {"index.html": b"new", "files/2/page.css": b"b"})
    assert held(folder) == {LIST, "index.html", "files", "files/2", "files/2/page.css"}
    assert (folder / "index.html").read_bytes() == b"new"
    assert size == sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"also holds 'thesis\.tex'\. Choose"):
        write(tmp_path, {"index.html": b"a"})
    assert held(tmp_path) == {"thesis.tex"}
    write(tmp_path, {"index.html": b"a"}, force=True)
    assert held(tmp_path) == {LIST, "index.html", "thesis.tex"}
    with pytest.raises(InputError, match="thesis"):
        write(tmp_path, {"index.html": b"b"})
    assert (tmp_path / "index.html").read_bytes() == b"a"


@pytest.mark.parametrize("content", ["", "[]", '{"files": 3}', '{"files": [1, null]}'])
def test_a_list_that_is_not_ours_makes_no_earlier_export(tmp_path: Path, content: str) -> None:
    (tmp_path / LIST).write_text(content)
    (tmp_path / "kept.txt").write_text("a")
    with pytest.raises(InputError, match=r"kept\.txt|headlight\.json"):
        write(tmp_path, {"index.html": b"a"})


def test_an_earlier_list_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "course"
    folder.mkdir()
    outside = tmp_path / "outside.txt"
    outside.write_text("a")
    (folder / LIST).write_text(json.dumps({"files": ["../outside.txt", str(outside)]}))
    write(folder, {"index.html": b"a"})
    assert outside.read_text() == "a"


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "course").write_text("a")
    with pytest.raises(InputError, match="folder"):
        write(tmp_path / "course", {"index.html": b"a"})
