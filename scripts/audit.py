"""Lists locked packages with known vulnerabilities. `make audit` runs it; it needs the network.

pip-audit checks every file of locks/ without installing anything. Exits with status 1 if a package
has a known vulnerability, and with 2 if a package could not be looked up.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCKS = Path(__file__).parent.parent / "locks"


def main() -> None:
    files = sorted(LOCKS.glob("*.txt"))
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    command += ["--format", "json", "--progress-spinner", "off"]
    command += [part for file in files for part in ("--requirement", str(file))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        found = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        reason = (done.stderr.strip() or "no answer").splitlines()[-1]
        print(f"Nothing was looked up: {reason}")
        print("This needs the network, and an index that has advisories.")
        sys.exit(2)
    words, status = verdict(found)
    print(words)
    sys.exit(status)


def verdict(found: list[dict[str, Any]]) -> tuple[str, int]:
    """What to print about pip-audit's list of packages, and the exit status."""
    weak = {each["name"]: each for each in found if each.get("vulns")}
    unknown = sorted({each["name"] for each in found if "skip_reason" in each})
    lines = [
        f"{name} {each['version']}: {one['id']}, mended in {', '.join(one['fix_versions']) or '–'}"
        for name, each in sorted(weak.items())
        for one in each["vulns"]
    ]
    known = len({each["name"] for each in found}) - len(unknown)
    lines.append(f"{known} packages looked up, {len(weak)} with known weaknesses.")
    if unknown:
        lines.append(
            f"{len(unknown)} could not be looked up ({', '.join(unknown[:5])}, …): the index that "
            "was asked has no advisories, or cannot be reached. They may have weaknesses."
        )
    return "\n".join(lines), 1 if weak else 2 if unknown else 0


if __name__ == "__main__":
    main()
