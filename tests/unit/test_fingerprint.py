"""Weights are named by the hash of their files."""

import hashlib
import subprocess
from pathlib import Path

import pytest

from model.sources.fingerprint import fingerprint


def test_one_file_has_its_own_hash(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"weights")
    assert fingerprint([path]) == hashlib.sha256(b"weights").hexdigest()
    path.write_bytes(b"changed weights")  # is not remembered for the old ones
    assert fingerprint([path]) == hashlib.sha256(b"changed weights").hexdigest()


def test_several_files_have_the_hash_of_their_list(tmp_path: Path) -> None:
    files = [tmp_path / f"model-0000{n}-of-00002.safetensors" for n in (2, 1)]
    for file in files:
        file.write_bytes(file.name.encode())
    command = "sha256sum *.safetensors | sha256sum"
    printed = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert fingerprint(files) == printed.split()[0] == fingerprint(files[::-1])


def test_a_file_of_a_hubs_cache_is_not_read(tmp_path: Path) -> None:
    blob = tmp_path / "blobs" / ("a" * 64)
    blob.parent.mkdir()
    blob.write_bytes(b"weights")
    (tmp_path / "model.safetensors").symlink_to(blob)
    assert fingerprint([tmp_path / "model.safetensors"]) == "a" * 64


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        fingerprint([tmp_path / "none.safetensors"])
