"""How the Makefile shares the tests out among processes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

MAKEFILE = Path(__file__).parents[2] / "Makefile"
FILE = """
import os, pytest
@pytest.mark.parametrize("n", range(6))
def test_one(n):
    print(__name__, os.environ["PYTEST_XDIST_WORKER"])
"""


def test_a_file_stays_in_one_process_and_no_process_idles(tmp_path: Path) -> None:
    """With pytest 9.2, xdist's groups do nothing: half of the servers were started twice."""
    [options] = re.findall(r"^PYTEST := (?:.*\\\n)*?.*(--dist .+)$", MAKEFILE.read_text(), re.M)
    for name in ("a", "b", "c"):
        (tmp_path / f"test_{name}.py").write_text(FILE)
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-n", "2", "-rP", *options.split()]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # the others take seconds
    done = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    places = set(re.findall(r"^(test_\w) (gw\d)$", done.stdout, re.M))
    assert [name for name, _ in sorted(places)] == ["test_a", "test_b", "test_c"]
    assert {worker for _, worker in places} == {"gw0", "gw1"}
