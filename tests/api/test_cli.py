"""The command line, and a real server: several workers, and a stop that finishes open requests."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest
import torch
import typer
from typer.testing import CliRunner

from model.analysis import probe
from model.masks.rules import MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from scripts.live import Server, running
from server.api.schemas import HeadsResponse
from server.cli import app
from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.long

TIMEOUT_S = 60


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(autouse=True)
def shipped(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_SHIPPED", str(tiny_folder))
    monkeypatch.setenv("OMP_WAIT_POLICY", "PASSIVE")


def test_help_names_the_commands_and_imports_no_torch() -> None:
    program = """
import sys
from server.cli import app
try:
    app(["--help"])
finally:
    print("torch" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    for command in ("serve", "trace", "heads", "train", "evaluate"):
        assert command in ran.stdout
    assert ran.stdout.rstrip().endswith("False")


def test_trace_prints_what_the_api_answers(tiny: NativeSource) -> None:
    answer = json.loads(run("trace", "The cat", "--layer", "1", "--top", "2", "--json"))
    pattern = tiny.trace(Inputs(texts=("The cat",))).sites[1].derive(["pattern"])["pattern"]
    [site] = answer["sites"]
    assert site["name"] == "layers.1"
    np.testing.assert_array_equal(np.float32(site["tensors"]["pattern"]), pattern.numpy())
    assert len(answer["predictions"][0]) == 2


def test_trace_takes_the_masks_and_mutes_of_a_request(tiny: NativeSource) -> None:
    options = ("--mask", "causal=false", "--mask", "window=2", "--mute", "0.1")
    answer = json.loads(run("trace", "The cat sat", *options, "--json"))
    masks, muted = MaskSettings(causal=False, window=2), (MutedHead(0, 1),)
    trace = tiny.trace(Inputs(texts=("The cat sat",), masks=masks, muted=muted))
    for site, named in zip(trace.sites, answer["sites"], strict=True):
        pattern = site.derive(["pattern"])["pattern"]
        np.testing.assert_array_equal(np.float32(named["tensors"]["pattern"]), pattern.numpy())
    assert answer["sites"][0]["muted"] == [1]
    run("trace", "The cat", "--mask", "padding_side=left")


def test_trace_prints_one_head_as_a_table(tiny: NativeSource) -> None:
    printed = run("trace", "The cat", "--layer", "1", "--head", "2", "--top", "3")
    pattern = tiny.trace(Inputs(texts=("The cat",))).sites[1].derive(["pattern"])["pattern"]
    assert "layers.1, head 2" in printed
    assert all(token in printed for token in ("[BOS]", "The", "cat"))
    assert f"{pattern[0, 2, 1, 0]:.2f}" in printed


def test_a_mask_has_a_name_and_a_value() -> None:
    result = CliRunner().invoke(app, ["trace", "a", "--mask", "causal"])
    assert result.exit_code == 2
    assert "NAME=VALUE" in result.output


def test_heads_prints_what_the_api_answers(tiny_folder: Path, tiny: NativeSource) -> None:
    answer = json.loads(run("heads", "--model", str(tiny_folder), "--json"))
    HeadsResponse.model_validate(answer)
    assert answer["model"] == tiny_folder.name
    assert (answer["state"], answer["progress"]) == ("ready", {"done": 16, "total": 16})
    assert answer["heads"] == [asdict(head) for head in probe(tiny).heads]


def test_heads_scores_the_shipped_model_by_default(
    tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = json.loads(run("heads", "--json"))
    assert answer["model"] == "shipped"
    assert (
        answer["heads"] == json.loads(run("heads", "--model", str(tiny_folder), "--json"))["heads"]
    )


def test_train_asks_for_a_folder_outside_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["train"])
    assert result.exit_code == 1
    assert "headlight train -o runs/mine" in result.output
    assert not list(tmp_path.iterdir())


def test_heads_prints_a_table_with_the_strongest_first(tiny_folder: Path) -> None:
    answer = json.loads(
        run("heads", "--model", str(tiny_folder), "--strongest", "first_token", "--json")
    )
    values = [head["scores"]["first_token"]["value"] for head in answer["heads"]]
    assert values == sorted(values, reverse=True)
    assert (
        answer["heads"] != json.loads(run("heads", "--model", str(tiny_folder), "--json"))["heads"]
    )
    printed = run("heads", "--model", str(tiny_folder), "--strongest", "first_token")
    rows = [line.split() for line in printed.splitlines() if re.match(r" +\d", line)]
    assert [row[:2] for row in rows] == [
        [str(head["layer"]), str(head["head"])] for head in answer["heads"]
    ]
    assert [row[6] for row in rows] == [f"{value:.2f}" for value in values]


def test_heads_names_the_metrics_there_are(tiny_folder: Path) -> None:
    result = CliRunner().invoke(app, ["heads", "--model", str(tiny_folder), "--strongest", "x"])
    assert result.exit_code == 2
    assert "previous_token" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "--layer", "9"], "layers 0 to 1; got 9"),
        (["a", "--layer", "0", "--head", "9"], "heads 0 to 2; got 9"),
        (["cat " * 400], "at most 300"),
        (["a", "--mask", "window=0"], "window: Input should be greater than or equal to 1"),
        (["a", "--mask", "causal=1"], "causal: Input should be a valid boolean"),
    ],
)
def test_trace_says_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["trace", *arguments])
    assert result.exit_code == 1
    assert message in result.output


def test_an_unusable_folder_is_reported_before_any_work(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for command, message in (
        (["train", "-o", str(file)], "Cannot write a checkpoint"),
        (["evaluate", "--model", str(tmp_path)], "config.json"),
        (["heads", "--model", str(tmp_path)], "config.json"),
    ):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 1
        assert message in result.output
        assert "Traceback" not in result.output
        assert "training" not in result.output


def test_trace_without_a_model_says_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_SHIPPED", str(tmp_path))
    result = CliRunner().invoke(app, ["trace", "a"])
    assert result.exit_code == 1
    assert "headlight train" in result.output


@pytest.mark.parametrize("command", [["serve"], ["trace", "a"]])
def test_wrong_setting_is_named(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_PORT", "99999")
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert "HEADLIGHT_PORT: " in result.output
    assert "got '99999'" in result.output


def test_workers_share_the_port_and_their_metrics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with running("--workers", "2") as server, _client(server) as client:
        for _ in range(20):  # connections of their own, so that both workers get some
            headers = {"Connection": "close"}
            answer = client.post("/api/trace", json={"texts": ["a cat"]}, headers=headers)
            assert answer.status_code == 200
        for _ in range(4):
            text = client.get("/metrics", headers={"Connection": "close"}).text
            assert 'headlight_requests_total{route="/api/trace",status="200"} 20.0' in text
            runs = re.search(r"^headlight_traces_computed_total (\d)", text, re.MULTILINE)
            assert runs is not None and int(runs[1]) in (1, 2)
    assert server.process.returncode == 0
    assert not list(tmp_path.iterdir())  # the workers' files are gone


def test_stop_finishes_what_was_begun_and_log_holds_no_text() -> None:
    long = [
        {"texts": ["the cat sat on a mat " * n] * 8, "select": {"tensors": ["scores"]}}
        for n in (42, 43, 44, 45)
    ]
    debug = {"log_level": "debug"}
    with (
        ThreadPoolExecutor(4) as pool,
        running(settings=debug) as server,
        _client(server) as client,
    ):
        head = client.head("/api/models")
        assert (head.status_code, head.content) == (200, b"")
        from_elsewhere = {"X-Forwarded-For": "203.0.113.9"}  # which no proxy of ours has said
        client.get("/", params={"text": "a secret"}, headers=from_elsewhere)
        begun = [pool.submit(client.post, "/api/trace", json=request) for request in long]
        end = time.monotonic() + TIMEOUT_S
        while "headlight_cache_misses_total 4.0" not in client.get("/metrics").text:
            assert time.monotonic() < end
        assert not all(answer.done() for answer in begun)
        server.process.send_signal(signal.SIGTERM)
        assert [answer.result().status_code for answer in begun] == [200] * 4
        assert server.process.wait(TIMEOUT_S) == 0
        log = server.log()
        assert "shipped is loaded" in log
        assert '"GET / HTTP/1.1" 200' in log
        assert "secret" not in log and "cat sat" not in log and "203.0.113.9" not in log
        assert "Traceback" not in log


def _client(server: Server) -> httpx2.Client:
    return httpx2.Client(base_url=server.address, timeout=TIMEOUT_S)


def test_any_checkpoint_is_traced_and_scored(tmp_path: Path) -> None:
    torch.manual_seed(0)
    folder = FAMILIES["bert"](tmp_path / "bert")
    place = f"mine={folder}"
    answer = json.loads(run("trace", "the [MASK] sat", "--model", place, "--json"))
    assert answer["model"] == "mine"
    assert len(answer["predictions"][0]) == 10
    printed = run("trace", "the cat", "--model", str(folder), "--layer", "1", "--head", "0")
    assert "[CLS]" in printed and "layers.1, head 0" in printed
    scored = json.loads(run("heads", "--model", str(folder), "--json"))
    assert len(scored["heads"]) == 6


def test_serve_refuses_two_models_of_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_MODELS", "")  # what serve sets is unset again
    result = CliRunner().invoke(app, ["serve", "--model", "a/b", "--model", "c/b"])
    assert result.exit_code == 1
    assert "Two models are named b; give this one another name: NAME=c/b." in result.output


@pytest.mark.parametrize("folder", ["/nowhere/bert", "./bert", "~/nowhere/bert", "models/my/bert"])
def test_serve_refuses_a_folder_that_does_not_exist(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_MODELS", "")
    monkeypatch.setattr("server.http.serving.local.serve_locally", lambda settings: None)
    result = CliRunner().invoke(app, ["serve", "--model", folder])
    assert result.exit_code == 1
    [line] = result.output.splitlines()
    assert f"There is no folder {folder} for the model bert." in line
    result = CliRunner().invoke(app, ["serve", "--model", "a-name/on-the-hub"])
    assert result.exit_code == 0, result.output


def test_settings_that_do_not_fit_together_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_CLUSTER_MIN_REPLICAS", "9")
    result = CliRunner().invoke(app, ["trace", "a"])
    assert result.exit_code == 2
    assert "expected min_replicas to be at most max_replicas" in result.output


@pytest.mark.parametrize("command", [["serve"], ["trace", "a"]])
def test_wrong_password_is_not_printed(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_PASSWORD", "hunter2")
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert "HEADLIGHT_PASSWORD: " in result.output and "10 to 200 characters" in result.output
    assert "hunter2" not in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["serve", "--port", "99999"], "less than or equal to 65535"),
        (["class", "--port", "-1"], "greater than or equal to 0"),
        (["trace", "hi", "--mask", "foo=1"], "one of causal, "),
        (["trace", "hi", "--mask", "windw=3"], "Did you mean window?"),
    ],
)
def test_a_wrong_option_is_named_with_what_is_expected(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, arguments)
    shown = " ".join(result.output.replace("│", " ").split())
    assert result.exit_code == 2 and said in shown and arguments[-2] in shown


def test_a_text_may_come_from_the_standard_input() -> None:
    typed = CliRunner().invoke(app, ["trace", "the cat", "--json"])
    piped = CliRunner().invoke(app, ["trace", "-", "--json"], input="the cat\n")
    assert piped.exit_code == 0 and piped.output == typed.output


def test_every_command_says_output_and_model_alike() -> None:
    def options(command: str) -> dict[str, Any]:
        declared = typer.main.get_command(app).commands[command].params  # type: ignore[attr-defined]
        return {name: one for one in declared for name in one.opts}

    for command in ("train", "export", "figure", "dossier"):
        assert "-o" in options(command) and "--output" in options(command)
    for command in ("serve", "trace", "heads", "figure", "export", "evaluate", "dossier", "class"):
        assert "--model" in options(command)


def test_a_class_on_a_busy_port_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_CLASS_STORE", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        result = CliRunner().invoke(app, ["class", "--host", "127.0.0.1", "--port", port])
    assert result.exit_code == 1 and f"Cannot listen on 127.0.0.1:{port}" in result.output
    assert "/class/" not in result.output and not list(tmp_path.iterdir())


def test_get_lists_the_models_that_are_known_and_where_they_come_from() -> None:
    listed = run("get")
    assert "smollm2     SmolLM2 135M Instruct (Apache-2.0), 93 MB from a Python package" in listed
    assert "gpt2        GPT-2 (MIT), about 550 MB from the hub" in listed
    assert listed.endswith("Fetch one: headlight get NAME\n")
    refused = CliRunner().invoke(app, ["get", "gpt-9"])
    assert refused.exit_code == 1 and "Expected one of smollm2" in refused.output
    assert run("get", "smollm2", "--remove") == "SmolLM2 135M Instruct is not here.\n"
    missing = CliRunner().invoke(app, ["trace", "a", "--model", "smollm2"])
    assert missing.exit_code == 1 and "headlight get smollm2" in missing.output
