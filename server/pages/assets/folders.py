"""The folders of the page's files."""

from pathlib import Path

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "static"
TEMPLATES = ROOT / "templates"
DOCS = ROOT / "docs"
PACKED = ROOT / "packed"  # made by `scripts.pack`; missing until that has run
IS_CHECKOUT = (ROOT / "pyproject.toml").is_file()  # not an installed wheel
