"""Which connection is closed if there are too many, and which client if too much is unread."""

from dataclasses import dataclass

import pytest

from server.http.serving.connections import RESERVE, Connections
from server.http.serving.limits import Limits


@dataclass(eq=False)
class Connection:
    stalled: float = 0.0
    gone: bool = False

    def close_idle(self) -> None:
        self.gone = True

    def cut_off(self) -> None:
        self.gone = True

    def stalled_s(self) -> float:
        return self.stalled


def connections(n: int = 2, sending_bytes: int = 100) -> Connections:
    return Connections(Limits(n, 1, 1, 1, 1, sending_bytes))


def full(everyone: Connections) -> list[Connection]:
    opened = [Connection() for _ in range(everyone.limits.connections + RESERVE)]
    assert all(map(everyone.opened, opened))
    return opened


def test_the_longest_idle_connection_makes_room() -> None:
    everyone = connections()
    opened = full(everyone)
    for connection in opened:
        everyone.reading(connection)
        everyone.read(connection)
    everyone.idle(opened[7])
    everyone.idle(opened[3])
    assert everyone.opened(Connection())
    assert [connection for connection in opened if connection.gone] == [opened[7]]


def test_with_none_idle_the_slowest_head_makes_room_and_no_answer_is_broken_off() -> None:
    everyone = connections()
    opened = full(everyone)
    for connection in opened:
        everyone.reading(connection)
    for connection in opened[:5]:
        everyone.read(connection)
    assert everyone.opened(Connection())
    assert [connection for connection in opened if connection.gone] == [opened[5]]
    for connection in opened:
        everyone.read(connection)
    assert not everyone.opened(Connection())


def test_a_closed_connection_leaves_its_place() -> None:
    everyone = connections()
    opened = full(everyone)
    everyone.closed(opened[0])
    assert everyone.opened(Connection())
    assert not any(connection.gone for connection in opened)


def test_one_answer_for_many_counts_once() -> None:
    everyone, body = connections(sending_bytes=100), bytes(60)
    with everyone.sending(Connection(), body), everyone.sending(Connection(), body):
        assert everyone.unread_bytes == 60
        assert everyone.has_room(body)
        assert not everyone.has_room(bytes(50))
    assert everyone.unread_bytes == 0


def test_stalled_clients_make_room_and_reading_ones_do_not() -> None:
    everyone = connections(sending_bytes=100)
    reads, stopped, longer = Connection(0.5), Connection(2), Connection(3)
    first, second, third = bytearray(40), bytearray(30), bytearray(20)
    with everyone.sending(reads, bytes(first)), everyone.sending(stopped, bytes(second)):
        with everyone.sending(longer, bytes(third)):
            assert everyone.has_room(bytes(30))
            assert (reads.gone, stopped.gone, longer.gone) == (False, False, True)
        assert not everyone.has_room(bytes(90))
        assert (reads.gone, stopped.gone) == (False, True)
        assert everyone.unread_bytes == 40
    assert everyone.unread_bytes == 0


def test_a_single_answer_may_be_larger_than_all_that_is_allowed() -> None:
    assert connections(sending_bytes=100).has_room(bytes(1_000))


def test_it_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    everyone = connections()
    for connection in full(everyone):
        everyone.idle(connection)
    for _ in range(10):
        connection = Connection()
        assert everyone.opened(connection)
        everyone.idle(connection)
    assert caplog.messages == ["Connections closed because more than 2 were open: 1"]
