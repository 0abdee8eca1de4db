"""`headlight class --check`: the certificate as a phone sees it, and a whole run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.live import ROOT, free_port
from server.doctor.certificate import certificate
from server.doctor.room.store import store
from server.settings import Settings

STATES = ("ok", "warning", "problem")
AUTHORITY = """
[ca]
default_ca = own
[own]
database = {folder}/index
serial = {folder}/serial
new_certs_dir = {folder}
default_md = sha256
policy = any
[any]
commonName = supplied
"""


def signed_by_itself(folder: Path, *options: str) -> Settings:
    """Settings with a certificate for a name."""
    key, file = folder / "key.pem", folder / "own.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
        "-subj /CN=class -addext subjectAltName=DNS:class.example"
    ).split()
    command += [*options, "-keyout", str(key), "-out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return Settings(certfile=file, keyfile=key)


def test_the_certificate_is_read_as_a_phone_reads_it(tmp_path: Path) -> None:
    own, trust = certificate(signed_by_itself(tmp_path, "-days", "30"))
    assert own.state == "ok"
    assert own.found.endswith("for class.example")
    assert (trust.state, trust.found) == ("warning", "self-signed certificate")
    [soon, _] = certificate(signed_by_itself(tmp_path, "-days", "1"))
    assert (soon.state, soon.advice) == ("warning", "It expires soon: renew it before class.")


@pytest.mark.parametrize(
    ("begins", "ends", "found", "advice"),
    [
        ("20200101000000Z", "20200201000000Z", "certificate has expired", "Renew it"),
        ("29990101000000Z", "29990201000000Z", "certificate is not yet valid", "clock"),
    ],
)
def test_a_certificate_of_another_time_is_a_problem(
    tmp_path: Path, begins: str, ends: str, found: str, advice: str
) -> None:
    key, file, request = (tmp_path / name for name in ("key.pem", "own.pem", "request.pem"))
    (tmp_path / "index").touch()
    (tmp_path / "ca").write_text(AUTHORITY.format(folder=tmp_path))
    ask = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=class"
    sign = f"openssl ca -batch -notext -selfsign -create_serial -startdate {begins} -enddate {ends}"
    for command in (
        [*ask.split(), "-keyout", key, "-out", request],
        [*sign.split(), "-config", tmp_path / "ca", "-keyfile", key, "-in", request, "-out", file],
    ):
        subprocess.run([str(part) for part in command], check=True, capture_output=True)
    [finding] = certificate(Settings(certfile=file, keyfile=key))
    assert (finding.state, finding.found) == ("problem", found)
    assert advice in finding.advice


def test_a_folder_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("taken")
    [finding] = store(Settings(class_store=str(file / "classes")))
    assert (finding.name, finding.state) == ("store", "problem")
    assert "HEADLIGHT_CLASS_STORE" in finding.advice
    [finding] = store(Settings(class_store=str(tmp_path / "new")))
    assert finding.state == "ok"


def test_a_room_is_tested_from_its_store_to_its_load(tmp_path: Path) -> None:
    """On the loopback address, which phones cannot reach."""
    command = [sys.executable, "-m", "server.cli", "class", "--check"]
    own = {"CLASS_STORE": str(tmp_path), "CLASS_PEOPLE": "12", "PORT": str(free_port())}
    run = subprocess.run(
        [*command, "--host", "127.0.0.1"],
        env={**os.environ, **{f"HEADLIGHT_{name}": value for name, value in own.items()}},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=180,
    )
    lines = [line.split() for line in run.stdout.splitlines()]
    states = {name: state for state, name, *_ in filter(None, lines) if state in STATES}
    found = {name: states.get(name) for name in ("store", "port", "address", "streams", "people")}
    assert found == {
        "store": "ok",
        "port": "ok",
        "address": "problem",
        "streams": "ok",
        "people": "ok",
    }, run.stdout + run.stderr
    assert "Use --host 0.0.0.0" in run.stdout
    assert run.returncode == 1
