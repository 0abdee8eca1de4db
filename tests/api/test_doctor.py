"""`headlight doctor`: what it finds, its exit status, and that it sends nothing unless asked."""

import json
import re
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shutil import copytree
from threading import Thread

import pytest
import torch
import transformers as hf
from typer.testing import CliRunner

from scripts.architectures import saved
from scripts.live import free_port
from server import doctor
from server.cli import app
from server.doctor.finding import Finding
from server.doctor.software import EXTRAS
from server.settings import Settings
from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def surroundings(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A free port and a whole model. Options of the command are variables, unset again here."""
    for name, value in {"SHIPPED": tiny_folder, "HOST": "127.0.0.1", "MODELS": ""}.items():
        monkeypatch.setenv(f"HEADLIGHT_{name}", str(value))
    monkeypatch.setenv("HEADLIGHT_PORT", str(free_port()))
    monkeypatch.setenv("OMP_WAIT_POLICY", "PASSIVE")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)


def examined(*options: str) -> tuple[int, dict[str, list[Finding]]]:
    """The exit status, and the findings by name."""
    result = CliRunner().invoke(app, ["doctor", "--json", *options])
    report = json.loads(result.stdout)
    found: dict[str, list[Finding]] = {}
    for each in report["findings"]:
        found.setdefault(each["name"], []).append(Finding(**each))
    problems = [each for several in found.values() for each in several if each.state == "problem"]
    assert report["ok"] == (not problems) == (result.exit_code == 0)
    return result.exit_code, found


def one(name: str, *options: str) -> Finding:
    [finding] = examined(*options)[1][name]
    return finding


def test_a_machine_without_problems(tmp_path: Path) -> None:
    torch.manual_seed(0)
    bert = FAMILIES["bert"](tmp_path / "bert")
    status, found = examined("--model", f"mine={bert}")
    assert status == 0
    assert torch.__version__ in found["torch"][0].found
    assert found["mine"][0].found.endswith(f"MB in {bert}; it loads")
    assert "hub" not in found
    printed = CliRunner().invoke(app, ["doctor"]).stdout
    assert printed.endswith("`headlight serve` should work.\n")
    assert all(f" {name} " in printed for name in found if name != "mine")


def test_where_checkpoints_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_DTYPE", "bfloat16")
    assert one("device").found.startswith("checkpoints run on the CPU, in bfloat16")
    monkeypatch.setenv("HEADLIGHT_DEVICE", "cuda:77")
    finding = one("device")
    assert finding.state == "problem" and "HEADLIGHT_DEVICE is cuda:77" in finding.found


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        finding = one("port", "--port", str(port))
    assert finding.state == "problem"
    assert f"127.0.0.1:{port}" in finding.found


def test_damaged_weights(
    tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(copytree(tiny_folder, tmp_path / "copy"))
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    monkeypatch.setenv("HEADLIGHT_SHIPPED", str(folder))
    finding = one("shipped", "--model", f"same={folder}")
    assert finding.state == "problem"
    assert "damaged" in finding.found
    assert one("same", "--model", f"same={folder}").state == "problem"


def test_a_checkpoint_that_ends_too_early(tmp_path: Path) -> None:
    torch.manual_seed(0)
    folder = FAMILIES["bert"](tmp_path / "bert")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    finding = one("bert", "--model", str(folder))
    assert finding.state == "problem"
    assert "not a whole safetensors file" in finding.found


def test_what_loading_says_of_a_checkpoint(tmp_path: Path) -> None:
    torch.manual_seed(0)
    folder = FAMILIES["bloom"](tmp_path / "bloom")
    finding = one("bloom", "--model", str(folder))
    assert finding.state == "ok"
    assert "only its patterns can be shown: it computes attention itself" in finding.found
    torch.manual_seed(0)
    saved(hf.MambaForCausalLM, tmp_path / "mamba")
    finding = one("mamba", "--model", str(tmp_path / "mamba"))
    assert (finding.state, "has no attention" in finding.found) == ("problem", True)


def test_a_folder_that_does_not_exist() -> None:
    finding = one("bert", "--model", "/nowhere/bert")
    assert (finding.state, "no folder /nowhere/bert" in finding.found) == ("problem", True)


def test_a_hub_id_is_looked_up_without_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("doctor used the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    finding = one("mine", "--model", "mine=someone/not-here")
    assert (finding.state, "hf download" in finding.advice) == ("warning", True)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert one("mine", "--model", "mine=someone/not-here").state == "problem"
    assert one("network").found.startswith("offline")


@pytest.fixture
def a_hub() -> Iterator[str]:
    class Answer(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_hub_is_asked_on_request(a_hub: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", a_hub)
    assert one("hub", "--online").state == "ok"
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    assert one("hub", "--online").state == "warning"


def test_settings_that_are_wrong_or_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_WORKERS", "none")
    monkeypatch.setenv("HEADLIGHT_WORKER", "2")
    monkeypatch.setenv("HEADLIGHT_CERTFILE", "/nowhere/class.pem")
    status, found = examined("--model", "/nowhere/bert")
    wrong, unknown, _ = found["settings"]
    assert (status, wrong.state, unknown.state) == (1, "problem", "warning")
    assert wrong.found.startswith("HEADLIGHT_WORKERS: ")
    assert "HEADLIGHT_WORKERS" in unknown.advice
    assert "1 worker " in found["threads"][0].found
    assert found["certificate"][0].state == found["bert"][0].state == "problem"


def test_more_workers_than_the_machine_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_WORKERS", "64")
    monkeypatch.setenv("HEADLIGHT_TORCH_THREADS", "256")
    monkeypatch.setenv("HEADLIGHT_MEMORY_BYTES", "1000000")
    status, found = examined()
    assert status == 0
    assert found["threads"][0].state == found["memory"][0].state == "warning"


def test_packages_and_extras_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from server.doctor import software

    there = software._installed
    monkeypatch.setattr(
        software, "_installed", lambda name: None if name in ("brotli", "peft") else there(name)
    )
    status, found = examined()
    assert (status, found["packages"][0].advice) == (1, "pip install brotli")
    assert "not installed" in found["[lora]"][0].found
    assert found["[lora]"][0].state == "ok"


def test_a_check_that_fails_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(settings: Settings) -> Iterator[Finding]:
        raise OSError("libgomp.so.1 is missing")

    monkeypatch.setattr(doctor, "CHECKS", (broken,))
    assert one("broken").found == "OSError: libgomp.so.1 is missing"


def test_it_starts_where_torch_does_not() -> None:
    program = "import sys; sys.modules['torch'] = None; from server.cli import app; app(['doctor'])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 1
    assert re.search(r"^problem +torch_build +.*torch", ran.stdout, re.MULTILINE)
    assert re.search(r"^ok +port ", ran.stdout, re.MULTILINE)


def test_every_extra_for_users_is_listed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"test", "dev", "pack"}
