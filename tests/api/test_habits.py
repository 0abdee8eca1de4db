"""The page scores the selected head on the sentence by itself: its scores are the server's."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.app import create_app
from server.settings import Settings

pytestmark = pytest.mark.long

SCRIPT = Path(__file__).parent.parent / "js/habits.mjs"
REQUESTS: tuple[dict[str, Any], ...] = (
    {"texts": ["red apple window (seven) red apple, window [seven] the 日本 the."]},
    {"texts": ["Mary saw herself.", "The keys near the old cabinet are on the table."]},
    {
        "texts": ["A cat.", "the cat sat on the mat and the cat slept"],
        "masks": {"causal": False, "padding": False, "padding_side": "left", "window": 4},
    },
    {
        "texts": ["the old cat and the old dog"],
        "masks": {
            "blocked": [
                {"text": None, "layer": None, "head": None, "query": query, "key": key}
                for query, key in ((3, None), (5, 1), (6, 2), (7, 0), (1, 0))
            ]
        },
    },
    {"texts": [""]},
    {"texts": ["Hello"]},
)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Settings())) as client:
        yield client


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_scores_of_the_page_are_those_of_the_server(client: TestClient) -> None:
    heads: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    for request in REQUESTS:
        select = {"tensors": ["pattern", "blocked_by"]}
        body = {**request, "select": select, "analyse": {"scores": True}}
        answer = client.post("/api/trace", json=body).json()
        for text, tokens in enumerate(answer["tokens"]):
            scores = iter(answer["scores"][text]["heads"])
            for site in answer["sites"]:
                blocked = site["tensors"]["blocked_by"][text]
                names = {name: site[name] for name in ("query_tokens", "key_tokens")}
                for head, pattern in enumerate(site["tensors"]["pattern"][text]):
                    heads.append(
                        {
                            "site": names,
                            "queries": tokens,
                            "keys": tokens,
                            "pattern": pattern,
                            "blocked": blocked[head if len(blocked) > 1 else 0],
                        }
                    )
                    expected.append(next(scores)["scores"])
    run = subprocess.run(
        ["node", SCRIPT], input=json.dumps(heads), capture_output=True, text=True, check=True
    )
    found = json.loads(run.stdout)
    assert len(found) == len(expected) > 100
    for one, scores in zip(found, expected, strict=True):
        assert len(one["scores"]) == 10
        for metric, score in one["scores"].items():
            assert score["over"] == scores[metric]["over"], metric
            if score["value"] is None:
                assert scores[metric]["value"] is None, metric
            else:
                assert score["value"] == pytest.approx(scores[metric]["value"], abs=1e-5), metric
    assert {one["relates"] for one in found} == {True, False}
