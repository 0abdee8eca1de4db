"""The examples in docs/python.md and in docstrings run, against a real server."""

import asyncio
import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

import headlight
from headlight import Client
from headlight.http.steps import asked
from model.core.checkpoint import SHIPPED

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "python.md"
COOKBOOK = ROOT / "docs" / "cookbook.md"
NOTEBOOKS = ROOT / "docs" / "notebooks.md"
README = ROOT / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MODULES = ("client", "frames", "request.request", "study.studies")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def failures(examples: list[doctest.DocTest]) -> str:
    """What the examples gave instead of what they say."""
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    for example in examples:
        runner.run(example, out=told.append, clear_globs=False)
    assert runner.tries > 0
    return "".join(told)


def test_the_examples_of_the_document_give_what_they_say(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # one saves a run
    names = {"headlight": headlight, "address": address, "asyncio": asyncio}
    blocks = [block for block in BLOCK.findall(DOCUMENT.read_text()) if ">>>" in block]
    text = "\n".join(blocks).replace("…", "...")
    parsed = doctest.DocTestParser().get_doctest(text, names, DOCUMENT.name, None, 0)
    assert failures([parsed]) == ""
    parsed.globs["hl"].close()


def test_the_programs_of_the_cookbook_give_what_they_say(
    hl: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = [block for block in BLOCK.findall(COOKBOOK.read_text()) if ">>>" in block]
    assert len(blocks) == COOKBOOK.read_text().count("\n### ") >= 20
    names = {"headlight": headlight, "hl": hl}
    parsed = doctest.DocTestParser().get_doctest("\n".join(blocks), names, "cookbook", None, 0)
    assert failures([parsed]) == ""


def test_the_examples_of_a_view_give_what_they_say(hl: Client) -> None:
    names = {"run": hl.trace("Maria saw herself in the mirror.")}
    blocks = [block for block in BLOCK.findall(NOTEBOOKS.read_text()) if ">>>" in block]
    parsed = doctest.DocTestParser().get_doctest("\n".join(blocks), names, "notebooks", None, 0)
    assert failures([parsed]) == ""


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_docstrings_give_what_they_say(name: str, hl: Client, address: str) -> None:
    module = import_module(f"headlight.{name}")
    names = {**vars(module), "headlight": headlight, "hl": hl, "address": address}
    names["asyncio"] = asyncio
    found = doctest.DocTestFinder().find(module, globs=names)
    parser = doctest.DocTestParser()
    found += [  # the finder does not see these
        parser.get_doctest(each.__doc__ or "", names, place, None, 0)
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
        for place, each in vars(kind).items()
        if isinstance(each, asked)
    ]
    assert failures([each for each in found if each.examples]) == ""


@pytest.mark.parametrize("document", [DOCUMENT, README], ids=lambda path: path.name)
def test_the_first_example_runs_as_it_is_printed(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a checkpoint that has its layers and words, in place of the one that it names."""
    checkpoint = tmp_path / "my-bert"
    checkpoint.symlink_to(SHIPPED)
    [program, *_] = [each for each in BLOCK.findall(document.read_text()) if ".start(" in each]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # of the server that it starts
    names: dict[str, object] = {}
    exec(program.replace("/models/my-bert", str(checkpoint)), names)
    hl, run, edited = names["hl"], names["run"], names["edited"]
    assert isinstance(hl, Client) and isinstance(run, headlight.Run)
    assert run.model == "my-bert"
    assert isinstance(edited, headlight.Run) and edited.request.muted == ((2, 3),)
    hl.close()
