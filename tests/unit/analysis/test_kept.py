"""A probe is computed once for the same weights, and read again by whoever asks next."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from model.analysis.probe import ROWS, kept_probe, probe
from model.sources.native import NativeSource

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADLIGHT_CACHE", str(tmp_path))
    return tmp_path / "probes"


def test_it_is_computed_once_and_read_as_it_was(source: NativeSource, cache: Path) -> None:
    steps: list[int] = []
    first = kept_probe(source, lambda done, total: steps.append(done))
    again = kept_probe(source, lambda done, total: steps.append(done))
    assert steps == list(range(1, ROWS + 1))
    assert again == first == probe(source)
    # other numbers, other scores
    kept_probe(source, dtype="bfloat16")
    assert len(list(cache.iterdir())) == 2


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"heads": [{"scores": {}}]}', '{"heads": 1}'])
def test_what_is_no_probe_is_computed_anew(source: NativeSource, cache: Path, content: str) -> None:
    whole = kept_probe(source)
    [path] = cache.iterdir()
    path.write_text(content, encoding="utf-8")
    assert kept_probe(source) == whole
    assert json.loads(path.read_text(encoding="utf-8"))["rows"] == ROWS


def test_weights_are_what_it_is_kept_by(
    source: NativeSource, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_probe(source)
    monkeypatch.setattr(source, "info", replace(source.info, weights="0" * 64))
    kept_probe(source)
    assert len(list(cache.iterdir())) == 2
    monkeypatch.setattr(source, "info", replace(source.info, weights=None))
    kept_probe(source)
    assert len(list(cache.iterdir())) == 2


def test_a_folder_that_cannot_be_written_to_costs_nothing_but_time(
    source: NativeSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HEADLIGHT_CACHE", str(tmp_path / "file"))
    assert kept_probe(source).rows == ROWS
