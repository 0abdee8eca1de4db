"""Hatchling's hook: a wheel carries the page packed, and an editable install leaves it packed."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackedPage(BuildHookInterface):  # type: ignore[type-arg]
    """Runs `scripts.pack` before a wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        subprocess.run([sys.executable, "-m", "scripts.pack"], cwd=self.root, check=True)
        if version != "editable":  # which finds it where it is
            build_data["force_include"][str(Path(self.root) / "packed")] = (
                "headlight/application/packed"
            )
