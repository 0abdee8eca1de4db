"""Where the files of the page lie."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "static"
TEMPLATES = ROOT / "templates"
PACKED = ROOT / "packed"  # made by `scripts.pack`; not there where nobody ran it
