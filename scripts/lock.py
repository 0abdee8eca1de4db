"""Writes locks/: exact versions and hashes of all packages. `make lock` runs it.

There is one file per extra of pyproject.toml, plus `run` without extras, all consistent with each
other; one per dependency group; and `build` for building the project. They are valid for every
system and Python version that the project supports. torch has its own file, because it comes from
another index: its default Linux build comes with gigabytes of GPU packages, so we lock the CPU
build and leave out GPU packages. Its hashes come from the index in TORCH_INDEX; if that cannot be
reached, the hashes of the last lock are kept, provided that the version has not changed.
"""

import os
import re
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCKS = ROOT / "locks"
PYTHON = "3.11"  # the oldest supported version
TORCH_INDEX = os.environ.get("TORCH_INDEX") or "https://download.pytorch.org/whl/cpu"
HEADER = "# Made by `make lock` from pyproject.toml. Change that, and run it again.\n"
ALONE = {"minilm"}  # groups installed without their dependencies
EDITABLE = "editables>=0.5,<1"  # needed by hatchling for an editable install
# torch itself, and the GPU packages of its default build
LEFT_OUT = re.compile(r"(torch|triton|nvidia-[a-z0-9-]+|cuda-[a-z0-9-]+)==")
HASH = re.compile(r"sha256:[0-9a-f]{64}")


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    LOCKS.mkdir(exist_ok=True)
    extras = list(project["project"]["optional-dependencies"])
    whole = compiled([flag for extra in extras for flag in ("--extra", extra)])
    write("torch", torch_entry(whole))
    for extra in [None, *extras]:
        flags = [] if extra is None else ["--extra", extra]
        write(extra or "run", without_torch(compiled(flags, within=whole)))
    building = [*project["build-system"]["requires"], EDITABLE]
    others = {"build": building, **project["dependency-groups"]}
    for name, requirements in others.items():
        flags = ["--no-deps"] if name in ALONE else []
        write(name, compiled(flags, requirements="\n".join(requirements)))


def compiled(flags: list[str], *, requirements: str | None = None, within: str = "") -> str:
    """The resolved versions for pyproject.toml (or `requirements`), constrained by a lock."""
    source = "pyproject.toml" if requirements is None else "-"
    command = [sys.executable, "-m", "uv", "pip", "compile", source, *flags]
    command += ["--universal", "--python-version", PYTHON, "--generate-hashes", "--no-header"]
    command += ["--no-config", "--no-emit-index-url", "--no-emit-find-links", "--quiet"]
    command += ["--no-annotate"]
    constraints = LOCKS / ".whole.txt"
    try:
        if within:
            constraints.write_text(within)
            command += ["--constraint", str(constraints)]
        done = subprocess.run(
            command, cwd=ROOT, input=requirements, capture_output=True, text=True, check=False
        )
    finally:
        constraints.unlink(missing_ok=True)
    if done.returncode:
        raise SystemExit(f"The versions could not be resolved:\n{done.stderr}")
    return done.stdout


def entries(lock: str) -> list[str]:
    """The requirements of a lock, each with the lines of its hashes."""
    return re.findall(r"^\S.*(?:\n +.*)*", lock, re.MULTILINE)


def without_torch(lock: str) -> str:
    return "\n".join(each for each in entries(lock) if not LEFT_OUT.match(each)) + "\n"


def torch_entry(lock: str) -> str:
    """torch as its index has it: CPU builds for Linux, the usual ones for macOS."""
    entry = next(each for each in entries(lock) if each.startswith("torch=="))
    version = entry.split()[0].removeprefix("torch==")
    hashes = hashes_of_torch(version) or hashes_locked(version)
    if not hashes:
        raise SystemExit(
            f"torch {version} is to be locked, and {TORCH_INDEX} gives no hashes of its wheels. "
            "Name an index that has them: make lock TORCH_INDEX=URL"
        )
    lines = [f"torch=={version}", *(f"    --hash={each}" for each in sorted(hashes))]
    return " \\\n".join(lines) + "\n"


def hashes_of_torch(version: str) -> set[str]:
    """Of the wheels for Linux and macOS, as the index lists them; none if it cannot be reached."""
    try:
        page = page_of_torch()
    except OSError as error:
        print(f"{TORCH_INDEX} cannot be reached ({error}): torch keeps the hashes that it has.")
        return set()
    wheel = rf"torch-{re.escape(version)}(?:%2B|\+)?[a-z0-9]*-cp3\d+-cp3\d+-"
    links = re.findall(rf'"[^"]*{wheel}(?:manylinux|macosx)[^"#]*#sha256=([0-9a-f]{{64}})', page)
    return {f"sha256:{each}" for each in links}


def page_of_torch() -> str:
    with urllib.request.urlopen(f"{TORCH_INDEX.rstrip('/')}/torch/", timeout=30) as answer:
        found: bytes = answer.read()
    return found.decode()


def hashes_locked(version: str) -> set[str]:
    """Of the last lock, if it is of this version."""
    path = LOCKS / "torch.txt"
    last = path.read_text() if path.is_file() else ""
    return set(HASH.findall(last)) if f"torch=={version} " in last else set()


def write(name: str, lock: str) -> None:
    """One file of locks/."""
    path = LOCKS / f"{name}.txt"
    path.write_text(HEADER + lock)
    print(f"{path.relative_to(ROOT)}: {len(entries(lock))} packages")


if __name__ == "__main__":
    main()
