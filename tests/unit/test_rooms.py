"""Every folder of the Python code is a room with one purpose, and no imports run in a circle."""

import ast
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("model", "server", "headlight", "scripts")
MAX_FILES = 18


@cache
def modules() -> dict[str, Path]:
    """The files of all modules, by their names."""
    found = {}
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name: str) -> set[str]:
    """The modules that one imports when it is imported: not later, and not for its types alone."""
    found = set()
    for node in ast.parse(modules()[name].read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                inner = f"{node.module}.{each.name}"
                found.add(inner if inner in modules() else str(node.module))
    return found & set(modules()) - {name}


def test_no_room_is_crowded() -> None:
    sizes = Counter(path.parent for path in modules().values())
    assert [room for room, n in sizes.items() if n > MAX_FILES] == []


def test_no_imports_run_in_a_circle() -> None:
    try:
        TopologicalSorter({name: imported(name) for name in modules()}).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


# each imports only itself, those before it, and the files beside them
MODEL = ("masks", "core", "trace", "scratch", "sources", "analysis", "training", "dossier")


def place_of(name: str) -> int:
    return MODEL.index(name.split(".")[1])


def test_the_rooms_of_the_model_import_one_way() -> None:
    inside = [
        name for name in modules() if name.startswith(tuple(f"model.{room}." for room in MODEL))
    ]
    wrong = [
        f"{name} imports {to}"
        for name in inside
        for to in imported(name) & set(inside)
        if place_of(to) > place_of(name)
    ]
    assert wrong == []


def test_the_model_knows_no_server_and_the_client_neither() -> None:
    wrong = [
        f"{name} imports {to}"
        for name in modules()
        for to in imported(name)
        if (name.startswith("model") and to.startswith("server"))
        or (name.startswith("headlight") and to.startswith(("model", "server")))
    ]
    assert wrong == []
