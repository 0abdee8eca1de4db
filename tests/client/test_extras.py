"""How to install optional parts, without the stranger's package that PyPI has under our name."""

import re
import tomllib
from pathlib import Path

import pytest

from headlight.extras import DISTRIBUTION, install, requirements

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_distribution_is_the_one_of_pyproject() -> None:
    assert PROJECT["name"] == DISTRIBUTION != "headlight"


@pytest.mark.parametrize("extra", PROJECT["optional-dependencies"])
def test_a_hint_names_what_an_extra_needs(extra: str) -> None:
    command = install(extra)
    assert command.startswith('pip install "') and "headlight" not in command
    named = set(re.findall(r'"([a-zA-Z0-9-]+)', command))
    listed = PROJECT["optional-dependencies"][extra]
    own = {re.match(r"[a-zA-Z0-9-]+", line)[0] for line in listed}  # type: ignore[index]
    assert own - {DISTRIBUTION} <= named


def test_an_extra_of_others_has_what_those_need() -> None:
    assert set(requirements("notebook")) > set(requirements("figures"))
    assert not any("extra" in line for line in requirements())


def test_nothing_tells_readers_to_install_the_other_project() -> None:
    wrong = re.compile(r"pip install [^\n]*?\bheadlight(\[|[\"'`]|$)(?!-attention)")
    folders = ("headlight", "model", "server", "static", "templates", "docs", "examples")
    files = [ROOT / "README.md", *(p for f in folders for p in (ROOT / f).rglob("*.*"))]
    said = [
        f"{path}: {line}"
        for path in files
        if path.suffix in {".py", ".js", ".md", ".html", ".json", ".ipynb"}
        for line in path.read_text("utf-8", "ignore").splitlines()
        if wrong.search(line) and "never" not in line
    ]
    assert said == []
