"""A release: its version stands once, and the changelog has a section for it."""

import re
from pathlib import Path

import pytest

from headlight import __version__
from scripts.release import check, released

CHANGES = (Path(__file__).parents[2] / "CHANGELOG.md").read_text("utf-8")


def test_what_is_unreleased_becomes_a_section() -> None:
    new, old = "### Added\n\n- A thing.\n\n", "## [0.1.0] - 2026-01-01\n"
    changes = f"# Changelog\n\n## [Unreleased]\n\n{new}{old}"
    assert released(changes, "0.2.0", "2026-02-03") == (
        f"# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n{new}{old}"
    )
    with pytest.raises(ValueError, match="nothing under"):
        released("## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- A thing.\n", "0.2.0", "")


@pytest.mark.parametrize("version", ["", "0.0.9", __version__, "next"])
def test_a_release_has_a_later_version(version: str) -> None:
    with pytest.raises(ValueError, match="Expected a version"):
        check(version)


def test_the_changelog_has_the_version_first() -> None:
    assert (
        re.findall(r"^## \[(\d[^]]*)\] - \d{4}-\d\d-\d\d$", CHANGES, re.MULTILINE)[0] == __version__
    )
