"""Entropy, loss and likeness in the place of a prediction, against the same by hand."""

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf
from fastapi.testclient import TestClient

from model.sources.native import NativeSource
from model.sources.source import Inputs
from tests.api.conftest import Serve
from tests.api.test_analysis import NONE, analyse
from tests.api.test_wire import post_json
from tests.unit.sources.pretrained.checkpoints import FAMILIES

TEXTS = ("the cat sat on the mat", "a dog")
OTHERS = ("the dog ran", "a cat")


def log_p(source: NativeSource, text: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The ids of a text, and ln p of every token at every position, from the model's modules."""
    trace = source.trace(Inputs((text,)))
    ids = torch.tensor([token.id for token in trace.tokens[0]])
    with torch.no_grad():
        run = source.model(ids[None], positions=torch.arange(len(ids))[None])
        return ids, source.model.unembed(run.resid)[0].log_softmax(-1)


def vector(source: NativeSource, text: str) -> torch.Tensor:
    trace = source.trace(Inputs((text,)))
    assert trace.stages is not None
    return trace.stages[-1, 0].mean(dim=0)


def asked(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, **more}


@pytest.mark.parametrize("position", [None, 1])
def test_an_entropy_is_that_of_the_prediction(
    client: TestClient, tiny: NativeSource, position: int | None
) -> None:
    answer = asked("entropy", position=position)
    found = post_json(client, texts=TEXTS, answer=answer, select=NONE)
    for text, measured, listed in zip(TEXTS, found["measured"], found["predictions"], strict=True):
        _, known = log_p(tiny, text)
        row = known[-1 if position is None else position]
        entropy = float(-(row.exp() * row).sum())
        assert measured == {"quantity": "entropy", "values": [pytest.approx(entropy, abs=1e-4)]}
        told = {one["text"]: one["probability"] for one in listed}
        assert told["sure"] == pytest.approx(torch.exp(torch.tensor(-entropy)).item(), abs=1e-5)
        assert told["unsure"] == pytest.approx(1 - told["sure"], abs=1e-6)


def test_a_loss_is_that_of_the_text(client: TestClient, tiny: NativeSource) -> None:
    found = post_json(client, texts=TEXTS, answer=asked("loss"), select=NONE)
    for text, measured in zip(TEXTS, found["measured"], strict=True):
        ids, known = log_p(tiny, text)
        loss = -float(known[:-1].gather(-1, ids[1:, None]).mean())
        assert measured == {"quantity": "loss", "values": [pytest.approx(loss, abs=1e-4)]}


def test_a_likeness_is_the_cosine_of_vectors(client: TestClient, tiny: NativeSource) -> None:
    like = asked("similarity", texts=list(OTHERS))
    found = post_json(client, texts=TEXTS, answer=like, select=NONE)
    vectors = torch.stack([vector(tiny, text) for text in OTHERS])
    for text, measured, listed in zip(TEXTS, found["measured"], found["predictions"], strict=True):
        cosines = torch.cosine_similarity(vectors, vector(tiny, text)[None], dim=-1)
        assert measured["values"] == pytest.approx(cosines.tolist(), abs=1e-5)
        told = {one["text"]: one["probability"] for one in listed}
        p = (20 * cosines).softmax(-1).tolist()
        assert [told[text] for text in OTHERS] == pytest.approx(p, abs=1e-4)


def test_a_text_is_like_itself(client: TestClient) -> None:
    like = asked("similarity", texts=[TEXTS[1]])
    found = post_json(client, texts=TEXTS[1:], answer=like, select=NONE)
    assert found["measured"][0]["values"] == [0, pytest.approx(1, abs=1e-5)]
    assert {one["text"] for one in found["predictions"][0]} == {"unlike it", TEXTS[1]}


@pytest.mark.parametrize(
    "answer",
    [
        asked("entropy"),
        asked("loss"),
        asked("similarity", texts=list(OTHERS)),
        asked("similarity", texts=list(OTHERS), read="last"),
    ],
    ids=["entropy", "loss", "mean", "last"],
)
def test_every_analysis_is_of_the_answer(client: TestClient, answer: dict[str, Any]) -> None:
    logit = {"token": 1, "against": 0}
    found = analyse(
        client,
        TEXTS[:1],
        answer=answer,
        analyse={
            "mute_effects": {"token": 1},
            "mute_estimates": {"token": 1, "exact": 4},
            "patching": {"clean": "the dog ran on a mat", "at": "head", "by": "head", **logit},
            "explanations": {"layer": 0, "head": 2, "steps": 3},
            "gradients": {"tensors": ["resid_post"], "layers": [1], **logit},
        },
    )

    def p_of(**more: Any) -> float:
        told = post_json(client, texts=TEXTS[:1], answer=answer, select=NONE, **more)
        return float(next(one["probability"] for one in told["predictions"][0] if one["id"] == 1))

    [mutes] = found["mute_effects"]
    changes = {(one["layer"], one["head"]): one["change"] for one in mutes["effects"]}
    moved = torch.tensor(p_of(muted=[[0, 2]]) / p_of()).log().item()
    assert changes[0, 2] == pytest.approx(moved, abs=1e-3) and abs(moved) > 1e-6
    [estimates] = found["mute_estimates"]
    for one in estimates["effects"]:
        if one["change"] is not None:
            known = changes[one["layer"], one["head"]]
            assert one["change"] == pytest.approx(known, abs=1e-4)
    [patched] = found["patching"]
    assert patched["clean"] != patched["corrupted"]
    slopes = torch.tensor(found["gradients"]["layers.1"]["resid_post"][0])
    assert slopes.abs().max() > 0
    if answer["kind"] == "loss":
        assert (slopes.abs().sum(-1)[:-1] > 0).all() and slopes[-1].abs().max() == 0


@pytest.mark.parametrize("read", ["mean", "first", "last"])
def test_a_likeness_is_a_sum_over_the_parts(client: TestClient, read: str) -> None:
    like = asked("similarity", texts=list(OTHERS), read=read, scale=1)
    body: dict[str, Any] = {"answer": like, "analyse": {"attribution": {"token": 1, "against": 0}}}
    found = analyse(client, TEXTS, **body)
    for parts, measured in zip(found["attribution"], found["measured"], strict=True):
        cosines = measured["values"]
        assert parts["logit"] == pytest.approx(cosines[1] - cosines[0], abs=1e-5)
        assert sum(one["value"] for one in parts["contributions"]) == pytest.approx(
            parts["logit"], abs=1e-5
        )
        by_head = {
            (one["part"]["layer"], one["part"]["head"]): one["value"]
            for one in parts["contributions"]
            if one["part"]["kind"] == "head"
        }
        for one in parts["sources"]:
            assert sum(one["values"]) == pytest.approx(by_head[one["layer"], one["head"]], abs=1e-5)


def test_what_is_said_of_a_mask_is_said_of_the_answer(client: TestClient) -> None:
    masks = {"window": 1}
    like = asked("similarity", texts=[TEXTS[0]])
    found = post_json(client, texts=TEXTS[:1], answer=like, select=NONE, masks=masks)
    # the other text runs unmasked: the same words are no longer quite alike
    assert found["measured"][0]["values"][1] < 0.9999


@pytest.mark.parametrize("family", ["bert", "gpt2", "t5"])
def test_models_without_a_prediction_have_one_then(
    serve: Serve, tmp_path: Path, family: str
) -> None:
    torch.manual_seed(0)
    FAMILIES[family](tmp_path)
    auto = hf.AutoModelForSeq2SeqLM if family == "t5" else hf.AutoModel
    auto.from_pretrained(tmp_path).save_pretrained(tmp_path)
    client = serve(models=(f"tiny={tmp_path}",))
    own: dict[str, Any] = {"model": "tiny", "select": NONE}
    if family == "t5":
        own["targets"] = ["un chat"]
        like = {"texts": TEXTS[:1], "answer": asked("similarity", texts=["a"]), **own}
        refused = client.post("/api/trace", json=like).json()["error"]
        assert refused["field"] == "answer" and "target" in refused["message"]
        [measured] = post_json(client, texts=TEXTS[:1], answer=asked("loss"), **own)["measured"]
        assert measured["values"][0] > 0
        return
    like = asked("similarity", texts=list(OTHERS))
    found = analyse(client, TEXTS[:1], answer=like, analyse={"mute_effects": {}}, **own)
    assert all(-1 <= one <= 1 for one in found["measured"][0]["values"])
    assert any(one["change"] for one in found["mute_effects"][0]["effects"])
    for kind in ("entropy", "loss"):
        body = {"texts": TEXTS[:1], "answer": asked(kind), **own}
        refused = client.post("/api/trace", json=body)
        assert refused.status_code == 422 and refused.json()["error"]["field"] == "answer"


@pytest.mark.parametrize(
    ("answer", "field", "said"),
    [
        (asked("mood"), "answer", "probe"),
        (asked("similarity", texts=[]), "answer.texts", "1"),
        (asked("similarity", texts=["a", "a"]), "answer.texts", "once"),
        (asked("similarity", texts=[f"a{n}" for n in range(40)]), "answer.texts", "8"),
        (asked("similarity", texts=["a" * 30_000]), "answer.texts.0", "characters"),
        (asked("entropy", position=99), "answer.position", "0 to"),
        (asked("loss", read="mean"), "answer.read", ""),
    ],
)
def test_what_does_not_fit_is_refused(
    client: TestClient, answer: dict[str, Any], field: str, said: str
) -> None:
    refused = client.post("/api/trace", json={"texts": TEXTS, "answer": answer})
    assert refused.status_code in (413, 422), refused.json()
    error = refused.json()["error"]
    assert error["field"] == field and said in error["message"]


def test_what_is_no_sum_over_the_stream_is_refused(client: TestClient) -> None:
    body = {"texts": TEXTS, "answer": asked("loss"), "analyse": {"attribution": {}}}
    refused = client.post("/api/trace", json=body).json()["error"]
    assert "every token" in refused["message"]
    like = asked("similarity", texts=["a dog"])
    body = {"texts": TEXTS, "answer": like, "analyse": {"paths": {}}}
    refused = client.post("/api/trace", json=body).json()["error"]
    assert "mean over tokens" in refused["message"]


def test_without_an_answer_nothing_is_measured(client: TestClient) -> None:
    assert post_json(client, texts=TEXTS, select=NONE)["measured"] is None


def test_a_text_of_one_token_has_no_loss(serve: Serve, tmp_path: Path) -> None:
    FAMILIES["gpt2"](tmp_path)
    client = serve(models=(f"tiny={tmp_path}",))
    body = {"model": "tiny", "texts": ["a"], "special_tokens": False, "answer": asked("loss")}
    refused = client.post("/api/trace", json=body)
    assert refused.status_code == 422 and "two tokens" in refused.json()["error"]["message"]


def test_the_limit_of_tokens_holds_for_what_is_compared_with(serve: Serve) -> None:
    client = serve(max_tokens=6)
    like = asked("similarity", texts=["a cat", "the cat sat on the mat and the dog ran"])
    refused = client.post("/api/trace", json={"texts": ["a dog"], "answer": like})
    error = refused.json()["error"]
    assert (refused.status_code, error["field"]) == (422, "answer.texts"), error
    assert "Text 2 of the answer" in error["message"]


def test_the_entropy_of_a_classifier_is_that_of_its_classes(serve: Serve, tmp_path: Path) -> None:
    from tests.unit.sources.pretrained.test_classifiers import _bert

    _bert(tmp_path)
    client = serve(models=(f"tiny={tmp_path}",))
    own: dict[str, Any] = {"model": "tiny", "texts": TEXTS[:1], "select": NONE}
    classes = post_json(client, **own)["predictions"][0]
    p = torch.tensor([one["probability"] for one in classes])
    [measured] = post_json(client, **own, answer=asked("entropy"))["measured"]
    assert measured["values"] == [pytest.approx(float(-(p * p.log()).sum()), abs=1e-4)]
    body = {**own, "answer": asked("entropy", position=1)}
    assert client.post("/api/trace", json=body).json()["error"]["field"] == "answer.position"
