"""What `import headlight` brings along."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = {"torch", "matplotlib", "pandas", "polars", "plotly", "fastapi", "model", "server"}


def imported(program: str) -> set[str]:
    """The top-level modules that a program has imported at its end."""
    program += "\nimport json, sys; print(json.dumps([*sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True
    )
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


def test_importing_headlight_imports_nothing_heavy() -> None:
    assert not imported("import headlight") & {*HEAVY, "numpy", "httpx2"}


def test_a_client_imports_neither_the_server_nor_what_draws() -> None:
    made = imported("import headlight; headlight.Client('http://127.0.0.1:9')")
    assert {"headlight", "httpx2", "numpy"} <= made
    assert not made & HEAVY


def test_every_public_name_is_there() -> None:
    import headlight

    assert all(hasattr(headlight, name) for name in headlight.__all__)
    assert set(headlight.__all__) == set(headlight._MODULES)


def test_every_module_can_be_the_first_that_is_imported() -> None:
    program = """
import importlib, pkgutil, sys, headlight
names = [one.name for one in pkgutil.walk_packages(headlight.__path__, "headlight.")]
for name in names:
    if name.endswith("__main__"):
        continue
    for known in [each for each in sys.modules if each.split(".")[0] == "headlight"]:
        del sys.modules[known]
    importlib.import_module(name)
print(len(names))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50
