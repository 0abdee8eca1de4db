"""The model of a running server: damaged weights, or a lost folder."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from model.core.checkpoint import SHIPPED
from scripts.live import running
from tests.faults.asking import ask, until

SHORT = {"texts": ["the cat sat"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped model that a test may break."""
    return Path(shutil.copytree(SHIPPED, tmp_path / "copy"))


def test_weights_that_are_not_numbers_keep_it_from_being_ready(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["blocks.1.attention.w_o.weight"][2, 3] = torch.nan
    save_file(weights, folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text())
    del config["sha256"]  # otherwise the checksum fails before the numbers are checked
    (folder / "config.json").write_text(json.dumps(config))
    with running("--workers", "2", settings={"shipped": str(folder)}, until="/healthz") as server:
        assert until(lambda: b"not finite" in ask(server, "/readyz").body)
        ready = ask(server, "/readyz")
        assert (ready.status, ready.error()["code"]) == (503, "not_ready")
        assert ready.error()["message"].startswith("Not ready: model.safetensors has numbers")
        answer = ask(server, "/api/trace", body=SHORT)
        assert (answer.status, answer.error()["code"]) == (503, "bad_checkpoint")
        assert ask(server, "/healthz").status == 200
        assert b"not finite" in ask(server, "/").body


def test_a_lost_folder_is_told_and_costs_nothing_that_is_loaded(folder: Path) -> None:
    with running("--workers", "2", settings={"shipped": str(folder)}) as server:
        assert until(lambda: server.log().count("shipped is loaded") == 2)  # by each worker
        shutil.rmtree(folder)
        answers = []  # of either worker; each looks for its files once a second

        def is_told() -> bool:
            answers.append(ask(server, "/readyz"))
            return answers[-1].status == 503

        assert until(is_told)
        message = answers[-1].error()["message"]
        assert "config.json of its model shipped is no longer in its folder" in message
        assert ask(server, "/api/trace", body=SHORT).status == 200
        shutil.copytree(SHIPPED, folder)
        assert until(lambda: all(ask(server, "/readyz").status == 200 for _ in range(8)))
