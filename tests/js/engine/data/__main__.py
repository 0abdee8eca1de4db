"""Writes what the tests of the page's engine expect: what Python computes today.

    python -m tests.js.engine.data

`make test-js` does so first. The files are not kept in git, so none can become stale.
"""

import pkgutil
import runpy
from pathlib import Path

FOLDER = Path(__file__).parent

for module in pkgutil.iter_modules([str(FOLDER)], "tests.js.engine.data."):
    if module.name.rpartition(".")[2].startswith("make_"):
        runpy.run_module(module.name, run_name="__main__")
