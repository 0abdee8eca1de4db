"""The models of other languages than English: whose pages open with them, what they read."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.core.checkpoint import LANGUAGES, OTHERS
from server.app import create_app
from server.settings import Settings
from tests.api.conftest import Serve
from tests.api.test_pages import Page


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """The app with the models that come with it."""
    with TestClient(create_app(Settings()), base_url="http://localhost") as client:
        yield client


def boot(client: TestClient, address: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Page(client.get(address).text).data["boot"])
    return found


@pytest.mark.parametrize(("language", "model"), [("de", "german"), ("zh-Hans", "chinese")])
def test_a_page_opens_with_the_model_of_its_language(
    client: TestClient, language: str, model: str
) -> None:
    page = boot(client, f"/?lang={language}")
    assert page["opens"] == model
    listed = [one["name"] for one in page["models"]]
    assert model in listed
    assert ("characters" in listed) == (model == "chinese")
    own = [entry for entry in page["gallery"] if entry.get("model") == model]
    assert len(own) >= 8
    assert own[0]["texts"][0].isascii() is False or language == "de"


def test_pages_of_other_languages_do_not_carry_it(client: TestClient) -> None:
    for address in ("/?lang=en", "/?lang=es", "/?lang=ar"):
        page = boot(client, address)
        assert page["opens"] is None
        assert not {entry.get("model") for entry in page["gallery"]} & set(OTHERS.values())
        assert not {model["name"] for model in page["models"]} & set(OTHERS.values())


@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_a_page_that_opens_one_of_them_offers_the_other(client: TestClient, language: str) -> None:
    page = boot(client, f"/?lang={language}&model=characters")
    assert {"chinese", "characters"} <= {model["name"] for model in page["models"]}
    assert {"chinese", "characters"} <= {entry.get("model") for entry in page["gallery"]}


def test_a_link_names_it_in_any_language(client: TestClient) -> None:
    page = boot(client, "/?lang=en&model=german")
    assert page["opens"] is None
    assert "german" in {model["name"] for model in page["models"]}
    assert "german" in {entry.get("model") for entry in page["gallery"]}


@pytest.mark.parametrize(
    ("model", "text", "tokens"),
    [
        ("german", "Die Mütter grüßen.", ["[BOS]", "Die", " Mütter", " grüßen", "."]),
        ("chinese", "书，小明买了三本。", ["[BOS]", *"书 ， 小明 买 了 三 本 。".split()]),
        ("characters", "书，小明买了三本。", ["[BOS]", *"书，小明买了三本。"]),
    ],
)
def test_it_reads_its_language_by_words_or_characters(
    client: TestClient, model: str, text: str, tokens: list[str]
) -> None:
    answer = client.post("/api/trace", json={"model": model, "texts": [text], "predict": None})
    assert answer.status_code == 200
    assert [token["text"] for token in answer.json()["tokens"][0]] == tokens


def test_a_model_of_ones_own_comes_first(serve: Serve) -> None:
    assert boot(serve(), "/?lang=de")["opens"] is None  # the shipped one is another


def test_a_model_of_ones_own_may_have_its_name(serve: Serve) -> None:
    client = serve(shipped=None, models=(f"german={LANGUAGES / 'chinese'}",))
    client.post("/api/trace", json={"model": "german", "texts": ["书"], "predict": None})
    [own] = [one for one in boot(client, "/?lang=de")["models"] if one["name"] == "german"]
    assert "Chinese-like" in own["description"]


def test_the_list_of_models_has_them_only_by_name(client: TestClient) -> None:
    listed = {model["name"] for model in client.get("/api/models").json()["models"]}
    assert not listed & set(OTHERS.values())
    asked = client.get("/api/models", params={"model": "chinese"}).json()["models"]
    assert asked[-1]["name"] == "chinese"
