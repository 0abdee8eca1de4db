"""What the server gives to a page that computes by itself."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.core.checkpoint import FILES, SHIPPED
from server.pages.assets import engine
from server.pages.assets.encoded import IMMUTABLE, MIN_BYTES
from server.pages.assets.engine import engine_files
from tests.api.conftest import Serve

pytestmark = pytest.mark.long


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    return Path(copytree(SHIPPED, tmp_path / "shipped"))


def boot(client: TestClient, path: str = "/", name: str = "boot") -> Any:
    text = client.get(path).text
    [data] = re.findall(rf'<script type="application/json" id="{name}">(.*?)</script>', text)
    return json.loads(data)


def test_a_page_is_told_what_it_can_compute_and_from_which_files(serve: Serve) -> None:
    client = serve(shipped=SHIPPED)
    told = boot(client)["engine"]
    assert told["usual"] == "server"
    assert told["models"] == ["shipped", "scratch"]
    assert set(told["files"]) == {f"shipped/{name}" for name in FILES}
    assert boot(client, "/learn/query-key-value", "lesson-boot")["engine"] == told
    for name, address in told["files"].items():
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == IMMUTABLE
        assert answer.content == (SHIPPED.parent / name).read_bytes()
        is_small = len(answer.content) < MIN_BYTES
        assert answer.headers.get("content-encoding") == (None if is_small else "gzip")


def test_the_setting_is_what_pages_start_with(serve: Serve) -> None:
    assert boot(serve(shipped=SHIPPED, engine="page"))["engine"]["usual"] == "page"


def test_other_weights_have_other_addresses(shipped: Path) -> None:
    before = engine_files(SHIPPED)
    (shipped / "config.json").write_text((shipped / "config.json").read_text() + "\n")
    after = engine_files(shipped)
    assert before and after
    assert before.digest != after.digest


def test_an_unknown_file_or_digest_is_not_found(serve: Serve) -> None:
    client = serve(shipped=SHIPPED)
    [address, *_] = boot(client)["engine"]["files"].values()
    digest = address.split("/")[2]
    for path in (f"/engine/{digest}/README.md", f"/engine/{'0' * len(digest)}/config.json"):
        assert client.get(path).status_code == 404


def remove(shipped: Path) -> None:
    (shipped / "tokenizer.json").unlink()


def shrink(shipped: Path) -> None:
    """Nothing to do: the limit becomes smaller than the model."""


@pytest.mark.parametrize("change", [remove, shrink])
def test_without_its_files_a_page_runs_only_the_mechanisms(
    serve: Serve, shipped: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    change(shipped)
    if change is shrink:
        monkeypatch.setattr(engine, "MAX_BYTES", 1_000)
    told = boot(serve(shipped=shipped))["engine"]
    assert told["models"] == ["scratch"]
    assert told["files"] == {}
