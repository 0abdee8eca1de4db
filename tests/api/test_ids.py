"""Token ids instead of texts, and the model's special tokens left out, on every kind of source."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient

from server.app import create_app
from server.settings import Settings
from tests.unit.sources.pretrained.checkpoints import CLS, FAMILIES, PAD, SEP, VOCAB

pytestmark = pytest.mark.long

WORDS = ["the", "cat", "sat"]
IDS = [VOCAB[word] for word in WORDS]


@pytest.fixture(scope="module")
def checkpoints(
    tmp_path_factory: pytest.TempPathFactory, tiny_folder: Path
) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("served")
    torch.manual_seed(0)
    for family in ("bert", "gpt2", "bart"):
        FAMILIES[family](folder / family)
    places = tuple(str(folder / family) for family in ("bert", "gpt2", "bart"))
    with TestClient(create_app(Settings(shipped=tiny_folder, models=places))) as client:
        yield client


def post(client: TestClient, status: int = 200, **request: Any) -> Any:
    response = client.post("/api/trace", json=request)
    assert response.status_code == status, response.text
    return response.json() if status == 200 else response.json()["error"]


def ids_of(answer: Any, axis: str = "tokens") -> list[list[int]]:
    return [[token["id"] for token in row if not token["padding"]] for row in answer[axis]]


def test_the_ids_of_an_answer_give_the_same_answer(client: TestClient) -> None:
    texts = ["The cat sat on the mat.", "Hello"]
    typed = post(client, texts=texts)
    ids = ids_of(typed)
    again = post(client, ids=ids)
    assert ids_of(again) == ids
    assert again["sites"] == typed["sites"]
    assert again["predictions"] == typed["predictions"]
    # the same with its special token added, instead of given
    added = post(client, ids=[row[1:] for row in ids], special_tokens=True)
    assert added["sites"] == typed["sites"]
    [first, *_] = added["tokens"][0]
    assert first["special"] and first["text"] == "[BOS]"


def test_without_special_tokens_a_text_is_only_what_was_typed(client: TestClient) -> None:
    texts = ["The cat sat.", "Hello"]
    plain, typed = post(client, texts=texts, special_tokens=False), post(client, texts=texts)
    assert ids_of(plain) == [row[1:] for row in ids_of(typed)]
    assert plain["tokens"][0][0]["start"] == 0
    assert plain["sites"] != typed["sites"]
    # equal requests, however they say it; they share no cached trace with the others
    assert post(client, texts=texts, special_tokens=None) == typed
    assert post(client, texts=texts, special_tokens=True) == typed
    assert post(client, texts=texts, special_tokens=False) == plain


def test_tokens_of_ids_cover_the_texts_of_the_vocabulary(client: TestClient) -> None:
    [row] = post(client, ids=[[5, 1, 7]])["tokens"]
    assert [token["id"] for token in row] == [5, 1, 7]
    assert [token["special"] for token in row] == [False, True, False]
    assert not any(token["padding"] for token in row)
    ends = [0]
    for token in row:
        assert (token["start"], token["end"]) == (ends[-1], ends[-1] + len(token["text"]))
        ends.append(token["end"])


def test_generation_continues_ids(client: TestClient) -> None:
    texts = ["The cat"]
    asked: dict[str, Any] = {"generate": {"n_tokens": 3}, "muted": [[0, 0]]}
    asked["predict"] = {"unedited": True}
    typed = post(client, texts=texts, **asked)
    [row] = ids_of(typed)
    again = post(client, ids=[row[:-3]], **asked)
    assert ids_of(again) == [row]
    assert again["predictions"] == typed["predictions"]


@pytest.mark.parametrize(
    ("request_", "code", "field"),
    [
        ({}, "missing_field", "texts"),
        ({"ids": None}, "missing_field", "texts"),
        ({"ids": [[]]}, "no_tokens", "ids.0"),
        ({"texts": [""], "special_tokens": False}, "no_tokens", "texts.0"),
        ({"ids": [[1], [2, 999_999]]}, "invalid_input", "ids.1.1"),
        ({"ids": [[1]] * 9}, "too_many_texts", "ids"),
        ({"ids": [[5] * 1_025]}, "too_many_tokens", "ids.0"),
        ({"ids": [[5]], "pairs": ["a"]}, "invalid_input", "pairs"),
        ({"ids": [[5]], "targets": ["a"]}, "invalid_input", "targets"),
        ({"ids": [[5]], "model": "scratch"}, "unavailable", "ids"),
    ],
)
def test_what_is_refused(
    client: TestClient, request_: dict[str, Any], code: str, field: str
) -> None:
    error = post(client, 422, **request_)
    assert (error["code"], error["field"]) == (code, field)


def test_mechanisms_add_no_special_tokens(client: TestClient) -> None:
    answers = [
        post(client, model="scratch", texts=["a b"], special_tokens=added)
        for added in (None, True, False)
    ]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("family", ("bert", "gpt2", "bart"))
def test_checkpoints_take_ids(checkpoints: TestClient, family: str) -> None:
    typed = post(checkpoints, model=family, texts=["the cat sat", "cat"])
    again = post(checkpoints, model=family, ids=ids_of(typed))
    assert ids_of(again) == ids_of(typed)
    assert again["sites"] == typed["sites"]
    added = post(checkpoints, model=family, ids=[IDS, IDS[1:2]], special_tokens=True)
    assert ids_of(added) == ids_of(typed)
    plain = post(checkpoints, model=family, texts=["the cat sat"], special_tokens=False)
    assert ids_of(plain) == [IDS]
    assert [token["text"] for token in plain["tokens"][0]] == WORDS
    error = post(checkpoints, 422, model=family, ids=[[len(VOCAB)]])
    assert (error["code"], error["field"]) == ("invalid_input", "ids.0.0")


def test_special_ids_and_targets(checkpoints: TestClient) -> None:
    [row] = post(checkpoints, model="bert", ids=[[CLS, *IDS, SEP, PAD]])["tokens"]
    assert [token["special"] for token in row] == [True, False, False, False, True, True]
    assert not row[-1]["padding"]  # it was asked for
    asked: dict[str, Any] = {"model": "bart", "targets": ["a dog"], "special_tokens": False}
    answer = post(checkpoints, texts=["the cat sat"], **asked)
    words = [VOCAB[word] for word in ("a", "dog")]
    assert ids_of(answer, "target_tokens") == [[SEP, *words]]  # its start token, then the words
    assert post(checkpoints, ids=[IDS], **asked)["sites"] == answer["sites"]
    # second segments keep their types
    pair = post(checkpoints, model="bert", texts=["cat"], pairs=["a dog"], special_tokens=False)
    assert [token["segment"] for token in pair["tokens"][0]] == [0, 1, 1]
