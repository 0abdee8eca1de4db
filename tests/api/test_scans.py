"""Checkpoints with selective scans: each analysis answers, or says why it cannot."""

from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import Serve
from tests.api.test_analysis import EVERYTHING
from tests.api.test_trained_mechanisms import EDGES
from tests.unit.sources.pretrained.test_scans import FAMILIES, TEXT, loaded

STREAM = {"stream", "attribution", "composition", "weight_composition", "paths"}


@pytest.mark.parametrize(("family", "refused"), [("Mamba2", STREAM), ("Bamba", set())])
def test_each_analysis_answers_or_says_why_it_cannot(
    tmp_path: Path, family: str, refused: set[str], serve: Serve
) -> None:
    loaded(tmp_path, family, FAMILIES[family][0])  # is written there
    client = serve(models=f"here={tmp_path}")

    def asked(select: dict[str, Any], **analyse: Any) -> Any:
        body = {"model": "here", "texts": [TEXT], "select": select, "analyse": analyse}
        return client.post("/api/trace", json=body)

    told = asked({"layers": []}, edges={"corrupted": TEXT}).json()["error"]
    assert told["code"] == "unavailable"
    messages = dict[str, str]()
    for name, value in EVERYTHING.items():
        answer = asked({"layers": []}, **({} if name in EDGES else {name: value}))
        if answer.status_code != 200:
            assert answer.json()["error"]["code"] == "unavailable", answer.text
            messages[name] = answer.json()["error"]["message"]
    assert "no distributions" in messages.pop("other_attention")
    assert set(messages) == refused
    assert all("none of its layers has a softmax" in message for message in messages.values())
    cell = asked({"layers": []}, cell={"layer": 0, "head": 0, "query": 3, "key": 1})
    assert cell.json()["error"]["code"] == "unavailable"
    # weights with a sign are no bytes
    of_scan = {"layers": [0], "tensors": ["hidden", "pattern"]}
    told = asked(of_scan).json()["sites"][0]
    assert told["kernel"] == "product" and told["has_bias"]
    assert min(min(row) for head in told["tensors"]["hidden"][0] for row in head) < 0
    assert max(max(row) for head in told["tensors"]["pattern"][0] for row in head) <= 1
    assert "uint8" in asked(of_scan | {"dtype": "uint8"}).json()["error"]["message"]
