"""Wrong passwords: a few at once, then slowly; one attacker does not lock the others out."""

import pytest

from server.guard import attempts
from server.guard.attempts import OF_A_PARTICIPANT, OF_ALL, OF_AN_ADDRESS, Attempts, network


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def wrong_until_refused(attempts: Attempts, *who: str) -> int:
    for n in range(10_000):
        if attempts.wait_s(*who) > 0:
            return n
        attempts.wrong(*who)
    raise AssertionError("nothing was refused")


def test_a_participant_has_a_few_attempts_at_once_and_then_one_at_a_time(clock: Clock) -> None:
    attempts = Attempts(1, clock)
    assert wrong_until_refused(attempts, "ada", "10.0.0.1") == OF_A_PARTICIPANT.burst
    assert attempts.wait_s("ada", "10.0.0.1") == OF_A_PARTICIPANT.every_s
    assert attempts.wait_s("grace", "10.0.0.1") == 0
    clock.now += OF_A_PARTICIPANT.every_s - 1
    assert attempts.wait_s("ada", "10.0.0.1") == 1
    clock.now += 1
    assert wrong_until_refused(attempts, "ada", "10.0.0.1") == 1
    clock.now += 1e6
    assert wrong_until_refused(attempts, "ada", "10.0.0.1") == OF_A_PARTICIPANT.burst


def test_a_guesser_who_changes_names_is_limited_by_address(clock: Clock) -> None:
    attempts = Attempts(1, clock)
    for n in range(int(OF_AN_ADDRESS.burst)):
        assert attempts.wait_s(f"{n}", "10.0.0.1") == 0
        attempts.wrong(f"{n}", "10.0.0.1")
    assert attempts.wait_s("another", "10.0.0.1") == OF_AN_ADDRESS.every_s
    assert attempts.wait_s("", "10.0.0.1") > 0
    assert attempts.wait_s("another", "10.0.0.2") == 0


def test_many_addresses_share_the_servers_own_budget(clock: Clock) -> None:
    attempts = Attempts(1, clock)
    for n in range(int(OF_ALL.burst)):
        attempts.wrong("", f"10.0.{n // 250}.{n % 250}")
    assert attempts.wait_s("", "192.168.0.1") == OF_ALL.every_s
    clock.now += 3_600
    found = sum(wrong_until_refused(attempts, "", f"172.16.0.{n}") for n in range(20))
    assert found == OF_ALL.burst


def test_workers_share_the_budgets(clock: Clock) -> None:
    attempts = Attempts(4, clock)
    for n in range(int(OF_ALL.burst) // 4):
        attempts.wrong("", f"10.0.0.{n}")
    assert attempts.wait_s("", "10.0.1.1") == 4 * OF_ALL.every_s
    assert wrong_until_refused(Attempts(64, clock), "ada", "10.0.0.1") == 3


def test_old_names_are_evicted(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MAX_NAMES", 5)
    counted = Attempts(1, clock)
    for n in range(100):
        counted.wrong(f"{n}", f"10.0.0.{n}")
    assert len(counted._participants._left) == len(counted._addresses._left) == 5


def test_an_ipv6_household_counts_as_one_address() -> None:
    assert (
        network("2001:db8:1:2::3") == network("2001:db8:1:2:ffff::1") != network("2001:db8:1:3::")
    )
    assert network("10.0.0.1") != network("10.0.0.2")
    assert network("testclient") == "testclient"
