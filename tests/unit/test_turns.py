"""When refused clients should come back."""

import itertools

from server.run.tracing.turns import MAX_WAIT_S, OVERBOOKING, Turns


def test_each_participant_gets_a_different_turn() -> None:
    turns = Turns()
    waits = [turns.wait_s(f"{n}", now=10.0, queue_s=0.5, each_s=0.3) for n in range(4)]
    assert waits[0] == 0.5  # when those inside are done
    steps = [later - sooner for sooner, later in itertools.pairwise(waits)]
    assert all(abs(step - 0.3 / OVERBOOKING) < 1e-9 for step in steps)


def test_an_early_retry_keeps_its_turn() -> None:
    turns = Turns()
    first = turns.wait_s("ada", now=10.0, queue_s=0.5, each_s=0.3)
    for n in range(5):
        turns.wait_s(f"{n}", now=10.0, queue_s=0.5, each_s=0.3)
    assert turns.wait_s("ada", now=10.2, queue_s=0.5, each_s=0.3) == first - (10.2 - 10.0)
    again = turns.wait_s("ada", now=10.6, queue_s=0.5, each_s=0.3)  # too late: the last turn
    assert abs(10.6 + again - (10.5 + 6 * 0.3 / OVERBOOKING)) < 1e-9


def test_the_wait_is_limited() -> None:
    turns = Turns()
    waits = [turns.wait_s(f"{n}", now=0.0, queue_s=1.0, each_s=1.0) for n in range(3_000)]
    assert max(waits) == MAX_WAIT_S
    assert len(turns._given) <= 3_000
    assert turns.wait_s("late", now=100.0, queue_s=1.0, each_s=1.0) == 1.0
    assert turns._given == {"late": 101.0}  # the others are forgotten
