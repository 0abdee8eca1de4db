"""The progress bar: past a second, and only where somebody looks."""

import pytest

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
