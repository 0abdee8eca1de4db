"""The settings, which docs/settings.md lists."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from server.http.serving.config import uvicorn_config
from server.http.serving.supervisor import KILL_S
from server.http.serving.worker import CLEANUP_S, FLUSH_S
from server.settings import Settings

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs/settings.md"


def test_the_document_lists_every_setting_with_its_default() -> None:
    rows = re.findall(r"^\| `HEADLIGHT_(\w+)` \| (.+?) \|", DOCUMENT.read_text(), re.MULTILINE)
    told = {name.lower(): default.strip("`") for name, default in rows}
    fields = Settings.model_fields
    assert set(told) == set(fields)
    for name, field in fields.items():
        in_words = {
            "shipped": "the package's own",
            "cache": "~/.cache/headlight",
            "models": "none",
            "memory_bytes": "a share",
            "cluster_models": "none",
        }
        if field.default in (None, ()):
            in_words = {name: "none", **in_words}
        assert told[name] == in_words.get(name, f"{field.default}"), name
        assert field.description


def test_stopping_waits_until_the_server_has_stopped() -> None:
    """Docker itself waits for 10 s."""
    image = re.search(r"HEADLIGHT_SHUTDOWN_TIMEOUT_S=(\d+)", (ROOT / "Dockerfile").read_text())
    compose = (ROOT / "compose.yaml").read_text()
    class_room = re.search(r"HEADLIGHT_SHUTDOWN_TIMEOUT_S=(\d+)", compose)
    grace = re.search(r"stop_grace_period: (\d+)s", compose)
    assert image and class_room and grace
    afterwards = FLUSH_S + CLEANUP_S
    assert int(image[1]) + afterwards < 10
    assert int(class_room[1]) + afterwards + KILL_S < int(grace[1])


def test_only_the_proxies_of_the_settings_are_believed() -> None:
    assert not uvicorn_config(Settings(), None).proxy_headers
    with_proxy = uvicorn_config(Settings(proxies=("10.0.0.7", "10.1.0.0/16")), None)
    assert with_proxy.proxy_headers
    assert with_proxy.forwarded_allow_ips == ["10.0.0.7", "10.1.0.0/16"]
    with pytest.raises(ValidationError, match="expected IP addresses or networks"):
        Settings(proxies=("proxy.example.org",))
