"""A copy of the project that has grown by the recipes passes its own quick tests, all of them.

`make test` grows everything in one copy; `make test-all` also each thing alone.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser.toy_source import SOURCE
from tests.browser.toys import TOYS
from tests.sweeps import sweep

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]
NEW = {kind: toy for kind, (toy, _) in TOYS.items()} | {"source with settings": SOURCE}
INSTALLED = [
    f"--assume-old={stamp}" for stamp in (".venv/.dev", ".venv/.dev-locked", "node_modules/.stamp")
]
LEFT = shutil.ignore_patterns(".*", "node_modules", "packed", "dist", "build")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy with the environment of this one."""
    tree = tmp_path / "copy"
    shutil.copytree(ROOT, tree, ignore=LEFT)
    for name in (".venv", "node_modules", ".npmrc", ".dockerignore", ".gitignore", ".ci"):
        if (ROOT / name).exists():
            (tree / name).symlink_to(ROOT / name)
    return tree


@pytest.mark.parametrize("kinds", sweep([tuple(NEW), *((kind,) for kind in NEW)], [tuple(NEW)]))
def test_a_new_row_breaks_no_test(copy: Path, kinds: tuple[str, ...]) -> None:
    for kind in kinds:
        NEW[kind].add(copy)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        ["make", "--keep-going", *INSTALLED, "test-js", "test-quick"],
        cwd=copy,
        env={**kept, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout[-30_000:]}\n{done.stderr[-4_000:]}"
