"""What only some systems have is imported only there."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINUX_ONLY = ("uvloop", "resource", "fcntl", "pwd", "grp", "termios")


@pytest.mark.long
def test_the_server_starts_to_import_without_what_windows_lacks() -> None:
    """On Linux, too, nothing of that is needed until workers run."""
    program = (
        "import psutil, sys\n"  # which needs some of it here, and has other files there
        f"sys.modules.update(dict.fromkeys({LINUX_ONLY!r}))\n"  # importing them fails
        "import server.http.serving.local, server.cli, json\n"
        "print(json.dumps('server.http.serving.worker' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
