"""What is installed: Python, Headlight, its packages, torch's build, and the extras."""

import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from headlight import __version__
from headlight.extras import install, requirements
from server.doctor.finding import Finding
from server.pages.assets.folders import IS_CHECKOUT, ROOT
from server.settings import Settings

# What each extra of pyproject.toml is for; those for developers are left out.
EXTRAS = {
    "pretrained": "any checkpoint of Transformers",
    "lora": "adapters on top of a checkpoint",
    "figures": "figures for papers",
    "notebook": "views in notebooks that Python and the reader change together",
    "tsne": "t-SNE in the plane of queries and keys",
    "cluster": "many machines (--engine ray)",
    "redis": "live classes on several machines",
}


def python(settings: Settings) -> Iterator[Finding]:
    system = f"{platform.system()} {platform.machine()}"
    yield Finding("python", "ok", f"{platform.python_version()} on {system}, {sys.executable}")


def headlight(settings: Settings) -> Iterator[Finding]:
    where = f"a checkout in {ROOT}" if IS_CHECKOUT else f"installed in {ROOT.parent}"
    yield Finding("headlight", "ok", f"{__version__}, {where}")


def packages(settings: Settings) -> Iterator[Finding]:
    """Whether everything that Headlight always needs is there."""
    needed = [_name(line) for line in requirements()]
    missing = [name for name in needed if _installed(name) is None]
    if missing:
        advice = f"pip install {' '.join(missing)}"
        yield Finding("packages", "problem", f"{', '.join(missing)}: not installed", advice)
    else:
        yield Finding("packages", "ok", f"all {len(needed)} that it needs are installed")


def torch_build(settings: Settings) -> Iterator[Finding]:
    """torch's version, what it was built for, and what of this it finds here."""
    import torch

    if torch.version.cuda:
        build, n = f"built for CUDA {torch.version.cuda}", torch.cuda.device_count()
        seen = f"{n} GPU{'' if n == 1 else 's'} found"
    elif torch.backends.mps.is_built():
        build = "built for MPS"
        seen = "which is available" if torch.backends.mps.is_available() else "not available here"
    else:
        build, seen = "built for the CPU", "which is all that Headlight needs"
    yield Finding("torch", "ok", f"{torch.__version__}, {build}, {seen}")


def extras(settings: Settings) -> Iterator[Finding]:
    """The optional parts. Missing ones are no problem; a checkpoint that needs one says so."""
    for extra, purpose in EXTRAS.items():
        found = {name: _installed(name) for name in map(_name, requirements(extra))}
        if all(found.values()):
            there = ", ".join(f"{name} {number}" for name, number in found.items())
            yield Finding(f"[{extra}]", "ok", there)
        else:
            yield Finding(f"[{extra}]", "ok", f"not installed; for {purpose}: {install(extra)}")


def _name(requirement: str) -> str:
    matched = re.match(r"[\w.-]+", requirement)
    assert matched is not None
    return matched[0]


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
