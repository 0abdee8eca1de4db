"""Run the notebooks of examples/ and store their outputs: text, tables, and pictures as PNG.

    python -m scripts.notebooks [FILE …]

The interactive pictures are left out. They take half a megabyte each, and places that show a stored
notebook, such as a web page of its repository, run no scripts.
"""

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from scripts.pack import pack

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.ipynb"))
FRAME = "headlight-inline"  # the class of an interactive picture
WIDGET = "application/vnd.jupyter.widget-view+json"
TIMEOUT_S = 180  # for one cell, on a slow machine


def main() -> None:
    pack()
    for path in [*map(Path, sys.argv[1:])] or EXAMPLES:
        nbformat.write(stored(executed(path)), path)  # type: ignore[no-untyped-call]
        print(f"{path}: {path.stat().st_size / 1e3:.0f} kB")


def executed(path: Path) -> Any:
    """The notebook after its kernel ran it, in a process that finds `headlight` in this checkout.

    Raises:
        CellExecutionError: a cell failed.
    """
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(notebook, timeout=TIMEOUT_S, record_timing=False, coalesce_streams=True)
    client.execute(cwd=str(path.parent), env={**os.environ, "PYTHONPATH": str(ROOT)})
    kernel = notebook.metadata.kernelspec  # the rest tells of this machine, and of progress bars
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    for cell in code_cells(notebook):
        cell.outputs = [each for each in cell.outputs if not is_passing(each)]
    return notebook


def stored(notebook: Any) -> Any:
    """The notebook without its interactive pictures."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            data = output.get("data", {})
            if FRAME in data.get("text/html", ""):
                del data["text/html"]
    return notebook


def is_passing(output: Any) -> bool:
    """Whether an output is a warning or a progress bar, or what is left of one."""
    data = output.get("data", {})
    return output.get("name") == "stderr" or WIDGET in data or data.get("text/plain") == ""


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


if __name__ == "__main__":
    main()
