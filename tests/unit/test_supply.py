"""The installed packages match the locks, and the locks match pyproject.toml."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from scripts.audit import verdict
from scripts.lock import HASH, LEFT_OUT, entries, torch_entry, without_torch

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUPS = PROJECT["dependency-groups"]
LOCKS = sorted((ROOT / "locks").glob("*.txt"))


def locked(name: str) -> dict[str, Version]:
    """The versions in a lock by package, for any system."""
    text = (ROOT / "locks" / f"{name}.txt").read_text()
    found = (Requirement(entry.split("\\")[0]) for entry in entries(text) if entry[0] != "#")
    return {canonicalize_name(each.name): exact(each) for each in found}


def exact(requirement: Requirement) -> Version:
    (pin,) = requirement.specifier
    assert pin.operator == "=="
    return Version(pin.version)


def asked_for(extra: str | None) -> list[Requirement]:
    """The requirements of the project with an extra, including extras that it refers to."""
    lines = [*PROJECT["project"]["dependencies"], *(EXTRAS[extra] if extra else ())]
    found = [Requirement(line) for line in lines]
    for each in [each for each in found if each.name == PROJECT["project"]["name"]]:
        found.remove(each)
        found += [one for inner in each.extras for one in asked_for(inner)]
    return found


def check(requirements: list[Requirement], versions: dict[str, Version]) -> None:
    for each in requirements:
        version = versions.get(canonicalize_name(each.name))
        assert version is not None, f"{each.name} is not locked: run `make lock`"
        assert version in each.specifier, f"{each} is locked as {version}: run `make lock`"


@pytest.mark.parametrize("extra", [None, *EXTRAS])
def test_every_dependency_of_every_extra_is_locked_within_its_range(extra: str | None) -> None:
    check(asked_for(extra), locked(extra or "run") | locked("torch"))


@pytest.mark.parametrize("group", ["build", *GROUPS])
def test_every_tool_is_locked_within_its_range(group: str) -> None:
    lines = PROJECT["build-system"]["requires"] if group == "build" else GROUPS[group]
    check([Requirement(line) for line in lines], locked(group))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_every_locked_package_has_hashes(lock: Path) -> None:
    packages = [entry for entry in entries(lock.read_text()) if entry[0] != "#"]
    assert packages
    assert [entry.split()[0] for entry in packages if not HASH.search(entry)] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_a_lock_names_no_host_and_no_folder(lock: Path) -> None:
    assert re.findall(r"https?:|file:|--[a-z-]*(?:index|links)|(?<!\w)/\w", lock.read_text()) == []


def test_extras_are_locked_at_the_same_versions() -> None:
    everything: dict[str, Version] = {}
    for extra in ["run", *EXTRAS]:
        for name, version in locked(extra).items():
            assert everything.setdefault(name, version) == version, name


def test_nothing_for_gpus_is_locked_and_torch_is_apart() -> None:
    for lock in LOCKS:
        found = [entry for entry in entries(lock.read_text()) if LEFT_OUT.match(entry)]
        assert len(found) == (lock.stem == "torch"), lock.name


RESOLVED = """\
cuda-bindings==13.5 ; sys_platform == 'linux' \\
    --hash=sha256:{0}
sympy==1.14.0 \\
    --hash=sha256:{0} \\
    --hash=sha256:{1}
torch==2.13.0 \\
    --hash=sha256:{1}
""".format("a" * 64, "b" * 64)


def test_what_torch_brings_for_gpus_is_left_out_of_a_lock() -> None:
    assert without_torch(RESOLVED) == "\n".join(RESOLVED.splitlines()[2:5]) + "\n"


def test_torch_is_locked_with_the_hashes_from_its_index(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [
        "torch-2.13.0%2Bcpu-cp311-cp311-manylinux_2_28_x86_64.whl",
        "torch-2.13.0-cp311-cp311-macosx_14_0_arm64.whl",
        "torch-2.13.0%2Bcpu-cp311-cp311-win_amd64.whl",
        "torch-2.12.0%2Bcpu-cp311-cp311-manylinux_2_28_x86_64.whl",
    ]
    page = "".join(f'<a href="/{n}#sha256={i:064x}">{n}</a>' for i, n in enumerate(names))
    monkeypatch.setattr("scripts.lock.page_of_torch", lambda: page)
    lines = torch_entry(RESOLVED).splitlines()
    assert lines == [
        "torch==2.13.0 \\",
        f"    --hash=sha256:{0:064x} \\",
        f"    --hash=sha256:{1:064x}",
    ]


def test_torch_keeps_its_hashes_while_its_index_cannot_be_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable() -> str:
        raise OSError("no route")

    monkeypatch.setattr("scripts.lock.page_of_torch", unreachable)
    monkeypatch.setattr("scripts.lock.LOCKS", tmp_path)
    (tmp_path / "torch.txt").write_text(f"torch==2.13.0 \\\n    --hash=sha256:{'c' * 64}\n")
    assert torch_entry(RESOLVED).endswith("c" * 64 + "\n")
    (tmp_path / "torch.txt").write_text(f"torch==2.12.0 \\\n    --hash=sha256:{'c' * 64}\n")
    with pytest.raises(SystemExit, match="Name an index that has them"):
        torch_entry(RESOLVED)


def test_an_audit_without_answers_is_no_clean_bill() -> None:
    fine = {"name": "a", "version": "1", "vulns": []}
    weak = {"name": "b", "version": "2", "vulns": [{"id": "X-1", "fix_versions": ["3"]}]}
    assert verdict([fine]) == ("1 packages looked up, 0 with known weaknesses.", 0)
    words, status = verdict([fine, weak])
    assert "b 2: X-1, mended in 3" in words and status == 1
    words, status = verdict([fine, {"name": "c", "skip_reason": "not found"}])
    assert "1 could not be looked up" in words and status == 2


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text())
    found: dict[str, Any] = composed["services"]["headlight"]
    return found


def test_the_container_is_limited_in_memory_and_processes(service: dict[str, Any]) -> None:
    assert service["mem_limit"] == service["memswap_limit"] == "${MEMORY:-2g}"
    assert 0 < service["pids_limit"] <= 4096


def test_the_server_has_time_to_end_by_itself(service: dict[str, Any]) -> None:
    variables = dict(each.split("=") for each in service["environment"])
    grace_s = int(service["stop_grace_period"].removesuffix("s"))
    assert (
        grace_s >= int(variables["HEADLIGHT_SHUTDOWN_TIMEOUT_S"]) + 7
    )  # docs/operating.md says why


def test_the_image_installs_locked_files_only() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    steps = re.findall(r"^RUN (.*)", dockerfile, re.MULTILINE)
    commands = [command for step in steps for command in step.split("&&")]
    installs = [command for command in commands if re.search(r"\bpip\b.* install ", command)]
    assert len(installs) >= 4
    for command in installs:
        assert "--require-hashes" in command or "--no-deps --no-build-isolation" in command, command
    assert re.findall(r"^FROM (python\S*)", dockerfile, re.MULTILINE) == []  # a digest may be named
