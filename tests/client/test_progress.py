"""The progress bar: past a second, and only where somebody looks."""

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from headlight import progress
from headlight.progress import Progress


def drawn(capsys: pytest.CaptureFixture[str]) -> str:
    with Progress("Tracing", 3) as bar:
        for done in (1, 2):
            bar.at(done)
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


def test_a_bar_is_drawn_on_a_terminal_past_a_second(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes any output for a terminal
    assert drawn(capsys) == ""
    monkeypatch.setattr(progress, "AFTER_S", -1.0)
    assert "Tracing" in drawn(capsys) or "67%" in drawn(capsys)


def test_a_file_gets_no_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "AFTER_S", -1.0)
    assert drawn(capsys) == ""


def test_a_notebook_keeps_nothing_of_it() -> None:
    lines = (
        "from headlight import progress",
        "progress.AFTER_S = -1.0",
        "bar = progress.Progress('Tracing', 3).__enter__()",
        "bar.at(2)",
    )
    cells = [new_code_cell("\n".join(lines)), new_code_cell("bar.__exit__(None, None, None)")]  # type: ignore[no-untyped-call]
    notebook = new_notebook(cells=cells)  # type: ignore[no-untyped-call]
    client = NotebookClient(notebook, timeout=60, kernel_name="python3")
    with client.setup_kernel():
        client.execute_cell(notebook.cells[0], 0)
        (output,) = notebook.cells[0].outputs
        assert output.data == {"text/plain": "Tracing: 2 of 3"}
        client.execute_cell(notebook.cells[1], 1)
    assert [cell.outputs for cell in notebook.cells] == [[output], []]
    assert set(output.data.values()) == {""}
