"""The page's engine answers as the server does: the same documents, numbers and errors."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from scripts._fuzz.engine import NODE, Engine, differences, engine
from scripts._fuzz.questions import Kind, Question, question
from scripts.fuzz_engine import compared, fuzz, needs_server, serving
from server.api.analyses import ANALYSES
from server.settings import Settings

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(NODE is None, reason="the engine runs in Node here: install node"),
]

SEED, REQUESTS, ALL_REQUESTS = 9, 75, 1_000  # in `make test`, in `make test-all`


@pytest.fixture(scope="module")
def served() -> Iterator[TestClient]:
    with serving() as client:
        yield client


@pytest.fixture(scope="module")
def page() -> Iterator[Engine]:
    with engine() as started:
        yield started


def test_random_requests_get_the_same_answers(
    served: TestClient, page: Engine, everything: bool
) -> None:
    n_requests = ALL_REQUESTS if everything else REQUESTS
    report = fuzz(served, page, SEED, n_requests)
    assert dict(report.finds) == {}
    assert report.answers["200"] > n_requests / 3
    assert len(report.answers) > 5  # with several kinds of errors


def test_another_model_gets_the_same_answers(tiny_folder: Path) -> None:
    """Its sizes all differ, and its heads are sharper than trained ones."""
    with serving(tiny_folder) as client, engine(tiny_folder) as page:
        report = fuzz(client, page, SEED, 30)
    assert dict(report.finds) == {}


def test_the_engine_refuses_just_the_analyses_that_need_the_server(page: Engine) -> None:
    for one in ANALYSES:
        asked: dict[str, Any] = {one.name: True if one.request[one.name][0] is bool else {}}
        reply = page.ask("trace", request={"texts": ["a dog"], "analyse": asked})
        assert needs_server(reply) == one.needs_server, one.name


def test_models_are_described_alike(served: TestClient, page: Engine) -> None:
    expected = served.get("/api/models").json()["models"]
    here = page.ask("models")["answer"]
    for there, model in zip(expected, here, strict=True):  # all but what only a server does
        assert there.pop("edited_at") and there.pop("edited_at_reason") is not None
        there.pop("stream_lacks")
        assert "engine in the page" in model.pop("stream_lacks")
        assert model.pop("edited_at") == [] and "engine in the page" in model.pop(
            "edited_at_reason"
        )
    assert list(differences(expected, here)) == []


def test_the_engine_refuses_interventions_and_says_where_they_can_be_made(page: Engine) -> None:
    one = {"kind": "zero", "at": "mlp", "layer": 0}
    reply = page.ask("trace", request={"texts": ["a dog"], "interventions": [one]})
    assert needs_server(reply)
    plain = page.ask("trace", request={"texts": ["a dog"], "interventions": []})
    assert "error" not in plain


@pytest.mark.parametrize("model", ["shipped", "scratch"])
def test_heads_are_probed_alike(served: TestClient, page: Engine, model: str) -> None:
    expected = _probed(served, model)
    assert list(differences(expected, page.ask("heads", model=model)["answer"])) == []


def _probed(served: TestClient, model: str) -> Any:
    for _ in range(60):  # each waits up to a second
        response = served.get(f"/api/models/{model}/heads")
        if response.status_code == 200:
            break
    return response.json()


def test_the_limits_are_those_of_the_server(page: Engine) -> None:
    settings = Settings()
    limits = page.ask("limits")["answer"]
    assert limits["bytes"] == settings.max_body_bytes
    assert limits["answer_bytes"] == settings.max_answer_bytes
    for name in ("texts", "characters", "tokens", "mute_tokens"):
        assert limits[name] == getattr(settings, f"max_{name}")


def test_a_number_is_always_the_same_request() -> None:
    assert [question(1, n) for n in range(100)] == [question(1, n) for n in range(100)]
    assert question(1, 7) != question(2, 7)


class Off(Engine):
    """An engine that answers another request than the one that it is asked."""

    def __init__(self, page: Engine, other: dict[str, Any]) -> None:
        self._page = page
        self._other = other

    def ask(self, kind: str, **rest: Any) -> dict[str, Any]:
        body = rest["request"]
        return self._page.ask(kind, request=body | self._other)


@pytest.mark.parametrize("kind", ["trace", "stream"])
@pytest.mark.parametrize(
    "other",
    [
        {"texts": ["Maria saw him."]},
        {"masks": {"causal": False}},
        {"predict": None},
        {"analyse": {"rollout": True}},
        {"texts": []},
    ],
    ids=str,
)
def test_it_finds_what_differs(
    served: TestClient, page: Engine, kind: Kind, other: dict[str, Any]
) -> None:
    asked = Question(kind, {"texts": ["Maria saw herself."], "select": {"tensors": ["pattern"]}})
    assert compared(served, page, asked) == ("200", [])
    _, found = compared(served, Off(page, other), asked)
    assert found


@pytest.mark.parametrize(
    ("expected", "found", "differ"),
    [
        ({"a": 0.5}, {"a": 0.50001}, False),
        ({"a": 0.5}, {"a": 0.5001}, True),
        ({"a": 1.0}, {"a": 1}, False),  # JavaScript writes no fraction
        ({"a": 1}, {"a": 1.00001}, True),  # a count is exact
        ({"a": 1e6}, {"a": 1e6 + 1}, False),
        ({"a": None}, {"a": 0.0}, True),
        ({"a": 1}, {"a": True}, True),
        ({"a": 1}, {"b": 1}, True),
        ([1, 2], [1], True),
    ],
)
def test_numbers_may_differ_a_little(expected: Any, found: Any, differ: bool) -> None:
    assert bool(list(differences(expected, found))) == differ


def test_near_ties_may_change_places() -> None:
    def ranked(*pairs: tuple[int, float]) -> list[dict[str, Any]]:
        return [{"id": id, "probability": p} for id, p in pairs]

    expected = ranked((1, 0.5), (2, 0.20001), (3, 0.2))
    assert list(differences(expected, ranked((1, 0.5), (3, 0.2), (2, 0.20001)))) == []
    assert list(differences(expected, ranked((2, 0.20001), (1, 0.5), (3, 0.2))))
    assert list(differences(expected, ranked((1, 0.5), (2, 0.20001), (3, 0.1))))
    # the last place, which a near tie outside the list may take
    assert list(differences(expected, ranked((1, 0.5), (2, 0.20001), (4, 0.2)))) == []
