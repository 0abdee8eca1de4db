"""Many people at once, with requests of every kind: each gets what they would get alone."""

import json
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from scripts.live import Server, running
from tests.asked import requests_of
from tests.faults.asking import ask
from tests.sweeps import sweep
from tests.unit.sources.pretrained.checkpoints import SMALL, D

pytestmark = pytest.mark.long

CLIENTS = 16
TIMEOUT_S = 120
NEAR = 1e-5  # requests may share a batch
OFF = {"cache_bytes": "0", "answer_cache_bytes": "0"}

Request = dict[str, Any] | str  # the body of a trace; or an address, of circuits
Answer = tuple[int, Any]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder, models = tmp_path_factory.mktemp("models"), []
    for family in ("llama", "t5"):
        torch.manual_seed(0)
        path: Path = SMALL[family](folder / family)
        models.append(f"{family}={path}")
    return {"models": ",".join(models), "workers": "2", "queue_size": "64"}


@pytest.fixture(scope="module")
def asked() -> list[Request]:
    requests: list[Request] = []
    for model, kind in (("shipped", "self"), ("llama", "self"), ("t5", "encoder")):
        width = 128 if model == "shipped" else D
        requests += requests_of(model, "next", kind, width).values()
        requests.append(f"/api/models/{model}/circuits?layer=1&head=0&kind={kind}&token=7")
    return requests


def answer(server: Server, request: Request) -> Answer:
    if isinstance(request, str):
        found = ask(server, request, timeout=TIMEOUT_S)
    else:
        found = ask(server, "/api/trace", body=request, timeout=TIMEOUT_S)
    return found.status, json.loads(found.body)


@pytest.fixture(scope="module")
def alone(settings: dict[str, str], asked: list[Request]) -> list[Answer]:
    """The answers when nobody else asks, of a server that keeps none of them."""
    with running(settings=settings | OFF) as server:
        answers = [answer(server, request) for request in asked]
    assert {status for status, _ in answers} == {200}
    return answers


CROWDS = [{}, OFF, OFF | {"concurrency": "2"}]


@pytest.mark.parametrize("crowd", sweep(CROWDS, [CROWDS[0], CROWDS[2]]), ids="-".join)
def test_each_answer_is_that_to_somebody_alone(
    settings: dict[str, str],
    asked: list[Request],
    alone: list[Answer],
    crowd: dict[str, str],
    everything: bool,
) -> None:
    """Two workers and 16 clients. Each request is sent twice, at different times.

    With caches, without them, and with two requests at once in each worker.
    """
    chance = Random(0)
    turns = [place for _ in range(10 if everything else 2) for place in range(len(asked))]
    chance.shuffle(turns)
    each = [turns[client::CLIENTS] for client in range(CLIENTS)]
    with running(settings=settings | crowd) as server:

        def client(places: list[int]) -> list[tuple[int, Answer]]:
            return [(place, answer(server, asked[place])) for place in places]

        with ThreadPoolExecutor(CLIENTS) as pool:
            answers = [one for those in pool.map(client, each) for one in those]
    wrong = {
        json.dumps(asked[place]): difference
        for place, got in answers
        if (difference := other(alone[place], got))
    }
    assert not wrong, f"{len(wrong)} of {len(answers)}: {wrong}"


def other(a: Any, b: Any, at: str = "") -> str:
    """Where two answers are not the same, and what stands there; nothing if they are."""
    if isinstance(a, float) and isinstance(b, float | int):
        return "" if math.isclose(a, b, rel_tol=NEAR, abs_tol=NEAR) else f"{at}: {a} {b}"
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        pairs: list[tuple[Any, Any, Any]] = [(key, a[key], b[key]) for key in a]
    elif isinstance(a, list | tuple) and isinstance(b, list | tuple) and len(a) == len(b):
        pairs = [(index, *pair) for index, pair in enumerate(zip(a, b, strict=True))]
    else:
        return "" if a == b else f"{at}: {a} {b}"[:200]
    return next(filter(None, (other(x, y, f"{at}.{key}") for key, x, y in pairs)), "")
