"""Linear probes: what they read by hand, and every analysis of what they tell."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from fastapi.testclient import TestClient

from model.sources.answering.answer import Probe
from model.sources.answering.answered import Answered
from model.sources.native import NativeSource
from model.sources.source import Inputs
from tests.api.conftest import Serve
from tests.api.test_analysis import NONE, analyse
from tests.api.test_wire import post_json
from tests.unit.sources.pretrained.checkpoints import FAMILIES

TEXTS = ("the cat sat on the mat", "a dog")
WEIGHTS = np.random.default_rng(0).normal(size=(3, 20)).round(3)


def probe(layer: int = 0, rows: int = 3, **more: Any) -> dict[str, Any]:
    return {"kind": "probe", "layer": layer, "weights": WEIGHTS[:rows].tolist(), **more}


def stream_of(source: NativeSource, text: str, layer: int) -> torch.Tensor:
    """The stream after a layer, from the model's own modules."""
    ids = torch.tensor([[token.id for token in source.trace(Inputs((text,))).tokens[0]]])
    with torch.no_grad():
        passed = source.model(ids, positions=torch.arange(ids.shape[1])[None], record=True)
    found: torch.Tensor = passed.layers[layer].resid_post[0]
    return found


@pytest.mark.parametrize("read", ["last", "first"])
def test_a_probe_is_read_off_the_stream_after_its_layer(
    client: TestClient, tiny: NativeSource, read: str
) -> None:
    asked = probe(rows=3, bias=[0.5, -1, 0], classes=["a", "b", "c"], read=read)
    answer = post_json(client, texts=TEXTS, answer=asked, select=NONE)
    for text, listed in zip(TEXTS, answer["predictions"], strict=True):
        x = stream_of(tiny, text, 0)
        logits = torch.tensor(WEIGHTS).float() @ x[-1 if read == "last" else 0]
        p = (logits + torch.tensor([0.5, -1, 0])).softmax(-1)
        told = {one["text"]: one["probability"] for one in listed}
        assert told == {name: pytest.approx(float(p[n]), abs=1e-4) for n, name in enumerate("abc")}


def test_one_row_tells_no_from_yes(client: TestClient, tiny: NativeSource) -> None:
    answer = post_json(client, texts=TEXTS[:1], answer=probe(rows=1), select=NONE)
    told = {one["text"]: one["probability"] for one in answer["predictions"][0]}
    logit = float(torch.tensor(WEIGHTS[0]).float() @ stream_of(tiny, TEXTS[0], 0)[-1])
    assert told["yes"] == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-4)
    assert told["no"] == pytest.approx(1 - told["yes"], abs=1e-6)


def test_every_analysis_is_of_the_probe(client: TestClient) -> None:
    asked = probe(rows=2, classes=["cat", "dog"])
    logit = {"token": 0, "against": 1}
    found = analyse(
        client,
        TEXTS[:1],
        answer=asked,
        analyse={
            "attribution": logit,
            "mute_effects": {"token": 0},
            "mute_estimates": {"token": 0, "exact": 4},
            "patching": {"clean": "the dog ran on a mat", "at": "head", "by": "head", **logit},
            "paths": {"limit": 6, **logit},
            "explanations": {"layer": 0, "head": 2, "steps": 3},
            "gradients": {"tensors": ["resid_post"], "layers": [0], **logit},
        },
    )
    [parts] = found["attribution"]
    assert {part["part"]["layer"] for part in parts["contributions"]} <= {None, 0}
    assert sum(part["value"] for part in parts["contributions"]) + parts[
        "remainder"
    ] == pytest.approx(parts["logit"], abs=1e-3)
    assert abs(parts["remainder"]) < 1e-3
    direction = WEIGHTS[0] - WEIGHTS[1]
    np.testing.assert_allclose(
        found["gradients"]["layers.0"]["resid_post"][0][-1], direction, atol=1e-4
    )
    # heads after the layer change nothing; one before it moves the probability as a run says
    [mutes] = found["mute_effects"]
    changes = {(one["layer"], one["head"]): one["change"] for one in mutes["effects"]}
    assert all(abs(changes[1, head]) < 1e-6 for head in range(3))
    muted = post_json(client, texts=TEXTS[:1], answer=asked, select=NONE, muted=[[0, 2]])
    plain = post_json(client, texts=TEXTS[:1], answer=asked, select=NONE)
    p = [
        next(one["probability"] for one in each["predictions"][0] if one["text"] == "cat")
        for each in (muted, plain)
    ]
    assert changes[0, 2] == pytest.approx(np.log(p[0] / p[1]), abs=1e-3)
    [estimates] = found["mute_estimates"]
    for one in estimates["effects"]:
        if one["change"] is not None:
            assert one["change"] == pytest.approx(changes[one["layer"], one["head"]], abs=1e-4)
    [patched] = found["patching"]
    assert patched["clean"] != patched["corrupted"]
    assert found["paths"][0]["edges"]


def test_what_is_not_of_the_prediction_is_that_of_the_model(client: TestClient) -> None:
    asked: dict[str, Any] = {
        "stream": {},
        "composition": True,
        "vector_effects": True,
        "cell": {"layer": 1, "head": 0, "query": 3, "key": 1},
        "space": {"layer": 1, "head": 0, "sentences": ["the dog ran"]},
    }
    plain = analyse(client, TEXTS[:1], analyse=asked)
    probed = analyse(client, TEXTS[:1], analyse=asked, answer=probe(layer=0))
    for name in asked:
        assert probed[name] == plain[name], name


@pytest.mark.parametrize(
    "asked",
    [
        {name: {"token": 7}}
        for name in (*("attribution", "mute_effects", "mute_estimates"), "paths", "gradients")
    ],
)
def test_a_class_that_is_not_there_is_refused(client: TestClient, asked: dict[str, Any]) -> None:
    answer = client.post("/api/trace", json={"texts": TEXTS, "answer": probe(), "analyse": asked})
    assert answer.status_code == 422 and "ids 0 to 2; got 7" in answer.json()["error"]["message"]


def test_runs_that_differ_after_the_layer_have_a_row_each(tiny: NativeSource) -> None:
    inputs = Inputs(TEXTS[:1])
    probed = Answered(tiny, Probe(layer=0, weights=((1.0,) * 20,)), inputs)
    runner = probed.runner(inputs)
    assert tiny.runner(Inputs(TEXTS[:1])).grows
    with torch.no_grad():
        rows = runner.from_layer(1, lambda _, x: x, text=0, rows=3)
    assert rows.shape[0] == 3


@pytest.mark.parametrize("family", ["bert", "t5"])
def test_models_without_a_prediction_have_one_then(
    serve: Serve, tmp_path: Path, family: str
) -> None:
    torch.manual_seed(0)
    FAMILIES[family](tmp_path)
    if family == "bert":  # without its head
        hf.AutoModel.from_pretrained(tmp_path).save_pretrained(tmp_path)
    client = serve(models=(f"tiny={tmp_path}",))
    own: dict[str, Any] = {"model": "tiny", "select": NONE}
    own |= {"targets": ["un chat"]} if family == "t5" else {}
    plain = post_json(client, texts=("the cat sat",), **own)
    assert (plain["predictions"] is None) == (family == "bert")
    about = next(one for one in client.get("/api/models").json()["models"] if one["name"] == "tiny")
    asked = {"kind": "probe", "layer": 0, "weights": [[0.1 * n for n in range(about["d_model"])]]}
    found = analyse(client, ("the cat sat",), answer=asked, analyse={"mute_effects": {}}, **own)
    [mutes] = found["mute_effects"]
    assert mutes["token"]["text"] in ("no", "yes")
    assert any(one["change"] for one in mutes["effects"] if one["layer"] == 0)
    if family == "bert":  # norms stand within its stream
        [parts] = analyse(
            client, ("the cat sat",), answer=asked, analyse={"attribution": {"token": 1}}, **own
        )["attribution"]
        assert abs(parts["remainder"]) < 1e-3 < abs(parts["logit"])
    later = [one for one in mutes["effects"] if one["layer"] > 0 and one["kind"] != "encoder"]
    assert later and all(abs(one["change"]) < 1e-6 for one in later)


@pytest.mark.parametrize(
    ("asked", "field", "said"),
    [
        (probe(layer=3), "answer.layer", "layers 0 to 1"),
        ({"kind": "probe", "layer": 0, "weights": [[1.0, 2.0]]}, "answer.weights", "20 numbers"),
        ({"kind": "probe", "layer": 0, "weights": [[1.0], [2.0, 3.0]]}, "answer.weights", "1 to 2"),
        (probe(bias=[1.0]), "answer.bias", "3 rows and 1 biases"),
        (probe(classes=["a", "b"]), "answer.classes", "3 classes apart; got 2"),
        (probe(weights=[]), "answer.weights", ""),
    ],
)
def test_a_probe_that_does_not_fit_is_refused(
    client: TestClient, asked: dict[str, Any], field: str, said: str
) -> None:
    answer = client.post("/api/trace", json={"texts": TEXTS, "answer": asked})
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == field and said in answer.json()["error"]["message"]


def test_what_reads_every_layer_is_refused(client: TestClient) -> None:
    body = {"texts": TEXTS, "answer": probe(), "analyse": {"lens": {}}}
    answer = client.post("/api/trace", json=body)
    assert answer.status_code == 422 and "one layer" in answer.json()["error"]["message"]
