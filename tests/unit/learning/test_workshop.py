"""The workshop: what its pages say is what the models compute, and the addresses that it offers."""

import base64
import math
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from fastapi import Request
from fastapi.testclient import TestClient

from server.app import create_app
from server.pages.assets.folders import STATIC
from server.pages.learning.links import pairs
from server.pages.learning.states import problem_of
from server.pages.learning.workshop import reach
from server.pages.learning.workshop.games import ARRIVAL, BETS, CARDS, HABITS, PAIR, SUSPECTS, quiz
from server.pages.learning.workshop.measured import Exhibit, Place, Round, Workshop, workshop
from server.pages.learning.workshop.reach import is_loopback, local_addresses, qr, reach_of
from server.settings import Settings
from tests.lessons import body_of

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def shop() -> Workshop:
    return workshop(None)


@pytest.fixture(scope="module")
def api() -> Iterator[TestClient]:
    """The shipped model."""
    with TestClient(create_app(Settings(allowed_hosts=("testserver",)))) as client:
        yield client


def asked(api: TestClient, query: str, **more: Any) -> Any:
    state = parse_qsl(query)
    response = api.post("/api/trace", json={**body_of(state), **more})
    assert response.status_code == 200, response.text
    return response.json()


def patterns(api: TestClient, query: str) -> list[list[list[list[float]]]]:
    """layer × head × query × key, of the first text."""
    sites = asked(api, query)["sites"]
    return [site["tensors"]["pattern"][0] for site in sites]


def test_heads_of_the_hunt_have_the_weights_of_the_api(shop: Workshop, api: TestClient) -> None:
    assert [found.habit for found in shop.hunt] == list(HABITS)
    for found in shop.hunt:
        held = patterns(api, found.game)
        row = int(dict(parse_qsl(found.game))["query"])
        for place in found.heads:
            rows = held[place.layer][place.head]
            if found.habit.query is not None:
                value = max(rows[row])  # it looks at one token above all
            elif found.habit.offset is not None:
                steps = [row[n] for n, row in enumerate(rows[1:])]
                value = sum(steps) / len(steps)
            else:
                value = sum(row[0] for row in rows[1:]) / (len(rows) - 1)
            assert place.share == pytest.approx(value, abs=1e-4)
        assert found.heads[0].share > 0.6, "nobody would find that"


def test_key_of_a_habit_is_the_word_that_it_names(shop: Workshop, api: TestClient) -> None:
    for found in shop.hunt:
        if found.habit.key is None:
            continue
        answer = asked(api, found.answer)
        row = int(dict(parse_qsl(found.answer))["query"])
        best = found.heads[0]
        weights = answer["sites"][best.layer]["tensors"]["pattern"][0][best.head][row]
        token = answer["tokens"][0][weights.index(max(weights))]["text"].strip()
        assert token == found.habit.key[0]
        assert answer["tokens"][0][row]["text"].strip() == found.row


def test_bets_are_answered_by_muting(shop: Workshop, api: TestClient) -> None:
    assert [played.bet for played in shop.rounds] == list(BETS)
    for played in shop.rounds:
        row = int(dict(parse_qsl(played.game))["query"])

        def likeliest(
            *mutes: list[int], played: Round = played, row: int = row
        ) -> dict[str, float]:
            predict = {"top_k": 100, "position": row}
            answer = asked(api, played.game, muted=list(mutes), predict=predict)
            return {one["text"].strip(): one["probability"] for one in answer["predictions"][0]}

        before = likeliest()
        assert next(iter(before)) == played.token
        assert before[played.token] == pytest.approx(played.share, abs=1e-4)
        for place in (*played.lowest[:2], *played.spared):
            after = likeliest([place.layer, place.head])
            assert after.get(played.token, 0.0) == pytest.approx(place.share, abs=5e-3)


def head(place: Place) -> tuple[int, int]:
    return place.layer, place.head


def test_what_the_answers_say_of_the_bets_is_true(shop: Workshop) -> None:
    first, second, third, fourth = shop.rounds
    likely = [head(place) for place in first.likely]
    assert head(first.lowest[0]) in likely
    assert any(place.share > 0.95 * first.share for place in first.spared)
    assert len(second.likely) == 2
    kept = sorted(place.share for place in second.spared)
    assert kept[0] < 0.8 * second.share and kept[1] > 0.95 * second.share
    assert head(third.lowest[0]) not in [head(place) for place in third.likely]
    assert fourth.lowest[0].layer == 0
    assert head(fourth.lowest[0]) == head(shop.hunt[0].heads[0]), "it looks one token back"


def exhibits(shop: Workshop) -> dict[str, Exhibit]:
    return {exhibit.suspect.letter: exhibit for exhibit in shop.detective}


def test_pictures_show_the_evidence_that_the_answers_name(shop: Workshop) -> None:
    held = {letter: one.picture.rows for letter, one in exhibits(shop).items()}
    assert sorted(held) == list("ABCDEFG")
    sums = {name: [sum(filter(None, row)) for row in rows] for name, rows in held.items()}
    hatched = {
        name: {(q, k) for q, row in enumerate(rows) for k, one in enumerate(row) if one is None}
        for name, rows in held.items()
    }
    n = range(5)
    future = {(q, k) for q in n for k in n if k > q}
    assert hatched["D"] == hatched["B"] == hatched["E"] == future
    assert sums["D"] == pytest.approx([1] * 5)
    assert hatched["A"] == future - {(q, q + 1) for q in n}
    assert hatched["G"] == future | {(q, q) for q in n} and sums["G"][0] == 0
    assert hatched["F"] == set() and hatched["C"] == future, "only one has no causal mask"
    columns = [sum(filter(None, column)) for column in zip(*held["B"], strict=True)]
    assert columns == pytest.approx([1] * 5) and held["B"][4][4] == pytest.approx(1)
    assert all(total < 0.999 for total in sums["E"][:-1]) and sums["E"][-1] == pytest.approx(1)
    pads = [n for n, key in enumerate(exhibits(shop)["C"].picture.keys) if key == "[PAD]"]
    assert pads == [0, 1]
    for row in held["C"][2:]:
        assert row[pads[0]] == row[pads[1]] and row[pads[0]]


def test_pictures_are_those_of_the_api(shop: Workshop, api: TestClient) -> None:
    for exhibit in shop.detective:
        rows = patterns(api, exhibit.query)[0][0]
        for ours, theirs in zip(exhibit.picture.rows, rows, strict=True):
            assert [each or 0.0 for each in ours] == pytest.approx(theirs, abs=1e-5)


def test_cards_give_the_machines_numbers_within_a_hundredth(
    shop: Workshop, api: TestClient
) -> None:
    exact = patterns(api, shop.first)[0][0]
    for index, worked in enumerate(shop.worked):
        assert [line.weight for line in worked.lines] == pytest.approx(exact[index], abs=0.01)
        assert sum(line.weight for line in worked.lines) == pytest.approx(1)
        assert sum(worked.masked) == pytest.approx(1)
        for line, card in zip(worked.lines, shop.cards, strict=True):
            dot = sum(a * b for a, b in zip(worked.asks.q, card.k, strict=True))
            assert line.score == pytest.approx(dot / math.sqrt(2))
    assert shop.first.startswith("model=scratch")


def test_padding_changes_the_short_sentence_unless_it_lies_in_a_hidden_future(
    shop: Workshop,
) -> None:
    for case in shop.pairs:
        short, long = case.changed
        assert (short == 0) == (case.causal and case.side == "right")
        assert long == 0


def test_every_address_is_one_that_the_page_can_show(shop: Workshop) -> None:
    queries = [
        shop.first,
        *(query for found in shop.hunt for query in (found.game, found.answer)),
        *(query for played in shop.rounds for query in (played.game, played.answer)),
        *(exhibit.query for exhibit in shop.detective),
        *(case.query for case in shop.pairs),
    ]
    for query in queries:
        assert problem_of(pairs(query), ["shipped", "scratch"]) is None, query
        sealed = quiz(query).removeprefix("/?quiz=")
        assert re.fullmatch(r"[\w-]+", sealed)
        assert base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4)).decode() == query


def test_students_begin_with_no_sentence_and_no_head_of_a_game(
    shop: Workshop, api: TestClient
) -> None:
    state = dict(parse_qsl(ARRIVAL))
    text = state["text"]
    games = [each.text for each in (*HABITS, *BETS)]
    games += [text for each in (*SUSPECTS, CARDS) for text in each.texts] + list(PAIR)
    assert text not in games
    words = set(re.findall(r"\w+", text.lower()))
    for habit in HABITS:
        if habit.key:
            assert habit.key[0].lower() not in words, "it would begin to show the habit"
    answers = [head(place) for found in shop.hunt for place in found.heads]
    answers += [head(one) for each in shop.rounds for one in (*each.lowest, *each.likely)]
    assert (int(state["layer"]), int(state["head"])) not in answers
    tokens = asked(api, ARRIVAL, select={"layers": []})["tokens"][0]
    assert [each["text"].strip() for each in tokens[1:-1]] == text.rstrip(".").split()
    assert problem_of(pairs(ARRIVAL), ["shipped"]) is None


def test_the_logit_lens_decides_no_bet(shop: Workshop, api: TestClient) -> None:
    """A quiz shows it: static/js/state/quiz.js says why."""
    jumps, answers = [], []
    for played in shop.rounds:
        row = int(dict(parse_qsl(played.game))["query"])
        lens = {"lens": {"top_k": 1, "position": row}}
        [found] = asked(api, played.game, select={"layers": []}, analyse=lens)["lens"]
        shares = [stage["final"]["probability"] for stage in found["stages"]]
        steps = [after - before for before, after in pairwise(shares)]
        jumps.append(steps.index(max(steps)))
        answers.append(played.lowest[0].layer)
    assert jumps == [shop.n_layers - 1] * 4, "whatever the answer"
    assert [jump == answer for jump, answer in zip(jumps, answers, strict=True)].count(True) == 2


def test_what_puts_a_picture_right_is_a_label_of_the_page() -> None:
    page = "".join(
        (STATIC / f"js/facts/{name}.json").read_text() for name in ("mechanisms", "masks")
    )
    for suspect in SUSPECTS:
        _, _, control = suspect.fix.partition(", ")
        for label in filter(None, control.split(": ")):
            assert re.search(rf'"{label}"', page, re.IGNORECASE), label


# --- Addresses ---------------------------------------------------------------------------------


def request(host: str | None, scheme: str = "http") -> Request:
    headers = [] if host is None else [(b"host", host.encode("latin-1"))]
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
    return Request({**scope, "scheme": scheme, "server": ("127.0.0.1", 8000)})


@pytest.mark.parametrize(
    ("host", "scheme", "best"),
    [
        ("192.168.1.20:8000", "http", "http://192.168.1.20:8000"),
        ("Headlight.School.example", "https", "https://headlight.school.example"),
        ("[2001:db8::1]:8000", "http", "http://[2001:db8::1]:8000"),
    ],
)
def test_address_that_was_opened_is_the_one_to_share(host: str, scheme: str, best: str) -> None:
    found = reach_of(request(host, scheme), Settings(host="0.0.0.0"))
    assert (found.best, found.closed) == (best, False)


LOCAL = ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "a.localhost:8000", "0.0.0.0:8000"]


@pytest.mark.parametrize("host", LOCAL)
def test_a_local_address_is_replaced_by_those_of_the_network(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "local_addresses", lambda: ["10.0.0.7", "192.168.1.20"])
    monkeypatch.setattr(reach, "IN_CONTAINER", Path("/nowhere"))
    opened = reach_of(request(host), Settings(host="0.0.0.0"))
    assert opened.addresses == ("http://10.0.0.7:8000", "http://192.168.1.20:8000")
    monkeypatch.setattr(reach, "IN_CONTAINER", Path("/"))
    assert reach_of(request(host), Settings(host="0.0.0.0")).addresses == ()
    closed = reach_of(request(host), Settings(host="127.0.0.1"))
    assert closed.closed and closed.addresses == () and closed.port == 8000


@pytest.mark.parametrize("host", ["", "a:x", "a b", "<script>", "a" * 300, "[::1", "a/b", None])
def test_a_malformed_host_is_never_offered(host: str | None) -> None:
    found = reach_of(request(host), Settings(host="127.0.0.1", port=8123))
    assert found.addresses == () and found.port == 8123


def test_loopback_is_recognised() -> None:
    for host in ("localhost", "LOCALHOST.", "127.3.2.1", "::1", "[::1]", "::ffff:127.0.0.1"):
        assert is_loopback(host), host
    for host in ("10.0.0.1", "0.0.0.0", "localhost.example", "::", ""):
        assert not is_loopback(host), host


def test_addresses_of_this_machine_are_no_loopback() -> None:
    assert not any(map(is_loopback, local_addresses()))


def test_qr_code_has_its_quiet_zone_and_its_own_colours() -> None:
    code = str(qr("http://192.168.1.20:8000"))
    assert code.startswith("<svg viewBox=") and "<script" not in code
    assert 'stroke="#000"' in code and 'fill="#fff"' in code
    side = int(re.findall(r'viewBox="0 0 (\d+)', code)[0])
    assert (side - 2 * 4 - 17) % 4 == 0  # a version's modules, and four modules around them
