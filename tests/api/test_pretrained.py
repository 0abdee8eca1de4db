"""Checkpoints of Transformers over HTTP: named when the server starts, loaded on demand."""

from pathlib import Path
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient
from pydantic import ValidationError
from transformers import PreTrainedTokenizerFast

from model.errors import InputError
from model.masks.rules import MaskSettings
from model.sources.generation import Generate
from model.sources.native import NativeSource
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs, MutedHead
from server.api.schemas import ModelsResponse, TraceResponse
from server.app import create_app
from server.run.finding import build_registry, named
from server.settings import Settings
from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.long

TEXTS = ["the cat sat on the mat", "a dog"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    torch.manual_seed(0)
    for family in ("bert", "t5", "bloom", "gpt2"):
        FAMILIES[family](folder / family)
    (folder / "empty").mkdir()
    return folder


@pytest.fixture
def client(folder: Path, tiny_folder: Path) -> Any:
    places = [f"{folder}/{name}" for name in ("bert", "t5", "bloom", "empty")]
    settings = Settings(shipped=tiny_folder, models=(*places, f"other={folder}/gpt2"))
    with TestClient(create_app(settings)) as client:
        yield client


def trace(client: TestClient, model: str, **asked: Any) -> dict[str, Any]:
    response = client.post("/api/trace", json={"model": model, "texts": TEXTS} | asked)
    assert response.status_code == 200, response.text
    TraceResponse.model_validate(response.json())
    answer: dict[str, Any] = response.json()
    return answer


def refusal(client: TestClient, status: int, model: str, **asked: Any) -> dict[str, Any]:
    response = client.post("/api/trace", json={"model": model, "texts": TEXTS} | asked)
    assert response.status_code == status, response.text
    error: dict[str, Any] = response.json()["error"]
    return error


def described(client: TestClient) -> dict[str, dict[str, Any]]:
    answer = client.get("/api/models").json()
    ModelsResponse.model_validate(answer)
    return {model["name"]: model for model in answer["models"]}


@pytest.fixture
def talking(folder: Path, tiny_folder: Path) -> Any:
    """A model with a chat template."""
    words = PreTrainedTokenizerFast.from_pretrained(folder / "gpt2")
    words.chat_template = (
        "{% for one in messages %}[SEP] {{ one.role }} , {{ one.content }} {% endfor %}"
        "{% if add_generation_prompt %}[CLS]{% endif %}"
    )
    words.save_pretrained(folder / "gpt2")
    settings = Settings(shipped=tiny_folder, models=(f"chat={folder}/gpt2",))
    with TestClient(create_app(settings)) as client:
        yield client


def test_conversations_take_the_place_of_texts(talking: TestClient) -> None:
    talk = [{"role": "the", "content": "cat sat"}, {"role": "assistant", "content": "on mat"}]
    messages = [talk, talk[:1]]
    answer = talking.post("/api/trace", json={"model": "chat", "messages": messages}).json()
    TraceResponse.model_validate(answer)
    texts = ["[SEP] the , cat sat [SEP] assistant , on mat ", "[SEP] the , cat sat [CLS]"]
    assert answer["rendered"] == texts
    asked = {"model": "chat", "texts": texts, "special_tokens": False}
    same = talking.post("/api/trace", json=asked).json()
    assert same == answer | {"rendered": None}
    models = talking.get("/api/models").json()["models"]
    assert [model["takes_messages"] for model in models] == [False, True, False]


@pytest.mark.parametrize(
    ("asked", "field", "words"),
    [
        ({"model": "shipped"}, "messages", "has no chat template"),
        ({"texts": ["a"]}, "messages", "Expected `messages` or `texts`; got both."),
        ({"ids": [[1]]}, "messages", "Expected `messages` or `texts`; got both."),
        ({"messages": []}, "messages", ""),
        ({"messages": [[]]}, "messages.0", ""),
        ({"messages": [[{"role": "user"}]]}, "messages.0.0.content", ""),
        ({"messages": [[{"role": "u", "content": "a " * 20_000}]]}, "texts.0", "20,000 characters"),
    ],
)
def test_what_is_wrong_with_messages_is_told(
    talking: TestClient, asked: dict[str, Any], field: str, words: str
) -> None:
    talk = [{"role": "user", "content": "the cat"}]
    response = talking.post("/api/trace", json={"model": "chat", "messages": [talk]} | asked)
    error = response.json()["error"]
    assert response.status_code == 422
    assert error["field"] == field and words in error["message"]


def test_models_load_on_demand_and_report_their_progress(client: TestClient) -> None:
    before = described(client)
    assert list(before) == ["shipped", "bert", "t5", "bloom", "empty", "other", "scratch"]
    states = [model["state"] for model in before.values()]
    assert states == ["ready", *["not_loaded"] * 5, "ready"]
    assert before["bert"]["sites"] is None
    trace(client, "bert")
    after = described(client)
    assert (after["bert"]["state"], after["bert"]["progress"]) == ("ready", 1.0)
    assert (after["bert"]["predicts"], after["bert"]["takes_pairs"]) == ("fill", True)
    assert after["other"]["state"] == "not_loaded"


def test_a_model_that_fails_says_why_and_leaves_the_others_working(client: TestClient) -> None:
    error = refusal(client, 503, "empty")
    assert error["code"] == "bad_checkpoint"
    assert error["message"].startswith("Expected config.json in empty, but it is missing.")
    empty = described(client)["empty"]
    assert empty["state"] == "failed" and "Expected config.json" in empty["error"]
    assert trace(client, "bert")["model"] == "bert"
    assert trace(client, "shipped")["model"] == "shipped"


def test_no_request_names_a_path(client: TestClient, folder: Path) -> None:
    for place in (f"{folder}/gpt2", "gpt2", "../bert"):
        assert refusal(client, 404, place)["code"] == "unknown_model"


def test_an_encoder_decoder_answers_all_its_sites(client: TestClient, folder: Path) -> None:
    source = PretrainedSource.load("t5", str(folder / "t5"))
    targets = ["her cat", "a dog is"]
    asked = trace(client, "t5", targets=targets, select={"kinds": ["cross"], "layers": [1]})
    expected = source.trace(Inputs(tuple(TEXTS), targets=tuple(targets)))
    [site] = asked["sites"]
    assert (site["name"], site["kind"]) == ("decoder.layers.1.cross", "cross")
    assert (site["query_tokens"], site["key_tokens"]) == ("target_tokens", "tokens")
    [of_trace] = [s for s in expected.sites if s.name == site["name"]]
    pattern = torch.tensor(site["tensors"]["pattern"])
    torch.testing.assert_close(pattern, of_trace.derive(["pattern"])["pattern"])
    assert pattern.shape == (2, 4, 4, 7)
    assert len(trace(client, "t5")["sites"]) == 8
    told = asked["predictions"][1][0]
    assert told["probability"] == pytest.approx(expected.predict(top_k=1)[1][0].probability)


def test_mutes_and_cells_may_name_a_kind(client: TestClient, folder: Path) -> None:
    source = PretrainedSource.load("t5", str(folder / "t5"))
    cell = {"kind": "cross", "layer": 0, "query": 0, "key": 1}
    asked = trace(client, "t5", muted=[[1, 2, "encoder"]], masks={"blocked": [cell]})
    only = source.trace(Inputs(tuple(TEXTS), muted=(MutedHead(1, 2, "encoder"),)))
    patterns = {s["name"]: torch.tensor(s["tensors"]["pattern"]) for s in asked["sites"]}
    assert patterns["decoder.layers.0.cross"][:, :, 0, 1].eq(0).all()
    assert patterns["decoder.layers.1.cross"][:, :, 0, 1].gt(0).all()
    before = only.sites[2].derive(["pattern"])["pattern"]
    torch.testing.assert_close(patterns["decoder.layers.0.self"], before)
    assert refusal(client, 422, "bert", muted=[[0, 0, "cross"]])["field"] == "muted"


@pytest.mark.parametrize("model", ["bert", "t5", "other"])
def test_interventions_that_overflow_are_refused(client: TestClient, model: str) -> None:
    one = {"kind": "scale", "at": "resid_pre", "layer": 1, "factor": 1_000}
    for n in (30, 60):
        error = refusal(client, 422, model, interventions=[one] * n)
        assert (error["code"], error["field"]) == ("overflow", "interventions")


def test_pairs_and_targets_go_where_they_belong(client: TestClient) -> None:
    tokens = trace(client, "bert", pairs=["a cat", "the dog"])["tokens"][0]
    assert [token["segment"] for token in tokens].count(1) == 3
    assert refusal(client, 422, "other", pairs=["a", "b"])["field"] == "pairs"
    assert refusal(client, 422, "bert", targets=["a", "b"])["field"] == "targets"


def test_patterns_only_says_why(client: TestClient) -> None:
    answer = trace(client, "bloom")
    assert set(answer["sites"][0]["tensors"]) == {"pattern"}
    assert "computes attention itself" in described(client)["bloom"]["lacks"]
    for asked, field in (
        ({"muted": [[0, 0]]}, "muted"),
        ({"masks": {"causal": False}}, "masks"),
        ({"select": {"tensors": ["q"]}}, "select.tensors"),
    ):
        error = refusal(client, 422, "bloom", **asked)
        assert (error["code"], error["field"]) == ("unavailable", field)


def test_generated_tokens_are_part_of_the_trace(client: TestClient, folder: Path) -> None:
    answer = trace(client, "other", generate={"n_tokens": 3, "sampled": True, "seed": 5})
    source = PretrainedSource.load("gpt2", str(folder / "gpt2"))
    asked = Generate(3, sampled=True, seed=5)
    expected = source.trace(Inputs(tuple(TEXTS), generate=asked))
    for got, row in zip(answer["tokens"], expected.tokens, strict=True):
        assert [t["id"] for t in got] == [t.id for t in row]
        assert [t["generated"] for t in got] == [t.generated for t in row]
    assert refusal(client, 422, "bert", generate={"n_tokens": 1})["field"] == "generate"
    assert refusal(client, 422, "other", generate={"n_tokens": 65})["code"] == "invalid_value"


def test_the_instruments_answer_for_every_kind_of_site(client: TestClient) -> None:
    asked = {"scores": True, "lens": {}, "mute_effects": {}}
    answer = trace(client, "t5", targets=["a cat", "her"], analyse=asked)
    sites = {site["name"] for site in answer["sites"]}
    assert {head["site"] for head in answer["scores"][0]["heads"]} == sites
    kinds = {effect["kind"] for effect in answer["mute_effects"][0]["effects"]}
    assert kinds == {"encoder", "decoder", "cross"}
    assert len(answer["lens"][0]["stages"]) == 4
    heads = client.get("/api/models/t5/heads").json()
    assert heads["state"] in ("computing", "ready")


def test_a_masked_model_fills_its_mask(client: TestClient, folder: Path) -> None:
    answer = trace(client, "bert", texts=["the [MASK] sat on"])
    source = PretrainedSource.load("bert", str(folder / "bert"))
    expected = source.trace(Inputs(("the [MASK] sat on",), masks=MaskSettings()))
    assert answer["predictions"][0][0]["id"] == expected.predict(top_k=1, position=2)[0][0].id
    assert answer["predicted_at"] == [2]
    assert trace(client, "bert", predict=None)["predicted_at"] is None
    assert trace(client, "bert", predict={"position": 3})["predicted_at"] == [3, 3]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("/models/bert", ("bert", "/models/bert")),
        ("./bert/", ("bert", "./bert/")),
        ("org/name", ("name", "org/name")),
        ("mine=org/name", ("mine", "org/name")),
        ("a=/x=y", ("a", "/x=y")),
    ],
)
def test_a_checkpoint_is_named_after_its_place(entry: str, expected: tuple[str, str]) -> None:
    assert named(entry) == expected


def test_two_models_of_one_name_are_refused() -> None:
    with pytest.raises(Exception, match=r"Two models are named bert.*NAME=b/bert"):
        build_registry(Settings(models=("a/bert", "b/bert")))


@pytest.mark.parametrize(
    "value", ("a/b,c=/d e", '["a/b", "c=/d e"]', " a/b , c=/d e ,"), ids=("commas", "json", "loose")
)
def test_models_are_read_from_the_environment(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_MODELS", value)
    assert Settings().models == ("a/b", "c=/d e")


def test_an_evicted_model_leaves_nothing_behind(folder: Path, tiny_folder: Path) -> None:
    places = (f"{folder}/bert", f"{folder}/gpt2")
    sizes = {name: PretrainedSource.load(name, f"{folder}/{name}") for name in ("bert", "gpt2")}
    largest = max(source.info.n_parameters for source in sizes.values())
    tiny = NativeSource("tiny", tiny_folder).info.n_parameters
    settings = Settings(shipped=tiny_folder, models=places, model_bytes=4 * (largest + tiny))
    with TestClient(create_app(settings)) as client:
        first = trace(client, "bert")
        trace(client, "gpt2")
        states = {name: model["state"] for name, model in described(client).items()}
        assert states == {
            "shipped": "ready",
            "bert": "not_loaded",
            "gpt2": "ready",
            "scratch": "ready",  # has no weights to evict
        }
        assert len({key.source for key in client.app.state.tracer._cache._entries}) == 1  # type: ignore[attr-defined]  # an app of ours
        assert trace(client, "bert") == first  # loaded again


@pytest.mark.parametrize("entry", ("x=", "=/models/bert", "="))
def test_a_model_without_a_name_or_a_place_is_refused(entry: str) -> None:
    with pytest.raises(InputError, match=r"Expected a model as \[NAME=\]FOLDER"):
        build_registry(Settings(models=(entry,)))


@pytest.mark.parametrize("value", ('{"a": 1}', "[bad"))
def test_models_must_be_a_list(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_MODELS", value)
    with pytest.raises(ValidationError, match="expected a JSON list or comma-separated entries"):
        Settings()


def test_mute_effects_of_all_sites_count_towards_the_limit(folder: Path, tiny_folder: Path) -> None:
    settings = Settings(
        shipped=tiny_folder, models=(f"{folder}/t5",), max_mute_tokens=32 * (16 + 10) - 1
    )
    with TestClient(create_app(settings)) as client:
        targets = ["her cat is on", "a"]  # 2 × 5 tokens, with 2 × 8 of the source's, for 32 heads
        asked = {"texts": ["the cat sat on the old mat", "a"], "targets": targets}
        error = refusal(client, 422, "t5", analyse={"mute_effects": {}}, **asked)
        assert error["code"] == "too_many_runs"
        assert "each of 32 heads" in error["message"]
