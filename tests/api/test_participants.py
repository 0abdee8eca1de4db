"""Participants are identified by a random cookie or a program's header, never by an address."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from model.sources.native import NativeSource
from server.run.participants import COOKIE, MAX_LENGTH, participant_of
from tests.api.conftest import Serve
from tests.api.test_tracing import Slow, metric, post, served, until


def scope(**headers: str) -> dict[str, Any]:
    named = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    return {"type": "http", "headers": named}


@pytest.mark.parametrize(
    ("headers", "participant"),
    [
        ({}, ""),
        ({"cookie": f"other=1; {COOKIE}=abc"}, "abc"),
        ({"x_headlight_participant": "row 3"}, "row 3"),
        ({"x_headlight_participant": "row 3", "cookie": f"{COOKIE}=abc"}, "row 3"),
        ({"cookie": "broken;;=;" + COOKIE}, ""),
        ({"x_headlight_participant": "x" * 999}, "x" * MAX_LENGTH),
    ],
)
def test_participant_is_read_from_a_header_or_the_cookie(
    headers: dict[str, str], participant: str
) -> None:
    assert participant_of(scope(**headers)) == participant


def test_a_page_gives_its_reader_a_cookie_of_their_own(serve: Serve) -> None:
    client = serve()
    given = [client.get("/").headers["set-cookie"]]
    assert "set-cookie" not in client.get("/learn").headers  # it has one now
    client.cookies.clear()
    assert "set-cookie" not in client.get("/api/models").headers
    given.append(client.get("/learn").headers["set-cookie"])
    assert given[0] != given[1]
    for cookie in given:
        assert cookie.startswith(f"{COOKIE}=")
        assert cookie.endswith("; Path=/; HttpOnly; SameSite=Lax")  # it ends with the browser


def test_a_heavy_user_does_not_keep_others_out(serve: Serve, tiny: NativeSource) -> None:
    slow = Slow(tiny)
    client = served(serve, slow, queue_size=3)
    greedy = {"X-Headlight-Participant": "greedy"}

    def ask(text: str, headers: dict[str, str]) -> Any:
        return client.post("/api/trace", json={"texts": [text]}, headers=headers)

    with ThreadPoolExecutor(8) as pool, slow.held():
        first = pool.submit(post, client, "a")
        until(lambda: slow.runs == ["a"])
        many = [pool.submit(ask, text, greedy) for text in ("the", "cat", "dog")]
        until(lambda: metric(client, "queue") == 3)
        assert ask("sat", greedy).status_code == 503
        modest = pool.submit(ask, "mat", {"X-Headlight-Participant": "modest"})
        until(lambda: any(answer.done() for answer in many))
        refused = [answer.result() for answer in many if answer.done()]
    assert [answer.status_code for answer in refused] == [503]
    assert modest.result().status_code == first.result().status_code == 200
    assert slow.runs.index("mat") < 3  # before the last request of the heavy user
