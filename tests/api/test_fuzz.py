"""Runs the fuzzer for some requests, and checks that it detects each kind of problem."""

import asyncio
import json
from collections import Counter
from random import Random

import numpy as np
import pytest
from safetensors.numpy import save

from scripts._fuzz import analysed
from scripts._fuzz.bodies import analyse
from scripts._fuzz.checks import problems
from scripts._fuzz.exchange import Answer
from scripts._fuzz.messages import CATEGORIES, Message, message, routes
from scripts.fuzz import fuzz, serving
from server.api.analyses import Analyse
from server.api.schemas.select import SHARES
from server.http.middleware import SECURITY_HEADERS

pytestmark = pytest.mark.long

REQUESTS, MORE_REQUESTS = 200, 900  # in `make test`, in `make test-all`
SEED = 7

TRACE = Message("trace", b"", "/api/trace")
SECURE = {name.lower(): value for name, value in SECURITY_HEADERS.items()}
JSON = {**SECURE, "content-type": "application/json"}
TENSORS = {**SECURE, "content-type": "application/safetensors"}


def test_no_request_breaks_the_server(everything: bool) -> None:
    n = MORE_REQUESTS if everything else REQUESTS
    with serving() as (address, process):
        report = asyncio.run(fuzz(address, SEED, n, 600, process))
    assert report.n_sent == n
    assert set(report.statuses) == {category for category, _ in CATEGORIES}
    assert report.statuses["trace"]["200"] > 10
    asked = sum(report.analyses.values(), Counter[str]())
    assert asked["200"] > asked.total() / 2
    if everything:
        assert report.least_computed[0] >= 0.5
    assert dict(report.finds) == {}


def test_a_number_is_always_the_same_request() -> None:
    first = [message(1, number) for number in range(600)]
    assert first == [message(1, number) for number in range(600)]
    assert message(1, 7) != message(2, 7)


def test_every_route_is_sent_requests() -> None:
    known = {path for path, _ in routes()}
    assert {"/", "/api/trace", "/api/models", "/healthz", "/metrics", "/docs", "/learn"} <= known
    sent = {message(1, number).path.split("?")[0] for number in range(1_500)}
    assert {path for path in known if "{" not in path} <= sent


def test_every_analysis_is_asked_for() -> None:
    drawn = [analyse(Random(seed)) for seed in range(300)]
    assert {name for one in drawn for name, value in one.items() if value} == set(
        Analyse.model_fields
    )
    assert {key for one in drawn for key in one.get("lens", {})} == {"top_k", "position", "tuned"}


def test_requests_for_an_analysis_fit_their_texts() -> None:
    drawn = [analysed.trace(Random(seed)) for seed in range(300)]
    assert {name for one in drawn for name in one["analyse"]} == set(Analyse.model_fields)
    [asked] = [one["analyse"]["patching"] for one in drawn if "patching" in one["analyse"]][:1]
    assert len(asked["clean"].split()) <= 8


def found(answer: Answer, sent: Message = TRACE) -> str:
    return "; ".join(problems(sent, answer))


def of_json(document: object, status: int = 200) -> Answer:
    return Answer("answered", status, JSON, json.dumps(document).encode())


ERROR = {"error": {"code": "busy", "message": "Busy.", "field": None, "limit": None}}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (of_json(ERROR, 500), "status 500"),
        (of_json({"detail": "no"}, 422), "does not match ErrorResponse"),
        (of_json(ERROR, 503), "busy with Retry-After ''"),
        (of_json({"model": float("nan")}), "contains NaN"),
        (Answer("answered", 200, JSON, b'{"model": 1e999}'), "contains 1e999"),
        (of_json({"model": "shipped"}), "does not match TraceResponse"),
        (Answer("answered", 404, {**SECURE, "content-type": "text/html"}), "as text/html"),
        (Answer("answered", 400, {}), "without Content-Security-Policy"),
        (Answer("answered", 200, TENSORS, b"{}"), "safetensors"),
        (Answer("timed out"), "timed out"),
        (Answer("closed"), "closed"),
        (Answer("cut short", 200, JSON, b"{"), "cut short"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_it_detects(answer: Answer, words: str) -> None:
    assert words in found(answer)


@pytest.mark.parametrize(
    ("values", "words"),
    [([0.5, np.nan], "is not finite"), ([0.5, 1.5], "is not between 0 and 1")],
)
@pytest.mark.parametrize("share", SHARES)
def test_it_looks_into_tensors(share: str, values: list[float], words: str) -> None:
    trace = json.dumps({"sites": [{"name": "layers.0"}]})
    content = save({f"layers.0.{share}": np.array(values, np.float32)}, {"trace": trace})
    assert words in found(Answer("answered", 200, TENSORS, content))


def test_tensors_belong_to_what_was_asked_for() -> None:
    def of(name: str) -> str:
        content = save({name: np.ones(2, np.float32)}, {"trace": json.dumps({"sites": []})})
        return found(Answer("answered", 200, TENSORS, content))

    assert "belongs to no site" in of("layers.1.pattern")
    assert "belongs to no site" not in of("stream/layers.1.resid_post")  # without any selected site


def test_a_server_may_close_a_connection_that_does_not_speak_http() -> None:
    garbage = Message("garbage", b"", is_http=False)
    assert found(Answer("closed"), garbage) == ""
    assert found(Answer("timed out"), garbage) == "timed out"
