"""What the clients do with answers and refusals: the logic alone, with replies written by hand."""

import json

import pytest

from headlight.errors import (
    BusyError,
    HeadlightError,
    RequestError,
    ServerError,
    UnreachableError,
)
from headlight.http.replies import replied
from headlight.http.steps import Call, Pause, Reply
from tests.client.by_hand import done

CALL = Call("POST", "/api/trace", b"{}")
OK = Reply(200, {}, b"{}")


def refusal(status: int, code: str = "busy", retry_after: str | None = None) -> Reply:
    error = {"code": code, "message": "In words.", "field": "texts.0", "limit": 8}
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return Reply(status, headers, json.dumps({"error": error}).encode())


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    replies = [refusal(503, retry_after="2"), refusal(503, retry_after="soon"), OK]
    result, taken = done(replied(CALL, 60.0), replies)
    assert result == OK
    assert taken == [CALL, Pause(2.0), CALL, Pause(1.0), CALL]


def test_patience_ends_with_the_servers_own_words() -> None:
    with pytest.raises(BusyError, match="In words") as caught:
        done(replied(CALL, 3.0), [refusal(503, "loading", "4")])
    assert caught.value.code == "loading"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (refusal(422, "too_many_texts"), RequestError),
        (refusal(404, "unknown_model"), RequestError),
        (refusal(500, "internal"), ServerError),
        (refusal(503, "broken_checkpoint"), ServerError),
    ],
)
def test_a_refusal_becomes_an_exception(reply: Reply, kind: type[HeadlightError]) -> None:
    with pytest.raises(kind) as caught:
        done(replied(CALL, 60.0), [reply])
    error = caught.value
    assert (str(error), error.field, error.limit) == ("In words.", "texts.0", 8)
    assert error.code == json.loads(reply.content)["error"]["code"]


@pytest.mark.parametrize("content", [b"<html>", b"[]", b'{"error": "no"}', b'{"error": {}}'])
def test_an_answer_of_something_else_is_named_so(content: bytes) -> None:
    with pytest.raises(ServerError, match="Check the address") as caught:
        done(replied(CALL, 60.0), [Reply(404, {}, content)])
    assert caught.value.code == "not_headlight"


def lost() -> UnreachableError:
    return UnreachableError("Gone.", code="connection_lost")


def test_a_lost_connection_is_opened_once_more() -> None:
    result, taken = done(replied(CALL, 60.0), [lost(), OK])
    assert (result, taken) == (OK, [CALL, CALL])
    with pytest.raises(UnreachableError):
        done(replied(CALL, 60.0), [lost(), lost(), OK])


def test_an_address_where_nothing_answers_is_not_asked_again() -> None:
    with pytest.raises(UnreachableError):
        done(replied(CALL, 60.0), [UnreachableError("No.", code="unreachable"), OK])
