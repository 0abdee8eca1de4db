"""Makes a release: its version, its section of the changelog, a commit, and a tag.

    make release VERSION=0.3.0

The changes under "Unreleased" in CHANGELOG.md become the section of the release. Nothing is sent
anywhere: `git push --follow-tags` does that.
"""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from packaging.version import InvalidVersion, Version

from headlight import __version__

ROOT = Path(__file__).parent.parent
PACKAGE, CHANGES = ROOT / "headlight/__init__.py", ROOT / "CHANGELOG.md"
UNRELEASED = "## [Unreleased]\n"


def released(changes: str, version: str, day: str) -> str:
    """The changelog with what is unreleased as a section of its own.

    Raises:
        ValueError: there is nothing to release.
    """
    before, found, after = changes.partition(UNRELEASED)
    if not found or not after.partition("\n## [")[0].strip():
        raise ValueError('CHANGELOG.md has nothing under "Unreleased".')
    return f"{before}{UNRELEASED}\n## [{version}] - {day}\n{after}"


def check(version: str) -> None:
    """Refuse what is no later version.

    Raises:
        ValueError: it is none, or not a later one.
    """
    try:
        is_later = Version(version) > Version(__version__)
    except InvalidVersion:
        raise ValueError(f"Expected a version such as 0.3.0; got {version!r}.") from None
    if not is_later:
        raise ValueError(f"Expected a version after {__version__}; got {version}.")


def main(version: str) -> None:
    check(version)
    if _git("status", "--porcelain"):
        raise ValueError("There are changes that are not committed. Commit them first.")
    day = datetime.now(UTC).date().isoformat()
    CHANGES.write_text(released(CHANGES.read_text("utf-8"), version, day), "utf-8")
    text = PACKAGE.read_text("utf-8")
    PACKAGE.write_text(
        re.sub(r'__version__ = "[^"]*"', f'__version__ = "{version}"', text), "utf-8"
    )
    _git("commit", "--all", "--message", f"Release {version}")
    _git("tag", "--annotate", f"v{version}", "--message", f"Headlight {version}")
    sys.stdout.write(f"Released {version}, as the tag v{version}.\n")


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "")
    except ValueError as error:
        sys.exit(str(error))
