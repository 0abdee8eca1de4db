"""Where a request goes."""

import orjson
import pytest

from server.cluster.routing import destination, is_for_a_model

MODELS = ("shipped", "mine", "scratch")


def _trace(**request: object) -> bytes:
    return orjson.dumps(request)


def test_the_same_text_has_the_same_key_whatever_is_asked_of_it() -> None:
    plain = destination("/api/trace", _trace(texts=["a cat"]), MODELS)
    masked = destination(
        "/api/trace",
        _trace(texts=["a cat"], masks={"causal": True}, select={"heads": [1]}, muted=[[0, 1]]),
        MODELS,
    )
    assert plain is not None and plain == masked


@pytest.mark.parametrize(
    "other",
    [
        {"texts": ["a cap"]},
        {"texts": ["a cat", "a cat"]},
        {"texts": ["a cat"], "targets": ["b"]},
        {"texts": ["a cat"], "pairs": ["b"]},
    ],
)
def test_another_text_has_another_key(other: dict[str, object]) -> None:
    plain = destination("/api/trace", _trace(texts=["a cat"]), MODELS)
    found = destination("/api/trace", _trace(**other), MODELS)
    assert plain is not None and found is not None and plain.key != found.key


@pytest.mark.parametrize(
    ("model", "served"), [(None, "shipped"), ("mine", "mine"), ("mine@300", "mine")]
)
def test_a_request_goes_to_its_model_or_to_the_first(model: str | None, served: str) -> None:
    found = destination("/api/trace", _trace(model=model, texts=["x"]), MODELS)
    assert found is not None and found.model == served


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"model": "nobody"}', b'{"model": 3}', b'{"model": ["shipped"]}']
)
def test_what_names_no_model_of_ours_goes_to_no_replica(body: bytes) -> None:
    assert destination("/api/trace", body, MODELS) is None


def test_a_probe_goes_to_one_replica_of_its_model() -> None:
    found = destination("/api/models/mine/heads", b"", MODELS)
    assert found is not None and found.model == "mine"
    assert destination("/api/models/mine@300/heads", b"", MODELS) == found
    assert destination("/api/models/nobody/heads", b"", MODELS) is None


@pytest.mark.parametrize(
    ("path", "needed"),
    [
        ("/api/trace", True),
        ("/api/models/mine/heads", True),
        ("/api/models", False),
        ("/", False),
        ("/static/js/main.js", False),
        ("/api/trace/", False),
    ],
)
def test_only_what_needs_a_model_is_handed_on(path: str, needed: bool) -> None:
    assert is_for_a_model(path) is needed
